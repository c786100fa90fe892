// Every documented bug of the samples, recorded in a clean run, is there when the program takes the witness's
// schedule. That the findings with a witness are the documented bugs is what tests/programs sees to.
#include "replaying.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

namespace heddle::test {
namespace {

namespace fs = std::filesystem;

/// The names of all samples: what is before the dot.
std::vector<std::string> samples() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(HEDDLE_SAMPLE_PROGRAMS)) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with(".gcc-O1")) names.push_back(name.substr(0, name.find('.')));
    }
    std::ranges::sort(names);
    return names;
}

class ReplayedSample : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(ReplayedSample, has_its_bugs) {
    const auto& [name, build] = GetParam();
    const TemporaryFolder folder;
    const std::string trace = folder.file("run.htr");
    ASSERT_TRUE(record({std::string(HEDDLE_SAMPLE_PROGRAMS) + "/" + name + "." + build}, trace));
    std::size_t witnessed = 0;
    for (const nlohmann::json& finding : findings_in(trace)) {
        if (finding.at("verdict") != "witnessed") continue;
        ++witnessed;
        const Ran ran = heddle(
            {"replay", std::to_string(finding.at("id").get<int>()), trace, "--quiet", "--attempts", "2"});
        EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    }
    std::size_t confirmed = 0;
    for (const nlohmann::json& finding : findings_in(trace))
        confirmed += finding.at("verdict") == "confirmed" ? 1U : 0U;
    EXPECT_EQ(confirmed, witnessed);
}

INSTANTIATE_TEST_SUITE_P(All, ReplayedSample,
                         testing::Combine(testing::ValuesIn(samples()),
                                          testing::Values("gcc-O1", "clang-O2")),
                         [](const auto& about) {
                             std::string name = std::get<0>(about.param) + "_" + std::get<1>(about.param);
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

} // namespace
} // namespace heddle::test
