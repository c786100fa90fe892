// Leaving out what no analysis needs changes nothing that an analysis sees: of every program, a full trace
// and a reduced one have the same classes of accesses.
#include "access_classes.h"
#include "recorded.h"
#include "traces/summary.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace heddle {
namespace {

struct Summary {
    std::set<std::string> classes;
    std::size_t accesses = 0;
    std::size_t private_variables = 0; ///< that only one thread uses
};

Summary recorded_summary(const std::vector<std::string>& command, const std::vector<std::string>& options) {
    const test::Recorded recorded = test::record_program(command, options);
    EXPECT_EQ(recorded.ran.status, 0) << recorded.ran.err;
    if (!recorded.loaded) return {};
    test::expect_sound(*recorded.loaded);
    const Trace& trace = recorded.loaded->trace;
    const std::vector<bool> shared = test::shared_variables(trace);
    return {.classes = test::access_classes(trace, command[0]),
            .accesses = summarize(trace).accesses,
            .private_variables = static_cast<std::size_t>(std::count(shared.begin(), shared.end(), false))};
}

void expect_same_classes(const std::vector<std::string>& command) {
    SCOPED_TRACE(command[0]);
    const Summary in_full = recorded_summary(command, {"--full"});
    const Summary in_reduced = recorded_summary(command, {});
    const std::set<std::string>& full = in_full.classes;
    const std::set<std::string>& reduced = in_reduced.classes;
    EXPECT_LE(in_reduced.accesses, in_full.accesses);
    EXPECT_LE(in_reduced.private_variables, in_full.private_variables);
    std::vector<std::string> missing;
    std::vector<std::string> added;
    std::set_difference(full.begin(), full.end(), reduced.begin(), reduced.end(),
                        std::back_inserter(missing));
    std::set_difference(reduced.begin(), reduced.end(), full.begin(), full.end(), std::back_inserter(added));
    EXPECT_TRUE(missing.empty()) << missing.size() << " of " << full.size() << " missing, such as "
                                 << missing[0];
    EXPECT_TRUE(added.empty()) << added.size() << " only in the reduced trace, such as " << added[0];
}

class Reduction : public testing::TestWithParam<std::string> {};

TEST_P(Reduction, of_a_program_keeps_every_class) {
    for (const char* build : {"gcc-O0", "gcc-O2", "clang-O1"}) {
        expect_same_classes({std::string(HEDDLE_TEST_PROGRAMS) + "/" + GetParam() + "." + build});
    }
}

std::vector<std::string> program_names() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_TEST_SOURCES)) {
        if (entry.path().extension() != ".h") names.push_back(entry.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

INSTANTIATE_TEST_SUITE_P(All, Reduction, testing::ValuesIn(program_names()),
                         [](const auto& about) { return about.param; });

TEST(ReductionOf, memory_of_one_thread_is_not_written) {
    for (const char* build : {"gcc-O1", "clang-O1"}) {
        const std::string program = std::string(HEDDLE_TEST_PROGRAMS) + "/access_before_sharing." + build;
        EXPECT_GT(recorded_summary({program}, {"--full"}).private_variables, 0U);
        EXPECT_EQ(recorded_summary({program}, {}).private_variables, 0U);
    }
}

TEST(ReductionOf, repeated_accesses_are_written_a_few_times_at_most) {
    for (const char* build : {"gcc-O1", "clang-O1"}) {
        const std::string program = std::string(HEDDLE_TEST_PROGRAMS) + "/access_repeated." + build;
        EXPECT_GT(recorded_summary({program}, {"--full"}).accesses, 200U);
        EXPECT_LT(recorded_summary({program}, {}).accesses, 20U);
    }
}

class ReductionOfRandomWork : public testing::TestWithParam<int> {};

TEST_P(ReductionOfRandomWork, keeps_every_class) {
    for (const char* build : {"gcc-O1", "clang-O1"}) {
        expect_same_classes(
            {std::string(HEDDLE_TORTURE_PROGRAMS) + "/mixed_work." + build, std::to_string(GetParam())});
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ReductionOfRandomWork, testing::Range(1, 13));

} // namespace
} // namespace heddle
