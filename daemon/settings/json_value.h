// Reads values out of JSON, each with the words for what it should have been.
//
// A reader gives the value, or, as an error, what was expected: "must be a number between 1 and 10". Who
// knows the key and the value found completes the sentence.
#pragma once

#include "traces/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace heddle::settings {

[[nodiscard]] Result<bool> read_bool(const nlohmann::json& value);
[[nodiscard]] Result<double> read_number(const nlohmann::json& value, double least, double most);
[[nodiscard]] Result<std::uint64_t> read_count(const nlohmann::json& value, std::uint64_t least,
                                               std::uint64_t most);
/// Not empty, and without a zero byte, which no path can have.
[[nodiscard]] Result<std::string> read_text(const nlohmann::json& value, std::string_view what);
[[nodiscard]] Result<std::vector<std::string>> read_texts(const nlohmann::json& value, std::string_view what);
/// The position of the value among the words.
[[nodiscard]] Result<std::size_t> read_word(const nlohmann::json& value,
                                            std::span<const std::string_view> words);

/// The value as one would quote it in a sentence, cut short if long.
[[nodiscard]] std::string quoted(const nlohmann::json& value);

} // namespace heddle::settings
