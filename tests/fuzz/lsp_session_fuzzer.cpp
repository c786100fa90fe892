// Any bytes may arrive from a client. They go the whole way: framing, JSON, dispatch, the typed parameters of
// every message that the protocol has here, text documents, answers. The first byte says in what pieces the
// rest arrives. Whatever that is, what goes back is well-formed.
#include "lsp/framing.h"
#include "lsp/handle.h"
#include "lsp/lifecycle.h"
#include "lsp/protocol/code_action.h"
#include "lsp/protocol/execute_command.h"
#include "lsp/protocol/hover.h"
#include "lsp/protocol/pull_diagnostics.h"
#include "lsp/protocol/text_sync.h"
#include "lsp/protocol/window.h"
#include "lsp/protocol/workspace.h"
#include "lsp/text_document.h"
#include "lsp/uri.h"
#include "lsp/work_progress.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

namespace {

using namespace heddle::lsp;

void require(bool holds, std::string_view what) {
    if (holds) return;
    std::fprintf(stderr, "%.*s\n", static_cast<int>(what.size()), what.data());
    std::abort();
}

/// What the server wrote. Outlives the transport, which belongs to the connection.
struct Written {
    FrameReader reader;

    void take(std::string_view bytes) {
        reader.feed(bytes);
        while (const auto body = reader.next()) {
            require(body->has_value(), "a frame that is none was sent");
            const auto message = parse_message(**body);
            require(message.has_value(), "a message that is none was sent");
        }
    }
};

class MemoryTransport : public Transport {
  public:
    MemoryTransport(boost::asio::io_context& loop, std::string_view input, std::size_t piece,
                    Written& written)
        : loop_(loop), input_(input), piece_(piece), written_(written) {}

    void read_some(std::span<char> into, Done done) override {
        const std::size_t bytes = std::min({piece_, into.size(), input_.size()});
        std::copy_n(input_.begin(), bytes, into.begin());
        input_.remove_prefix(bytes);
        boost::asio::post(loop_, [done = std::move(done), bytes] { done({}, bytes); });
    }
    void write(std::string_view bytes, Done done) override {
        written_.take(bytes);
        boost::asio::post(loop_, [done = std::move(done), size = bytes.size()] { done({}, size); });
    }
    void finish_writing() override {}
    void close() override { input_ = {}; }
    [[nodiscard]] std::string name() const override { return "memory"; }

  private:
    boost::asio::io_context& loop_;
    std::string_view input_;
    std::size_t piece_;
    Written& written_;
};

/// Parameters that decode are encoded again, and must come back the same.
template<typename Params>
void check_round_trip(const Params& params) {
    if constexpr (requires(Json & json) { to_json(json, params); }) {
        const auto text = parse_json(to_text(Json(params)));
        require(text.has_value(), "what was encoded is no JSON");
        const auto again = from_json<Params>(*text);
        require(again.has_value() && *again == params, "parameters change when encoded and decoded");
    }
}

class Server {
  public:
    Server(boost::asio::io_context& loop, std::unique_ptr<Transport> transport)
        : connection_(loop, std::move(transport)), progress_(connection_),
          life_(loop, connection_, {.watch_client_process = false},
                {.initialize = [](const InitializeParams& params) -> LifecycleHandlers::InitializeOutcome {
                    for (const WorkspaceFolder& folder : folders_of(params)) (void)path_of_uri(folder.uri);
                    return InitializeResult{};
                }}) {
        take_requests();
        take_documents();
        notification<DidChangeConfigurationParams>("workspace/didChangeConfiguration");
        notification<DidChangeWatchedFilesParams>("workspace/didChangeWatchedFiles");
        notification<DidChangeWorkspaceFoldersParams>("workspace/didChangeWorkspaceFolders");
        notification<DidSaveTextDocumentParams>("textDocument/didSave");
        notification<ProgressParams>("$/progress");
        connection_.start();
    }

  private:
    template<typename Params>
    void request(const char* method) {
        handle_request<Params>(connection_, method, [](const Params& params, Reply reply) {
            check_round_trip(params);
            if (reply.stop_token().stop_requested()) return reply.refuse_cancelled();
            reply.answer(nullptr);
        });
    }

    template<typename Params>
    void notification(const char* method) {
        handle_notification<Params>(connection_, method,
                                    [](const Params& params) { check_round_trip(params); });
    }

    void take_requests() {
        request<HoverParams>("textDocument/hover");
        request<CodeActionParams>("textDocument/codeAction");
        request<CodeAction>("codeAction/resolve");
        request<DocumentDiagnosticParams>("textDocument/diagnostic");
        request<WorkspaceDiagnosticParams>("workspace/diagnostic");
        request<ApplyWorkspaceEditParams>("workspace/applyEdit");
        handle_request<ExecuteCommandParams>(
            connection_, "workspace/executeCommand", [this](const ExecuteCommandParams& params, Reply reply) {
                check_round_trip(params);
                WorkProgress progress =
                    progress_.begin({.title = params.command, .client_token = params.workDoneToken});
                connection_.request("client/ask", nullptr, [](const Outcome&) {});
                kept_ = std::make_unique<Reply>(std::move(reply));
                progress.report(100, "nearly");
            });
    }

    void take_documents() {
        handle_notification<DidOpenTextDocumentParams>(
            connection_, "textDocument/didOpen", [this](const DidOpenTextDocumentParams& params) {
                const TextDocumentItem& item = params.textDocument;
                const auto encoding = static_cast<PositionEncoding>(item.languageId.size() % 3);
                documents_.insert_or_assign(item.uri, TextDocument(item.text, item.version, encoding));
            });
        handle_notification<DidChangeTextDocumentParams>(
            connection_, "textDocument/didChange", [this](const DidChangeTextDocumentParams& params) {
                const auto document = documents_.find(params.textDocument.uri);
                if (document == documents_.end()) return;
                require(
                    document->second.apply(params.contentChanges, params.textDocument.version).has_value(),
                    "a small document is too large");
                const TextDocument fresh(document->second.text(), 0, document->second.encoding());
                require(fresh.line_count() == document->second.line_count(), "lines are lost");
                for (std::size_t i = 0; i < fresh.line_count(); ++i)
                    require(fresh.line(i) == document->second.line(i), "a line differs");
            });
        handle_notification<DidCloseTextDocumentParams>(
            connection_, "textDocument/didClose",
            [this](const DidCloseTextDocumentParams& params) { documents_.erase(params.textDocument.uri); });
    }

    Connection connection_;
    ProgressReporter progress_;
    Lifecycle life_;
    std::map<DocumentUri, TextDocument> documents_;
    std::unique_ptr<Reply> kept_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::size_t piece = std::size_t{data[0]} * 16 + 1;
    std::string stream(reinterpret_cast<const char*>(data) + 1, size - 1);
    // Lines become messages with a right header, so that mutations of the JSON are read at all; a stream that
    // begins with a header is left as it is.
    if (!stream.starts_with("Content-")) {
        std::string framed;
        for (std::string_view rest = stream; !rest.empty();) {
            const std::string_view line = rest.substr(0, rest.find('\n'));
            framed += frame(line);
            rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        }
        stream = std::move(framed);
    }
    Written written;
    boost::asio::io_context loop;
    {
        Server server(loop, std::make_unique<MemoryTransport>(loop, stream, piece, written));
        loop.run();
    }
    loop.restart();
    loop.run();
    return 0;
}
