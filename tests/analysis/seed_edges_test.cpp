#include "analysis/seed_edges.h"
#include "small_traces.h"

#include <string>

#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing_support::trace_of;

/// "from-to kind" with events by number; joints are j0, j1, …
std::vector<std::string> edges(const Trace& trace) {
    const SeedEdges seeds(trace);
    const auto name = [&](SeedNode node) {
        std::string text = std::to_string(SeedEdges::is_joint(node) ? node - kFirstJoint : node);
        if (SeedEdges::is_joint(node)) text.insert(text.begin(), 'j');
        return text;
    };
    std::vector<std::string> result;
    for (const SeedEdge& edge : seeds.edges()) result.push_back(name(edge.from) + "-" + name(edge.to));
    for (const Joint& joint : seeds.joints()) {
        for (const SeedEdge& edge : joint.sources) result.push_back(name(edge.from) + "-" + name(edge.to));
    }
    return result;
}

TEST(SeedEdges, fork_and_join_bound_a_thread) {
    EXPECT_THAT(edges(trace_of("T0 fork(T1)\nT1 w(x)\nT1 w(x)\nT0 join(T1)\n")), ElementsAre("0-1", "2-3"));
}

TEST(SeedEdges, a_notify_lies_within_the_waits_it_ended) {
    EXPECT_THAT(edges(trace_of("T1 acq(l)\nT1 wait_pre(c)\nT1 rel(l)\nT2 notify_all(c) ticket=7\nT1 acq(l)\n"
                               "T1 wait_post(c) ticket=7\n")),
                ElementsAre("1-3", "3-5"));
}

TEST(SeedEdges, a_barrier_round_is_linear) {
    EXPECT_THAT(edges(trace_of("T1 barrier_enter(b) round=0\nT2 barrier_enter(b) round=0\n"
                               "T3 barrier_enter(b) round=0\nT3 barrier_leave(b) round=0\n"
                               "T1 barrier_leave(b) round=0\nT2 barrier_leave(b) round=0\n")),
                ElementsAre("j0-3", "j0-4", "j0-5", "0-j0", "1-j0", "2-j0"));
}

TEST(SeedEdges, a_store_without_release_hides_the_one_before) {
    EXPECT_THAT(
        edges(trace_of("T1 atomic_store(f) release\nT2 atomic_load(f) acquire\nT1 atomic_store(f) relaxed\n"
                       "T3 atomic_load(f) acquire\n")),
        ElementsAre("0-1"));
    EXPECT_THAT(edges(trace_of("T1 atomic_store(f) release\nT2 atomic_load(f) relaxed\n")), IsEmpty());
}

TEST(SeedEdges, read_modify_writes_continue_a_release) {
    EXPECT_THAT(
        edges(trace_of("T1 atomic_store(f) release\nT2 atomic_rmw(f) relaxed\nT3 atomic_load(f) acquire\n")),
        ElementsAre("0-2"));
    // one that only releases adds itself; one that acquires as well stands for all before it
    EXPECT_THAT(
        edges(trace_of("T1 atomic_rmw(f) release\nT2 atomic_rmw(f) release\nT3 atomic_rmw(f) acq_rel\n"
                       "T1 atomic_load(f) acquire\n")),
        ElementsAre("j0-2", "2-3", "0-j0", "1-j0"));
}

TEST(SeedEdges, marks_accumulate) {
    EXPECT_THAT(edges(trace_of("T1 happens_before(h)\nT2 happens_before(h)\nT3 happens_after(h)\n"
                               "T2 happens_before(h)\nT3 happens_after(h)\n")),
                ElementsAre("j0-2", "j1-4", "0-j0", "1-j0", "j0-j1", "3-j1"));
}

TEST(SeedEdges, a_wait_needs_the_posts_that_nobody_else_can_make) {
    // hand-over: the k-th wait needs the k-th post
    EXPECT_THAT(edges(trace_of("T1 sem_init(s) count=0\nT1 sem_post(s)\nT1 sem_post(s)\nT2 sem_wait(s)\n"
                               "T2 sem_wait(s)\n")),
                ElementsAre("0-3", "1-3", "2-4"));
    // the last of a latch needs all of them, the others none in particular
    EXPECT_THAT(edges(trace_of("T0 sem_init(s) count=0\nT1 sem_post(s)\nT2 sem_post(s)\nT0 sem_wait(s)\n"
                               "T0 sem_wait(s)\n")),
                ElementsAre("0-1", "0-2", "1-4", "2-4"));
    // count to spare forces nothing
    EXPECT_THAT(edges(trace_of("T1 sem_init(s) count=1\nT1 sem_post(s)\nT2 sem_wait(s)\n")),
                ElementsAre("0-2"));
    EXPECT_THAT(edges(trace_of("T1 sem_post(s)\nT2 sem_wait(s)\n")), IsEmpty());
}

} // namespace
} // namespace heddle
