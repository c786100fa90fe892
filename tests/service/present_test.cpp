#include "daemon/present/annotations.h"
#include "daemon/present/sentences.h"
#include "daemon/present/source_range.h"

#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::present {
namespace {

std::string_view marked(std::string_view line, std::uint32_t column) {
    const ByteRange range = range_in_line(line, column);
    return line.substr(range.first, range.end - range.first);
}

TEST(SourceRange, is_the_token_at_the_column) {
    EXPECT_EQ(marked("    total += 25;", 5), "total");
    EXPECT_EQ(marked("    total += 25;", 7), "total") << "the column may be within the token";
    EXPECT_EQ(marked("    total += 25;", 11), "+=");
    EXPECT_EQ(marked("    acct->balance++;", 9), "->");
    EXPECT_EQ(marked("    acct->balance++;", 11), "balance");
    EXPECT_EQ(marked("f(a, b);", 2), "(");
    EXPECT_EQ(marked("    größe = 1;", 7), "größe") << "letters of several bytes are not cut apart";
}

TEST(SourceRange, is_the_line_without_its_indentation_when_the_column_says_nothing) {
    EXPECT_EQ(marked("    total += 25;  ", 0), "total += 25;");
    EXPECT_EQ(marked("    total += 25;", 2), "total += 25;");
    EXPECT_EQ(marked("    total += 25;", 400), "total += 25;");
    EXPECT_EQ(marked("", 0), "");
    EXPECT_EQ(marked("   ", 2), "");
}

report::ReportedAccess access(std::string operation, std::string thread,
                              std::vector<report::ReportedLock> locks, std::uint32_t line,
                              std::string function) {
    return {.operation = std::move(operation),
            .thread = std::move(thread),
            .locks = std::move(locks),
            .place = {.file = "/src/bank.cpp", .line = line, .column = 1, .function = std::move(function)},
            .callers = {}};
}

TEST(Sentences, name_the_variable_the_other_place_and_the_locks_of_a_race) {
    report::ReportedFinding finding{.kind = FindingKind::race, .variable = "total"};
    finding.accesses = {access("write", "T1", {{"mu"}}, 8, "deposit"), access("read", "T2", {}, 3, "bonus")};
    EXPECT_EQ(sentence(finding, 0),
              "Data race on 'total': this write by T1, holding 'mu', and the read at bank.cpp:3 in "
              "bonus by T2, holding nothing, can happen at once.");
    EXPECT_THAT(sentence(finding, 1),
                testing::HasSubstr("this read by T2, holding nothing, and the write at bank.cpp:8"));
}

TEST(Sentences, tell_which_locks_others_may_hold_too) {
    report::ReportedFinding finding{.kind = FindingKind::race, .variable = "hits"};
    finding.accesses = {access("write", "T1", {{"table", true}}, 8, "f"),
                        access("read", "T2", {{"table", true}, {"mu", false}}, 8, "f")};
    EXPECT_THAT(sentence(finding, 0), testing::HasSubstr("holding 'table' (shared), and"));
    EXPECT_THAT(sentence(finding, 1), testing::HasSubstr("holding 'table' (shared), 'mu', and"));
}

TEST(Hints, of_a_member_of_several_objects_are_one) {
    const std::string text = "struct Money {\n    long cents;\n};\nMoney purse, wallet, tin;\n";
    const auto tree = source::SyntaxTree::parse(text, Language::cpp);
    const lsp::TextDocument document(text, 1, lsp::PositionEncoding::utf16);
    report::ReportedVariable purse{"purse.cents", "purse.mu", 6, 8, {}};
    const report::ReportedVariable wallet{"wallet.cents", "wallet.mu", 8, 8, {}};
    const report::ReportedVariable tin{"tin.cents", "", 0, 4, {}};
    const lsp::Range all{{0, 0}, {9, 0}};
    const auto found = hints(tree, document, {&purse, &wallet, &tin}, all);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].label, "guarded by mu (14/20)");
    EXPECT_EQ(found[0].position, (lsp::Position{1, 14}));
    purse.guard = "mu"; // another one
    EXPECT_TRUE(hints(tree, document, {&purse, &wallet, &tin}, all).empty());
}

