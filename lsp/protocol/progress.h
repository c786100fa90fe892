// $/progress of work that takes a while, window/workDoneProgress/create and cancel. lsp/work_progress.h uses
// them.
#pragma once

#include "lsp/protocol/basic.h"

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::lsp {

using ProgressToken = IntegerOrString;

/// Of window/workDoneProgress/create and of window/workDoneProgress/cancel.
struct WorkDoneProgressParams {
    ProgressToken token;

    bool operator==(const WorkDoneProgressParams&) const = default;
};

/// The value is one of the three below, or a partial result.
struct ProgressParams {
    ProgressToken token;
    Json value = nullptr;

    bool operator==(const ProgressParams&) const = default;
};

struct WorkDoneProgressBegin {
    std::string title;
    std::optional<bool> cancellable;
    std::optional<std::string> message;
    std::optional<std::uint32_t> percentage; ///< without it here, later ones are ignored
};

struct WorkDoneProgressReport {
    std::optional<bool> cancellable;
    std::optional<std::string> message;
    std::optional<std::uint32_t> percentage;
};

struct WorkDoneProgressEnd {
    std::optional<std::string> message;
};

void to_json(Json& json, const WorkDoneProgressParams& value);
void to_json(Json& json, const ProgressParams& value);
void to_json(Json& json, const WorkDoneProgressBegin& value);
void to_json(Json& json, const WorkDoneProgressReport& value);
void to_json(Json& json, const WorkDoneProgressEnd& value);

void decode(const Json& json, WorkDoneProgressParams& value, Decoding& decoding);
void decode(const Json& json, ProgressParams& value, Decoding& decoding);

} // namespace heddle::lsp
