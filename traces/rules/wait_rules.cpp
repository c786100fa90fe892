#include "traces/rules/wait_rules.h"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::rules {

void WaitRules::wait_pre(const EventView& event, RuleLog& log) {
    Thread& thread = threads_[event.thread().value];
    if (thread.wait.valid()) {
        return log.leave_out_opening(event, Rule::wait_pairs, [&] {
            return fmt::format("{} waits for {} while it already waits for {} (since {})", log.who(event),
                               log.what(event), log.what(log.trace()[thread.wait]), log.at(thread.wait));
        });
    }
    thread.wait = event.id();
    ++conditions_[event.target()].waiting;
}

void WaitRules::wait_post(const EventView& event, RuleLog& log) {
    Thread& thread = threads_[event.thread().value];
    const EventId wait = thread.wait;
    if (!wait.valid() || log.trace()[wait].target() != event.target()) {
        return log.leave_out_closing(event, EventKind::wait_pre, Rule::wait_pairs, [&] {
            std::string text =
                fmt::format("{} ends a wait for {} that it did not begin", log.who(event), log.what(event));
            if (!wait.valid()) return text;
            return fmt::format("{}: it waits for {} (since {})", text, log.what(log.trace()[wait]),
                               log.at(wait));
        });
    }
    if (event.has_value()) check_ticket(event, wait, log);
    --conditions_[event.target()].waiting;
    thread.wait = {};
}

void WaitRules::check_ticket(const EventView& event, EventId wait, RuleLog& log) {
    auto& tickets = conditions_[event.target()].tickets;
    const auto found = tickets.find(event.raw_value());
    const auto broken = [&](auto&& why) {
        log.forget_value(event, Rule::wait_ticket, [&] {
            return fmt::format("{} is woken from {} by ticket {}, {}", log.who(event), log.what(event),
                               event.raw_value(), why());
        });
    };
    if (found == tickets.end() || found->second.event < wait) {
        return broken(
            [&] { return fmt::format("which no notify gave since the wait began at {}", log.at(wait)); });
    }
    Notify& notify = found->second;
    if (notify.ended.valid() && log.trace()[notify.event].kind() == EventKind::notify) {
        return broken([&] {
            return fmt::format("which already woke {} (notify at {})", log.who(log.trace()[notify.ended]),
                               log.at(notify.event));
        });
    }
    notify.ended = event.id();
}

void WaitRules::notify(const EventView& event) {
    if (!event.has_value()) return;
    Condition& condition = conditions_[event.target()];
    // A wait can only be ended by what comes after its beginning, so that without one all is forgotten.
    if (condition.waiting == 0) {
        condition.tickets.clear();
    } else {
        condition.tickets[event.raw_value()] = {event.id(), {}};
    }
}

void WaitRules::barrier_enter(const EventView& event, RuleLog& log) {
    Barrier& barrier = barriers_[event.target()];
    if (event.has_value() && barrier.last_round_left && event.raw_value() <= *barrier.last_round_left) {
        return log.leave_out_opening(event, Rule::barrier_rounds, [&] {
            return fmt::format("{} enters round {} of {} when round {} is over ({} left it at {})",
                               log.who(event), event.raw_value(), log.what(event), *barrier.last_round_left,
                               log.who(log.trace()[barrier.left]), log.at(barrier.left));
        });
    }
    threads_[event.thread().value].enter = event.id();
}

void WaitRules::barrier_leave(const EventView& event, RuleLog& log) {
    Thread& thread = threads_[event.thread().value];
    const auto fits = [&](const EventView& enter) {
        if (enter.target() != event.target()) return false;
        return !enter.has_value() || !event.has_value() || enter.raw_value() == event.raw_value();
    };
    if (!thread.enter.valid() || !fits(log.trace()[thread.enter])) {
        return log.leave_out_closing(event, EventKind::barrier_enter, Rule::barrier_rounds, [&] {
            const std::string round =
                event.has_value() ? fmt::format("round {} of ", event.raw_value()) : std::string();
            return fmt::format("{} leaves {}{}, which it did not enter", log.who(event), round,
                               log.what(event));
        });
    }
    const EventView enter = log.trace()[thread.enter];
    thread.enter = {};
    if (!event.has_value() && !enter.has_value()) return;
    Barrier& barrier = barriers_[event.target()];
    const std::uint64_t round = event.has_value() ? event.raw_value() : enter.raw_value();
    if (barrier.last_round_left && round <= *barrier.last_round_left) return;
    barrier.last_round_left = round;
    barrier.left = event.id();
}

} // namespace heddle::rules
