#include "daemon/settings/json_value.h"

#include "daemon/settings/limits.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::settings {

namespace {

using nlohmann::json;

bool is_plain_text(const json& value) {
    if (!value.is_string()) return false;
    const auto& text = value.get_ref<const std::string&>();
    return !text.empty() && text.find('\0') == std::string::npos;
}

} // namespace

Result<bool> read_bool(const json& value) {
    if (!value.is_boolean()) return fail("must be true or false");
    return value.get<bool>();
}

Result<double> read_number(const json& value, double least, double most) {
    const bool fits =
        value.is_number() && value.get<double>() >= least && value.get<double>() <= most; // not with NaN
    if (!fits) return fail(fmt::format("must be a number between {} and {}", least, most));
    return value.get<double>();
}

Result<std::uint64_t> read_count(const json& value, std::uint64_t least, std::uint64_t most) {
    // 2e3 is a whole number too, though JSON's readers keep it as a floating one.
    const double number = value.is_number() ? value.get<double>() : std::nan("");
    const bool fits = number >= static_cast<double>(least) && number <= static_cast<double>(most) &&
                      std::floor(number) == number;
    if (!fits) return fail(fmt::format("must be a whole number between {} and {}", least, most));
    return static_cast<std::uint64_t>(number);
}

Result<std::string> read_text(const json& value, std::string_view what) {
    if (!is_plain_text(value)) return fail(fmt::format("must be {}", what));
    return value.get<std::string>();
}

Result<std::vector<std::string>> read_texts(const json& value, std::string_view what) {
    const bool fits =
        value.is_array() && value.size() <= kLimits.list_items && std::ranges::all_of(value, is_plain_text);
    if (!fits) return fail(fmt::format("must be a list of {}", what));
    return value.get<std::vector<std::string>>();
}

Result<std::size_t> read_word(const json& value, std::span<const std::string_view> words) {
    if (value.is_string()) {
        const auto found = std::ranges::find(words, value.get_ref<const std::string&>());
        if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    }
    return fail(fmt::format("must be one of {}", fmt::join(words, ", ")));
}

std::string quoted(const json& value) {
    constexpr std::size_t kLongest = 60;
    std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
    if (text.size() > kLongest) text = text.substr(0, kLongest) + "…";
    return text;
}

} // namespace heddle::settings
