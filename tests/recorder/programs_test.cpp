// Each program of programs/, as GCC and Clang compile it at three levels of optimisation, leaves exactly the
// steps in its trace that its comments name, and no rule is broken. Recorded in full: what the reduction may
// leave out is the matter of reduction_test.cpp.
#include "expectations.h"
#include "observed.h"
#include "recorded.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace heddle {
namespace {

using test::Expectations;
using test::Observed;
using test::Step;

std::string listing(const std::vector<Step>& steps) {
    std::string text;
    for (const Step& step : steps) text += "    " + test::text_of(step) + "\n";
    return text;
}

void compare(const Expectations& expected, const Observed& seen) {
    for (const std::string& problem : seen.problems) ADD_FAILURE() << problem;
    for (const auto& [thread, steps] : seen.steps) {
        if (!expected.steps.contains(thread))
            ADD_FAILURE() << "nothing was expected of " << thread << "; it did\n" << listing(steps);
    }
    for (const auto& [thread, steps] : expected.steps) {
        const auto found = seen.steps.find(thread);
        const std::vector<Step> did = found == seen.steps.end() ? std::vector<Step>{} : found->second;
        const bool same = std::equal(steps.begin(), steps.end(), did.begin(), did.end(), test::matches);
        EXPECT_TRUE(same) << "expected of " << thread << "\n" << listing(steps) << "seen\n" << listing(did);
    }
    for (const auto& [thread, name] : expected.thread_names) {
        const auto found = seen.thread_names.find(thread);
        EXPECT_EQ(found == seen.thread_names.end() ? "" : found->second, name) << thread;
    }
    for (const auto& [object, block] : expected.blocks) {
        const auto found = seen.blocks.find(object);
        EXPECT_EQ(found == seen.blocks.end() ? "" : found->second, block) << object;
    }
    for (const auto& [step, stack] : expected.stacks) {
        const auto found = seen.stacks.find(step.thread + " " + step.what);
        EXPECT_EQ(found == seen.stacks.end() ? "" : found->second, stack) << test::text_of(step);
    }
}

void check_build(const std::string& source, const std::string& compiler, const std::string& level) {
    const std::string name = std::filesystem::path(source).filename().string();
    const std::string program = std::string(HEDDLE_TEST_PROGRAMS) + "/" +
                                std::filesystem::path(source).stem().string() + "." + compiler + "-" + level;
    SCOPED_TRACE(program);
    const Expectations expected = test::read_expectations(source, {compiler, level});
    std::vector<std::string> options;
    if (!expected.reduced) options.emplace_back("--full");
    const test::Recorded recorded = test::record_program({program}, options);
    EXPECT_EQ(recorded.ran.status, 0) << recorded.ran.err;
    EXPECT_EQ(recorded.ran.err, "");
    EXPECT_EQ(recorded.ran.out, "");
    if (!recorded.loaded) return;
    test::expect_sound(*recorded.loaded);
    compare(expected, test::observe(recorded.loaded->trace, program, name, expected));
}

class Programs : public testing::TestWithParam<std::string> {};

TEST_P(Programs, leave_what_they_say) {
    for (int i = 0; i < test::repetitions() && !HasFailure(); ++i) {
        for (const char* compiler : {"gcc", "clang"}) {
            for (const char* level : {"O0", "O1", "O2"}) check_build(GetParam(), compiler, level);
        }
    }
}

std::vector<std::string> sources() {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_TEST_SOURCES)) {
        if (entry.path().extension() != ".h") paths.push_back(entry.path().string());
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

INSTANTIATE_TEST_SUITE_P(All, Programs, testing::ValuesIn(sources()), [](const auto& about) {
    return std::filesystem::path(about.param).stem().string();
});

} // namespace
} // namespace heddle
