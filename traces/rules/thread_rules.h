// Lives of threads: forked once and before its first event, nothing after its end, joined once and after
// its last event. Transactions belong here too: they open and close within a thread.
#pragma once

#include "traces/rules/rule_log.h"

#include <vector>

namespace heddle::rules {

class ThreadRules {
  public:
    explicit ThreadRules(const Trace& trace) : threads_(trace.thread_count()) {}

    [[nodiscard]] bool ended(ThreadId thread) const { return threads_[thread.value].end.valid(); }
    void event_after_end(const EventView& event, RuleLog& log) const;

    void begin(const EventView& event, RuleLog& log) const;
    void end(const EventView& event) { threads_[event.thread().value].end = event.id(); }
    void fork(const EventView& event, RuleLog& log);
    void join(const EventView& event, RuleLog& log);

    void transaction_begin(const EventView& event) {
        threads_[event.thread().value].transactions.push_back(event.id());
    }
    void transaction_end(const EventView& event, RuleLog& log);

  private:
    struct Thread {
        EventId fork;
        EventId end;
        EventId join;
        std::vector<EventId> transactions; ///< open ones, outermost first
    };

    std::vector<Thread> threads_;
};

} // namespace heddle::rules
