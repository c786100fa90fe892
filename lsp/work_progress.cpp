#include "lsp/work_progress.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace heddle::lsp {

/// Outlives its ProgressReporter where work does; `connection` is null from then on.
struct ProgressReporter::Shared {
    Connection* connection;
    Clock clock;
    bool can_create_tokens = false;
    std::int64_t next_token = 1;
    std::map<ProgressToken, std::weak_ptr<WorkProgress::State>> running;
};

struct WorkProgress::State {
    enum class Stage : std::uint8_t { asked, begun, ended };

    std::shared_ptr<ProgressReporter::Shared> reporter;
    ProgressOptions options;
    ProgressToken token;
    std::stop_source stop;
    Stage stage = Stage::asked;
    std::uint32_t percentage = 0;
    std::string message;
    std::chrono::steady_clock::time_point last_sent;

    void send(Json value) {
        last_sent = reporter->clock();
        if (reporter->connection != nullptr)
            reporter->connection->notify("$/progress",
                                         ProgressParams{.token = token, .value = std::move(value)});
    }

    [[nodiscard]] std::optional<std::string> shown_message() const {
        return message.empty() ? std::nullopt : std::optional(message);
    }

    void begin() {
        if (stage != Stage::asked) return;
        stage = Stage::begun;
        send(WorkDoneProgressBegin{.title = options.title,
                                   .cancellable = options.cancellable,
                                   .message = shown_message(),
                                   .percentage = percentage});
    }

    void report(std::uint32_t new_percentage, std::string new_message) {
        percentage = std::max(percentage, std::min(new_percentage, std::uint32_t{100}));
        message = std::move(new_message);
        if (stage != Stage::begun || reporter->clock() - last_sent < options.interval) return;
        send(WorkDoneProgressReport{.message = shown_message(), .percentage = percentage});
    }

    void end(std::string last_message) {
        if (std::exchange(stage, Stage::ended) == Stage::begun) {
            message = std::move(last_message);
            send(WorkDoneProgressEnd{.message = shown_message()});
        }
        reporter->running.erase(token);
    }
};

WorkProgress& WorkProgress::operator=(WorkProgress&& other) noexcept {
    if (this != &other) {
        end();
        state_ = std::move(other.state_);
    }
    return *this;
}

WorkProgress::~WorkProgress() {
    end();
}

void WorkProgress::report(std::uint32_t percentage, std::string message) {
    if (state_) state_->report(percentage, std::move(message));
}

void WorkProgress::end(std::string message) {
    if (const auto state = std::exchange(state_, {})) state->end(std::move(message));
}

std::stop_token WorkProgress::stop_token() const {
    return state_ ? state_->stop.get_token() : std::stop_token();
}

ProgressReporter::ProgressReporter(Connection& connection, Clock clock)
    : shared_(std::make_shared<Shared>(Shared{.connection = &connection, .clock = std::move(clock)})) {
    connection.on_notification("window/workDoneProgress/cancel", [shared = shared_](const Json& json) {
        const auto params = from_json<WorkDoneProgressParams>(json);
        if (!params) return;
        const auto entry = shared->running.find(params->token);
        const auto state = entry == shared->running.end() ? nullptr : entry->second.lock();
        if (state) state->stop.request_stop();
    });
}

ProgressReporter::~ProgressReporter() {
    shared_->connection = nullptr;
    // What a stop calls may end the work, and so take it off the list.
    const auto running = shared_->running;
    for (const auto& [token, work] : running) {
        if (const auto state = work.lock()) state->stop.request_stop();
    }
}

void ProgressReporter::client_can_create_tokens(bool can) {
    shared_->can_create_tokens = can;
}

WorkProgress ProgressReporter::begin(ProgressOptions options) {
    auto state = std::make_shared<WorkProgress::State>();
    state->reporter = shared_;
    state->options = std::move(options);
    if (state->options.client_token) {
        state->token = *state->options.client_token;
        shared_->running[state->token] = state;
        state->begin();
        return WorkProgress(std::move(state));
    }
    if (!shared_->can_create_tokens) return WorkProgress(std::move(state));
    state->token = fmt::format("work-{}", shared_->next_token++);
    shared_->running[state->token] = state;
    shared_->connection->request("window/workDoneProgress/create", WorkDoneProgressParams{state->token},
                                 [weak = std::weak_ptr(state)](const Outcome& outcome) {
                                     const auto asked = weak.lock();
                                     if (asked && outcome) asked->begin();
                                 });
    return WorkProgress(std::move(state));
}

} // namespace heddle::lsp
