#include "traces/generator.h"
#include "traces/generator/random.h"
#include "traces/hash.h"
#include "traces/rules.h"
#include "traces/trace_builder.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <gmock/gmock.h>

namespace heddle {
namespace {

using generator::Random;
using testing::HasSubstr;

std::string first_break(const Trace& trace) {
    const RuleReport report = check_rules(trace);
    if (report.clean()) return {};
    return report.kept.empty() ? "recursive acquisitions" : report.kept.front().what;
}

std::uint64_t hash_of_trace(const Trace& trace) {
    std::uint64_t hash = 0;
    for (const EventView event : trace.events()) {
        const Event spelled = trace.spelled_out(event);
        hash = hash_mix(hash, static_cast<std::uint64_t>(spelled.kind) << 32U | spelled.thread.value);
        hash = hash_mix(hash, static_cast<std::uint64_t>(spelled.order) << 32U | spelled.target);
        hash = hash_mix(hash, static_cast<std::uint64_t>(spelled.bytes.offset) << 8U | spelled.bytes.size);
        hash = hash_mix(hash, spelled.value.value_or(~std::uint64_t{0}));
        hash = hash_mix(hash, spelled.value_read);
        hash = hash_mix(hash, spelled.stack.value);
        hash = hash_mix(hash, hash_of(trace.place_text(trace.place_of(spelled.stack))));
    }
    return hash;
}

/// The locks each thread holds at each access, in the order in which they were acquired.
template<typename Visit>
void with_locksets(const Trace& trace, Visit&& visit) {
    std::vector<std::vector<LockId>> held(trace.thread_count());
    for (const EventView event : trace.events()) {
        auto& mine = held[event.thread().value];
        if (event.kind() == EventKind::acquire || event.kind() == EventKind::acquire_shared) {
            mine.push_back(event.lock());
        }
        visit(event, mine);
        if (event.kind() == EventKind::release || event.kind() == EventKind::release_shared) {
            mine.erase(std::find(mine.begin(), mine.end(), event.lock()));
        }
    }
}

std::size_t releases_out_of_order(const Trace& trace) {
    std::size_t count = 0;
    with_locksets(trace, [&](const EventView& event, const std::vector<LockId>& held) {
        const bool releases = event.kind() == EventKind::release || event.kind() == EventKind::release_shared;
        if (releases && held.back() != event.lock()) ++count;
    });
    return count;
}

/// Of the plain accesses to shared variables after T0's initialisation: how many there are, and how many
/// are not protected by a lock that protects all of the variable's accesses.
struct Sharing {
    std::size_t accesses = 0;
    std::size_t unguarded_variables = 0;
};
Sharing sharing_of(const Trace& trace) {
    Sharing result;
    std::map<std::uint32_t, std::vector<LockId>> guards;
    bool forked = false;
    with_locksets(trace, [&](const EventView& event, const std::vector<LockId>& held) {
        forked |= event.kind() == EventKind::fork;
        const bool plain = event.kind() == EventKind::read || event.kind() == EventKind::write;
        if (!plain || !forked) return;
        const std::string_view name = trace.name(ObjectKind::variable, event.target());
        if (name.front() != 'v' && name.front() != 'b') return;
        ++result.accesses;
        const auto [at, fresh] = guards.try_emplace(event.target(), held);
        if (fresh) return;
        std::erase_if(at->second,
                      [&](LockId lock) { return std::find(held.begin(), held.end(), lock) == held.end(); });
    });
    for (const auto& [variable, locks] : guards) result.unguarded_variables += locks.empty() ? 1U : 0U;
    return result;
}

// --- validity ---------------------------------------------------------------------------------------

TEST(Generator, every_trace_is_a_real_execution_and_every_kind_of_event_occurs) {
    std::array<std::size_t, kEventKinds> seen{};
    std::set<std::uint64_t> sizes;
    std::set<MemoryOrder> orders;
    std::size_t matched_waits = 0;
    std::size_t unmatched_waits = 0;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const GeneratorSettings settings = every_kind(seed);
        ASSERT_TRUE(validate(settings)) << validate(settings).error().message;
        const Trace trace = generate(settings);
        ASSERT_EQ(first_break(trace), "") << "seed " << seed;
        for (const EventView event : trace.events()) {
            ++seen[static_cast<std::size_t>(event.kind())];
            if (is_access(event.kind())) sizes.insert(event.bytes().size);
            orders.insert(event.order());
            if (event.kind() == EventKind::wait_post) ++(event.has_value() ? matched_waits : unmatched_waits);
        }
    }
    for (std::size_t kind = 0; kind < kEventKinds; ++kind)
        EXPECT_GT(seen[kind], 100U) << kKindTraits[kind].label;
    EXPECT_THAT(sizes, testing::ElementsAre(1, 2, 4, 8));
    EXPECT_EQ(orders.size(), kMemoryOrders);
    EXPECT_GT(matched_waits, 100U);
    EXPECT_GT(unmatched_waits, 100U);
}

TEST(Generator, unusual_settings_work_too) {
    const std::vector<GeneratorSettings> unusual = {
        {.events = 1, .threads = 1},
        {.events = 500, .threads = 1, .conditions = 1, .barriers = 1, .semaphores = 1},
        {.threads = 40, .mean_run = 1, .locks = 1},
        {.variables = 0, .sharing = 0, .locks = 0},
        {.private_variables = 0, .blocks = 2, .race_rate = 1, .locks = 0, .other_work = 1},
        {.private_variables = 0, .sharing = 0},
        {.variables = 2, .private_variables = 0, .locks = 20, .max_lock_depth = 20, .deadlock_rate = 1},
        {.threads = 8, .other_work = 1, .conditions = 1, .timeouts = 0},
        {.threads = 8, .other_work = 1, .barriers = 5},
        {.threads = 8, .locks = 2, .rwlocks = 2},
        {.places = 1, .stack_depth = 64},
    };
    for (const GeneratorSettings& settings : unusual) {
        ASSERT_TRUE(validate(settings)) << validate(settings).error().message;
        const Trace trace = generate(settings);
        EXPECT_EQ(first_break(trace), "");
        EXPECT_EQ(trace.thread_count(), settings.threads);
    }
}

TEST(Generator, says_which_setting_is_wrong) {
    const auto error = [](const GeneratorSettings& settings) {
        const Result<void> result = validate(settings);
        return result ? std::string() : result.error().message;
    };
    EXPECT_EQ(error({}), "");
    EXPECT_EQ(error(realistic()), "");
    EXPECT_EQ(error({.sharing = 1.5}), "sharing: 1.5 is not between 0 and 1");
    EXPECT_EQ(error({.threads = 0}), "threads: 0 is not between 1 and 1048576");
    EXPECT_THAT(error({.locks = 2, .rwlocks = 3}), HasSubstr("rwlocks: 3"));
    EXPECT_THAT(error({.locks = 2, .rwlocks = 2, .conditions = 1}), HasSubstr("conditions: "));
    EXPECT_THAT(error({.variables = 0, .private_variables = 0}), HasSubstr("variables: "));
    EXPECT_THAT(error({.locks = 0}), HasSubstr("locks: "));
    EXPECT_THAT(error({.mean_run = 0}), HasSubstr("mean_run: "));
}

// --- what the settings promise ----------------------------------------------------------------------

TEST(Generator, gives_as_many_events_as_asked_for) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        GeneratorSettings settings = every_kind(seed);
        settings.events = 500 + seed * 10;
        const Trace trace = generate(settings);
        EXPECT_NEAR(static_cast<double>(trace.size()), static_cast<double>(settings.events),
                    static_cast<double>(settings.events) * 0.05)
            << "seed " << seed;
    }
}

