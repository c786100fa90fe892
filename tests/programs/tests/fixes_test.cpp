// Every fix that is offered for a sample: which ones there are is written down in fixes.txt; each compiles
// without a warning, by GCC and by Clang, and once the corrected program has been recorded, what it was for
// is gone and nothing new has come. One that says that it may bring a deadlock does bring one.
#include "daemon/fix/offers.h"
#include "daemon/service/analysis_job.h"
#include "run_program.h"
#include "samples.h"
#include "test_files.h"
#include "traces/load.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::test {
namespace {

constexpr int kAttempts = 5;
constexpr int kRareOrder = 75;

void write_text(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

std::vector<std::string> words_behind(const std::string& text, const std::string& mark) {
    std::vector<std::string> words;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(mark)) continue;
        std::istringstream rest(line.substr(mark.size()));
        for (std::string word; rest >> word;) words.push_back(word);
    }
    return words;
}

/// How the samples are built (tests/instrumented_programs.cmake), and how the other compiler is asked.
std::vector<std::vector<std::string>> build_commands(const std::string& source, const std::string& text,
                                                     const std::string& program) {
    const bool c = source.ends_with(".c");
    const auto compile = [&](const char* tool, std::vector<std::string> more) {
        std::vector<std::string> words = {
            tool, c ? "-std=gnu17" : "-std=c++17", "-O0", "-g", "-Wall", "-Wextra", "-Werror"};
        const std::vector<std::string> flags = words_behind(text, "// flags: ");
        words.insert(words.end(), flags.begin(), flags.end());
        words.insert(words.end(), more.begin(), more.end());
        return words;
    };
    return {compile(c ? HEDDLE_GCC : HEDDLE_GXX, {"-fsanitize=thread", source, "-o", program}),
            compile(c ? HEDDLE_CLANG : HEDDLE_CLANGXX, {"-fsyntax-only", source})};
}

/// A finding, as far as neither an edit nor the run changes how it is called: kind, variable with any index,
/// however many more there are, functions.
std::string identity_of(const report::ReportedFinding& finding) {
    std::vector<std::string> functions;
    for (const report::ReportedAccess& access : finding.accesses) functions.push_back(access.place.function);
    if (finding.kind == FindingKind::race) std::ranges::sort(functions);
    const std::string one = std::regex_replace(finding.headline, std::regex(" and [0-9,]+ more like it"), "");
    const std::string any = std::regex_replace(one, std::regex("\\[[0-9]+\\]"), "[*]");
    return fmt::format("{} in {}", any, fmt::join(functions, ", "));
}

/// A workspace with one program, built, recorded and analysed as a user would.
class Project {
  public:
    explicit Project(const std::string& name) : name_(name) {
        std::filesystem::create_directory(root());
        write_text(root() + "/sample.h", sample_text("sample.h"));
    }

    [[nodiscard]] std::string root() const { return folder_.file("work"); }

    /// Fails the test when the text does not compile, or no run of it ends well.
    bool run(const std::string& text) {
        const std::string source = root() + "/" + name_;
        const std::string program = root() + "/program";
        write_text(source, text);
        for (const std::vector<std::string>& command : build_commands(source, text, program)) {
            const Ran built = run_program(command);
            if (built.status == 0) continue;
            ADD_FAILURE() << "does not compile:\n" << built.err;
            return false;
        }
        int status = 1;
        for (int attempt = 0; attempt < kAttempts && status != 0; ++attempt) {
            status = run_program({"/usr/bin/timeout", "60", HEDDLE_PROGRAM, "record", "--quiet", "--output",
                                  trace_, "--", program})
                         .status;
        }
        EXPECT_TRUE(status == 0 || status == kRareOrder) << "status " << status;
        return analyse();
    }

    [[nodiscard]] const report::TraceReport& report() const { return report_; }
    [[nodiscard]] std::set<std::string> findings() const {
        std::set<std::string> result;
        for (const report::ReportedFinding& finding : report_.findings) result.insert(identity_of(finding));
        return result;
    }

    [[nodiscard]] std::vector<fix::Offer> offers(const report::ReportedFinding& finding, std::size_t access) {
        const auto loaded = load_trace(trace_);
        if (!loaded) return {};
        return fix::offers(symbols_.tell(loaded->trace).trace, root(), report_, finding, access);
    }

