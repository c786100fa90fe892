#include "lsp/protocol/progress.h"

#include "lsp/protocol/members.h"

#include <tuple>

namespace heddle::lsp {

namespace {

constexpr auto kWorkDoneProgressParams = std::tuple(member("token", &WorkDoneProgressParams::token));
constexpr auto kProgressParams =
    std::tuple(member("token", &ProgressParams::token), with_default("value", &ProgressParams::value));
constexpr auto kWorkDoneProgressBegin = std::tuple(member("title", &WorkDoneProgressBegin::title),
                                                   member("cancellable", &WorkDoneProgressBegin::cancellable),
                                                   member("message", &WorkDoneProgressBegin::message),
                                                   member("percentage", &WorkDoneProgressBegin::percentage));
constexpr auto kWorkDoneProgressReport =
    std::tuple(member("cancellable", &WorkDoneProgressReport::cancellable),
               member("message", &WorkDoneProgressReport::message),
               member("percentage", &WorkDoneProgressReport::percentage));
constexpr auto kWorkDoneProgressEnd = std::tuple(member("message", &WorkDoneProgressEnd::message));

} // namespace

void to_json(Json& json, const WorkDoneProgressParams& value) {
    encode(json, value, kWorkDoneProgressParams);
}

void decode(const Json& json, WorkDoneProgressParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kWorkDoneProgressParams);
}

void to_json(Json& json, const ProgressParams& value) {
    encode(json, value, kProgressParams);
}

void decode(const Json& json, ProgressParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kProgressParams);
}

void to_json(Json& json, const WorkDoneProgressBegin& value) {
    encode(json, value, kWorkDoneProgressBegin);
    json["kind"] = "begin";
}

void to_json(Json& json, const WorkDoneProgressReport& value) {
    encode(json, value, kWorkDoneProgressReport);
    json["kind"] = "report";
}

void to_json(Json& json, const WorkDoneProgressEnd& value) {
    encode(json, value, kWorkDoneProgressEnd);
    json["kind"] = "end";
}

} // namespace heddle::lsp
