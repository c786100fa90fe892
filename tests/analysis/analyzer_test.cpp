// An analysis that grows with its run says at every step what a fresh one says.
#include "analysis/analyzer.h"
#include "oracle.h"
#include "random_traces.h"
#include "small_traces.h"
#include "traces/generator.h"
#include "traces/trace_builder.h"

#include <map>
#include <random>
#include <thread>

#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing_support::any_small;
using testing_support::random_traces;
using testing_support::small_trace;
using testing_support::SmallTraceOptions;
using testing_support::text_of;

/// Replays a trace event by event, places and values included; objects appear when they are first used.
class Growing {
  public:
    explicit Growing(const Trace& whole) : whole_(whole) {}

    Trace grow_to(std::size_t size) {
        for (; size_ < size; ++size_) {
            const EventView event = whole_[EventId{size_}];
            Event copy = whole_.spelled_out(event);
            know(ObjectKind::thread, event.thread().value);
            if (const auto kind = traits(event.kind()).target; kind && event.has_target())
                know(*kind, event.target());
            copy.stack = stack(event.stack());
            builder_.add(copy);
        }
        return builder_.snapshot();
    }

  private:
    void know(ObjectKind kind, std::uint32_t id) {
        std::uint32_t& known = known_[kind];
        for (; known <= id; ++known)
            static_cast<void>(builder_.object_named(kind, whole_.display_name(kind, known)));
    }
    StackId stack(StackId id) {
        const PlaceId place = whole_.place_of(id);
        if (!place.valid()) return {};
        return builder_.stack(
            {.place = builder_.place({.label = builder_.string(whole_.place_text(place))}), .caller = {}});
    }

    const Trace& whole_;
    TraceBuilder builder_;
    std::map<ObjectKind, std::uint32_t> known_;
    std::size_t size_ = 0;
};

void expect_same(const Analysis& grown, const Analysis& fresh, const std::string& where) {
    ASSERT_EQ(grown.findings.size(), fresh.findings.size()) << where;
    for (std::size_t i = 0; i < fresh.findings.size(); ++i) {
        const Finding& a = grown.findings[i];
        const Finding& b = fresh.findings[i];
        ASSERT_EQ(a.key, b.key) << where;
        ASSERT_EQ(a.verdict, b.verdict) << where;
        ASSERT_EQ(a.property, b.property) << where;
        ASSERT_EQ(a.count, b.count) << where;
        ASSERT_EQ(a.count_exact, b.count_exact) << where;
        ASSERT_EQ(a.accesses.size(), b.accesses.size()) << where;
        for (std::size_t k = 0; k < a.accesses.size(); ++k)
            ASSERT_EQ(a.accesses[k].locks, b.accesses[k].locks) << where;
    }
    for (std::size_t kind = 0; kind < kFindingKinds; ++kind) {
        ASSERT_EQ(grown.counts[kind].total, fresh.counts[kind].total) << where;
        ASSERT_EQ(grown.counts[kind].lock_analysis, fresh.counts[kind].lock_analysis) << where;
        ASSERT_EQ(grown.counts[kind].hard_order, fresh.counts[kind].hard_order) << where;
        ASSERT_EQ(grown.counts[kind].causality, fresh.counts[kind].causality) << where;
    }
}

/// Takes a copy of the findings through the changes that an analyzer tells.
class Follower {
  public:
    void follow(const Analyzer& analyzer) {
        const AnalysisChanges& changes = analyzer.changes();
        for (const CandidateKey& key : changes.gone) ASSERT_EQ(known_.erase(key), 1U);
        for (const std::size_t i : changes.added)
            ASSERT_TRUE(known_.emplace(finding(analyzer, i).key, finding(analyzer, i).verdict).second);
        for (const std::size_t i : changes.changed)
            known_.at(finding(analyzer, i).key) = finding(analyzer, i).verdict;
        std::map<CandidateKey, Verdict> now;
        for (const Finding& one : analyzer.analysis().findings) now.emplace(one.key, one.verdict);
        ASSERT_EQ(known_, now);
    }

  private:
    static const Finding& finding(const Analyzer& analyzer, std::size_t i) {
        return analyzer.analysis().findings[i];
    }
    std::map<CandidateKey, Verdict> known_;
};

