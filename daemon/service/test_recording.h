// Runs the user's tests under the recorder, beside the daemon: `heddle record -- COMMAND`. The program and
// all that it started are ended when the user cancels, or when this goes away.
#pragma once

#include "traces/result.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>

namespace heddle::service {

class TestRecording {
  public:
    struct Options {
        std::vector<std::string> command;
        std::string folder; ///< to run in
        std::stop_token stop;
    };
    struct Result {
        int status = 0;     ///< as a shell shows it
        std::string output; ///< the end of what it wrote
    };
    using Done = std::function<void(const Result&)>;

    /// `done` is called once from the loop, unless this is destroyed before; it may destroy this.
    [[nodiscard]] static heddle::Result<std::unique_ptr<TestRecording>>
    start(boost::asio::io_context& loop, const Options& options, Done done);

    ~TestRecording();
    TestRecording(const TestRecording&) = delete;
    TestRecording& operator=(const TestRecording&) = delete;
    TestRecording(TestRecording&&) = delete;
    TestRecording& operator=(TestRecording&&) = delete;

  private:
    struct State;
    explicit TestRecording(std::shared_ptr<State> state);
    std::shared_ptr<State> state_;
};

} // namespace heddle::service
