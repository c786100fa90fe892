// Condition variables and barriers: what a thread blocks in, and who lets it go on.
#pragma once

#include "traces/rules/rule_log.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace heddle::rules {

class WaitRules {
  public:
    explicit WaitRules(const Trace& trace)
        : conditions_(trace.objects(ObjectKind::condition).size()),
          barriers_(trace.objects(ObjectKind::barrier).size()), threads_(trace.thread_count()) {}

    void wait_pre(const EventView& event, RuleLog& log);
    void wait_post(const EventView& event, RuleLog& log);
    void notify(const EventView& event);
    void barrier_enter(const EventView& event, RuleLog& log);
    void barrier_leave(const EventView& event, RuleLog& log);

  private:
    struct Notify {
        EventId event;
        EventId ended; ///< the wait that it ended last
    };
    struct Condition {
        std::size_t waiting = 0;
        std::unordered_map<std::uint64_t, Notify> tickets; ///< given out while a thread waited
    };
    struct Barrier {
        std::optional<std::uint64_t> last_round_left;
        EventId left;
    };
    struct Thread {
        EventId wait;  ///< the wait_pre it is in
        EventId enter; ///< the barrier_enter it is in
    };

    void check_ticket(const EventView& event, EventId wait, RuleLog& log);

    std::vector<Condition> conditions_;
    std::vector<Barrier> barriers_;
    std::vector<Thread> threads_;
};

} // namespace heddle::rules
