#include "small_traces.h"

#include "traces/rules.h"
#include "traces/text/reader.h"
#include "traces/text/writer.h"
#include "traces/trace_builder.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace heddle::testing_support {
namespace {

/// One execution. Each step collects what the threads could do next, with weights, and does one of these
/// things.
class Simulation {
  public:
    Simulation(const SmallTraceOptions& options, std::uint64_t seed)
        : options_(options), random_(seed), threads_(options.threads), locks_(options.locks) {
        for (std::uint32_t thread = 0; thread < options.threads; ++thread) {
            named(ObjectKind::thread, 'T', thread);
            threads_[thread].running = thread == 0 || !options.fork_join;
        }
        for (std::uint32_t lock = 0; lock < options.locks; ++lock) named(ObjectKind::lock, 'l', lock);
        for (std::uint32_t variable = 0; variable < options.variables; ++variable)
            named(ObjectKind::variable, 'x', variable);
        tidy_ = chance(2, 3);
        sticky_ = 1 + below(4);
        party_ = 2 + static_cast<std::uint32_t>(below(options.threads - 1));
        if (options.values) fill_memory();
    }

    Trace run() {
        if (options_.semaphores) init_semaphore();
        while (builder_.size() < options_.events && step()) {
        }
        return builder_.snapshot();
    }

  private:
    struct Thread {
        bool running = false;
        bool ended = false;
        bool joined = false;
        std::vector<std::uint32_t> held; ///< in order of acquisition
        bool unwinding = false;          ///< has released one of them
        // Waiting for the condition: since wait_pre and the release of `mutex`.
        bool waiting = false;
        bool reacquired = false;
        std::optional<std::uint64_t> ticket;
        std::uint32_t mutex = 0;
        std::optional<std::uint64_t> in_round; ///< of the barrier
        bool in_once = false;
        std::uint32_t transactions = 0;
    };
    struct Lock {
        std::optional<std::size_t> owner;
        std::vector<std::size_t> readers;
    };
    struct Choice {
        std::uint64_t weight = 0;
        std::function<void()> act;
    };

    // --- chance; the standard distributions differ between machines ----------------------------------

    std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
    bool chance(std::uint64_t of, std::uint64_t in) { return below(in) < of; }

    // --- events --------------------------------------------------------------------------------------

    std::uint32_t named(ObjectKind kind, char letter, std::uint32_t number) {
        return builder_.object_named(kind, letter + std::to_string(number));
    }
    void emit(std::size_t thread, EventKind kind, std::uint32_t target = kNoTarget,
              std::optional<std::uint64_t> value = {}) {
        builder_.add({.kind = kind, .thread = ThreadId{thread}, .target = target, .value = value});
    }
    void offer(std::uint64_t weight, std::function<void()> act) {
        choices_.push_back({weight, std::move(act)});
    }

    // --- the scheduler -------------------------------------------------------------------------------

    bool step() {
        // Mostly whole critical sections: a lock that is held long is one that nobody else takes.
        const std::uint64_t stay = threads_[current_].held.empty() ? sticky_ : 4 * sticky_;
        if (!chance(stay, stay + 1)) current_ = below(threads_.size());
        for (std::size_t turn = 0; turn < threads_.size(); ++turn) {
            if (act(current_)) return true;
            current_ = (current_ + 1) % threads_.size();
        }
        return false;
    }

    bool act(std::size_t id) {
        if (!threads_[id].running) return false;
        choices_.clear();
        collect(id);
        std::uint64_t total = 0;
        for (const Choice& choice : choices_) total += choice.weight;
        if (total == 0) return false;
        std::uint64_t pick = below(total);
        for (const Choice& choice : choices_) {
            if (pick < choice.weight) {
                choice.act();
                return true;
            }
            pick -= choice.weight;
        }
        return false;
    }

    void collect(std::size_t id) {
        Thread& thread = threads_[id];
        if (thread.waiting) return wake(id);
        if (thread.in_round) {
            if (entered_[*thread.in_round] < party_) return;
            return offer(1, [this, id] {
                emit(id, EventKind::barrier_leave, named(ObjectKind::barrier, 'b', 0),
                     *threads_[id].in_round);
                threads_[id].in_round.reset();
            });
        }
        std::size_t all_held = 0;
        for (const Thread& one : threads_) all_held += one.held.size();
        const bool closing = tidy_ && builder_.size() + all_held >= options_.events && !thread.held.empty();
        release(id, closing ? 50 : thread.unwinding ? 12 : 3);
        access(id);
        acquire(id);
        if (options_.fork_join) fork_and_join(id);
        if (options_.wait_notify) wait_and_notify(id);
        if (options_.barriers) enter_barrier(id);
        if (options_.semaphores) use_semaphore(id);
        if (options_.once) use_once(id);
        if (options_.annotations) annotate(id);
        if (options_.transactions) mark(id);
    }

