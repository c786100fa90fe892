#include "lsp/protocol/workspace_edit.h"

#include "lsp/protocol/members.h"

#include <tuple>

namespace heddle::lsp {

namespace {

constexpr auto kTextDocumentEdit = std::tuple(member("textDocument", &TextDocumentEdit::textDocument),
                                              member("edits", &TextDocumentEdit::edits));
constexpr auto kApplyWorkspaceEditParams = std::tuple(member("label", &ApplyWorkspaceEditParams::label),
                                                      member("edit", &ApplyWorkspaceEditParams::edit));
constexpr auto kApplyWorkspaceEditResult =
    std::tuple(member("applied", &ApplyWorkspaceEditResult::applied),
               member("failureReason", &ApplyWorkspaceEditResult::failureReason));
constexpr auto kOptionalVersionedTextDocumentIdentifier =
    std::tuple(member("uri", &OptionalVersionedTextDocumentIdentifier::uri),
               member("version", &OptionalVersionedTextDocumentIdentifier::version));
constexpr auto kCreateFile = std::tuple(member("uri", &CreateFile::uri));
constexpr auto kWorkspaceEdit = std::tuple(with_default("changes", &WorkspaceEdit::changes),
                                           with_default("documentChanges", &WorkspaceEdit::documentChanges));

} // namespace

void to_json(Json& json, const TextDocumentEdit& value) {
    encode(json, value, kTextDocumentEdit);
}

void decode(const Json& json, TextDocumentEdit& value, Decoding& decoding) {
    decode_members(json, value, decoding, kTextDocumentEdit);
}

void to_json(Json& json, const ApplyWorkspaceEditParams& value) {
    encode(json, value, kApplyWorkspaceEditParams);
}

void decode(const Json& json, ApplyWorkspaceEditParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kApplyWorkspaceEditParams);
}

void to_json(Json& json, const ApplyWorkspaceEditResult& value) {
    encode(json, value, kApplyWorkspaceEditResult);
}

void decode(const Json& json, ApplyWorkspaceEditResult& value, Decoding& decoding) {
    decode_members(json, value, decoding, kApplyWorkspaceEditResult);
}

/// The version is sent as null if there is none; it may not be left out.
void to_json(Json& json, const OptionalVersionedTextDocumentIdentifier& value) {
    json = {{"uri", value.uri}, {"version", nullptr}};
    if (value.version) json["version"] = *value.version;
}

void decode(const Json& json, OptionalVersionedTextDocumentIdentifier& value, Decoding& decoding) {
    decode_members(json, value, decoding, kOptionalVersionedTextDocumentIdentifier);
}

void to_json(Json& json, const CreateFile& value) {
    json = {{"kind", "create"}, {"uri", value.uri}, {"options", {{"ignoreIfExists", true}}}};
}

void decode(const Json& json, CreateFile& value, Decoding& decoding) {
    decode_members(json, value, decoding, kCreateFile);
}

void decode(const Json& json, DocumentChange& value, Decoding& decoding) {
    if (!is_object(json, decoding)) return;
    const Json* kind = find_member(json, "kind");
    if (kind == nullptr) return decode(json, value.emplace<TextDocumentEdit>(), decoding);
    if (*kind != "create") return decoding.fail("an operation that is not supported");
    decode(json, value.emplace<CreateFile>(), decoding);
}

void to_json(Json& json, const WorkspaceEdit& value) {
    json = Json::object();
    if (!value.changes.empty()) json["changes"] = value.changes;
    for (const DocumentChange& change : value.documentChanges)
        std::visit([&json](const auto& kind) { json["documentChanges"].push_back(kind); }, change);
}

void decode(const Json& json, WorkspaceEdit& value, Decoding& decoding) {
    decode_members(json, value, decoding, kWorkspaceEdit);
}

} // namespace heddle::lsp
