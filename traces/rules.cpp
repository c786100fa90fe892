#include "traces/rules.h"

#include "traces/rules/lock_rules.h"
#include "traces/rules/resource_rules.h"
#include "traces/rules/rule_log.h"
#include "traces/rules/thread_rules.h"
#include "traces/rules/value_rules.h"
#include "traces/rules/wait_rules.h"
#include "traces/trace_builder.h"

namespace heddle {

namespace {

class Checker {
  public:
    Checker(const Trace& trace, const Limits& limits)
        : log_(trace, limits), values_(trace), threads_(trace), locks_(trace), waits_(trace),
          resources_(trace) {}

    void check(const EventView& event) {
        if (threads_.ended(event.thread())) [[unlikely]]
            return threads_.event_after_end(event, log_);
        switch (event.kind()) {
        case EventKind::read:
        case EventKind::write:
        case EventKind::atomic_load:
        case EventKind::atomic_store: return values_.read_or_write(event, log_);
        case EventKind::atomic_rmw: return values_.read_modify_write(event, log_);
        default: return check_synchronisation(event);
        }
    }

    [[nodiscard]] RuleReport take() { return log_.take(); }

  private:
    void check_synchronisation(const EventView& event) {
        switch (event.kind()) {
        case EventKind::acquire: return locks_.acquire(event, log_);
        case EventKind::release: return locks_.release(event, log_);
        case EventKind::acquire_shared: return locks_.acquire_shared(event, log_);
        case EventKind::release_shared: return locks_.release_shared(event, log_);
        case EventKind::fork: return threads_.fork(event, log_);
        case EventKind::thread_begin: return threads_.begin(event, log_);
        case EventKind::thread_end: return threads_.end(event);
        case EventKind::join: return threads_.join(event, log_);
        case EventKind::wait_pre: return waits_.wait_pre(event, log_);
        case EventKind::wait_post: return waits_.wait_post(event, log_);
        case EventKind::notify:
        case EventKind::notify_all: return waits_.notify(event);
        case EventKind::barrier_enter: return waits_.barrier_enter(event, log_);
        case EventKind::barrier_leave: return waits_.barrier_leave(event, log_);
        case EventKind::sem_init: return resources_.sem_init(event, log_);
        case EventKind::sem_post: return resources_.sem_post(event);
        case EventKind::sem_wait: return resources_.sem_wait(event, log_);
        case EventKind::once_begin: return resources_.once_begin(event, log_);
        case EventKind::once_end: return resources_.once_end(event, log_);
        case EventKind::once_seen: return resources_.once_seen(event, log_);
        case EventKind::alloc: return resources_.alloc(event, log_);
        case EventKind::free: return resources_.free(event, log_);
        case EventKind::txn_begin: return threads_.transaction_begin(event);
        case EventKind::txn_end: return threads_.transaction_end(event, log_);
        // What memory accesses obey is checked above; fences and annotations can stand anywhere.
        case EventKind::read:
        case EventKind::write:
        case EventKind::atomic_load:
        case EventKind::atomic_store:
        case EventKind::atomic_rmw:
        case EventKind::fence:
        case EventKind::happens_before:
        case EventKind::happens_after: return;
        }
    }

    rules::RuleLog log_;
    rules::ValueRules values_;
    rules::ThreadRules threads_;
    rules::LockRules locks_;
    rules::WaitRules waits_;
    rules::ResourceRules resources_;
};

/// Rows get the ids they have in `trace`: each table there is already without duplicates.
void copy_tables(const Trace& trace, TraceBuilder& to) {
    for (std::size_t id = 0; id < trace.string_count(); ++id)
        static_cast<void>(to.string(trace.string(StringId{id})));
    for (const Module& module : trace.modules()) static_cast<void>(to.module(module));
    for (const Place& place : trace.places()) static_cast<void>(to.place(place));
    for (const Stack& stack : trace.stacks()) static_cast<void>(to.stack(stack));
    for (std::size_t kind = 0; kind < kObjectKinds; ++kind) {
        const auto object_kind = static_cast<ObjectKind>(kind);
        for (const Object& object : trace.objects(object_kind)) to.add_object(object_kind, object);
    }
    to.metadata() = trace.metadata();
}

} // namespace

RuleReport check_rules(const Trace& trace, const Limits& limits) {
    Checker checker(trace, limits);
    for (const EventView event : trace.events()) checker.check(event);
    return checker.take();
}

Trace without_broken(const Trace& trace, const RuleReport& report) {
    if (report.clean()) return trace;
    TraceBuilder builder;
    copy_tables(trace, builder);
    auto left_out = report.left_out.begin();
    auto forgotten = report.forgotten.begin();
    for (const EventView event : trace.events()) {
        if (left_out != report.left_out.end() && *left_out == event.id()) {
            ++left_out;
            continue;
        }
        Event kept = trace.spelled_out(event);
        if (forgotten != report.forgotten.end() && *forgotten == event.id()) {
            ++forgotten;
            kept.value.reset();
            kept.value_read = 0;
        }
        builder.add(kept);
    }
    return builder.snapshot();
}

} // namespace heddle