    // --- memory and locks ----------------------------------------------------------------------------

    void access(std::size_t id) {
        offer(threads_[id].held.empty() ? 4 : 7, [this, id] {
            Event event{.kind = chance(1, 2) ? EventKind::write : EventKind::read, .thread = ThreadId{id}};
            if (options_.atomics && chance(1, 2)) make_atomic(event);
            event.target = static_cast<std::uint32_t>(below(options_.variables));
            if (options_.parts && chance(1, 2)) event.bytes = {static_cast<std::uint8_t>(4 * below(2)), 4};
            if (options_.values) give_value(event);
            builder_.add(event);
        });
    }

    // --- values: few, so that equal ones are frequent ------------------------------------------------

    void fill_memory() {
        for (std::uint32_t variable = 0; variable < options_.variables; ++variable)
            memory_.push_back(any_content({}));
        unrecorded_ = chance(1, 2) ? 0 : 1 + below(2);
    }
    /// What could be written to these bytes: each half of a variable holds 0 to 2.
    std::uint64_t any_content(ByteRange bytes) {
        const std::uint64_t low = below(3);
        return bytes.size == 8 && options_.parts ? low | below(3) << 32U : low;
    }
    /// Memory changes with every write; whether the event tells is another matter.
    void give_value(Event& event) {
        std::uint64_t& content = memory_[event.target];
        const unsigned shift = event.bytes.offset * 8U;
        const std::uint64_t ones = ~std::uint64_t{0} >> (64U - event.bytes.size * 8U);
        event.value_read = content >> shift & ones;
        event.value = event.value_read;
        if (writes_memory(event.kind)) {
            event.value = any_content(event.bytes);
            content = (content & ~(ones << shift)) | *event.value << shift;
        }
        if (chance(unrecorded_, 8)) event.value.reset();
        if (event.kind != EventKind::atomic_rmw || !event.value) event.value_read = 0;
    }

    void make_atomic(Event& event) {
        using enum MemoryOrder;
        static constexpr std::array kLoads = {relaxed, consume, acquire, acquire, seq_cst};
        static constexpr std::array kStores = {relaxed, MemoryOrder::release, MemoryOrder::release, seq_cst};
        static constexpr std::array kRmws = {relaxed, MemoryOrder::acquire, MemoryOrder::release, acq_rel,
                                             seq_cst};
        switch (below(3)) {
        case 0:
            event.kind = EventKind::atomic_load;
            event.order = kLoads[below(kLoads.size())];
            return;
        case 1:
            event.kind = EventKind::atomic_store;
            event.order = kStores[below(kStores.size())];
            return;
        default: event.kind = EventKind::atomic_rmw; event.order = kRmws[below(kRmws.size())];
        }
    }

    [[nodiscard]] bool free_for(std::uint32_t lock, bool exclusive) const {
        return !locks_[lock].owner && (!exclusive || locks_[lock].readers.empty());
    }

    void acquire(std::size_t id) {
        const Thread& thread = threads_[id];
        for (std::uint32_t lock = 0; lock < locks_.size(); ++lock) {
            if (std::count(thread.held.begin(), thread.held.end(), lock) > 0) continue;
            if (free_for(lock, true)) offer(6, [this, id, lock] { take(id, lock); });
            if (!options_.rwlocks || !free_for(lock, false)) continue;
            offer(4, [this, id, lock] {
                emit(id, EventKind::acquire_shared, lock);
                locks_[lock].readers.push_back(id);
                threads_[id].held.push_back(lock);
            });
        }
    }
    void take(std::size_t id, std::uint32_t lock) {
        emit(id, EventKind::acquire, lock);
        locks_[lock].owner = id;
        threads_[id].held.push_back(lock);
    }

    void release(std::size_t id, std::uint64_t weight) {
        const Thread& thread = threads_[id];
        if (thread.held.empty()) return;
        if (options_.nested) return offer(weight, [this, id] { give(id, threads_[id].held.back()); });
        for (const std::uint32_t lock : thread.held) offer(weight, [this, id, lock] { give(id, lock); });
    }
    void give(std::size_t id, std::uint32_t lock) {
        const bool exclusive = locks_[lock].owner == id;
        emit(id, exclusive ? EventKind::release : EventKind::release_shared, lock);
        if (exclusive) locks_[lock].owner.reset();
        std::erase(locks_[lock].readers, id);
        std::erase(threads_[id].held, lock);
        threads_[id].unwinding = !threads_[id].held.empty();
        if (threads_[id].held.empty() && chance(1, 2)) current_ = below(threads_.size());
    }

    // --- threads -------------------------------------------------------------------------------------

