// Runs a command of heddle that runs the user's program, beside the daemon: `heddle record -- COMMAND`,
// `heddle replay`. It and all that it started are ended when the user cancels, or when this goes away.
#pragma once

#include "traces/result.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>

namespace heddle::service {

class ToolRun {
  public:
    struct Options {
        std::vector<std::string> words; ///< after "heddle"
        std::string folder;             ///< to run in
        std::stop_token stop;
        bool ends_itself = false; ///< asked to end, it ends all that it started, wherever that is by now
    };
    struct Result {
        int status = 0;     ///< as a shell shows it
        std::string output; ///< the end of what it wrote
    };
    using Done = std::function<void(const Result&)>;

    /// `done` is called once from the loop, unless this is destroyed before; it may destroy this.
    [[nodiscard]] static heddle::Result<std::unique_ptr<ToolRun>> start(boost::asio::io_context& loop,
                                                                        const Options& options, Done done);

    ~ToolRun();
    ToolRun(const ToolRun&) = delete;
    ToolRun& operator=(const ToolRun&) = delete;
    ToolRun(ToolRun&&) = delete;
    ToolRun& operator=(ToolRun&&) = delete;

  private:
    struct State;
    explicit ToolRun(std::shared_ptr<State> state);
    std::shared_ptr<State> state_;
};

} // namespace heddle::service