TEST(Generator, the_same_seed_gives_the_same_trace_everywhere) {
    GeneratorSettings settings = every_kind(7);
    settings.events = 2000;
    EXPECT_EQ(generate(settings), generate(settings));
    EXPECT_EQ(hash_of_trace(generate(settings)), 6386512255111897701U);
    EXPECT_EQ(hash_of_trace(generate(realistic())), 14787410279740881003U);
    GeneratorSettings other = settings;
    other.seed = 8;
    EXPECT_NE(hash_of_trace(generate(other)), hash_of_trace(generate(settings)));
}

TEST(Generator, without_races_every_shared_variable_has_a_guard) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        GeneratorSettings settings = every_kind(seed);
        settings.race_rate = 0;
        EXPECT_EQ(sharing_of(generate(settings)).unguarded_variables, 0U) << "seed " << seed;
    }
    const Sharing racy = sharing_of(generate({.events = 10'000, .race_rate = 0.1}));
    EXPECT_GT(racy.unguarded_variables, 10U);
}

TEST(Generator, nested_locks_are_released_in_the_opposite_order_and_others_are_not) {
    const GeneratorSettings deep{.events = 10'000, .rwlocks = 1, .max_lock_depth = 4, .deadlock_rate = 0.3};
    EXPECT_EQ(releases_out_of_order(generate(deep)), 0U);
    GeneratorSettings tangled = deep;
    tangled.nested = false;
    EXPECT_GT(releases_out_of_order(generate(tangled)), 50U);
}

TEST(Generator, a_fast_thread_enters_the_next_round_of_a_barrier_before_a_slow_one_leaves) {
    const Trace trace = generate({.events = 5000, .barriers = 1});
    std::size_t inside_of_an_older_round = 0;
    std::map<ThreadId, std::uint64_t> inside;
    for (const EventView event : trace.events()) {
        if (event.kind() == EventKind::barrier_leave) inside.erase(event.thread());
        if (event.kind() != EventKind::barrier_enter) continue;
        for (const auto& [thread, round] : inside) {
            inside_of_an_older_round += round < trace.value_of(event) ? 1U : 0U;
        }
        inside[event.thread()] = trace.value_of(event);
    }
    EXPECT_GT(inside_of_an_older_round, 0U);
}

TEST(Generator, locks_are_taken_in_one_order_unless_told_otherwise) {
    const auto inversions = [](const Trace& trace) {
        std::size_t count = 0;
        const auto number = [&](LockId lock) {
            return std::stoi(std::string(trace.name(ObjectKind::lock, lock.value).substr(1)));
        };
        with_locksets(trace, [&](const EventView& event, const std::vector<LockId>& held) {
            if (event.kind() != EventKind::acquire || held.size() < 2) return;
            if (number(held[held.size() - 2]) > number(event.lock())) ++count;
        });
        return count;
    };
    GeneratorSettings settings{.events = 10'000, .max_lock_depth = 3};
    EXPECT_EQ(inversions(generate(settings)), 0U);
    settings.deadlock_rate = 0.5;
    EXPECT_GT(inversions(generate(settings)), 20U);
}

TEST(Generator, the_realistic_preset_is_what_it_says) {
    const Trace trace = generate(realistic());
    std::size_t accesses = 0;
    std::size_t with_value = 0;
    std::size_t shared = 0;
    for (const EventView event : trace.events()) {
        if (!is_access(event.kind())) continue;
        ++accesses;
        with_value += event.has_value() ? 1U : 0U;
        shared += trace.name(ObjectKind::variable, event.target()).front() == 'v' ? 1U : 0U;
    }
    const auto events = static_cast<double>(trace.size());
    EXPECT_NEAR(1 - static_cast<double>(accesses) / events, 0.12, 0.02);
    EXPECT_NEAR(static_cast<double>(shared) / static_cast<double>(accesses), 0.7, 0.03);
    EXPECT_EQ(with_value, accesses);
    EXPECT_EQ(trace.thread_count(), 8U);
    EXPECT_EQ(first_break(trace), "");
}

TEST(Generator, a_place_always_does_the_same_kind_of_operation) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const Trace trace = generate(every_kind(seed));
        std::map<PlaceId, std::array<std::uint64_t, 3>> does;
        for (const EventView event : trace.events()) {
            if (!event.stack().valid()) continue;
            const std::array<std::uint64_t, 3> operation = {static_cast<std::uint64_t>(event.kind()),
                                                            static_cast<std::uint64_t>(event.order()),
                                                            event.bytes().size};
            const auto [at, fresh] = does.try_emplace(trace.place_of(event.stack()), operation);
            EXPECT_EQ(at->second, operation);
        }
    }
}

TEST(Generator, objects_and_stacks_are_numbered_in_order_of_first_use) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const Trace trace = generate(every_kind(seed));
        std::array<std::uint32_t, kObjectKinds> next{};
        std::uint32_t stacks = 0;
        const auto use = [](std::uint32_t id, std::uint32_t& count) {
            EXPECT_LE(id, count);
            count = std::max(count, id + 1);
        };
        for (const EventView event : trace.events()) {
            use(event.thread().value, next[0]);
            if (event.has_target())
                use(event.target(), next[static_cast<std::size_t>(*traits(event.kind()).target)]);
            if (!event.stack().valid()) continue;
            // Outer frames come first, so that a new stack is the last of those it brings along.
            std::uint32_t frames = 0;
            for (StackId at = event.stack(); at.valid() && at.value >= stacks;
                 at = trace.stacks()[at.value].caller) {
                ++frames;
            }
            EXPECT_TRUE(frames == 0 || event.stack().value + 1 == stacks + frames);
            stacks = std::max(stacks, event.stack().value + 1);
        }
        for (std::size_t kind = 0; kind < kObjectKinds; ++kind) {
            EXPECT_EQ(next[kind], trace.objects(static_cast<ObjectKind>(kind)).size());
        }
    }
}

