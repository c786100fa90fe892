#include "daemon/settings/suppressions.h"

#include "daemon/settings/limits.h"
#include "daemon/settings/text_file.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace heddle::settings {

namespace {

/// In the order of Suppression::Type.
constexpr std::array<std::string_view, 8> kTypeNames = {
    "race", "race_top", "atomicity", "deadlock", "called_from_lib", "mutex", "thread", "signal"};

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r\v\f";
    const std::size_t first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

/// Calls `visit` with each line and its number.
template<typename Visit>
void each_line(std::string_view text, Visit visit) {
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        visit(trimmed(text.substr(0, end)), number);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// What a line says, or what is wrong with it.
Result<Suppression> parse_line(std::string_view line, std::size_t number) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos)
        return fail(fmt::format("line {}: must be type:pattern, such as race:Account::deposit", number));
    const auto* const type = std::ranges::find(kTypeNames, line.substr(0, colon));
    if (type == kTypeNames.end()) {
        return fail(fmt::format("line {}: does not begin with a known type ({})", number,
                                fmt::join(kTypeNames, ", ")));
    }
    const std::string_view pattern = line.substr(colon + 1);
    if (pattern.empty())
        return fail(fmt::format("line {}: has no pattern; {}:* stands for everything", number, *type));
    if (pattern.size() > kLimits.pattern_bytes)
        return fail(fmt::format("line {}: is longer than {} bytes", number, kLimits.pattern_bytes));
    return Suppression{.type = static_cast<Suppression::Type>(type - kTypeNames.begin()),
                       .pattern = std::string(pattern),
                       .line = number};
}

bool frame_matches(std::string_view pattern, const Frame& frame) {
    return pattern_matches(pattern, frame.function) || pattern_matches(pattern, frame.file) ||
           pattern_matches(pattern, frame.module);
}

bool any_call_matches(std::string_view pattern, const Suspect& suspect) {
    return std::ranges::any_of(suspect.stacks, [&](const std::vector<Frame>& stack) {
        return std::ranges::any_of(stack, [&](const Frame& frame) { return frame_matches(pattern, frame); });
    });
}

bool any_object_matches(std::string_view pattern, const Suspect& suspect) {
    return std::ranges::any_of(suspect.objects,
                               [&](const std::string& name) { return pattern_matches(pattern, name); });
}

/// Whether `fits` the innermost call of one of the stacks.
template<typename Fits>
bool any_innermost(const Suspect& suspect, Fits fits) {
    return std::ranges::any_of(suspect.stacks, [&](const std::vector<Frame>& stack) {
        return !stack.empty() && fits(stack.front());
    });
}

/// Of the calls, stack by stack and innermost first: the first that knows it.
std::string_view first_known(const Suspect& suspect, std::string_view Frame::*part) {
    for (const std::vector<Frame>& stack : suspect.stacks) {
        const auto found =
            std::ranges::find_if(stack, [&](const Frame& frame) { return !(frame.*part).empty(); });
        if (found != stack.end()) return (*found).*part;
    }
    return {};
}

} // namespace

bool pattern_matches(std::string_view pattern, std::string_view name) {
    if (name.empty()) return false;
    const bool at_start = pattern.starts_with('^');
    if (at_start) pattern.remove_prefix(1);
    const std::size_t dollar = pattern.find('$');
    const bool at_end = dollar != std::string_view::npos;
    pattern = pattern.substr(0, dollar); // what follows the end cannot be found

    // Each piece between two stars where it is found first; the last one, if tied, where the name ends.
    for (bool tied = at_start;; tied = false) {
        const std::size_t star = pattern.find('*');
        const std::string_view piece = pattern.substr(0, star);
        if (star == std::string_view::npos && at_end) return tied ? name == piece : name.ends_with(piece);
        const std::size_t found =
            tied ? (name.starts_with(piece) ? 0 : std::string_view::npos) : name.find(piece);
        if (found == std::string_view::npos) return false;
        if (star == std::string_view::npos) return true;
        name.remove_prefix(found + piece.size());
        pattern.remove_prefix(star + 1);
    }
}

bool Suppression::matches(const Suspect& suspect) const {
    const auto innermost = [&](const Frame& frame) { return frame_matches(pattern, frame); };
    const auto own_module = [&](const Frame& frame) { return pattern_matches(pattern, frame.module); };
    const auto anywhere = [&] {
        return any_call_matches(pattern, suspect) || any_object_matches(pattern, suspect);
    };
    switch (type) {
    case Type::race: return suspect.type == FindingType::race && anywhere();
    case Type::race_top: return suspect.type == FindingType::race && any_innermost(suspect, innermost);
    case Type::atomicity: return suspect.type == FindingType::atomicity && anywhere();
    case Type::deadlock: return suspect.type == FindingType::deadlock && anywhere();
    case Type::called_from_lib: return any_innermost(suspect, own_module);
    case Type::mutex:
    case Type::thread:
    case Type::signal: return false;
    }
    return false;
}

const Suppression* Suppressions::match(const Suspect& suspect) const {
    const auto found =
        std::ranges::find_if(list, [&](const Suppression& one) { return one.matches(suspect); });
    return found == list.end() ? nullptr : &*found;
}

Suppressions parse_suppressions(std::string_view text) {
    Suppressions parsed;
    std::size_t untold = 0;
    each_line(text, [&](std::string_view line, std::size_t number) {
        if (line.empty() || line.starts_with('#')) return;
        Result<Suppression> one = parse_line(line, number);
        if (one && parsed.list.size() >= kLimits.suppressions)
            one = fail(fmt::format("line {}: only the first {} lines count", number, kLimits.suppressions));
        if (one) {
            parsed.list.push_back(std::move(*one));
        } else if (parsed.problems.size() < kLimits.problems) {
            parsed.problems.push_back(std::move(one.error().message));
        } else {
            ++untold;
        }
    });
    if (untold > 0) parsed.problems.push_back(fmt::format("{} more lines are wrong", untold));
    return parsed;
}

Result<Suppressions> read_suppressions(const std::string& path) {
    const auto text = read_text_file(path, kLimits.suppressions_bytes);
    if (!text) return tl::make_unexpected(text.error());
    if (!*text) return fail(fmt::format("{}: there is no such file", path));
    Suppressions parsed = parse_suppressions(**text);
    for (std::string& problem : parsed.problems) problem = fmt::format("{}: {}", path, problem);
    return parsed;
}

std::optional<std::string> suppression_for(const Suspect& suspect) {
    std::string_view name = first_known(suspect, &Frame::function);
    if (name.empty()) name = first_known(suspect, &Frame::file);
    if (name.empty() && !suspect.objects.empty()) name = suspect.objects.front();
    std::string pattern(trimmed(name.substr(0, kLimits.pattern_bytes)));
    if (pattern.empty()) return std::nullopt;
    // What a line cannot hold, or means something else in a pattern, is left open.
    std::ranges::replace_if(
        pattern, [](char c) { return c == '$' || static_cast<unsigned char>(c) < 0x20; }, '*');
    if (pattern.starts_with('^')) pattern[0] = '*';
    constexpr std::array<std::string_view, 3> kTypes = {"race", "atomicity", "deadlock"};
    return fmt::format("{}:{}", kTypes[static_cast<std::size_t>(suspect.type)], pattern);
}

} // namespace heddle::settings
