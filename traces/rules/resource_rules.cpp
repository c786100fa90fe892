#include "traces/rules/resource_rules.h"

#include <limits>

#include <fmt/format.h>

namespace heddle::rules {

void ResourceRules::sem_init(const EventView& event, RuleLog& log) {
    Semaphore& semaphore = semaphores_[event.target()];
    if (semaphore.init.valid() || semaphore.used.valid()) {
        return log.leave_out(event, Rule::semaphore_count, [&] {
            const bool twice = semaphore.init.valid();
            return fmt::format("{} initialises {}, which was {} at {}", log.who(event), log.what(event),
                               twice ? "initialised" : "in use",
                               log.at(twice ? semaphore.init : semaphore.used));
        });
    }
    semaphore.init = event.id();
    semaphore.counted = event.has_value();
    semaphore.count = event.has_value() ? event.raw_value() : 0;
}

void ResourceRules::sem_post(const EventView& event) {
    Semaphore& semaphore = semaphores_[event.target()];
    if (!semaphore.used.valid()) semaphore.used = event.id();
    if (semaphore.count != std::numeric_limits<std::uint64_t>::max()) ++semaphore.count;
}

void ResourceRules::sem_wait(const EventView& event, RuleLog& log) {
    Semaphore& semaphore = semaphores_[event.target()];
    if (semaphore.counted && semaphore.count == 0) {
        return log.leave_out(event, Rule::semaphore_count, [&] {
            return fmt::format("{} passes {}, whose count is 0 (it began with {} at {})", log.who(event),
                               log.what(event), log.trace()[semaphore.init].raw_value(),
                               log.at(semaphore.init));
        });
    }
    if (!semaphore.used.valid()) semaphore.used = event.id();
    if (semaphore.counted) --semaphore.count;
}

void ResourceRules::once_begin(const EventView& event, RuleLog& log) {
    Once& once = onces_[event.target()];
    if (once.begin.valid()) {
        return log.leave_out_opening(event, Rule::once_order, [&] {
            const EventView earlier = log.trace()[once.end.valid() ? once.end : once.begin];
            return fmt::format("{} begins {}, which {} {} at {}", log.who(event), log.what(event),
                               log.who(earlier), once.end.valid() ? "ended" : "began", log.at(earlier.id()));
        });
    }
    once.begin = event.id();
}

void ResourceRules::once_end(const EventView& event, RuleLog& log) {
    Once& once = onces_[event.target()];
    const bool mine = once.begin.valid() && log.trace()[once.begin].thread() == event.thread();
    if (!mine || once.end.valid()) {
        return log.leave_out_closing(event, EventKind::once_begin, Rule::once_order, [&] {
            const std::string text = fmt::format("{} ends {}, which ", log.who(event), log.what(event));
            if (!once.begin.valid()) return text + "no thread began";
            const EventView earlier = log.trace()[mine ? once.end : once.begin];
            return text + fmt::format("{} {} at {}", log.who(earlier), mine ? "ended" : "began",
                                      log.at(earlier.id()));
        });
    }
    once.end = event.id();
}

void ResourceRules::once_seen(const EventView& event, RuleLog& log) {
    const Once& once = onces_[event.target()];
    if (once.end.valid()) return;
    log.leave_out(event, Rule::once_order, [&] {
        const std::string text = fmt::format("{} sees {} done, which ", log.who(event), log.what(event));
        if (!once.begin.valid()) return text + "no thread began";
        return text + fmt::format("{} has not ended (begun at {})", log.who(log.trace()[once.begin]),
                                  log.at(once.begin));
    });
}

void ResourceRules::alloc(const EventView& event, RuleLog& log) {
    Block& block = blocks_[event.target()];
    const EventId earlier = block.alloc.valid() ? block.alloc : block.free;
    if (earlier.valid()) {
        return log.leave_out(event, Rule::alloc_free, [&] {
            return fmt::format("{} allocates {}, which {} {} at {}", log.who(event), log.what(event),
                               log.who(log.trace()[earlier]), block.alloc.valid() ? "allocated" : "freed",
                               log.at(earlier));
        });
    }
    block.alloc = event.id();
}

void ResourceRules::free(const EventView& event, RuleLog& log) {
    Block& block = blocks_[event.target()];
    if (block.free.valid()) {
        return log.leave_out(event, Rule::alloc_free, [&] {
            return fmt::format("{} frees {}, which {} freed at {}", log.who(event), log.what(event),
                               log.who(log.trace()[block.free]), log.at(block.free));
        });
    }
    if (!block.alloc.valid() && allocated_later(event, log)) {
        return log.leave_out(event, Rule::alloc_free, [&] {
            return fmt::format("{} frees {}, which is allocated only later", log.who(event), log.what(event));
        });
    }
    block.free = event.id();
}

bool ResourceRules::allocated_later(const EventView& event, const RuleLog& log) {
    if (allocated_.empty()) {
        allocated_.resize(blocks_.size());
        for (const EventView later : log.trace().events(event.id(), EventId{log.trace().size()})) {
            if (later.kind() == EventKind::alloc) allocated_[later.target()] = true;
        }
    }
    return allocated_[event.target()];
}

} // namespace heddle::rules
