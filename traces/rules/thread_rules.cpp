#include "traces/rules/thread_rules.h"

#include <fmt/format.h>

namespace heddle::rules {

void ThreadRules::event_after_end(const EventView& event, RuleLog& log) const {
    log.leave_out(event, Rule::thread_life, [&] {
        return fmt::format("{} goes on ({}) after its end at {}", log.who(event), traits(event.kind()).label,
                           log.at(threads_[event.thread().value].end));
    });
}

void ThreadRules::begin(const EventView& event, RuleLog& log) const {
    const EventId first{log.trace().events_of(event.thread()).front()};
    if (first == event.id()) return;
    log.leave_out(event, Rule::thread_life, [&] {
        return fmt::format("{} begins after its first event at {}", log.who(event), log.at(first));
    });
}

void ThreadRules::fork(const EventView& event, RuleLog& log) {
    Thread& child = threads_[event.target()];
    const ThreadIndex& events = log.trace().events_of(event.other_thread());
    const auto broken = [&](auto&& why) {
        log.leave_out(event, Rule::fork_once_before_events,
                      [&] { return fmt::format("{} forks {}", log.who(event), why()); });
    };
    const auto name = [&] { return log.thread(event.other_thread()); };
    if (event.other_thread() == event.thread()) return broken([] { return "itself"; });
    if (child.fork.valid()) {
        return broken([&] {
            const EventView earlier = log.trace()[child.fork];
            return fmt::format("{}, which {} forked at {}", name(), log.who(earlier), log.at(child.fork));
        });
    }
    if (child.join.valid()) {
        return broken([&] { return fmt::format("{}, which was joined at {}", name(), log.at(child.join)); });
    }
    if (!events.empty() && events.front() < event.id().value) {
        return broken([&] {
            return fmt::format("{}, which ran before (its first event is at {})", name(),
                               log.at(EventId{events.front()}));
        });
    }
    child.fork = event.id();
}

void ThreadRules::join(const EventView& event, RuleLog& log) {
    Thread& child = threads_[event.target()];
    const ThreadIndex& events = log.trace().events_of(event.other_thread());
    const auto broken = [&](auto&& why) {
        log.leave_out(event, Rule::join_once_after_events,
                      [&] { return fmt::format("{} joins {}", log.who(event), why()); });
    };
    const auto name = [&] { return log.thread(event.other_thread()); };
    if (event.other_thread() == event.thread()) return broken([] { return "itself"; });
    if (child.join.valid()) {
        return broken([&] {
            const EventView earlier = log.trace()[child.join];
            return fmt::format("{}, which {} joined at {}", name(), log.who(earlier), log.at(child.join));
        });
    }
    // After a thread's end its events are left out, so they do not speak against the join.
    if (!child.end.valid() && !events.empty() && events.back() > event.id().value) {
        return broken([&] {
            return fmt::format("{}, which still runs (its last event is at {})", name(),
                               log.at(EventId{events.back()}));
        });
    }
    child.join = event.id();
}

void ThreadRules::transaction_end(const EventView& event, RuleLog& log) {
    std::vector<EventId>& open = threads_[event.thread().value].transactions;
    const auto tag = [&](const EventView& mark) {
        return mark.has_target() ? log.quoted(ObjectKind::tag, mark.target()) : std::string("without a name");
    };
    if (open.empty()) {
        return log.leave_out(event, Rule::transaction_pairs, [&] {
            return fmt::format("{} ends a transaction {} that it did not begin", log.who(event), tag(event));
        });
    }
    const EventView begin = log.trace()[open.back()];
    if (begin.has_target() && event.has_target() && begin.target() != event.target()) {
        return log.leave_out(event, Rule::transaction_pairs, [&] {
            return fmt::format("{} ends the transaction {} inside {} (begun at {})", log.who(event),
                               tag(event), tag(begin), log.at(begin.id()));
        });
    }
    open.pop_back();
}

} // namespace heddle::rules
