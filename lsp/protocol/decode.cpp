#include "lsp/protocol/decode.h"

#include "lsp/protocol/members.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace heddle::lsp {

namespace {

std::optional<std::int64_t> whole_number(const Json& json, std::int64_t lowest, std::int64_t highest) {
    if (json.is_number_float()) {
        const auto number = json.get<double>();
        // Both limits are exact as doubles, or the comparison is against the next one outside.
        const bool fits = number >= static_cast<double>(lowest) && number < static_cast<double>(highest) + 1;
        if (!fits || std::trunc(number) != number) return std::nullopt;
        return static_cast<std::int64_t>(number);
    }
    if (!json.is_number_integer()) return std::nullopt;
    if (json.is_number_unsigned() &&
        json.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return std::nullopt;
    }
    const auto number = json.get<std::int64_t>();
    if (number < lowest || number > highest) return std::nullopt;
    return number;
}

template<typename Number>
void decode_number(const Json& json, Number& value, Decoding& decoding, std::int64_t lowest,
                   std::int64_t highest) {
    const auto number = whole_number(json, lowest, highest);
    if (!number) return decoding.fail(fmt::format("not a whole number from {} to {}", lowest, highest));
    value = static_cast<Number>(*number);
}

constexpr std::int64_t kLowest = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int32_t>::max();

} // namespace

void Decoding::fail(std::string_view what) {
    if (failed()) return;
    for (const Step& step : path_) {
        if (const auto* element = std::get_if<std::size_t>(&step)) {
            error_ += fmt::format("[{}]", *element);
        } else {
            error_ += fmt::format("{}{}", error_.empty() ? "" : ".", std::get<std::string_view>(step));
        }
    }
    error_ += fmt::format("{}{}", error_.empty() ? "" : ": ", what);
}

Decoding::Inside::Inside(Decoding& decoding, std::string_view member) : decoding_(decoding) {
    decoding_.path_.emplace_back(member);
}

Decoding::Inside::Inside(Decoding& decoding, std::size_t element) : decoding_(decoding) {
    decoding_.path_.emplace_back(element);
}

Decoding::Inside::~Inside() {
    decoding_.path_.pop_back();
}

void decode(const Json& json, bool& value, Decoding& decoding) {
    if (!json.is_boolean()) return decoding.fail("not true or false");
    value = json.get<bool>();
}

void decode(const Json& json, std::int32_t& value, Decoding& decoding) {
    decode_number(json, value, decoding, kLowest, kHighest);
}

void decode(const Json& json, std::uint32_t& value, Decoding& decoding) {
    decode_number(json, value, decoding, 0, kHighest);
}

void decode(const Json& json, std::string& value, Decoding& decoding) {
    if (!json.is_string()) return decoding.fail("not a string");
    value = json.get_ref<const std::string&>();
}

void decode(const Json& json, std::variant<std::int64_t, std::string>& value, Decoding& decoding) {
    if (json.is_string()) {
        value = json.get_ref<const std::string&>();
    } else if (const auto number = whole_number(json, kLowest, kHighest)) {
        value = *number;
    } else {
        decoding.fail("not a string or a whole number");
    }
}

void decode(const Json& json, Json& value, Decoding& /*decoding*/) {
    value = json;
}

std::size_t array_size(const Json& json, Decoding& decoding) {
    if (json.is_array()) return json.size();
    decoding.fail("not an array");
    return 0;
}

const Json& array_element(const Json& json, std::size_t index) {
    return json[index];
}

std::vector<std::pair<std::string, const Json*>> object_members(const Json& json, Decoding& decoding) {
    std::vector<std::pair<std::string, const Json*>> members;
    if (!is_object(json, decoding)) return members;
    for (const auto& [name, value] : json.items()) members.emplace_back(name, &value);
    return members;
}

const Json* find_member(const Json& object, const char* name) {
    const auto found = object.find(name);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

bool is_object(const Json& json, Decoding& decoding) {
    if (!json.is_object()) decoding.fail("not an object");
    return json.is_object();
}

} // namespace heddle::lsp
