// What the source says belongs together, put through the whole analysis: against the truth on random runs,
// and as a person counts bugs.
#include "analysis/analyzer.h"
#include "analysis/marked_runs.h"
#include "analysis/source_blocks.h"
#include "oracle.h"
#include "random_traces.h"
#include "small_traces.h"

#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing_support::any_small;
using testing_support::Oracle;
using testing_support::random_traces;
using testing_support::small_trace;
using testing_support::text_of;
using testing_support::trace_of;
using testing_support::with_places;

/// Pieces in which random stacks read and write.
SourceBlocks random_blocks(const Trace& trace, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    SourceBlocks blocks;
    const std::size_t count = 1 + random() % 3;
    for (std::size_t i = 0; i < count; ++i) static_cast<void>(blocks.add_inferred(Inference::check_then_act));
    for (std::uint32_t id = 0; id < trace.stacks().size(); ++id) {
        SourceBlocks::Stack stack{.call = trace.stacks()[id].caller, .roles = {}, .marks = {}};
        for (std::size_t i = 0; i < count; ++i) {
            const SourceBlocks::Role role{SourceBlockId{i}, random() % 2 == 0, random() % 2 == 0};
            if (role.reads || role.writes) stack.roles.push_back(role);
        }
        blocks.add_stack(stack);
    }
    return blocks;
}

struct EventPair {
    EventId first;
    EventId second;
    auto operator<=>(const EventPair&) const = default;
};

bool has_role(const SourceBlocks& blocks, StackId stack, SourceBlockId block, bool writes) {
    for (const SourceBlocks::Role& role : blocks.roles(stack)) {
        if (role.block == block && (writes ? role.writes : role.reads)) return true;
    }
    return false;
}

/// By definition: a write, and the latest read of the same bytes before it, of the same piece and call, that
/// no other write has used up.
std::set<EventPair> pairs_of(const Trace& trace, const SourceBlocks& blocks) {
    std::set<EventPair> result;
    for (std::uint32_t number = 0; number < 3; ++number) {
        const SourceBlockId block{number};
        std::vector<EventId> waiting;
        for (const EventView event : trace.events()) {
            if (!is_access(event.kind())) continue;
            const bool writes = writes_memory(event.kind()) && has_role(blocks, event.stack(), block, true);
            if (writes) {
                for (auto read = waiting.rbegin(); read != waiting.rend(); ++read) {
                    const EventView one = trace[*read];
                    if (one.thread() != event.thread() || one.variable() != event.variable() ||
                        !one.bytes().overlaps(event.bytes()) ||
                        blocks.call_of(one.stack()) != blocks.call_of(event.stack()))
                        continue;
                    result.insert({one.id(), event.id()});
                    waiting.erase(std::next(read).base());
                    break;
                }
            }
            if (!reads_memory(event.kind()) || writes || !has_role(blocks, event.stack(), block, false))
                continue;
            // The latest of its kind takes the place of the one before.
            std::erase_if(waiting, [&](EventId id) {
                const EventView one = trace[id];
                return one.thread() == event.thread() && one.variable() == event.variable() &&
                       one.bytes() == event.bytes() &&
                       blocks.call_of(one.stack()) == blocks.call_of(event.stack());
            });
            waiting.push_back(event.id());
        }
    }
    return result;
}

using Key = std::vector<std::uint32_t>;

std::set<Key> feasible(const Trace& trace, const std::set<EventPair>& pairs, const Oracle& oracle) {
    std::set<Key> result;
    for (const EventPair& pair : pairs) {
        const EventView first = trace[pair.first];
        const EventView second = trace[pair.second];
        for (const EventView remote : trace.events()) {
            if (!is_access(remote.kind()) || remote.thread() == first.thread() ||
                remote.variable() != first.variable() || !remote.bytes().overlaps(first.bytes()) ||
                !remote.bytes().overlaps(second.bytes()))
                continue;
            const auto pattern = atomicity_pattern(writes_memory(first.kind()), writes_memory(remote.kind()),
                                                   writes_memory(second.kind()));
            if (!pattern) continue;
            const AtomicityViolation triple{first.id(), remote.id(), second.id(), *pattern};
            if (*oracle.feasible(triple))
                result.insert({first.variable().value, trace.place_of(first.stack()).value,
                               trace.place_of(second.stack()).value, trace.place_of(remote.stack()).value});
        }
    }
    return result;
}

