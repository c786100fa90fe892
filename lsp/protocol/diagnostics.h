// Diagnostics, and how the server pushes them: textDocument/publishDiagnostics.
#pragma once

#include "lsp/protocol/basic.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::lsp {

enum class DiagnosticSeverity : std::uint8_t { error = 1, warning = 2, information = 3, hint = 4 };

enum class DiagnosticTag : std::uint8_t { unnecessary = 1, deprecated = 2 };

struct DiagnosticRelatedInformation {
    Location location;
    std::string message;

    bool operator==(const DiagnosticRelatedInformation&) const = default;
};

struct CodeDescription {
    std::string href;

    bool operator==(const CodeDescription&) const = default;
};

struct Diagnostic {
    Range range;
    std::optional<DiagnosticSeverity> severity;
    std::optional<IntegerOrString> code;
    std::optional<CodeDescription> codeDescription;
    std::optional<std::string> source;
    std::string message;
    std::vector<DiagnosticTag> tags;                              ///< left out when empty
    std::vector<DiagnosticRelatedInformation> relatedInformation; ///< left out when empty
    std::optional<Json> data; ///< comes back with the code action request, if the client can

    bool operator==(const Diagnostic&) const = default;
};

struct PublishDiagnosticsParams {
    DocumentUri uri;
    std::optional<std::int32_t> version;
    std::vector<Diagnostic> diagnostics;

    bool operator==(const PublishDiagnosticsParams&) const = default;
};

void to_json(Json& json, const DiagnosticRelatedInformation& value);
void to_json(Json& json, const CodeDescription& value);
void to_json(Json& json, const Diagnostic& value);
void to_json(Json& json, const PublishDiagnosticsParams& value);

void decode(const Json& json, DiagnosticSeverity& value, Decoding& decoding);
void decode(const Json& json, DiagnosticTag& value, Decoding& decoding);
void decode(const Json& json, DiagnosticRelatedInformation& value, Decoding& decoding);
void decode(const Json& json, CodeDescription& value, Decoding& decoding);
void decode(const Json& json, Diagnostic& value, Decoding& decoding);
void decode(const Json& json, PublishDiagnosticsParams& value, Decoding& decoding);

} // namespace heddle::lsp
