#include "daemon/report/story_markdown.h"

#include "daemon/report/number_words.h"
#include "daemon/report/story_words.h"
#include "traces/describe.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace heddle::report {

namespace {

std::string table_row(std::string_view first, const std::vector<std::string>& cells) {
    return fmt::format("| {} | {} |\n", first, fmt::join(cells, " | "));
}

/// `file` is the one that was named last: it is not named again, so that more steps fit into a line.
std::string step_cell(const Trace& trace, const StoryStep& step, std::string_view& file) {
    std::string text = markdown_text(step.words);
    if (!step.value.empty()) text += fmt::format(" {}", markdown_text(step.value));
    if (step.marked) text = fmt::format("**▶ {} ◀**", text);
    const std::string place = next_place(trace, step.place, file);
    return place.empty() ? text : fmt::format("{} {}", text, markdown_text(place));
}

std::string past_list(const Trace& trace, const Story& story) {
    if (story.base.value == 0) return {};
    std::string text = fmt::format("The run as recorded, up to event {}:\n\n", grouped(story.base.value));
    for (const StoryThread& thread : story.threads) {
        text += fmt::format("- {}: {}\n", markdown_text(full_name(trace, thread.thread)),
                            markdown_text(past_words(trace, thread)));
    }
    if (story.others_before > 0)
        text += fmt::format("- other threads: {}\n", counted(story.others_before, "event"));
    return text + "\nThen:\n\n";
}

std::string end_list(const Trace& trace, const Story& story) {
    std::string text = "\nAt the end:\n\n";
    for (const StoryThread& thread : story.threads) {
        text += fmt::format("- {} {}\n", markdown_text(full_name(trace, thread.thread)),
                            markdown_text(held_words(trace, thread.held_at_end)));
    }
    return text;
}

} // namespace

std::string markdown_text(std::string_view text) {
    constexpr std::string_view kSpecial = R"(\`*_{}[]<>#|~$&)";
    std::string result;
    for (const char letter : text) {
        if (kSpecial.find(letter) != std::string_view::npos) result += '\\';
        result += letter == '\n' ? ' ' : letter;
    }
    return result;
}

std::string story_markdown(const Trace& trace, const Story& story) {
    const std::size_t columns = story.threads.size();
    std::vector<std::string> heads;
    for (const StoryThread& thread : story.threads)
        heads.push_back(markdown_text(full_name(trace, thread.thread)));
    std::string text = past_list(trace, story) + table_row("", heads) +
                       table_row("--:", std::vector<std::string>(columns, "---"));
    const auto cell_of = [&](std::vector<std::string>& cells, ThreadId thread) -> std::string& {
        const auto found = std::ranges::find(story.threads, thread, &StoryThread::thread);
        return cells[static_cast<std::size_t>(found - story.threads.begin())];
    };
    std::string_view file;
    std::size_t number = 0;
    for (const StoryRow& row : story.rows) {
        std::vector<std::string> cells(columns);
        if (const auto* step = std::get_if<StoryStep>(&row)) {
            cell_of(cells, step->thread) = step_cell(trace, *step, file);
            text += table_row(std::to_string(++number), cells);
            continue;
        }
        const auto& gap = std::get<StoryGap>(row);
        for (const StoryGap::Part& part : gap.parts) cell_of(cells, part.thread) = gap_words(part.events);
        if (!gap.parts.empty()) text += table_row("", cells);
        if (gap.others == 0) continue;
        std::vector<std::string> others(columns);
        others[0] = others_words(gap.others);
        text += table_row("", others);
    }
    return text + end_list(trace, story);
}

} // namespace heddle::report