TEST(Generator, names_are_unique_and_fields_know_their_blocks) {
    const Trace trace = generate({.events = 5000, .blocks = 3, .other_work = 0.5});
    std::set<std::string_view> names;
    std::size_t fields = 0;
    const ObjectTable& variables = trace.objects(ObjectKind::variable);
    for (const Object& object : variables) {
        const std::string_view name = trace.string(object.name);
        EXPECT_TRUE(names.insert(name).second) << name;
        if (!object.block.valid()) continue;
        ++fields;
        EXPECT_EQ(name.substr(0, name.find('.')), trace.name(ObjectKind::block, object.block.value));
    }
    EXPECT_GT(fields, 20U);
}

TEST(Generator, metadata_records_what_is_needed_to_make_the_trace_again) {
    const Trace trace = generate({.seed = 5, .race_rate = 0.25});
    EXPECT_EQ(trace.metadata().settings,
              (std::map<std::string, std::string>{
                  {"events", "1000"}, {"race_rate", "0.25"}, {"seed", "5"}, {"threads", "4"}}));
}

// --- damage -----------------------------------------------------------------------------------------

/// The trace with some of its events dropped, doubled, swapped, given to another thread or object, or with
/// other values.
Trace mutated(const Trace& trace, Random& random) {
    std::vector<Event> events;
    for (const EventView event : trace.events()) events.push_back(trace.spelled_out(event));
    const std::uint32_t changes = random.between(1, 20);
    for (std::uint32_t i = 0; i < changes; ++i) {
        const std::uint32_t at = random.below(static_cast<std::uint32_t>(events.size()));
        Event& event = events[at];
        const auto place = events.begin() + at;
        switch (random.below(7)) {
        case 0: events.erase(place); break;
        case 1: events.insert(place, Event(event)); break;
        case 2: std::swap(event, random.pick(events)); break;
        case 3: event.thread = random.pick(events).thread; break;
        case 4: event.kind = random.pick(events).kind; break;
        case 5:
            if (event.value) event.value = *event.value + random.between(1, 1000);
            break;
        default: event.value = random.below(4); event.value_read = random.below(4);
        }
        if (events.empty()) break;
    }
    TraceBuilder builder;
    for (std::size_t id = 0; id < trace.string_count(); ++id) {
        static_cast<void>(builder.string(trace.string(StringId{id})));
    }
    for (std::size_t kind = 0; kind < kObjectKinds; ++kind) {
        for (const Object& object : trace.objects(static_cast<ObjectKind>(kind))) {
            builder.add_object(static_cast<ObjectKind>(kind), object);
        }
    }
    for (Event event : events) {
        event.stack = {};
        if (const auto target = traits(event.kind).target) {
            const std::size_t count = builder.object_count(*target);
            if (count == 0) continue;
            const bool none = event.target == kNoTarget && traits(event.kind).target_optional;
            if (!none) event.target = static_cast<std::uint32_t>(event.target % count);
        } else {
            event.target = kNoTarget;
        }
        if (!traits(event.kind).may_carry_value) event.value.reset();
        builder.add(event);
    }
    return builder.snapshot();
}

TEST(Rules, what_is_left_of_a_damaged_trace_obeys_them) {
    std::array<std::uint64_t, kRules> broken{};
    for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
        Random random(seed);
        GeneratorSettings settings = every_kind(seed);
        settings.events = 60 + seed % 200;
        const Trace damaged = mutated(generate(settings), random);
        const RuleReport report = check_rules(damaged);
        for (std::size_t rule = 0; rule < kRules; ++rule) broken[rule] += report.count[rule];
        ASSERT_TRUE(std::is_sorted(report.left_out.begin(), report.left_out.end()));
        ASSERT_TRUE(std::is_sorted(report.forgotten.begin(), report.forgotten.end()));
        const Trace rest = without_broken(damaged, report);
        ASSERT_EQ(rest.size(), damaged.size() - report.left_out.size());
        ASSERT_EQ(first_break(rest), "") << "seed " << seed;
    }
    for (std::size_t rule = 0; rule < kRules; ++rule) EXPECT_GT(broken[rule], 50U) << kRuleNames[rule];
}

} // namespace
} // namespace heddle
