#include "traces/rules/lock_rules.h"

#include <fmt/format.h>

namespace heddle::rules {

const LockRules::Hold* LockRules::Lock::obstacle(bool exclusive) const {
    if (owner.thread.valid()) return &owner;
    return exclusive && !shared.empty() ? &shared.begin()->second : nullptr;
}

void LockRules::acquire(const EventView& event, RuleLog& log) {
    Lock& lock = locks_[event.target()];
    if (lock.owner.thread == event.thread()) {
        ++lock.owner.depth;
        return log.collapse_acquire(event);
    }
    if (const Hold* holder = lock.obstacle(true)) return two_owners(event, *holder, log);
    lock.owner = {event.thread(), event.id()};
}

void LockRules::release(const EventView& event, RuleLog& log) {
    Lock& lock = locks_[event.target()];
    if (lock.owner.thread != event.thread()) return not_held(event, lock, EventKind::acquire, log);
    if (--lock.owner.depth > 0) return log.collapse_release(event);
    lock.owner = {};
}

void LockRules::acquire_shared(const EventView& event, RuleLog& log) {
    Lock& lock = locks_[event.target()];
    if (const Hold* holder = lock.obstacle(false)) return two_owners(event, *holder, log);
    const auto [hold, fresh] = lock.shared.try_emplace(event.thread(), Hold{event.thread(), event.id()});
    if (fresh) return;
    ++hold->second.depth;
    log.collapse_acquire(event);
}

void LockRules::release_shared(const EventView& event, RuleLog& log) {
    Lock& lock = locks_[event.target()];
    const auto hold = lock.shared.find(event.thread());
    if (hold == lock.shared.end()) return not_held(event, lock, EventKind::acquire_shared, log);
    if (--hold->second.depth > 0) return log.collapse_release(event);
    lock.shared.erase(hold);
}

void LockRules::two_owners(const EventView& event, const Hold& holder, RuleLog& log) {
    log.leave_out_opening(event, Rule::acquire_held, [&] {
        const EventKind held_as = log.trace()[holder.acquired].kind();
        const bool self = holder.thread == event.thread();
        return fmt::format("{} acquires {}{}, which {} holds{} (acquired at {})", log.who(event),
                           log.what(event), event.kind() == EventKind::acquire_shared ? " shared" : "",
                           self ? "it already" : log.thread(holder.thread),
                           held_as == EventKind::acquire_shared ? " shared" : "", log.at(holder.acquired));
    });
}

void LockRules::not_held(const EventView& event, const Lock& lock, EventKind opening, RuleLog& log) {
    log.leave_out_closing(event, opening, Rule::release_not_held, [&] {
        const char* mode = event.kind() == EventKind::release_shared ? " shared" : "";
        std::string text = fmt::format("{} releases {}{}, which ", log.who(event), log.what(event), mode);
        const Hold* holder = lock.obstacle(true);
        if (holder == nullptr) return text + "no thread holds";
        // Its own hold in the other mode says more than someone else's.
        if (const auto own = lock.shared.find(event.thread()); own != lock.shared.end())
            holder = &own->second;
        const bool self = holder->thread == event.thread();
        return text + fmt::format("{} holds{} (acquired at {})", self ? "it" : log.thread(holder->thread),
                                  holder == &lock.owner ? (self ? " exclusively" : "") : " shared",
                                  log.at(holder->acquired));
    });
}

} // namespace heddle::rules
