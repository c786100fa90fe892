#include "daemon/cli/finding_choice.h"

#include "daemon/cli/analysis_run.h"
#include "daemon/report/finding_words.h"

#include <charconv>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace heddle::cli {

namespace {

std::optional<std::size_t> number_in(const std::string& word) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (word.empty() || error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return number;
}

Result<std::string> only_recording() {
    const std::vector<std::string> files = recordings();
    if (files.size() == 1) return files[0];
    if (files.empty()) return fail(fmt::format("no trace was named, and there is none in {}", kRecordings));
    return fail(fmt::format("which trace? {} has {}", kRecordings, fmt::join(files, ", ")));
}

} // namespace

Result<ChosenFinding> choose_finding(const std::string& trace, const std::string& id) {
    const bool swapped = !number_in(id) && number_in(trace);
    const std::string& word = swapped || id.empty() ? trace : id;
    const std::string& path = swapped ? id : (id.empty() ? id : trace);
    if (word.empty()) return fail("of which finding? heddle analyze tells their ids");
    const std::optional<std::size_t> number = number_in(word);
    if (!number) return fail(fmt::format("'{}' is not the id of a finding; heddle analyze tells them", word));
    const Result<std::string> named = path.empty() ? only_recording() : Result<std::string>(path);
    if (!named) return tl::make_unexpected(named.error());
    return ChosenFinding{*named, *number};
}

Result<std::size_t> find_witnessed(const std::string& path, const Analysis& analysis, std::size_t number) {
    const std::vector<std::size_t> numbers = report::finding_numbers(analysis);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] != number) continue;
        const Verdict& verdict = analysis.findings[i].verdict;
        if (std::holds_alternative<Witnessed>(verdict)) return i;
        return fail(fmt::format("finding {} of {} is {} and has no witness: {}", number, path,
                                report::verdict_name(verdict), report::reason(verdict)));
    }
    if (numbers.empty()) return fail(fmt::format("{} has no findings", path));
    return fail(fmt::format("{} has no finding {}; there {}", path, number,
                            numbers.size() == 1 ? "is only 1" : fmt::format("are 1 to {}", numbers.size())));
}

} // namespace heddle::cli