TEST(Hints, are_where_the_class_is_though_the_object_is_elsewhere) {
    const std::string text = "class Server {\n    void stop();\n    unsigned served_ = 0;\n};\n";
    const auto tree = source::SyntaxTree::parse(text, Language::cpp);
    const lsp::TextDocument document(text, 1, lsp::PositionEncoding::utf16);
    report::ReportedUse use{.place = {.file = "server.cpp",
                                      .line = 7,
                                      .column = 5,
                                      .end_line = 7,
                                      .end_column = 12,
                                      .function = "Server::stop"}};
    report::ReportedVariable served{"server.served_", "server.mu", 3, 4, {use}};
    const lsp::Range all{{0, 0}, {9, 0}};
    const auto found = hints(tree, document, {&served}, all);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].label, "guarded by mu (3/4)");
    EXPECT_EQ(found[0].position, (lsp::Position{2, 20}));
    served.uses[0].place.end_column = 19; // another.served_
    EXPECT_TRUE(hints(tree, document, {&served}, all).empty()) << "of whose class nothing is known";
}

TEST(Hints, are_where_the_class_is_though_the_object_is_on_the_heap) {
    const std::string text = "class Server {\n    void stop();\n    unsigned served_ = 0;\n};\n";
    const auto tree = source::SyntaxTree::parse(text, Language::cpp);
    const lsp::TextDocument document(text, 1, lsp::PositionEncoding::utf16);
    const report::ReportedUse use{.place = {.file = "server.cpp",
                                            .line = 7,
                                            .column = 5,
                                            .end_line = 7,
                                            .end_column = 12,
                                            .function = "Server::stop"}};
    const std::string where = " of 64 bytes allocated in main (main.cpp:3) + 40";
    const report::ReportedVariable served{"served_ in a heap block" + where, "mu_", 3, 4, {use}};
    const report::ReportedVariable unnamed{"heap block" + where, "mu_", 3, 4, {use}};
    const lsp::Range all{{0, 0}, {9, 0}};
    const auto found = hints(tree, document, {&served, &unnamed}, all);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].label, "guarded by mu_ (3/4)");
    EXPECT_EQ(found[0].position, (lsp::Position{2, 20}));
}

TEST(Hints, are_where_the_class_is_that_the_uses_of_a_heap_object_name) {
    const std::string text =
        "struct Other {\n    long seen;\n};\nstruct Session {\n    std::mutex mu;\n    long seen;\n};\n";
    const auto tree = source::SyntaxTree::parse(text, Language::cpp);
    const lsp::TextDocument document(text, 1, lsp::PositionEncoding::utf16);
    report::ReportedVariable seen{"session->seen in a heap block + 40", "session->mu", 3, 4, {}, "Session"};
    const lsp::Range all{{0, 0}, {9, 0}};
    const auto found = hints(tree, document, {&seen}, all);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].label, "guarded by mu (3/4)");
    EXPECT_EQ(found[0].position, (lsp::Position{5, 13}));
    seen.guard = "heap block of 48 bytes allocated in main (main.cpp:3)";
    EXPECT_TRUE(hints(tree, document, {&seen}, all).empty()) << "that is no name of a lock";
    seen.owner.clear();
    EXPECT_TRUE(hints(tree, document, {&seen}, all).empty()) << "it may be of any class";
}

TEST(Sentences, say_what_comes_between_in_an_atomicity_violation) {
    report::ReportedFinding finding{.kind = FindingKind::atomicity, .variable = "total"};
    finding.accesses = {access("read", "T1", {}, 3, "f"), access("write", "T2", {{"mu"}}, 9, "g"),
                        access("write", "T1", {}, 4, "f")};
    EXPECT_EQ(sentence(finding, 1),
              "Atomicity violation on 'total': this write by T2, holding 'mu', can come between the "
              "read at bank.cpp:3 in f and the write at bank.cpp:4 in f by T1, holding nothing.");
}

TEST(Sentences, begin_a_deadlock_with_the_place_they_stand_at) {
    report::ReportedFinding finding{.kind = FindingKind::deadlock};
    finding.accesses = {access("lock 'b'", "T1", {{"a"}}, 3, "f"), access("lock 'a'", "T2", {{"b"}}, 9, "g")};
    EXPECT_EQ(sentence(finding, 1),
              "Deadlock of 2 threads: here T2 waits to lock 'a', holding 'b'; at bank.cpp:3 in f T1 "
              "waits to lock 'b', holding 'a'.");
}

} // namespace
} // namespace heddle::present
