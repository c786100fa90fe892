// Progress of long work, shown by the client: $/progress begin, report, end.
//
// The token is created on the client first (window/workDoneProgress/create) unless the client brought one
// with its request; begin is sent when it has agreed, and nothing at all if it cannot show progress or
// refuses. What is reported before that is not lost: begin carries the latest. Reports are at least
// Options::interval apart; those between are dropped, the percentage never goes down. On the loop only.
#pragma once

#include "lsp/connection.h"
#include "lsp/protocol/progress.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

namespace heddle::lsp {

struct ProgressOptions {
    std::string title;
    bool cancellable = true;
    std::optional<ProgressToken> client_token; ///< workDoneToken of the request that the work is for
    std::chrono::milliseconds interval{100};
};

/// One piece of work. Ends when destroyed, if end() was not called.
class WorkProgress {
  public:
    WorkProgress(const WorkProgress&) = delete;
    WorkProgress& operator=(const WorkProgress&) = delete;
    WorkProgress(WorkProgress&&) noexcept = default;
    WorkProgress& operator=(WorkProgress&& other) noexcept;
    ~WorkProgress();

    void report(std::uint32_t percentage, std::string message = {});
    void end(std::string message = {});
    /// Stops when the person cancels (window/workDoneProgress/cancel), or the client goes away.
    [[nodiscard]] std::stop_token stop_token() const;

  private:
    friend class ProgressReporter;
    struct State;
    explicit WorkProgress(std::shared_ptr<State> state) : state_(std::move(state)) {}
    std::shared_ptr<State> state_;
};

/// Begins progress on one connection, and takes its cancellations: create it before Connection::start().
class ProgressReporter {
  public:
    using Clock = std::function<std::chrono::steady_clock::time_point()>;

    explicit ProgressReporter(Connection& connection, Clock clock = std::chrono::steady_clock::now);
    ProgressReporter(const ProgressReporter&) = delete;
    ProgressReporter& operator=(const ProgressReporter&) = delete;
    ProgressReporter(ProgressReporter&&) = delete;
    ProgressReporter& operator=(ProgressReporter&&) = delete;
    ~ProgressReporter();

    /// ClientCapabilities::workDoneProgress. Until it is set only tokens that the client brought are used.
    void client_can_create_tokens(bool can);
    [[nodiscard]] WorkProgress begin(ProgressOptions options);

  private:
    friend class WorkProgress;
    struct Shared;
    std::shared_ptr<Shared> shared_;
};

} // namespace heddle::lsp
