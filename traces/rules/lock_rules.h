// A lock has one owner, or any number of shared holders; only a holder releases it, in the mode it holds.
#pragma once

#include "traces/rules/rule_log.h"

#include <map>
#include <vector>

namespace heddle::rules {

class LockRules {
  public:
    explicit LockRules(const Trace& trace) : locks_(trace.objects(ObjectKind::lock).size()) {}

    void acquire(const EventView& event, RuleLog& log);
    void release(const EventView& event, RuleLog& log);
    void acquire_shared(const EventView& event, RuleLog& log);
    void release_shared(const EventView& event, RuleLog& log);

  private:
    struct Hold {
        ThreadId thread;
        EventId acquired;
        std::uint64_t depth = 1;
    };
    struct Lock {
        Hold owner;
        std::map<ThreadId, Hold> shared;

        /// A hold that keeps `thread` from acquiring in the given mode, or nothing.
        [[nodiscard]] const Hold* obstacle(bool exclusive) const;
    };

    static void two_owners(const EventView& event, const Hold& holder, RuleLog& log);
    static void not_held(const EventView& event, const Lock& lock, EventKind opening, RuleLog& log);

    std::vector<Lock> locks_;
};

} // namespace heddle::rules
