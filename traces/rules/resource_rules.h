// Semaphores, once-initialisation and allocations: objects that go through states.
#pragma once

#include "traces/rules/rule_log.h"

#include <vector>

namespace heddle::rules {

class ResourceRules {
  public:
    explicit ResourceRules(const Trace& trace)
        : semaphores_(trace.objects(ObjectKind::semaphore).size()),
          onces_(trace.objects(ObjectKind::once).size()), blocks_(trace.objects(ObjectKind::block).size()) {}

    void sem_init(const EventView& event, RuleLog& log);
    void sem_post(const EventView& event);
    void sem_wait(const EventView& event, RuleLog& log);
    void once_begin(const EventView& event, RuleLog& log);
    void once_end(const EventView& event, RuleLog& log);
    void once_seen(const EventView& event, RuleLog& log);
    void alloc(const EventView& event, RuleLog& log);
    void free(const EventView& event, RuleLog& log);

  private:
    struct Semaphore {
        EventId init;
        EventId used; ///< the first post or wait
        bool counted = false;
        std::uint64_t count = 0;
    };
    struct Once {
        EventId begin;
        EventId end;
    };
    struct Block {
        EventId alloc;
        EventId free;
    };

    /// Whether the trace allocates the block after `event`. Looks ahead once for all blocks.
    [[nodiscard]] bool allocated_later(const EventView& event, const RuleLog& log);

    std::vector<Semaphore> semaphores_;
    std::vector<Once> onces_;
    std::vector<Block> blocks_;
    std::vector<bool> allocated_;
};

} // namespace heddle::rules
