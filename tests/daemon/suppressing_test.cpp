// Suppressions on the command line.
#include "run_program.h"
#include "test_files.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace heddle {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::Ran;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Has two races.
const std::string kBank = HEDDLE_SAMPLES "/bank.std";

Ran analyze(std::vector<std::string> words) {
    words.insert(words.begin(), {HEDDLE_PROGRAM, "analyze"});
    return test::run_program(std::move(words));
}

class Suppressing : public testing::Test {
  protected:
    /// The path of a suppression file with this text.
    [[nodiscard]] std::string file(const std::string& text) const {
        std::ofstream(folder_.file("suppressions")) << text;
        return folder_.file("suppressions");
    }

    test::TemporaryFolder folder_;
};

TEST_F(Suppressing, what_is_suppressed_is_not_shown_but_counted) {
    EXPECT_EQ(json::parse(analyze({"--format", "json", kBank}).out)["suppressed"], 0);
    const std::string everything = file("race:*\natomicity:*\ndeadlock:*\n");
    const Ran ran = analyze({"--suppressions", everything, kBank});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.out,
                AllOf(Not(HasSubstr("error:")),
                      HasSubstr("0 races · 0 atomicity violations · 0 deadlocks · 2 suppressed · ")));
}

TEST_F(Suppressing, the_others_keep_their_numbers) {
    const std::string first = file("race_top:^deposit$\n");
    const json left = json::parse(analyze({"--suppressions", first, "--format", "json", kBank}).out);
    EXPECT_EQ(left["suppressed"], 1);
    ASSERT_EQ(left["findings"].size(), 1U);
    EXPECT_EQ(left["findings"][0]["id"], 2);
    EXPECT_FALSE(left["findings"][0].contains("suppressed"));
    const json shown =
        json::parse(analyze({"--suppressions", first, "--show-suppressed", "--format", "json", kBank}).out);
    ASSERT_EQ(shown["findings"].size(), 2U);
    EXPECT_EQ(shown["findings"][0]["id"], 1);
    EXPECT_EQ(shown["findings"][0]["suppressed"], true);
    EXPECT_EQ(shown["findings"][0]["suppressed_by"], first + ":1");
    EXPECT_FALSE(shown["findings"][1].contains("suppressed"));
}

TEST_F(Suppressing, when_asked_the_text_tells_what_was_suppressed_and_by_what) {
    const std::string everything = file("# all\nrace:*\n");
    const Ran ran =
        analyze({"--suppressions", everything, "--show-suppressed", "--properties", "race", kBank});
    EXPECT_EQ(ran.status, 0);
    EXPECT_THAT(ran.out,
                AllOf(HasSubstr("data race on"), HasSubstr("   suppressed by " + everything + ":2\n"),
                      HasSubstr(" suppressed · ")));
}

TEST_F(Suppressing, lines_that_are_wrong_are_noted) {
    const Ran ran = analyze({"--suppressions", file("rase:deposit\n"), kBank});
    EXPECT_EQ(ran.status, 1);
    EXPECT_THAT(ran.err, HasSubstr("suppressions: line 1: does not begin with a known type"));
}

TEST_F(Suppressing, a_file_that_was_named_must_be_there) {
    const Ran ran = analyze({"--suppressions", folder_.file("none"), kBank});
    EXPECT_EQ(ran.status, 2);
    EXPECT_THAT(ran.err, HasSubstr("none: there is no such file"));
}

TEST_F(Suppressing, the_usual_file_counts_without_being_named) {
    const fs::path before = fs::current_path();
    fs::create_directory(folder_.file(".heddle"));
    std::ofstream(folder_.file(".heddle/suppressions")) << "race:*\natomicity:*\n";
    fs::current_path(folder_.file(""));
    const Ran ran = analyze({kBank});
    fs::current_path(before);
    EXPECT_EQ(ran.status, 0) << ran.out;
    EXPECT_THAT(ran.out, HasSubstr(" suppressed · "));
}

} // namespace
} // namespace heddle
