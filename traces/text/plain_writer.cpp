#include "traces/text/plain_writer.h"

#include "traces/text/notation.h"
#include "traces/text/wording.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heddle::text {

namespace {

bool is_plain(EventKind kind) {
    switch (kind) {
    case EventKind::read:
    case EventKind::write:
    case EventKind::acquire:
    case EventKind::release:
    case EventKind::fork:
    case EventKind::join:
    case EventKind::txn_begin:
    case EventKind::txn_end: return true;
    default: return false;
    }
}

/// A number for each place: the label where that is one, otherwise one above all such labels. 0: no place.
class PlaceNumbers {
  public:
    explicit PlaceNumbers(const Trace& trace) : trace_(trace), label_numbers_(trace.places().size(), -1) {
        for (std::size_t i = 0; i < label_numbers_.size(); ++i) {
            const std::string_view label = trace.string(trace.places()[i].label);
            const std::optional<std::uint64_t> number = parse_number(label);
            if (!number || *number > std::numeric_limits<std::int32_t>::max() || label.starts_with("0x"))
                continue;
            label_numbers_[i] = static_cast<std::int64_t>(*number);
            highest_label_ = std::max(highest_label_, label_numbers_[i]);
        }
    }

    [[nodiscard]] std::int64_t number(StackId stack) {
        const PlaceId place = trace_.place_of(stack);
        if (!place.valid()) return 0;
        if (label_numbers_[place.value] >= 0) return label_numbers_[place.value];
        made_up_ = true;
        return highest_label_ + 1 + place.value;
    }
    [[nodiscard]] bool made_up() const { return made_up_; }

  private:
    const Trace& trace_;
    std::vector<std::int64_t> label_numbers_; ///< by place; -1: its label is no number
    std::int64_t highest_label_ = 0;
    bool made_up_ = false;
};

void note_left_out(const std::array<std::uint64_t, kEventKinds>& left_out, TextWriteReport& report) {
    std::vector<std::string> parts;
    for (std::size_t kind = 0; kind < kEventKinds; ++kind) {
        if (left_out[kind] == 0) continue;
        parts.push_back(fmt::format("{} {}", grouped(left_out[kind]), kKindTraits[kind].text));
        report.events_left_out += left_out[kind];
    }
    if (!parts.empty()) report.notes.push_back(fmt::format("events left out: {}", fmt::join(parts, ", ")));
}

void note_renamed(const ObjectWords& words, TextWriteReport& report) {
    for (std::size_t i = 0; i < kObjectKinds; ++i) {
        const std::size_t count = words.renamed(static_cast<ObjectKind>(i));
        if (count == 0) continue;
        report.notes.push_back(fmt::format("{} {}{} without a unique plain name {} renamed", grouped(count),
                                           kObjectKindNames[i], count == 1 ? "" : "s",
                                           count == 1 ? "was" : "were"));
    }
}

} // namespace

TextWriteReport write_plain(const Trace& trace, const ObjectWords& words, TextOutput& out) {
    TextWriteReport report;
    PlaceNumbers places(trace);
    std::array<std::uint64_t, kEventKinds> left_out{};
    std::uint64_t values = 0;
    for (const EventView event : trace.events()) {
        if (!is_plain(event.kind())) {
            ++left_out[static_cast<std::size_t>(event.kind())];
            continue;
        }
        const KindTraits& kind = traits(event.kind());
        std::string& line = out.buffer();
        line.append(words.field(ObjectKind::thread, event.thread().value)).append(1, '|').append(kind.text);
        if (event.has_target())
            line.append(1, '(').append(words.field(*kind.target, event.target())).append(1, ')');
        line.append(1, '|').append(fmt::format_int(places.number(event.stack())).str());
        out.line_done();
        ++report.events_written;
        values += event.has_value();
        if (!out.ok()) break;
    }
    note_left_out(left_out, report);
    if (values > 0) report.notes.push_back(fmt::format("{} values were left out", grouped(values)));
    if (places.made_up()) report.notes.emplace_back("places were written as numbers");
    note_renamed(words, report);
    return report;
}

} // namespace heddle::text
