// How much a client wants to be told of the conversation itself (InitializeParams.trace, $/setTrace).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle::lsp {

enum class TraceValue : std::uint8_t { off, messages, verbose };

[[nodiscard]] constexpr std::optional<TraceValue> trace_value(std::string_view name) {
    if (name == "off") return TraceValue::off;
    if (name == "messages" || name == "compact") return TraceValue::messages;
    if (name == "verbose") return TraceValue::verbose;
    return std::nullopt;
}

} // namespace heddle::lsp
