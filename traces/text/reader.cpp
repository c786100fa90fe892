#include "traces/text/reader.h"

#include "traces/text/common_line.h"
#include "traces/text/directives.h"
#include "traces/text/line_parser.h"
#include "traces/text/line_source.h"
#include "traces/text/names.h"
#include "traces/text/pairing.h"
#include "traces/text/places.h"
#include "traces/text/wording.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heddle {

namespace {

using text::LineSource;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::uint64_t kLinesPerProgress = std::uint64_t{1} << 16U;
constexpr std::uint64_t kHopeless = std::uint64_t{64} << 20U; ///< bytes in which nothing makes sense

/// TraceBuilder::add(), with the room for the columns asked for once per few thousand events.
class EventAppender {
  public:
    explicit EventAppender(TraceBuilder& builder) : builder_(builder) {}

    EventId add(const Event& event) {
        if (event.kind == EventKind::atomic_rmw) {
            used_ = room_.heads.size(); // add() takes the next place of the room
            return builder_.add(event);
        }
        if (used_ == room_.heads.size()) {
            room_ = builder_.room(kRoom);
            used_ = 0;
        }
        const EventId id{builder_.size()};
        room_.heads[used_] =
            EventHead(event.kind, event.order, event.bytes, event.value.has_value(), false, event.stack)
                .with_thread(event.thread);
        room_.targets[used_] = event.target;
        room_.values[used_] = event.value.value_or(0);
        ++used_;
        builder_.commit(event.thread, 1);
        return id;
    }

  private:
    static constexpr std::size_t kRoom = 4096;

    TraceBuilder& builder_;
    TraceBuilder::Room room_;
    std::size_t used_ = 0;
};

class TextReader {
  public:
    TextReader(ByteSource& source, std::string_view file_name, const TextReadOptions& options)
        : source_(source), file_name_(file_name), options_(options),
          lines_(source, options.limits.max_line_bytes), events_(builder_), names_(builder_),
          places_(builder_), directives_(builder_, names_, places_, options.limits),
          result_{.damage = DamageLog(options.limits.max_damage_reported)} {}

    Result<TextTrace> read();

  private:
    void read_lines();
    void look_up(); // from the lines, once in a while
    void read_line(std::string_view line);
    void add_event();
    [[nodiscard]] bool resolve(const text::ParsedLine& parsed, Event& event);
    [[nodiscard]] bool resolve_place(std::string_view place, Event& event);
    [[nodiscard]] std::string_view plain(std::string_view name) {
        return lines_.may_hold_escapes() ? text::unescaped(name, unescaped_) : name;
    }
    void note_skipped();

    void report(DamageKind kind, std::string where, std::string what) {
        result_.damage.add({kind, std::move(where), std::move(what)});
    }
    void report_line(DamageKind kind, std::string_view what) {
        report(kind, fmt::format("{}:{}", file_name_, lines_.number()), std::string(what));
    }
    void report(const text::SyntaxError& error);

    ByteSource& source_;
    std::string_view file_name_;
    const TextReadOptions& options_;
    LineSource lines_;
    std::size_t indent_ = 0; ///< blanks and marks before the text of the line, for columns

    TraceBuilder builder_;
    EventAppender events_;
    text::NameTable names_;
    text::PlaceTable places_;
    text::DirectiveReader directives_;
    text::LineParser parser_;
    text::ParsedLine parsed_;
    text::Pairing pairing_;
    std::string unescaped_;