    void fork_and_join(std::size_t id) {
        for (std::size_t other = 1; other < threads_.size(); ++other) {
            const Thread& child = threads_[other];
            if (!child.running && !child.ended) {
                offer(builder_.size() > 3 ? 12 : 4, [this, id, other] {
                    emit(id, EventKind::fork, static_cast<std::uint32_t>(other));
                    threads_[other].running = true;
                });
            }
            if (child.ended && !child.joined && other != id) {
                offer(6, [this, id, other] {
                    emit(id, EventKind::join, static_cast<std::uint32_t>(other));
                    threads_[other].joined = true;
                });
            }
        }
        const Thread& thread = threads_[id];
        if (id == 0 || !thread.held.empty() || thread.in_once || thread.transactions > 0) return;
        if (builder_.size() * 2 < options_.events) return;
        offer(3, [this, id] {
            emit(id, EventKind::thread_end);
            threads_[id].running = false;
            threads_[id].ended = true;
        });
    }

    // --- conditions ----------------------------------------------------------------------------------

    void wait_and_notify(std::size_t id) {
        const std::uint32_t condition = named(ObjectKind::condition, 'c', 0);
        const Thread& thread = threads_[id];
        const bool top_is_exclusive = !thread.held.empty() && locks_[thread.held.back()].owner == id;
        if (top_is_exclusive) {
            offer(4, [this, id, condition] {
                Thread& waiter = threads_[id];
                waiter.mutex = waiter.held.back();
                emit(id, EventKind::wait_pre, condition);
                give(id, waiter.mutex);
                waiter.waiting = true;
                waiter.reacquired = false;
                waiter.ticket.reset();
            });
        }
        std::vector<std::size_t> asleep;
        for (std::size_t other = 0; other < threads_.size(); ++other) {
            const Thread& one = threads_[other];
            if (one.waiting && !one.ticket && !one.reacquired) asleep.push_back(other);
        }
        const std::uint64_t weight = asleep.empty() ? 1 : 8;
        offer(weight, [this, id, condition, asleep] {
            emit(id, EventKind::notify, condition, ++ticket_);
            if (!asleep.empty()) threads_[asleep[below(asleep.size())]].ticket = ticket_;
        });
        offer((weight + 1) / 2, [this, id, condition, asleep] {
            emit(id, EventKind::notify_all, condition, ++ticket_);
            for (const std::size_t other : asleep) threads_[other].ticket = ticket_;
        });
    }

    void wake(std::size_t id) {
        const Thread& thread = threads_[id];
        if (thread.reacquired) {
            return offer(1, [this, id] {
                emit(id, EventKind::wait_post, named(ObjectKind::condition, 'c', 0), threads_[id].ticket);
                threads_[id].waiting = false;
            });
        }
        const bool spurious = !thread.ticket && chance(1, 10);
        if ((!thread.ticket && !spurious) || !free_for(thread.mutex, true)) return;
        offer(1, [this, id] {
            take(id, threads_[id].mutex);
            threads_[id].reacquired = true;
        });
    }

    // --- the rest ------------------------------------------------------------------------------------

    void enter_barrier(std::size_t id) {
        offer(2, [this, id] {
            if (entered_.empty() || entered_.back() == party_) entered_.push_back(0);
            ++entered_.back();
            threads_[id].in_round = entered_.size() - 1;
            emit(id, EventKind::barrier_enter, named(ObjectKind::barrier, 'b', 0), entered_.size() - 1);
        });
    }

    void init_semaphore() {
        const std::uint32_t semaphore = named(ObjectKind::semaphore, 's', 0);
        if (chance(1, 8)) return;
        count_ = below(3);
        emit(0, EventKind::sem_init, semaphore, count_);
    }
    void use_semaphore(std::size_t id) {
        const std::uint32_t semaphore = named(ObjectKind::semaphore, 's', 0);
        offer(2, [this, id, semaphore] {
            emit(id, EventKind::sem_post, semaphore);
            if (count_) ++*count_;
        });
        if (count_ && *count_ == 0) return;
        offer(5, [this, id, semaphore] {
            emit(id, EventKind::sem_wait, semaphore);
            if (count_) --*count_;
        });
    }

    void use_once(std::size_t id) {
        const std::uint32_t once = named(ObjectKind::once, 'o', 0);
        if (!once_begun_) {
            offer(4, [this, id, once] {
                emit(id, EventKind::once_begin, once);
                once_begun_ = true;
                threads_[id].in_once = true;
            });
        } else if (threads_[id].in_once) {
            offer(5, [this, id, once] {
                emit(id, EventKind::once_end, once);
                once_ended_ = true;
                threads_[id].in_once = false;
            });
        } else if (once_ended_) {
            offer(3, [this, id, once] { emit(id, EventKind::once_seen, once); });
        }
    }