void grow_and_compare(const Trace& whole, std::size_t steps, const std::string& what) {
    Growing growing(whole);
    Analyzer analyzer({});
    Follower follower;
    for (std::size_t step = 1; step <= steps; ++step) {
        const std::size_t size = whole.size() * step / steps;
        const Trace trace = growing.grow_to(size);
        analyzer.extend(trace);
        follower.follow(analyzer);
        expect_same(analyzer.analysis(), analyze(trace),
                    what + ", the first " + std::to_string(size) + " events of\n" +
                        (whole.size() < 100 ? text_of(whole) : ""));
        if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(Analyzer, grows_with_the_run) {
    for (const std::uint64_t seed : random_traces(4'000)) {
        const SmallTraceOptions options = any_small(seed);
        const Trace whole = small_trace(options);
        grow_and_compare(whole, seed % 2 == 0 ? whole.size() : 3, "seed " + std::to_string(seed));
    }
}

TEST(Analyzer, grows_with_runs_of_every_kind_of_event) {
    for (const std::uint64_t seed : random_traces(60)) {
        grow_and_compare(generate(every_kind(seed)), 7, "seed " + std::to_string(seed));
    }
}

TEST(Analyzer, says_the_same_however_the_work_is_divided) {
    const auto at_once = [](std::size_t count, const std::function<void(std::size_t)>& task) {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < count; ++i) threads.emplace_back([&task, i] { task(i); });
    };
    for (const std::uint64_t seed : random_traces(40)) {
        const Trace trace = generate(every_kind(seed));
        const Analysis alone = analyze(trace);
        expect_same(analyze(trace, {.workers = {4, at_once}}), alone, "seed " + std::to_string(seed));
    }
}

TEST(Analyzer, tells_to_wait_where_every_step_would_start_over) {
    // Which of two threads has to give what a third one takes depends on what they give in the end.
    std::string text = "T0 sem_init(s) count=0\n";
    for (int round = 0; round < 100; ++round)
        text += "T1 w(x)\nT1 sem_post(s)\nT2 w(y)\nT2 sem_post(s)\nT3 sem_wait(s)\nT3 r(x)\nT3 sem_wait(s)\n";
    const Trace whole = testing_support::trace_of(text);
    const auto steps_of = [&](bool wait) {
        Growing growing(whole);
        Analyzer analyzer({});
        std::size_t steps = 0;
        for (std::size_t size = 1; size <= whole.size(); size += 7) {
            const Trace trace = growing.grow_to(size);
            if (wait && !analyzer.worth_extending(size)) continue;
            analyzer.extend(trace);
            ++steps;
        }
        return steps;
    };
    EXPECT_EQ(steps_of(false), 101U);
    EXPECT_LT(steps_of(true), 30U);
    // Where no step starts over there is nothing to wait for.
    Growing growing(whole);
    Analyzer analyzer({});
    analyzer.extend(growing.grow_to(whole.size() / 2));
    EXPECT_TRUE(analyzer.worth_extending(whole.size() / 2 + 1));
}

TEST(Analyzer, decides_properties_that_come_and_go) {
    for (const std::uint64_t seed : random_traces(1'000)) {
        const Trace whole = small_trace(any_small(seed));
        const testing_support::Oracle oracle(whole);
        if (oracle.too_large()) continue;
        Growing growing(whole);
        Analyzer analyzer({});
        analyzer.extend(growing.grow_to(whole.size()));
        std::vector<std::pair<PropertyId, Property>> own;
        for (const Property& race : oracle.all_races()) own.emplace_back(analyzer.add(race), race);
        for (std::size_t i = 0; i < own.size(); i += 2) analyzer.remove(own[i].first);
        for (std::size_t i = 1; i < own.size(); i += 2) {
            const bool refuted = std::holds_alternative<Refuted>(analyzer.verdict(own[i].first));
            ASSERT_EQ(refuted, !CausalityGraph(whole).decide(own[i].second).feasible)
                << "seed " << seed << "\n"
                << text_of(whole);
            ASSERT_FALSE(refuted && *oracle.feasible(own[i].second)) << "seed " << seed;
        }
    }
}

TEST(Analyzer, told_to_stop_says_how_far_it_came_and_goes_on_later) {
    GeneratorSettings settings = realistic();
    settings.events = 300'000;
    const Trace trace = generate(settings);
    Analyzer analyzer({});
    const Analysis& stopped =
        analyzer.extend(trace, [](std::uint64_t done, std::uint64_t) { return done < 100'000; });
    ASSERT_EQ(stopped.limits_reached.size(), 1U);
    EXPECT_THAT(stopped.limits_reached[0], testing::StartsWith("stopped after 131072 of "));
    EXPECT_FALSE(stopped.findings.empty());
    expect_same(analyzer.extend(trace), analyze(trace), "after it went on");
}

} // namespace
} // namespace heddle
