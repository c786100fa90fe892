#include "lsp/json.h"

#include <algorithm>
#include <new>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::lsp {

namespace {

/// How deep a text nests and how many values it holds at most, counted by its punctuation alone. Right for
/// valid JSON; of anything else the parser says what is wrong with it.
struct Extent {
    std::size_t depth = 0;
    std::size_t values = 1;
};

Extent measure(std::string_view text) {
    Extent extent;
    std::size_t depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            if (c == '"') in_string = false;
            continue;
        }
        switch (c) {
        case '"': in_string = true; break;
        case ',':
        case ':': ++extent.values; break;
        case '[':
        case '{':
            ++extent.values;
            extent.depth = std::max(extent.depth, ++depth);
            break;
        case ']':
        case '}':
            if (depth > 0) --depth;
            break;
        default: break;
        }
    }
    return extent;
}

/// Without the component's own prefix, "[json.exception.parse_error.101] ".
std::string_view without_tag(std::string_view message) {
    const std::size_t end = message.starts_with('[') ? message.find("] ") : std::string_view::npos;
    return end == std::string_view::npos ? message : message.substr(end + 2);
}

} // namespace

Result<Json> parse_json(std::string_view text, const JsonLimits& limits) {
    if (text.size() > limits.max_bytes) {
        return fail(fmt::format("{} bytes of JSON, more than the {} that are accepted", text.size(),
                                limits.max_bytes));
    }
    const Extent extent = measure(text);
    if (extent.depth > limits.max_depth)
        return fail(fmt::format("JSON nested {} deep, more than {}", extent.depth, limits.max_depth));
    if (extent.values > limits.max_values)
        return fail(fmt::format("{} JSON values, more than {}", extent.values, limits.max_values));
    try {
        return Json::parse(text);
    } catch (const Json::exception& error) {
        return fail(std::string(without_tag(error.what())));
    } catch (const std::bad_alloc&) {
        return fail("not enough memory for the JSON text");
    }
}

std::string to_text(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string text_member(const Json& json, const char* name) {
    if (!json.is_object()) return {};
    const auto found = json.find(name);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

} // namespace heddle::lsp