  private:
    bool analyse() {
        service::AnalysisJob job;
        job.path = trace_;
        job.ended = true;
        job.settings.root = root();
        job.settings.cache = false;
        job.settings.options.witnesses = true;
        auto report =
            service::run(job, cache_, symbols_, [](std::uint64_t, std::uint64_t) { return true; }, {});
        if (!report) {
            ADD_FAILURE() << report.error().message;
            return false;
        }
        report_ = std::move(*report);
        return true;
    }

    TemporaryFolder folder_;
    std::string name_;
    std::string trace_ = folder_.file("run.htr");
    service::ReportCache cache_{"", 0, {}};
    service::SharedSymbols symbols_{{}};
    report::TraceReport report_;
};

/// What an offer makes of the program, which is the one file that may change.
std::string corrected(const std::string& text, const fix::Offer& offer) {
    EXPECT_EQ(offer.files.size(), 1U) << offer.title;
    return source::rewritten(text, offer.files.front().edits);
}

/// The lines of fixes.txt on a sample. What not every run of it leads to counts if it is among those that
/// were `seen`.
std::set<std::string> expected_offers(const std::string& name, const std::set<std::string>& seen) {
    constexpr std::string_view kSomeRuns = " (some runs)";
    std::set<std::string> result;
    std::istringstream lines(sample_text("fixes.txt"));
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(name + ": ")) continue;
        const bool always = !line.ends_with(kSomeRuns);
        if (!always) line.resize(line.size() - kSomeRuns.size());
        if (always || seen.contains(line)) result.insert(line);
    }
    return result;
}

class FixedSample : public testing::TestWithParam<std::string> {};

TEST_P(FixedSample, compiles_and_no_longer_has_the_bug) {
    const std::string& name = GetParam();
    const std::string text = sample_text(name);
    Project project(name);
    ASSERT_TRUE(project.run(text));
    const std::set<std::string> before = project.findings();
    std::set<std::string> lines;
    struct Correction {
        fix::Offer offer;
        std::set<std::string> removes;
    };
    std::map<std::string, Correction> corrections; // by what becomes of the text
    for (const report::ReportedFinding& finding : project.report().findings) {
        if (finding.kind == FindingKind::deadlock) continue;
        for (std::size_t access = 0; access < finding.accesses.size(); ++access) {
            const std::vector<fix::Offer> offers = project.offers(finding, access);
            const std::string where = fmt::format("{}: {}, at {}: ", name, identity_of(finding),
                                                  finding.accesses[access].place.function);
            // What is only possible is found in some runs and not in others.
            const bool told = finding.certainty != report::Certainty::possible;
            if (told && offers.empty()) lines.insert(where + "nothing");
            for (const fix::Offer& offer : offers) {
                if (told) lines.insert(where + offer.title);
                EXPECT_EQ(offer.safe, offer.title.ends_with("no new deadlock")) << offer.title;
                Correction& one = corrections[corrected(text, offer)];
                one.offer = offer;
                one.removes.insert(identity_of(finding));
            }
        }
    }
    EXPECT_EQ(lines, expected_offers(name, lines)) << "fixes.txt should have\n"
                                                   << fmt::format("{}\n", fmt::join(lines, "\n"));
    for (const auto& [corrected_text, correction] : corrections) {
        SCOPED_TRACE(correction.offer.title + "\n" + corrected_text);
        Project after(name);
        if (!after.run(corrected_text)) continue;
        if (correction.offer.title.ends_with("a deadlock becomes possible")) {
            EXPECT_THAT(after.findings(), testing::Contains(testing::HasSubstr("deadlock")));
        }
        if (!correction.offer.safe) continue;
        for (const std::string& finding : after.findings()) {
            EXPECT_TRUE(before.contains(finding)) << "new: " << finding;
            EXPECT_FALSE(correction.removes.contains(finding)) << "still there: " << finding;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, FixedSample, testing::ValuesIn(sample_names()),
                         [](const auto& about) { return sample_stem(about.param); });

} // namespace
} // namespace heddle::test