std::set<Key> violations(const Analysis& analysis, Intent intent, bool with_undecided) {
    std::set<Key> result;
    for (const Finding& finding : analysis.findings) {
        if (finding.kind() != FindingKind::atomicity || finding.intent() != intent ||
            std::holds_alternative<Refuted>(finding.verdict) ||
            (!with_undecided && std::holds_alternative<Undecided>(finding.verdict)))
            continue;
        result.insert(Key(finding.key.parts.begin(), finding.key.parts.begin() + 4));
    }
    return result;
}

TEST(SourceBlocks, violations_of_what_is_inferred_are_those_that_can_happen) {
    std::size_t found = 0;
    for (const std::uint64_t seed : random_traces(2'000)) {
        const Trace trace = with_places(small_trace(any_small(seed)), seed, 4);
        const Oracle oracle(trace);
        if (oracle.too_large()) continue;
        const auto blocks = std::make_shared<SourceBlocks>(random_blocks(trace, seed));
        const Analysis analysis = analyze(trace, {.races = false, .source = blocks});
        const std::set<EventPair> pairs = pairs_of(trace, *blocks);
        std::set<Key> truth = feasible(trace, pairs, oracle);
        // What the run itself shows to be a violation is told as that.
        for (const Key& key : violations(analysis, Intent::recorded, true)) truth.erase(key);
        const std::set<Key> told = violations(analysis, Intent::inferred, false);
        const std::set<Key> open = violations(analysis, Intent::inferred, true);
        const std::string where = "seed " + std::to_string(seed) + "\n" + text_of(trace);
        for (const Key& key : truth) ASSERT_TRUE(open.contains(key)) << where;
        if (trace.thread_count() == 2) {
            for (const Key& key : told) ASSERT_TRUE(truth.contains(key)) << where;
        }
        for (const Finding& finding : analysis.findings) {
            if (finding.intent() != Intent::inferred) continue;
            const auto& triple = std::get<AtomicityViolation>(finding.property);
            ASSERT_TRUE(pairs.contains({triple.first, triple.second})) << where;
        }
        found += told.size();
    }
    EXPECT_GT(found, 100U);
}

TEST(SourceBlocks, witnesses_are_of_what_was_inferred) {
    std::size_t witnessed = 0;
    for (const std::uint64_t seed : random_traces(400)) {
        const Trace trace = with_places(small_trace(testing_support::any_valued(seed)), seed, 3);
        const auto blocks = std::make_shared<SourceBlocks>(random_blocks(trace, seed));
        const std::set<EventPair> pairs = pairs_of(trace, *blocks);
        for (const Finding& finding :
             analyze(trace, {.races = false, .source = blocks, .witnesses = true}).findings) {
            if (finding.intent() != Intent::inferred || !std::holds_alternative<Witnessed>(finding.verdict))
                continue;
            ++witnessed;
            const auto& triple = std::get<AtomicityViolation>(finding.property);
            const EventView read = trace[triple.first];
            const EventView write = trace[triple.second];
            ASSERT_TRUE(blocks->inference(read.stack(), write.stack())) << text_of(trace);
            ASSERT_EQ(read.thread(), write.thread());
        }
    }
    EXPECT_GT(witnessed, 20U);
}

/// The same whether the run comes at once or in pieces, by one worker or by several.
TEST(SourceBlocks, a_growing_run_says_what_a_fresh_one_says) {
    const auto keys = [](const Analysis& analysis) {
        std::vector<std::tuple<CandidateKey, Property, std::uint64_t, bool>> result;
        for (const Finding& one : analysis.findings)
            result.emplace_back(one.key, one.property, one.count,
                                std::holds_alternative<Refuted>(one.verdict));
        return result;
    };
    for (const std::uint64_t seed : random_traces(400)) {
        const Trace run = small_trace(any_small(seed));
        const Trace whole = with_places(run, seed, 4);
        const auto blocks = std::make_shared<SourceBlocks>(random_blocks(whole, seed));
        Analyzer analyzer({.source = blocks});
        for (std::size_t size = 1; size <= whole.size(); size += 1 + seed % 3) {
            const Trace part = with_places(run, seed, 4, size);
            ASSERT_EQ(keys(analyzer.extend(part)), keys(analyze(part, {.source = blocks})))
                << "seed " << seed << ", the first " << size << " events of\n"
                << text_of(whole);
        }
        const Workers two{2, [](std::size_t count, const std::function<void(std::size_t)>& task) {
                              for (std::size_t i = count; i-- > 0;) task(i);
                          }};
        ASSERT_EQ(keys(analyze(whole, {.source = blocks, .workers = two})),
                  keys(analyze(whole, {.source = blocks})))
            << "seed " << seed;
    }
}

/// Blocks of a run whose places are named: "check" and "act" make a piece, "update" is one.
std::shared_ptr<const SourceBlocks> named_blocks(const Trace& trace) {
    auto blocks = std::make_shared<SourceBlocks>();
    const SourceBlockId check = blocks->add_inferred(Inference::check_then_act);
    const SourceBlockId update = blocks->add_inferred(Inference::update);
    for (std::uint32_t id = 0; id < trace.stacks().size(); ++id) {
        const std::string_view name = trace.string(trace.places()[trace.stacks()[id].place.value].label);
        SourceBlocks::Stack stack;
        if (name == "check") stack.roles = {{check, true, false}};
        if (name == "act") stack.roles = {{check, false, true}};
        if (name == "both") stack.roles = {{check, false, true}, {update, true, true}};
        if (name == "update") stack.roles = {{update, true, true}};
        blocks->add_stack(stack);
    }
    return blocks;
}

std::vector<std::string> told(std::string_view text) {
    const Trace trace = trace_of(text);
    std::vector<std::string> result;
    for (const Finding& finding :
         analyze(trace, {.deadlocks = false, .source = named_blocks(trace), .refuted = false}).findings) {
        std::string words(kFindingKindNames[static_cast<std::size_t>(finding.kind())]);
        for (const FindingAccess& access : finding.accesses)
            words += fmt::format(
                " {}", trace.string(trace.places()[trace.place_of(trace[access.event].stack()).value].label));
        result.push_back(words + (finding.intent() == Intent::inferred ? " (inferred)" : ""));
    }
    return result;
}

TEST(SourceBlocks, an_update_of_an_atomic_variable_in_two_steps_is_a_violation) {
    EXPECT_THAT(told("T1 atomic_load(x) @update seq_cst\nT1 atomic_store(x) @update seq_cst\nT2 "
                     "atomic_store(x) @other seq_cst\n"),
                ElementsAre("atomicity update other update (inferred)"));
    EXPECT_THAT(told("T1 atomic_rmw(x) @update seq_cst\nT1 atomic_rmw(x) @update seq_cst\nT2 atomic_store(x) "
                     "@other seq_cst\n"),
                IsEmpty());
}

TEST(SourceBlocks, a_racy_update_is_one_bug) {
    EXPECT_THAT(told("T1 r(x) @update\nT1 w(x) @update\nT2 w(x) @other\n"), ElementsAre("race update other"));
}

TEST(SourceBlocks, a_stale_check_is_a_violation_though_every_access_is_locked) {
    EXPECT_THAT(told("T1 acq(m)\nT1 r(x) @check\nT1 rel(m)\nT1 acq(m)\nT1 w(x) @act\nT1 rel(m)\n"
                     "T2 acq(m)\nT2 w(x) @other\nT2 rel(m)\n"),
                ElementsAre("atomicity check other act (inferred)"));
    EXPECT_THAT(told("T1 acq(m)\nT1 r(x) @check\nT1 w(x) @act\nT1 rel(m)\n"
                     "T2 acq(m)\nT2 w(x) @other\nT2 rel(m)\n"),
                IsEmpty());
}

TEST(SourceBlocks, what_a_section_shows_is_no_guess) {
    EXPECT_THAT(told("T1 acq(b)\nT1 acq(m)\nT1 r(x) @check\nT1 rel(m)\nT1 acq(m)\nT1 w(x) @act\nT1 rel(m)\n"
                     "T1 rel(b)\nT2 acq(m)\nT2 w(x) @other\nT2 rel(m)\n"),
                ElementsAre("atomicity check other act"));
}

TEST(SourceBlocks, a_check_and_the_update_it_leads_to_are_one_bug) {
    EXPECT_THAT(told("T1 acq(m)\nT1 r(x) @check\nT1 rel(m)\nT1 acq(n)\nT1 acq(m)\nT1 r(x) @both\nT1 rel(m)\n"
                     "T1 acq(m)\nT1 w(x) @both\nT1 rel(m)\nT1 rel(n)\nT2 acq(m)\nT2 acq(n)\nT2 w(x) @other\n"
                     "T2 rel(n)\nT2 rel(m)\n"),
                ElementsAre("atomicity check other both (inferred)"));
}

TEST(SourceBlocks, a_write_uses_up_its_read) {
    EXPECT_THAT(
        told("T1 acq(m)\nT1 r(x) @check\nT1 w(x) @act\nT1 rel(m)\nT1 acq(m)\nT1 w(x) @act\nT1 rel(m)\n"
             "T2 acq(m)\nT2 w(x) @other\nT2 rel(m)\n"),
        IsEmpty());
}

/// Of a run whose places are named "f1" to "f9" (statements of one marked function), "f5*" (in a loop) and
/// anything else.
std::shared_ptr<const SourceBlocks> marked_by_name(const Trace& trace) {
    auto blocks = std::make_shared<SourceBlocks>();
    for (std::uint32_t id = 0; id < trace.stacks().size(); ++id) {
        const std::string_view name = trace.string(trace.places()[trace.stacks()[id].place.value].label);
        SourceBlocks::Stack stack;
        if (name.starts_with('f'))
            stack.marks = {{.block = SourceBlockId{0U},
                            .call = {},
                            .step = static_cast<std::uint32_t>(name[1] - '0'),
                            .in_loop = name.ends_with('*'),
                            .itself = true}};
        blocks->add_stack(stack);
    }
    return blocks;
}

/// The calls of the marked function, as numbers of events.
std::vector<std::pair<unsigned, unsigned>> marked_blocks(std::string_view text) {
    const Trace trace = trace_of(text);
    const auto blocks = marked_by_name(trace);
    std::vector<TransactionBlock> closed;
    MarkedRuns runs(ThreadId{0U});
    for (const EventView event : trace.events()) runs.step(event, *blocks, closed);
    runs.finish(closed);
    std::vector<std::pair<unsigned, unsigned>> result;
    for (const TransactionBlock& block : closed) result.emplace_back(block.first.value, block.last.value);
    return result;
}

TEST(MarkedRuns, calls_are_told_apart) {
    using Blocks = std::vector<std::pair<unsigned, unsigned>>;
    EXPECT_EQ(marked_blocks("T1 r(x) @f1\nT1 w(x) @f2\nT1 r(y) @g\nT1 r(x) @f1\n"), (Blocks{{0, 1}, {3, 3}}));
    // One after the other, with nothing in between.
    EXPECT_EQ(marked_blocks("T1 r(x) @f1\nT1 w(x) @f2\nT1 r(x) @f1\nT1 w(x) @f2\n"),
              (Blocks{{0, 1}, {2, 3}}));
    EXPECT_EQ(marked_blocks("T1 r(x) @f1\nT1 w(x) @f1\nT1 r(x) @f1\nT1 w(x) @f1\n"),
              (Blocks{{0, 1}, {2, 3}}));
    // A loop within one call.
    EXPECT_EQ(marked_blocks("T1 r(x) @f1\nT1 w(x) @f2*\nT1 w(x) @f2*\nT1 r(x) @f3\n"), (Blocks{{0, 3}}));
}

TEST(MarkedRuns, a_marked_function_is_a_transaction_in_the_analysis) {
    const Trace trace =
        trace_of("T1 acq(m) @f1\nT1 r(x) @f2\nT1 rel(m) @f3\nT1 acq(m) @f4\nT1 r(x) @f5\nT1 rel(m) @f6\n"
                 "T2 acq(m) @g\nT2 w(x) @g\nT2 rel(m) @g\n");
    const auto blocks = marked_by_name(trace);
    const Analysis analysis = analyze(trace, {.source = blocks, .refuted = false, .witnesses = true});
    ASSERT_EQ(analysis.findings.size(), 1U);
    EXPECT_EQ(analysis.findings[0].intent(), Intent::marked);
    EXPECT_TRUE(std::holds_alternative<Witnessed>(analysis.findings[0].verdict));
    EXPECT_EQ(analysis.findings[0].property,
              Property(AtomicityViolation{EventId{1U}, EventId{7U}, EventId{4U}, AtomicityPattern::rwr}));
    EXPECT_THAT(analyze(trace, {.refuted = false}).findings, IsEmpty());
}

} // namespace
} // namespace heddle