    void annotate(std::size_t id) {
        const std::uint32_t tag = named(ObjectKind::tag, 't', 0);
        offer(1, [this, id, tag] { emit(id, EventKind::happens_before, tag); });
        offer(1, [this, id, tag] { emit(id, EventKind::happens_after, tag); });
    }

    void mark(std::size_t id) {
        offer(2, [this, id] {
            emit(id, EventKind::txn_begin);
            ++threads_[id].transactions;
        });
        if (threads_[id].transactions == 0) return;
        offer(2, [this, id] {
            emit(id, EventKind::txn_end);
            --threads_[id].transactions;
        });
    }

    SmallTraceOptions options_;
    std::mt19937_64 random_;
    TraceBuilder builder_;
    std::vector<Thread> threads_;
    std::vector<Lock> locks_;
    std::vector<Choice> choices_;
    std::size_t current_ = 0;
    std::uint64_t sticky_ = 1; ///< steps that a thread makes on average when it holds no lock
    bool tidy_ = true;         ///< locks are released towards the end
    std::uint64_t ticket_ = 0;
    std::uint32_t party_ = 2;            ///< threads that a round of the barrier needs
    std::vector<std::uint32_t> entered_; ///< by round
    std::optional<std::uint64_t> count_; ///< of the semaphore
    bool once_begun_ = false;
    bool once_ended_ = false;
    std::vector<std::uint64_t> memory_; ///< by variable
    std::uint64_t unrecorded_ = 0;      ///< of eight accesses carry no value
};

} // namespace

Trace small_trace(const SmallTraceOptions& options) {
    const std::size_t wanted = std::min<std::size_t>(options.events, 6);
    std::uint64_t seed = options.seed;
    for (;; seed += 0x9E37'79B9'7F4A'7C15U) { // until the threads are not stuck at once
        Trace trace = Simulation(options, seed).run();
        if (trace.size() >= wanted) return trace;
    }
}

SmallTraceOptions any_small(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto between = [&](std::uint32_t low, std::uint32_t high) {
        return low + static_cast<std::uint32_t>(random() % (high - low + 1));
    };
    const bool plain = between(1, 4) == 1;
    const auto feature = [&] { return between(1, 4) == 1 && !plain; };
    SmallTraceOptions options{.seed = seed};
    options.threads = std::min(between(2, 4), between(2, 4));
    options.events = std::max({between(6, 24), between(6, 24), between(6, 24)});
    options.locks = std::max(between(1, 3), between(1, 3));
    options.variables = std::min(between(1, 3), between(1, 3));
    options.nested = between(1, 2) == 1;
    options.rwlocks = feature();
    options.fork_join = feature();
    options.wait_notify = feature();
    options.barriers = feature();
    options.semaphores = feature();
    options.once = feature();
    options.atomics = feature();
    options.annotations = feature();
    options.transactions = feature();
    options.parts = feature();
    return options;
}

SmallTraceOptions any_valued(std::uint64_t seed) {
    SmallTraceOptions options = any_small(seed);
    options.events = std::min<std::uint32_t>(options.events, 20);
    options.values = true;
    return options;
}

Trace trace_of(std::string_view text) {
    const auto source = bytes_in_memory(text, "test");
    Result<TextTrace> result = read_text(*source, "test");
    if (!result) {
        ADD_FAILURE() << result.error().message;
        return {};
    }
    for (const Damage& damage : result->damage.kept()) ADD_FAILURE() << damage.text();
    const RuleReport report = check_rules(result->trace);
    for (const RuleBreak& one : report.kept) ADD_FAILURE() << "event " << one.event.value << ": " << one.what;
    return result->trace;
}

std::string text_of(const Trace& trace) {
    MemorySink sink;
    if (const auto report = write_text(trace, sink); !report) return report.error().message;
    return sink.bytes();
}

Trace with_places(const Trace& trace, std::uint64_t seed, std::uint32_t places, std::size_t events) {
    std::mt19937_64 random(seed);
    TraceBuilder builder;
    for (std::size_t kind = 0; kind < kObjectKinds; ++kind) {
        const auto object = static_cast<ObjectKind>(kind);
        for (std::uint32_t id = 0; id < trace.objects(object).size(); ++id)
            static_cast<void>(builder.object_named(object, trace.display_name(object, id)));
    }
    const auto place = [&](const std::string& name) {
        return builder.place({.label = builder.string(name)});
    };
    for (const EventView event : trace.events()) {
        if (event.id().value >= events) break;
        Event copy = trace.spelled_out(event);
        const StackId caller =
            builder.stack({.place = place(fmt::format("caller{}", random() % 2)), .caller = {}});
        copy.stack = builder.stack({.place = place(fmt::format("p{}", random() % places)), .caller = caller});
        builder.add(copy);
    }
    return builder.snapshot();
}

} // namespace heddle::testing_support
