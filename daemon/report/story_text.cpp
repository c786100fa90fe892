#include "daemon/report/story_text.h"

#include "daemon/report/display_width.h"
#include "daemon/report/number_words.h"
#include "daemon/report/story_words.h"
#include "traces/describe.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace heddle::report {

namespace {

constexpr std::size_t kNumber = 5; ///< columns of the step's number and the space after it
constexpr std::size_t kMarks = 4;  ///< "▶ " and " ◀"
constexpr std::size_t kSpace = 2;  ///< between words and place
/// Words that are cut to less say too little.
constexpr std::size_t kLeastWords = 20;

struct Cell {
    std::size_t column = 0;
    std::string words;
    std::string place;
    bool marked = false;
};

struct Line {
    std::string number;
    std::vector<Cell> cells;  ///< by column
    std::uint64_t others = 0; ///< of a gap
};

/// Of a column, without its marks.
struct Width {
    std::size_t wanted = 0;
    std::size_t least = 0; ///< with words cut as far as they may be
};

std::size_t column_of(const Story& story, ThreadId thread) {
    const auto found = std::ranges::find(story.threads, thread, &StoryThread::thread);
    return static_cast<std::size_t>(found - story.threads.begin());
}

struct Style {
    bool values = true;
    bool one_below_the_other = false; ///< instead of one column a thread
};

std::vector<Line> lines_of(const Trace& trace, const Story& story, Style style) {
    std::vector<Line> lines;
    std::vector<std::string_view> files(story.threads.size());
    std::size_t number = 0;
    for (const StoryRow& row : story.rows) {
        Line line;
        if (const auto* step = std::get_if<StoryStep>(&row)) {
            const std::size_t column = column_of(story, step->thread);
            line.number = std::to_string(++number);
            std::string words = step->words;
            if (style.values && !step->value.empty()) words += " " + step->value;
            line.cells.push_back(
                {column, std::move(words),
                 next_place(trace, step->place, files[style.one_below_the_other ? 0 : column]),
                 step->marked});
        } else {
            const auto& gap = std::get<StoryGap>(row);
            line.others = gap.others;
            for (const StoryGap::Part& part : gap.parts)
                line.cells.push_back({column_of(story, part.thread), gap_words(part.events), {}, false});
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

void widen(const Cell& cell, Width& width) {
    const std::size_t words = display_width(cell.words);
    const std::size_t rest = cell.place.empty() ? 0 : kSpace + display_width(cell.place);
    width.wanted = std::max(width.wanted, words + rest);
    width.least = std::max(width.least, std::min(words, kLeastWords) + rest);
}

/// "▶ write x    bank.cpp:41 ◀": the place to the right.
std::string cell_text(const Cell& cell, std::size_t width) {
    const std::size_t place = display_width(cell.place);
    const std::size_t words = width - (place == 0 ? 0 : kSpace + place);
    std::string body = padded(cut_to_width(cell.words, words), width - place) + cell.place;
    return (cell.marked ? "▶ " : "  ") + body + (cell.marked ? " ◀" : "  ");
}

std::string without_trailing_spaces(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
}

std::string others_line(std::uint64_t others) {
    return others == 0 ? "" : fmt::format("{:>{}}  {}\n", "", kNumber, others_words(others));
}

/// What the columns need.
std::vector<Width> widths_of(const std::vector<Line>& lines, const std::vector<Cell>& heads) {
    std::vector<Width> widths(heads.size());
    for (const Cell& head : heads) widen(head, widths[head.column]);
    for (const Line& line : lines) {
        for (const Cell& cell : line.cells) widen(cell, widths[cell.column]);
    }
    return widths;
}

std::size_t total(const std::vector<Width>& widths) {
    std::size_t sum = kNumber;
    for (const Width& width : widths) sum += kMarks + width.wanted;
    return sum;
}

/// Takes from the widest columns until all fit. False when there is too little to take.
bool shrink(std::vector<Width>& widths, std::size_t width) {
    while (total(widths) > width) {
        Width* widest = nullptr;
        for (Width& one : widths) {
            const bool can = one.wanted > one.least;
            if (can && (widest == nullptr || one.wanted > widest->wanted)) widest = &one;
        }
        if (widest == nullptr) return false;
        --widest->wanted;
    }
    return true;
}

std::string table(const std::vector<Line>& lines, const std::vector<Cell>& heads,
                  const std::vector<Width>& widths) {
    std::string text(kNumber, ' ');
    for (const Cell& head : heads) text += cell_text(head, widths[head.column].wanted);
    text = without_trailing_spaces(std::move(text));
    for (const Line& line : lines) {
        std::string row = fmt::format("{:>{}} ", line.number, kNumber - 1);
        std::size_t column = 0;
        for (const Cell& cell : line.cells) {
            for (; column < cell.column; ++column) row.append(widths[column].wanted + kMarks, ' ');
            row += cell_text(cell, widths[column++].wanted);
        }
        if (!line.cells.empty()) text += without_trailing_spaces(std::move(row));
        text += others_line(line.others);
    }
    return text;
}

/// Nothing when the columns do not fit.
std::optional<std::string> in_columns(const Trace& trace, const Story& story, std::size_t width) {
    std::vector<Cell> heads;
    for (const StoryThread& thread : story.threads)
        heads.push_back({heads.size(), full_name(trace, thread.thread), {}, false});
    std::vector<Line> lines = lines_of(trace, story, {.values = true});
    std::vector<Width> widths = widths_of(lines, heads);
    if (total(widths) > width) {
        lines = lines_of(trace, story, {.values = false});
        widths = widths_of(lines, heads);
    }
    if (!shrink(widths, width)) return std::nullopt;
    return table(lines, heads, widths);
}

std::string one_below_the_other(const Trace& trace, const Story& story, std::size_t width) {
    const std::vector<Line> lines = lines_of(trace, story, {.one_below_the_other = true});
    std::size_t names = 0;
    for (const StoryThread& thread : story.threads)
        names = std::max(names, display_width(full_name(trace, thread.thread)));
    std::vector<Width> widths(1);
    for (const Line& line : lines) {
        for (const Cell& cell : line.cells) widen(cell, widths[0]);
    }
    static_cast<void>(shrink(widths, width - std::min(width, names + kSpace))); // as far as it goes
    std::string text;
    for (const Line& line : lines) {
        for (const Cell& cell : line.cells) {
            const std::string name = full_name(trace, story.threads[cell.column].thread);
            text +=
                without_trailing_spaces(fmt::format("{:>{}}  {} {}", line.number, kNumber - 1,
                                                    padded(name, names), cell_text(cell, widths[0].wanted)));
        }
        text += others_line(line.others);
    }
    return text;
}

std::string past_text(const Trace& trace, const Story& story) {
    if (story.base.value == 0) return {};
    std::string text = fmt::format("   the run as recorded, up to event {}:\n", grouped(story.base.value));
    for (const StoryThread& thread : story.threads) {
        text += fmt::format("      {}: {}\n", full_name(trace, thread.thread), past_words(trace, thread));
    }
    if (story.others_before > 0)
        text += fmt::format("      other threads: {}\n", counted(story.others_before, "event"));
    return text + "   then:\n";
}

} // namespace

std::string story_text(const Trace& trace, const Story& story, std::size_t width) {
    const std::optional<std::string> columns = in_columns(trace, story, width);
    return past_text(trace, story) + (columns ? *columns : one_below_the_other(trace, story, width));
}

} // namespace heddle::report
