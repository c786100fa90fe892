#include "daemon/service/server.h"

#include "daemon/service/session.h"
#include "lsp/socket.h"
#include "lsp/stdio.h"

#include <csignal>
#include <list>
#include <memory>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>

namespace heddle::service {

int serve_stdio(HubOptions options) {
    boost::asio::io_context loop(1);
    auto transport = lsp::stdio_transport(loop);
    if (!transport) {
        if (options.log) options.log(lsp::LogLevel::error, transport.error().message);
        return 1;
    }
    Hub hub(loop, std::move(options));
    int exit_code = 1;
    std::unique_ptr<Session> session;
    session =
        std::make_unique<Session>(hub, std::move(*transport),
                                  Session::Options{.lifecycle = {}, .ended = [&](const lsp::SessionEnd& end) {
                                                       exit_code = end.exit_code;
                                                       session.reset();
                                                       loop.stop();
                                                   }});
    loop.run();
    return exit_code;
}

lsp::Result<void> serve_socket(HubOptions options, const ListenOptions& listen) {
    // A Unix socket is its owner's alone: the file's mode says so, and editors know no token for it.
    std::string token;
    if (std::holds_alternative<lsp::TcpEndpoint>(listen.endpoint)) {
        token = listen.token;
        if (token.empty()) {
            auto made = lsp::make_token();
            if (!made) return tl::make_unexpected(made.error());
            token = std::move(*made);
        }
    }
    boost::asio::io_context loop(1);
    const lsp::Log log = options.log;
    Hub hub(loop, std::move(options));
    std::list<std::unique_ptr<Session>> sessions;
    std::function<void()> end_when_empty;
    const auto accept = [&](std::unique_ptr<lsp::Transport> transport) {
        const auto place = sessions.emplace(sessions.end());
        Session::Options about{.lifecycle = {}, .ended = [&, place](const lsp::SessionEnd&) {
                                   sessions.erase(place);
                                   end_when_empty();
                               }};
        if (!token.empty()) about.lifecycle.token = token;
        // Editors may be in another container, where process numbers mean something else; their end of the
        // socket closes in any case.
        about.lifecycle.watch_client_process = false;
        *place = std::make_unique<Session>(hub, std::move(transport), std::move(about));
    };
    auto listener = lsp::Listener::listen(loop, listen.endpoint, accept, log);
    if (!listener) return tl::make_unexpected(listener.error());
    boost::asio::signal_set signals(loop, SIGTERM, SIGINT);
    bool stopping = false;
    end_when_empty = [&] {
        if (stopping && sessions.empty()) loop.stop();
    };
    hub.stop = [&] {
        boost::asio::post(loop, [&] {
            stopping = true;
            (*listener)->close();
            // What was said last still goes out: the answer to who asked for the end, for one.
            for (const auto& session : sessions) session->close("the daemon was stopped");
            end_when_empty();
        });
    };
    signals.async_wait([&](const boost::system::error_code& error, int) {
        if (!error) hub.stop();
    });
    if (listen.ready) listen.ready((*listener)->endpoint(), token);
    loop.run();
    sessions.clear();
    return {};
}

} // namespace heddle::service
