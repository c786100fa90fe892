#include "conversation.h"
#include "lsp/handle.h"
#include "lsp/protocol/hover.h"
#include "lsp/protocol/text_sync.h"

#include <gmock/gmock.h>

namespace heddle::lsp {
namespace {

using test::code;
using test::Conversation;
using test::error_code;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Handle, parameters_arrive_decoded_and_wrong_ones_are_refused) {
    Conversation talk;
    handle_request<HoverParams>(
        talk.server, "textDocument/hover", [](const HoverParams& params, Reply reply) {
            reply.answer(Hover{.contents = {MarkupKind::plaintext, std::to_string(params.position.line)}});
        });
    talk.server.start();
    Json params = {{"textDocument", {{"uri", "u"}}}, {"position", {{"line", 4}, {"character", 0}}}};
    talk.client.request(1, "textDocument/hover", params);
    EXPECT_EQ(talk.client.next()["result"]["contents"]["value"], "4");
    params["position"]["line"] = -4;
    talk.client.request(2, "textDocument/hover", params);
    const Json refused = talk.client.next();
    EXPECT_EQ(error_code(refused), code(ErrorCode::invalid_params));
    EXPECT_THAT(refused["error"]["message"].get<std::string>(), HasSubstr("position.line"));
}

TEST(Handle, a_notification_with_wrong_parameters_is_logged) {
    Conversation talk;
    std::vector<std::string> closed;
    handle_notification<DidCloseTextDocumentParams>(
        talk.server, "textDocument/didClose",
        [&](const DidCloseTextDocumentParams& params) { closed.push_back(params.textDocument.uri); });
    talk.server.start();
    talk.client.notify("textDocument/didClose", {{"textDocument", 7}});
    talk.client.notify("textDocument/didClose", {{"textDocument", {{"uri", "u"}}}});
    talk.settle();
    EXPECT_THAT(closed, ElementsAre("u"));
    EXPECT_THAT(talk.log, Contains(HasSubstr("textDocument/didClose: textDocument: not an object")));
}

} // namespace
} // namespace heddle::lsp
