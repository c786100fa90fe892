// The format of suppression files, what they match, and adding to them.
#include "daemon/settings/suppressions.h"
#include "test_files.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

namespace heddle::settings {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Suspect race_in_deposit() {
    return {.type = FindingType::race,
            .stacks = {{{.function = "Account::deposit", .file = "/src/bank.cpp", .module = "/bin/bank"},
                        {.function = "teller", .file = "/src/main.cpp", .module = "/bin/bank"}},
                       {{.function = "audit", .file = "/src/audit.cpp", .module = "/lib/libaudit.so.1"}}},
            .objects = {"acct->balance"}};
}

bool suppressed(const std::string& text, const Suspect& suspect = race_in_deposit()) {
    return parse_suppressions(text).match(suspect) != nullptr;
}

TEST(Suppressions, patterns_are_found_anywhere_unless_tied) {
    EXPECT_TRUE(pattern_matches("dep", "Account::deposit"));
    EXPECT_TRUE(pattern_matches("^Account::deposit$", "Account::deposit"));
    EXPECT_FALSE(pattern_matches("^deposit", "Account::deposit"));
    EXPECT_TRUE(pattern_matches("deposit$", "Account::deposit"));
    EXPECT_FALSE(pattern_matches("Account$", "Account::deposit"));
    EXPECT_FALSE(pattern_matches("Deposit", "Account::deposit")) << "case matters";
}

TEST(Suppressions, stars_stand_for_any_text) {
    EXPECT_TRUE(pattern_matches("Acc*pos", "Account::deposit"));
    EXPECT_TRUE(pattern_matches("^A*t$", "Account::deposit"));
    EXPECT_TRUE(pattern_matches("*", "x"));
    EXPECT_TRUE(pattern_matches("deposit*$", "Account::deposit now"));
    EXPECT_TRUE(pattern_matches("^*posit", "Account::deposit"));
    EXPECT_FALSE(pattern_matches("pos*Acc", "Account::deposit"));
    EXPECT_FALSE(pattern_matches("^a*a$", "a")) << "one letter is not both ends";
    EXPECT_TRUE(pattern_matches("^ab*b$", "abab"));
    EXPECT_FALSE(pattern_matches("*", "")) << "what is not known matches nothing";
    EXPECT_FALSE(pattern_matches("^$", ""));
}

/// The definition: does the pattern, from here on, match the name from here on?
bool by_definition(std::string_view pattern, std::string_view name, bool tied) {
    if (!tied) {
        for (std::size_t skipped = 0; skipped <= name.size(); ++skipped) {
            if (by_definition(pattern, name.substr(skipped), true)) return true;
        }
        return false;
    }
    if (pattern.empty()) return true;
    if (pattern[0] == '*') return by_definition(pattern.substr(1), name, false);
    if (pattern[0] == '$') return name.empty();
    return !name.empty() && name[0] == pattern[0] && by_definition(pattern.substr(1), name.substr(1), true);
}

TEST(Suppressions, patterns_match_what_their_definition_says) {
    std::mt19937 random(1);
    const auto text = [&](std::string_view letters, std::size_t most) {
        std::string result;
        for (std::size_t length = random() % (most + 1); result.size() < length;)
            result += letters[random() % letters.size()];
        return result;
    };
    for (int i = 0; i < 100'000; ++i) {
        const std::string name = text("ab", 8) + "a";
        const std::string middle = text("ab*", 6);
        const bool start = random() % 2 == 0;
        const bool end = random() % 2 == 0;
        const std::string pattern = (start ? "^" : "") + middle + (end ? "$" : "");
        ASSERT_EQ(pattern_matches(pattern, name), by_definition(middle + (end ? "$" : ""), name, start))
            << pattern << " in " << name;
    }
}

TEST(Suppressions, races_are_matched_by_functions_files_modules_and_variables) {
    EXPECT_TRUE(suppressed("race:Account::deposit"));
    EXPECT_TRUE(suppressed("race:teller")) << "any call";
    EXPECT_TRUE(suppressed("race:audit.cpp")) << "any stack";
    EXPECT_TRUE(suppressed("race:libaudit.so"));
    EXPECT_TRUE(suppressed("race:^acct->balance$"));
    EXPECT_FALSE(suppressed("race:withdraw"));
}

TEST(Suppressions, each_type_is_for_its_own_findings) {
    EXPECT_FALSE(
        suppressed("deadlock:deposit\natomicity:deposit\nmutex:deposit\nthread:deposit\nsignal:deposit"));
    Suspect other = race_in_deposit();
    other.type = FindingType::atomicity;
    EXPECT_TRUE(suppressed("atomicity:deposit", other));
    EXPECT_FALSE(suppressed("race:deposit\nrace_top:deposit\ndeadlock:deposit", other));
    other.type = FindingType::deadlock;
    EXPECT_TRUE(suppressed("deadlock:deposit", other));
    EXPECT_FALSE(suppressed("race:deposit\natomicity:deposit", other));
}

TEST(Suppressions, some_types_look_at_innermost_calls_alone) {
    EXPECT_TRUE(suppressed("race_top:deposit"));
    EXPECT_TRUE(suppressed("race_top:audit"));
    EXPECT_FALSE(suppressed("race_top:teller"));
    EXPECT_TRUE(suppressed("called_from_lib:libaudit.so"));
    EXPECT_FALSE(suppressed("called_from_lib:audit.cpp")) << "modules alone";
}

TEST(Suppressions, lines_comments_and_spaces) {
    const Suppressions parsed =
        parse_suppressions("# ours\n\n  race:a b \t\r\n\t# more\nrace_top:x\ndeadlock:y:z\nrace:last");
    EXPECT_THAT(parsed.problems, IsEmpty());
    ASSERT_THAT(parsed.list, SizeIs(4));
    EXPECT_EQ(parsed.list[0].pattern, "a b");
    EXPECT_EQ(parsed.list[0].line, 3U);
    EXPECT_EQ(parsed.list[2].pattern, "y:z");
    EXPECT_EQ(parsed.list[3].line, 7U);
}

TEST(Suppressions, what_is_wrong_is_told_by_line_and_the_rest_counts) {
    const Suppressions parsed = parse_suppressions("race:a\nrace\nleak:b\nrace:\n" + std::string("race:") +
                                                   std::string(5000, 'x') + "\nrace:c");
    EXPECT_THAT(parsed.problems,
                ElementsAre(HasSubstr("line 2: must be type:pattern"),
                            HasSubstr("line 3: does not begin with a known type"),
                            HasSubstr("line 4: has no pattern; race:* stands for everything"),
                            HasSubstr("line 5: is longer than")));
    EXPECT_THAT(parsed.list, SizeIs(2));
    std::string many;
    for (int i = 0; i < 1000; ++i) many += "nonsense\n";
    EXPECT_THAT(parse_suppressions(many).problems, SizeIs(51));
    EXPECT_THAT(parse_suppressions(std::string(1 << 20, '\0')).problems, SizeIs(1));
}

TEST(Suppressions, the_line_for_a_finding_suppresses_it) {
    EXPECT_EQ(suppression_for(race_in_deposit()), "race:Account::deposit");
    Suspect odd = race_in_deposit();
    odd.type = FindingType::deadlock;
    for (const char* name : {"operator*", "f$lambda", "^odd", "two\nlines", " spaces ", "operator^"}) {
        odd.stacks[0][0].function = name;
        const auto line = suppression_for(odd);
        ASSERT_TRUE(line);
        EXPECT_TRUE(line->starts_with("deadlock:")) << *line;
        const Suppressions parsed = parse_suppressions(*line);
        EXPECT_THAT(parsed.problems, IsEmpty());
        EXPECT_NE(parsed.match(odd), nullptr) << *line;
    }
    Suspect nameless{.type = FindingType::race,
                     .stacks = {{{.function = "", .file = "a.c", .module = "m"}}},
                     .objects = {"x"}};
    EXPECT_EQ(suppression_for(nameless), "race:a.c");
    nameless.stacks.clear();
    EXPECT_EQ(suppression_for(nameless), "race:x");
    nameless.objects.clear();
    EXPECT_EQ(suppression_for(nameless), std::nullopt);
}

std::string text_of(const std::string& path) {
    const auto bytes = test::read_bytes(path);
    return {bytes.begin(), bytes.end()};
}

TEST(Suppressions, appending_makes_the_file_and_keeps_what_is_there) {
    const test::TemporaryFolder folder;
    const std::string path = folder.file(".heddle/suppressions");
    ASSERT_TRUE(append_suppression(path, "race:a"));
    ASSERT_TRUE(append_suppression(path, "race:b"));
    ASSERT_TRUE(append_suppression(path, "race:a"));
    const auto parsed = read_suppressions(path);
    ASSERT_TRUE(parsed);
    EXPECT_THAT(parsed->problems, IsEmpty());
    EXPECT_THAT(parsed->list, SizeIs(2)) << "a line that is there is not added again";

    std::ofstream(path) << "# mine\r\n\xff race:ab"; // no newline at its end, and not even text
    chmod(path.c_str(), 0600);
    ASSERT_TRUE(append_suppression(path, "race:a"));
    EXPECT_EQ(text_of(path), "# mine\r\n\xff race:ab\nrace:a\n");
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(Suppressions, appending_through_a_link_changes_the_file_behind_it) {
    const test::TemporaryFolder folder;
    std::ofstream(folder.file("shared")) << "race:a\n";
    fs::create_symlink("shared", folder.file("link"));
    ASSERT_TRUE(append_suppression(folder.file("link"), "race:b"));
    EXPECT_TRUE(fs::is_symlink(folder.file("link")));
    EXPECT_EQ(text_of(folder.file("shared")), "race:a\nrace:b\n");
}

TEST(Suppressions, appending_to_a_full_disk_loses_nothing) {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("suppressions");
    const std::string before(5000, '#');
    std::ofstream(path) << before;
    rlimit limit{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const rlimit small{.rlim_cur = 4096, .rlim_max = limit.rlim_max};
    const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const Result<void> appended = append_suppression(path, "race:a");
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    std::signal(SIGXFSZ, old_handler);
    EXPECT_FALSE(appended);
    EXPECT_EQ(text_of(path), before);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.file("")), {}), 1) << "nothing is left behind";
    EXPECT_FALSE(append_suppression(folder.file("suppressions/below"), "race:a")) << "a file in the way";
}

} // namespace
} // namespace heddle::settings