    std::array<std::uint64_t, text::kSkippedOperations.size()> skipped_{};
    bool understood_something_ = false;
    bool stopped_ = false;
    TextTrace result_;
};

Result<TextTrace> TextReader::read() {
    read_lines();
    if (!understood_something_ && !result_.damage.empty()) {
        return fail(fmt::format("{}: not a trace: {}", file_name_,
                                result_.damage.kept().empty() ? "no line could be read"
                                                              : result_.damage.kept().front().text()));
    }
    note_skipped();
    result_.trace = builder_.snapshot();
    return std::move(result_);
}

void TextReader::read_lines() {
    while (!stopped_) {
        switch (lines_.next()) {
        case LineSource::Step::line: read_line(lines_.text()); break;
        case LineSource::Step::passing: look_up(); continue;
        case LineSource::Step::too_long:
            report_line(DamageKind::limit, fmt::format("the line is longer than {} bytes; it was left out",
                                                       options_.limits.max_line_bytes));
            break;
        case LineSource::Step::end: return;
        case LineSource::Step::failed:
            report(DamageKind::corrupt, fmt::format("{}:{}", file_name_, lines_.number() + 1),
                   fmt::format("{}; the lines before were kept", lines_.error()));
            return;
        }
        if (lines_.number() % kLinesPerProgress == 0) look_up();
    }
}

/// Stops when nobody wants more, and when this is no trace, however much of it there is.
void TextReader::look_up() {
    if (options_.progress && !options_.progress(source_.consumed(), source_.total())) {
        result_.notes.push_back(fmt::format("reading was stopped after line {}", lines_.number()));
        stopped_ = true;
    } else if (!understood_something_ && source_.consumed() > kHopeless) {
        report_line(DamageKind::syntax, fmt::format("nothing in {} MiB makes sense", kHopeless >> 20U));
        stopped_ = true;
    }
}

void TextReader::read_line(std::string_view line) {
    const char* const start = line.data();
    if (lines_.may_hold_nul()) {
        if (const std::size_t nul = line.find('\0'); nul != std::string_view::npos) {
            report(DamageKind::syntax, fmt::format("{}:{}:{}", file_name_, lines_.number(), nul + 1),
                   "expected text, found a NUL byte");
            return;
        }
    }
    if (line.ends_with('\r')) line.remove_suffix(1);
    indent_ = 0;
    if (!lines_.may_hold_escapes() && text::parse_common_line(line, parsed_)) return add_event();
    if (lines_.number() == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
    line = text::trimmed(line);
    if (line.empty()) return;
    indent_ = static_cast<std::size_t>(line.data() - start);
    if (line.front() == '#') {
        if (!text::is_directive(line)) return;
        if (!directives_.read(line)) return report(directives_.error());
        understood_something_ = true;
        return;
    }
    if (line.starts_with("//")) return;
    if (!parser_.parse(line, lines_.may_hold_escapes(), parsed_)) return report(parser_.error());
    add_event();
}

/// Makes an event of the line that was parsed.
void TextReader::add_event() {
    if (parsed_.operation.is_skipped()) {
        ++skipped_[parsed_.operation.skipped];
        understood_something_ = true;
        return;
    }
    if (builder_.size() >= options_.limits.max_events) {
        report_line(DamageKind::limit,
                    fmt::format("more than {} events; the rest was left out", options_.limits.max_events));
        stopped_ = true;
        return;
    }
    Event event{.kind = parsed_.operation.kind,
                .order = parsed_.attributes.order,
                .bytes = parsed_.attributes.bytes,
                .value_read = parsed_.attributes.value_read};
    if (parsed_.attributes.has_value) event.value = parsed_.attributes.value;
    if (!resolve(parsed_, event)) return;
    if (text::Pairing::concerns(event.kind) && !pairing_.complete(event, parsed_.attributes.unmatched)) {
        return report_line(
            DamageKind::syntax,
            fmt::format("ticket {} was already given to an earlier notify that had none: write "
                        "tickets on all notifies or on none",
                        *event.value));
    }
    result_.lines.add(events_.add(event), lines_.number());
    understood_something_ = true;
}

/// Finds the objects and the stack that a line names. Only lines that parsed get this far, so that a
/// damaged line does not leave objects behind.
bool TextReader::resolve(const text::ParsedLine& parsed, Event& event) {
    if (!resolve_place(parsed.place, event)) return false;
    const std::string_view thread = plain(parsed.thread);
    const bool threads_full = builder_.object_count(ObjectKind::thread) + 2 > EventHead::kMaxThreads;
    if (threads_full && names_.find(ObjectKind::thread, thread) == HashIndex::kAbsent) {
        report_line(DamageKind::limit, "too many threads; the line was left out");
        return false;
    }
    event.thread = ThreadId{names_.find_or_add(ObjectKind::thread, thread)};
    if (parsed.target.empty()) return true;
    const ObjectKind kind = *traits(event.kind).target;
    const std::string_view target = plain(parsed.target);
    if (kind == ObjectKind::thread && threads_full && names_.find(kind, target) == HashIndex::kAbsent) {
        report_line(DamageKind::limit, "too many threads; the line was left out");
        return false;
    }
    event.target = names_.find_or_add(kind, target);
    return true;
}

bool TextReader::resolve_place(std::string_view place, Event& event) {
    if (place.empty() || places_.is_none(place)) return true;
    event.stack = places_.stack(place);
    if (!event.stack.valid()) {
        report(text::SyntaxError{static_cast<std::size_t>(place.data() - lines_.text().data()) + 1 - indent_,
                                 "a frame on both sides of each <", place});
        return false;
    }
    if (event.stack.value >= EventHead::kMaxStacks) {
        report_line(DamageKind::limit, "too many places; the line was left out");
        return false;
    }
    return true;
}

void TextReader::report(const text::SyntaxError& error) {
    if (result_.damage.full()) return result_.damage.add_uncounted_text(1);
    report(DamageKind::syntax, fmt::format("{}:{}:{}", file_name_, lines_.number(), indent_ + error.column),
           fmt::format("expected {}, found {}", error.expected, text::quoted(error.found)));
}

void TextReader::note_skipped() {
    std::uint64_t total = 0;
    std::vector<std::string_view> kinds;
    for (std::size_t i = 0; i < skipped_.size(); ++i) {
        total += skipped_[i];
        if (skipped_[i] > 0) kinds.push_back(text::kSkippedOperations[i]);
    }
    if (total == 0) return;
    result_.notes.push_back(fmt::format("{} event{} of kind{} {} {} skipped: they say nothing about memory "
                                        "or synchronisation",
                                        text::grouped(total), total == 1 ? "" : "s",
                                        kinds.size() == 1 ? "" : "s", fmt::join(kinds, ", "),
                                        total == 1 ? "was" : "were"));
}

} // namespace

Result<TextTrace> read_text(ByteSource& source, std::string_view file_name, const TextReadOptions& options) {
    return TextReader(source, file_name, options).read();
}

} // namespace heddle
