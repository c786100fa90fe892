#include "lsp/bridge.h"

#include <array>
#include <cstddef>
#include <utility>

namespace heddle::lsp {

namespace {

class Bridge : public std::enable_shared_from_this<Bridge> {
  public:
    Bridge(std::unique_ptr<Transport> client, std::unique_ptr<Transport> server,
           std::function<void(std::string)> done)
        : client_(std::move(client)), server_(std::move(server)), done_(std::move(done)) {}

    void start() {
        carry(there_);
        carry(back_);
    }

  private:
    struct Direction {
        Transport& from;
        Transport& to;
        std::array<char, std::size_t{64} << 10U> buffer{};
    };

    void carry(Direction& way) {
        way.from.read_some(
            way.buffer, [self = shared_from_this(), &way](std::error_code error, std::size_t bytes) {
                if (error) return self->finish(way.from.name() + ": " + error.message());
                if (bytes == 0) return self->end(way);
                way.to.write({way.buffer.data(), bytes}, [self, &way](std::error_code failed, std::size_t) {
                    if (failed) return self->finish(way.to.name() + ": " + failed.message());
                    self->carry(way);
                });
            });
    }

    void end(Direction& way) {
        if (&way == &back_) return finish({});
        way.to.finish_writing();
    }

    void finish(std::string failure) {
        const auto done = std::exchange(done_, {});
        if (!done) return;
        client_->close();
        server_->close();
        done(std::move(failure));
    }

    std::unique_ptr<Transport> client_;
    std::unique_ptr<Transport> server_;
    std::function<void(std::string)> done_;
    Direction there_{.from = *client_, .to = *server_};
    Direction back_{.from = *server_, .to = *client_};
};

} // namespace

void bridge(std::unique_ptr<Transport> client, std::unique_ptr<Transport> server,
            std::function<void(std::string failure)> done) {
    std::make_shared<Bridge>(std::move(client), std::move(server), std::move(done))->start();
}

} // namespace heddle::lsp
