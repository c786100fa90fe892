#include "traces/generator.h"

#include "traces/generator/random.h"
#include "traces/generator/simulation.h"
#include "traces/limits.h"

#include <algorithm>
#include <cassert>
#include <type_traits>

#include <fmt/format.h>

namespace heddle {

namespace {

constexpr std::uint32_t kMaxObjects = 1U << 22U;
constexpr std::uint32_t kMaxStackDepth = 64;

Result<void> within(std::string_view name, double value, double low, double high) {
    if (value >= low && value <= high) return {};
    return fail(fmt::format("{}: {} is not between {} and {}", name, value, low, high));
}

/// Every setting on its own.
Result<void> validate_ranges(const GeneratorSettings& settings) {
    Result<void> result;
    for_each_setting(settings, [&](std::string_view name, const auto& value) {
        using Value = std::remove_cvref_t<decltype(value)>;
        if (!result || std::is_same_v<Value, bool> || name == "seed") return;
        const auto number = static_cast<double>(value);
        if (name == "events") {
            result = within(name, number, 1, static_cast<double>(Limits{}.max_events));
        } else if (name == "threads") {
            result = within(name, number, 1, EventHead::kMaxThreads);
        } else if (name == "stack_depth") {
            result = within(name, number, 0, kMaxStackDepth);
        } else if (name == "mean_run" || name == "section_accesses" || name == "places" ||
                   name == "max_lock_depth") {
            result = within(name, number, 1, kMaxObjects);
        } else {
            result = within(name, number, 0, std::is_floating_point_v<Value> ? 1 : kMaxObjects);
        }
    });
    return result;
}

} // namespace

Result<void> validate(const GeneratorSettings& settings) {
    if (auto ranges = validate_ranges(settings); !ranges) return ranges;
    if (settings.rwlocks > settings.locks) {
        return fail(fmt::format("rwlocks: {} of the locks cannot be rwlocks, there are {}", settings.rwlocks,
                                settings.locks));
    }
    if (settings.conditions > 0 && settings.rwlocks == settings.locks) {
        return fail("conditions: they need a lock that is not an rwlock");
    }
    if (settings.variables == 0 && settings.private_variables == 0) {
        return fail("variables: there are neither shared nor private ones");
    }
    const bool shares = settings.sharing > 0 && (settings.variables > 0 || settings.blocks > 0);
    if (settings.locks == 0 && shares && settings.race_rate < 1) {
        return fail("locks: none would guard the shared variables; set race_rate to 1 or sharing to 0");
    }
    if (settings.locks == 0 && settings.private_variables == 0 && settings.race_rate < 1) {
        return fail("private_variables: without locks and sharing they are all there is");
    }
    if (settings.private_variables > 0 && settings.threads > kMaxObjects / settings.private_variables) {
        return fail(fmt::format("private_variables: {} for each of {} threads are more than {}",
                                settings.private_variables, settings.threads, kMaxObjects));
    }
    return {};
}

std::map<std::string, std::string> describe(const GeneratorSettings& settings) {
    std::map<std::string, std::string> all;
    std::map<std::string, std::string> defaults;
    const auto into = [](auto& map) {
        return
            [&map](std::string_view name, const auto& value) { map.emplace(name, fmt::format("{}", value)); };
    };
    for_each_setting(settings, into(all));
    const GeneratorSettings unchanged;
    for_each_setting(unchanged, into(defaults));
    std::erase_if(all, [&](const auto& entry) {
        const auto& [name, text] = entry;
        return text == defaults[name] && name != "seed" && name != "events" && name != "threads";
    });
    return all;
}

Trace generate(const GeneratorSettings& settings, const Progress& progress) {
    assert(validate(settings));
    return generator::Simulation(settings).run(progress);
}

GeneratorSettings realistic() {
    return {.events = 1'000'000,
            .threads = 8,
            .mean_run = 50,
            .variables = 200,
            .private_variables = 50,
            .sharing = 0.7,
            .race_rate = 0.01,
            .locks = 16,
            .section_accesses = 16,
            .places = 1000,
            .stack_depth = 8};
}

GeneratorSettings every_kind(std::uint64_t seed) {
    generator::Random random(seed);
    const auto tenths = [&](std::uint32_t most) { return random.between(0, most) / 10.0; };
    GeneratorSettings settings{.seed = seed};
    settings.events = random.between(100, 600);
    settings.threads = random.between(2, 6);
    settings.mean_run = random.between(1, 12);
    settings.variables = random.between(1, 20);
    settings.private_variables = random.between(0, 4);
    settings.blocks = random.between(1, 3);
    settings.sharing = tenths(10);
    settings.race_rate = random.one_in(2) ? 0 : tenths(5);
    settings.writes = tenths(10);
    settings.atomics = tenths(4);
    settings.mixed_sizes = random.one_in(2);
    settings.values = !random.one_in(4);
    settings.locks = random.between(2, 6);
    settings.rwlocks = random.between(0, settings.locks - 1);
    settings.max_lock_depth = random.between(1, 4);
    settings.nested = random.one_in(2);
    settings.section_accesses = random.between(1, 6);
    settings.deadlock_rate = tenths(5);
    settings.transactions = tenths(5);
    settings.other_work = 0.3 + tenths(6);
    settings.conditions = random.between(1, 2);
    settings.timeouts = tenths(10);
    settings.barriers = random.between(1, 2);
    settings.semaphores = random.between(1, 2);
    settings.semaphore_count = random.between(0, 2);
    settings.onces = random.between(1, 3);
    settings.annotations = random.between(1, 2);
    settings.places = random.between(10, 200);
    settings.stack_depth = random.between(0, 4);
    return settings;
}

} // namespace heddle
