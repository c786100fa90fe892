// What is no bug is never confirmed, even if somebody claims that a schedule leads there: accesses that locks
// or the order of threads keep apart do not come to stand side by side, whatever the plan says.
#include "daemon/replay/replay.h"
#include "replaying.h"
#include "traces/load.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace heddle::test {
namespace {

constexpr std::size_t kPairs = 2; ///< of each program, for time's sake

/// Pairs of accesses by different threads that conflict, of different variables if there are.
std::vector<Race> conflicts(const Trace& trace) {
    std::vector<Race> found;
    std::map<std::uint32_t, std::vector<EventId>> earlier;
    std::set<std::uint32_t> used;
    for (const EventView event : trace.events()) {
        if (!is_plain_access(event.kind())) continue;
        const std::uint32_t variable = event.variable().value;
        for (const EventId other : earlier[variable]) {
            const EventView first = trace[other];
            if (first.thread() == event.thread() || !first.bytes().overlaps(event.bytes())) continue;
            if (!writes_memory(first.kind()) && !writes_memory(event.kind())) continue;
            if (found.size() < kPairs && used.insert(variable).second) found.push_back({other, event.id()});
        }
        earlier[variable].push_back(event.id());
    }
    return found;
}

class NoBug : public testing::TestWithParam<std::string> {};

TEST_P(NoBug, is_not_confirmed) {
    const TemporaryFolder folder;
    const std::string path = folder.file("run.htr");
    ASSERT_TRUE(record({std::string(HEDDLE_SAMPLE_PROGRAMS) + "/" + GetParam() + ".gcc-O1"}, path));
    const auto loaded = load_trace(path);
    ASSERT_TRUE(loaded);
    const std::vector<Race> pairs = conflicts(loaded->trace);
    ASSERT_FALSE(pairs.empty());
    for (const Race& pair : pairs) {
        const replay::ReplayRequest request{.recorded = &loaded->trace,
                                            .told = &loaded->trace,
                                            .property = pair,
                                            .schedule = {.base = pair.first, .steps = {}},
                                            .recorder = HEDDLE_RECORDER_FOLDER,
                                            .quiet = true,
                                            .attempts = 1,
                                            .stall = std::chrono::milliseconds(300)};
        const auto done = replay::replay(request);
        ASSERT_TRUE(done) << done.error().message;
        EXPECT_FALSE(done->confirmed);
        EXPECT_FALSE(done->explanation.empty());
    }
}

INSTANTIATE_TEST_SUITE_P(Correct, NoBug,
                         testing::Values("account_correct", "bounded_buffer", "elevator", "fork_join",
                                         "hand_over_hand", "letter_correct", "lock_benchmark",
                                         "barrier_phases"));

} // namespace
} // namespace heddle::test
