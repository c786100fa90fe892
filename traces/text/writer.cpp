#include "traces/text/writer.h"

#include "traces/text/declarations.h"
#include "traces/text/object_words.h"
#include "traces/text/place_texts.h"
#include "traces/text/plain_writer.h"
#include "traces/text/text_output.h"
#include "traces/text/wording.h"
#include "traces/tried.h"

#include <fmt/format.h>

namespace heddle {

namespace {

class EventWriter {
  public:
    EventWriter(const Trace& trace, const text::ObjectWords& words, text::PlaceTexts& places,
                std::string& out)
        : trace_(trace), words_(words), places_(places), out_(out) {}

    void write(const EventView& event) {
        const KindTraits& kind = traits(event.kind());
        out_.append(words_.field(ObjectKind::thread, event.thread().value)).append(1, '|').append(kind.text);
        if (event.has_target()) {
            out_.append(1, '(').append(words_.field(*kind.target, event.target())).append(1, ')');
        }
        before_attribute_ = "||";
        if (event.stack().valid()) {
            out_ += '|';
            places_.append(out_, event.stack());
            before_attribute_ = "|";
        }
        write_value(event);
        if (kind.atomic) write_order(event.order());
        if (!event.bytes().whole() && is_access(event.kind())) {
            const auto digit = [](unsigned number) { return static_cast<char>('0' + number); };
            attribute("bytes=");
            out_.append(1, digit(event.bytes().offset)).append(1, '+').append(1, digit(event.bytes().size));
        }
    }

    [[nodiscard]] std::vector<std::string> notes() const;

  private:
    void attribute(std::string_view text) {
        out_.append(before_attribute_).append(text);
        before_attribute_ = " ";
    }
    void number(std::uint64_t value) {
        const fmt::format_int digits(value);
        out_.append(digits.data(), digits.size());
    }

    void write_value(const EventView& event);
    void write_access_value(const EventView& event);
    /// A ticket, round or count. `absent` is written when there is none.
    void write_matching(const EventView& event, std::string_view key, std::string_view absent) {
        if (event.has_value()) {
            attribute(key);
            number(event.raw_value());
        } else if (!absent.empty()) {
            attribute(absent);
        }
    }
    void write_order(MemoryOrder order) {
        orders_missing_ += order == MemoryOrder::none;
        if (order == MemoryOrder::none || order == MemoryOrder::seq_cst) return;
        attribute(kMemoryOrderNames[static_cast<std::size_t>(order)]);
    }
    [[nodiscard]] std::uint64_t cut(std::uint64_t value, ByteRange bytes) {
        const std::uint64_t mask = ~std::uint64_t{0} >> (64U - bytes.size * 8U);
        values_cut_ += (value & ~mask) != 0;
        return value & mask;
    }

    const Trace& trace_;
    const text::ObjectWords& words_;
    text::PlaceTexts& places_;
    std::string& out_;
    std::string_view before_attribute_;
    std::uint64_t values_cut_ = 0;
    std::uint64_t values_dropped_ = 0;
    std::uint64_t orders_missing_ = 0;
};

void EventWriter::write_value(const EventView& event) {
    switch (event.kind()) {
    case EventKind::notify:
    case EventKind::notify_all: return write_matching(event, "ticket=", "ticket=none");
    case EventKind::wait_post: return write_matching(event, "ticket=", "spurious");
    case EventKind::barrier_enter:
    case EventKind::barrier_leave: return write_matching(event, "round=", "round=none");
    case EventKind::sem_init: return write_matching(event, "count=", {});
    case EventKind::acquire:
    case EventKind::acquire_shared:
        if (was_tried(event)) return attribute("tried");
        break;
    default: break;
    }
    if (!event.has_value()) return;
    if (is_access(event.kind())) {
        write_access_value(event);
    } else {
        ++values_dropped_;
    }
}

void EventWriter::write_access_value(const EventView& event) {
    attribute("=");
    if (event.kind() == EventKind::atomic_rmw) {
        number(cut(trace_.value_read_by(event), event.bytes()));
        out_ += "->";
    }
    number(cut(trace_.value_of(event), event.bytes()));
}

std::vector<std::string> EventWriter::notes() const {
    std::vector<std::string> notes;
    const auto note = [&](std::uint64_t count, std::string_view what) {
        if (count > 0) notes.push_back(fmt::format("{} {}", text::grouped(count), what));
    };
    note(values_cut_, "values were cut to the bytes of their access");
    note(values_dropped_, "values were left out: their events take none");
    note(orders_missing_, "atomic operations without a memory order are read back as seq_cst");
    return notes;
}

} // namespace

Result<TextWriteReport> write_text(const Trace& trace, ByteSink& sink, const TextWriteOptions& options) {
    text::TextOutput out(sink);
    TextWriteReport report;
    const text::ObjectWords words(trace, options.plain);
    if (options.plain) {
        report = text::write_plain(trace, words, out);
    } else {
        text::PlaceTexts places(trace);
        text::write_declarations(trace, words, places, out);
        EventWriter writer(trace, words, places, out.buffer());
        for (const EventView event : trace.events()) {
            writer.write(event);
            out.line_done();
            if (!out.ok()) break;
            if (!keep_going(options.progress, event.id().value, trace.size()))
                return fail("stopped before the end");
        }
        report.events_written = trace.size();
        report.notes = writer.notes();
    }
    if (Result<void> done = out.finish(); !done) return tl::make_unexpected(done.error());
    return report;
}

} // namespace heddle
