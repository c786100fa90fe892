#include "conversation.h"
#include "lsp/bridge.h"
#include "lsp/endpoint.h"
#include "lsp/socket.h"
#include "test_files.h"

#include <filesystem>
#include <fstream>
#include <optional>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/un.h>

namespace heddle::lsp {
namespace {

using heddle::test::TemporaryFolder;
using test::Client;
using test::run_until;
using testing::HasSubstr;

struct Pipe {
    Pipe() {
        std::array<int, 2> ends{};
        EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
        read = ends[0];
        write = ends[1];
    }
    int read = -1;
    int write = -1;
};

void serve_echo(Connection& server) {
    server.on_request("echo", [](const Json& params, Reply reply) { reply.answer(params); });
    server.start();
}

TEST(Stdio, works_over_pipes) {
    boost::asio::io_context loop;
    const Pipe there;
    const Pipe back;
    Connection server(loop, test::transport_over(loop, there.read, back.write));
    Client client(loop, test::transport_over(loop, back.read, there.write));
    serve_echo(server);
    client.request(1, "echo", {{"text", std::string(1'000'000, 'p')}});
    EXPECT_EQ(client.next()["result"]["text"].get<std::string>().size(), 1'000'000U);
    client.send_end();
    EXPECT_TRUE(client.sees_end());
}

TEST(Stdio, works_over_files) {
    const TemporaryFolder folder;
    std::ofstream(folder.file("in")) << frame(R"({"jsonrpc":"2.0","id":1,"method":"echo","params":[7]})");
    const int input = ::open(folder.file("in").c_str(), O_RDONLY | O_CLOEXEC);
    const int output = ::open(folder.file("out").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    boost::asio::io_context loop;
    bool closed = false;
    Connection server(loop, test::transport_over(loop, input, output));
    server.on_close([&](const CloseReason&) { closed = true; });
    serve_echo(server);
    run_until(loop, [&] { return closed; });
    const auto bytes = heddle::test::read_bytes(folder.file("out"));
    EXPECT_EQ(std::string(bytes.begin(), bytes.end()), frame(R"({"id":1,"jsonrpc":"2.0","result":[7]})"));
}

TEST(Stdio, leaves_the_descriptors_as_they_were) {
    boost::asio::io_context loop;
    const Pipe pipe;
    const int mode = ::fcntl(pipe.read, F_GETFL);
    {
        auto transport = descriptor_transport(loop, pipe.read, pipe.write);
        ASSERT_TRUE(transport);
        std::array<char, 4> buffer{};
        (*transport)->read_some(buffer, [](std::error_code, std::size_t) {});
        loop.poll();
        EXPECT_NE(::fcntl(pipe.read, F_GETFL), mode);
    }
    EXPECT_EQ(::fcntl(pipe.read, F_GETFL), mode);
    ::close(pipe.read);
    ::close(pipe.write);
    EXPECT_FALSE(descriptor_transport(loop, pipe.read, pipe.write));
}

TEST(Stdio, a_reader_that_left_is_an_error_and_not_a_signal) {
    boost::asio::io_context loop;
    const Pipe there;
    const Pipe back;
    std::optional<CloseReason> closed;
    Connection server(loop, test::transport_over(loop, there.read, back.write));
    server.on_close([&](const CloseReason& reason) { closed = reason; });
    server.start();
    ::close(back.read);
    server.notify("hello", nullptr);
    run_until(loop, [&] { return closed.has_value(); });
    EXPECT_EQ(closed->kind, Closed::by_peer);
    ::close(there.write);
}

TEST(Endpoint, is_parsed_and_what_others_could_reach_is_refused) {
    EXPECT_EQ(parse_endpoint("unix:/tmp/a b"), Result<Endpoint>(UnixEndpoint{"/tmp/a b"}));
    EXPECT_EQ(parse_endpoint("tcp:localhost:0"), Result<Endpoint>(TcpEndpoint{"127.0.0.1", 0}));
    EXPECT_EQ(parse_endpoint("tcp:[::1]:65535"), Result<Endpoint>(TcpEndpoint{"::1", 65535}));
    const auto error = [](std::string_view text) {
        const auto endpoint = parse_endpoint(text);
        return endpoint ? "accepted" : endpoint.error().message;
    };
    for (const char* open : {"tcp:0.0.0.0:1", "tcp:[::]:1", "tcp:192.168.0.1:1", "tcp:8.8.8.8:1"})
        EXPECT_THAT(error(open), HasSubstr("can be reached from outside")) << open;
    EXPECT_THAT(error("tcp:example.org:1"), HasSubstr("no address"));
    EXPECT_THAT(error("tcp:127.0.0.1"), HasSubstr("no port"));
    EXPECT_THAT(error("tcp:x"), HasSubstr("no port"));
    EXPECT_THAT(error("tcp:127.0.0.1:65536"), HasSubstr("no port"));
    EXPECT_THAT(error("tcp:127.0.0.1:"), HasSubstr("no port"));
    EXPECT_THAT(error("unix:"), HasSubstr("needs the path"));
    EXPECT_THAT(error("unix:/" + std::string(107, 'x')), HasSubstr("at most 107 bytes"));
    EXPECT_THAT(error("pipe:x"), HasSubstr("neither unix:PATH"));
    for (const char* text : {"unix:/a", "tcp:127.0.0.1:4", "tcp:[::1]:4"})
        EXPECT_EQ(to_text(parse_endpoint(text).value()), text);
}

/// A daemon in small: every client gets a connection that echoes.
struct EchoDaemon {
    explicit EchoDaemon(const Endpoint& endpoint)
        : listener(Listener::listen(loop, endpoint, [this](std::unique_ptr<Transport> transport) {
              serve_echo(*servers.emplace_back(std::make_unique<Connection>(loop, std::move(transport))));
          })) {}

    boost::asio::io_context loop;
    std::vector<std::unique_ptr<Connection>> servers;
    Result<std::unique_ptr<Listener>> listener;
};

void talk_to(EchoDaemon& daemon) {
    auto transport = connect(daemon.loop, (*daemon.listener)->endpoint());
    ASSERT_TRUE(transport) << transport.error().message;
    Client client(daemon.loop, std::move(*transport));
    client.request(1, "echo", {{"x", 1}});
    EXPECT_EQ(client.next()["result"]["x"], 1);
}

TEST(Socket, serves_several_clients_over_unix_and_tcp) {
    const TemporaryFolder folder;
    for (const Endpoint& endpoint :
         {Endpoint(UnixEndpoint{folder.file("s")}), Endpoint(TcpEndpoint{"127.0.0.1", 0})}) {
        EchoDaemon daemon(endpoint);
        ASSERT_TRUE(daemon.listener) << daemon.listener.error().message;
        for (int i = 0; i < 3; ++i) talk_to(daemon);
        EXPECT_EQ(daemon.servers.size(), 3U);
    }
}

TEST(Socket, listens_to_nobody_outside_even_if_asked_by_hand) {
    EchoDaemon daemon(TcpEndpoint{"0.0.0.0", 0});
    ASSERT_FALSE(daemon.listener);
    EXPECT_THAT(daemon.listener.error().message, HasSubstr("reached from outside"));
    EXPECT_FALSE(connect(daemon.loop, TcpEndpoint{"1.1.1.1", 80}));
}

TEST(Socket, the_file_is_its_owners_alone_whatever_the_umask) {
    for (const mode_t mask : {0U, 022U, 0777U}) {
        const TemporaryFolder folder;
        const mode_t before = ::umask(mask);
        EchoDaemon daemon(UnixEndpoint{folder.file("s")});
        ::umask(before);
        ASSERT_TRUE(daemon.listener) << daemon.listener.error().message;
        struct stat file {};
        ASSERT_EQ(::lstat(folder.file("s").c_str(), &file), 0);
        EXPECT_EQ(file.st_mode & 0777U, 0600U);
        talk_to(daemon);
    }
}

TEST(Socket, a_daemon_that_answers_is_not_replaced_and_a_dead_one_is) {
    const TemporaryFolder folder;
    const UnixEndpoint endpoint{folder.file("s")};
    {
        EchoDaemon first(endpoint);
        ASSERT_TRUE(first.listener);
        EchoDaemon second(endpoint);
        ASSERT_FALSE(second.listener);
        EXPECT_THAT(second.listener.error().message, HasSubstr("already listening"));
        talk_to(first);
    }
    EXPECT_FALSE(std::filesystem::exists(endpoint.path));
    // What a killed daemon leaves: a file that nobody listens on.
    const int dead = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    endpoint.path.copy(static_cast<char*>(address.sun_path), sizeof address.sun_path - 1);
    ASSERT_EQ(::bind(dead, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ::close(dead);
    EXPECT_FALSE(connect(*std::make_unique<boost::asio::io_context>(), endpoint));
    EchoDaemon third(endpoint);
    ASSERT_TRUE(third.listener) << third.listener.error().message;
    talk_to(third);
}

TEST(Socket, what_is_no_socket_is_left_alone) {
    const TemporaryFolder folder;
    std::ofstream(folder.file("s")) << "precious";
    EchoDaemon daemon(UnixEndpoint{folder.file("s")});
    ASSERT_FALSE(daemon.listener);
    EXPECT_THAT(daemon.listener.error().message, HasSubstr("no socket"));
    EXPECT_EQ(heddle::test::read_bytes(folder.file("s")).size(), 8U);
    EXPECT_FALSE(EchoDaemon(UnixEndpoint{folder.file("no/such/folder")}).listener);
}

TEST(Socket, closing_leaves_a_successors_file_alone) {
    const TemporaryFolder folder;
    const UnixEndpoint endpoint{folder.file("s")};
    EchoDaemon first(endpoint);
    ASSERT_TRUE(first.listener);
    std::filesystem::remove(endpoint.path);
    EchoDaemon second(endpoint);
    ASSERT_TRUE(second.listener);
    (*first.listener)->close();
    talk_to(second);
}

TEST(Socket, tokens_are_long_and_differ) {
    const auto one = make_token();
    const auto other = make_token();
    ASSERT_TRUE(one && other);
    EXPECT_EQ(one->size(), 32U);
    EXPECT_NE(*one, *other);
}

struct BridgedEcho {
    BridgedEcho() : daemon(UnixEndpoint{folder.file("s")}) {
        const auto ends = test::socket_pair();
        auto server = connect(daemon.loop, (*daemon.listener)->endpoint());
        bridge(test::transport_over(daemon.loop, ends.one, ends.one), std::move(*server),
               [this](std::string failure) { done = std::move(failure); });
        editor =
            std::make_unique<Client>(daemon.loop, test::transport_over(daemon.loop, ends.other, ends.other));
    }

    TemporaryFolder folder;
    EchoDaemon daemon;
    std::optional<std::string> done;
    std::unique_ptr<Client> editor;
};

TEST(Bridge, carries_both_ways_until_the_daemon_ends) {
    BridgedEcho bridged;
    for (int i = 0; i < 5; ++i) {
        bridged.editor->request(i, "echo", {{"text", std::string(300'000, 'b')}});
        EXPECT_EQ(bridged.editor->next()["id"], i);
    }
    EXPECT_FALSE(bridged.done);
    bridged.daemon.servers.at(0)->close("stop");
    EXPECT_TRUE(bridged.editor->sees_end());
    EXPECT_EQ(bridged.done, "");
}

TEST(Bridge, delivers_what_is_still_said_after_the_editor_ended) {
    BridgedEcho bridged;
    bridged.editor->request(1, "echo", {{"text", std::string(300'000, 'b')}});
    bridged.editor->send_end();
    EXPECT_EQ(bridged.editor->next()["id"], 1);
    EXPECT_TRUE(bridged.editor->sees_end());
    EXPECT_EQ(bridged.done, "");
}

} // namespace
} // namespace heddle::lsp
