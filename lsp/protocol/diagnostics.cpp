#include "lsp/protocol/diagnostics.h"

#include "lsp/protocol/members.h"

#include <tuple>

namespace heddle::lsp {

namespace {

constexpr auto kDiagnosticRelatedInformation =
    std::tuple(member("location", &DiagnosticRelatedInformation::location),
               member("message", &DiagnosticRelatedInformation::message));
constexpr auto kCodeDescription = std::tuple(member("href", &CodeDescription::href));
constexpr auto kDiagnostic = std::tuple(
    member("range", &Diagnostic::range), member("severity", &Diagnostic::severity),
    member("code", &Diagnostic::code), member("codeDescription", &Diagnostic::codeDescription),
    member("source", &Diagnostic::source), member("message", &Diagnostic::message),
    with_default("tags", &Diagnostic::tags),
    with_default("relatedInformation", &Diagnostic::relatedInformation), member("data", &Diagnostic::data));
constexpr auto kPublishDiagnosticsParams = std::tuple(
    member("uri", &PublishDiagnosticsParams::uri), member("version", &PublishDiagnosticsParams::version),
    member("diagnostics", &PublishDiagnosticsParams::diagnostics));

} // namespace

void to_json(Json& json, const DiagnosticRelatedInformation& value) {
    encode(json, value, kDiagnosticRelatedInformation);
}

void decode(const Json& json, DiagnosticRelatedInformation& value, Decoding& decoding) {
    decode_members(json, value, decoding, kDiagnosticRelatedInformation);
}

void to_json(Json& json, const CodeDescription& value) {
    encode(json, value, kCodeDescription);
}

void decode(const Json& json, CodeDescription& value, Decoding& decoding) {
    decode_members(json, value, decoding, kCodeDescription);
}

void to_json(Json& json, const Diagnostic& value) {
    encode(json, value, kDiagnostic);
}

void decode(const Json& json, Diagnostic& value, Decoding& decoding) {
    decode_members(json, value, decoding, kDiagnostic);
}

void to_json(Json& json, const PublishDiagnosticsParams& value) {
    encode(json, value, kPublishDiagnosticsParams);
}

void decode(const Json& json, PublishDiagnosticsParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kPublishDiagnosticsParams);
}

void decode(const Json& json, DiagnosticSeverity& value, Decoding& decoding) {
    decode_enum(json, value, decoding, DiagnosticSeverity::error, DiagnosticSeverity::hint);
}

void decode(const Json& json, DiagnosticTag& value, Decoding& decoding) {
    decode_enum(json, value, decoding, DiagnosticTag::unnecessary, DiagnosticTag::deprecated);
}

} // namespace heddle::lsp
