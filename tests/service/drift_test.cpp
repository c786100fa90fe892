// Findings move with the text, while it is edited and from one start of the daemon to the next.
#include "editor.h"

#include <fstream>
#include <map>
#include <optional>
#include <string>

#include <gmock/gmock.h>

namespace heddle::service {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

using DriftTest = SessionTest;

constexpr int kError = 1;
constexpr int kInformation = 3;

/// By line: severity.
std::map<int, int> severities(const Json& params) {
    std::map<int, int> result;
    for (const Json& one : params["diagnostics"])
        result[one["range"]["start"]["line"].get<int>()] = one["severity"].get<int>();
    return result;
}

Json position(int line, int character) {
    return {{"line", line}, {"character", character}};
}

class Document {
  public:
    Document(Editor& editor, std::string uri) : editor_(editor), uri_(std::move(uri)) {
        editor_.tell(
            "textDocument/didOpen",
            {{"textDocument",
              {{"uri", uri_}, {"languageId", "cpp"}, {"version", version_}, {"text", test::kSource}}}});
    }
    void replace(const Json& start, const Json& end, const std::string& text) {
        editor_.tell("textDocument/didChange",
                     {{"textDocument", {{"uri", uri_}, {"version", ++version_}}},
                      {"contentChanges", {{{"range", {{"start", start}, {"end", end}}}, {"text", text}}}}});
    }
    /// The first diagnostics that are as wanted; those of intermediate texts may come before.
    Json wait_for(const std::map<int, int>& wanted) {
        return editor_.wait("textDocument/publishDiagnostics",
                            [&](const Json& params) { return severities(params) == wanted; })["params"];
    }

  private:
    Editor& editor_;
    std::string uri_;
    int version_ = 1;
};

TEST_F(DriftTest, diagnostics_follow_edits_and_age_with_their_function) {
    test::write_file(trace, test::kRacy);
    Editor editor(loop, hub);
    Json client = kPush;
    client["textDocument"]["publishDiagnostics"]["tagSupport"] = {{"valueSet", {1}}};
    editor.initialize(root, client);
    Document document(editor, uri);
    document.wait_for({{2, kError}, {7, kError}});

    document.replace(position(0, 0), position(0, 0), "// a line\n// another\n");
    document.wait_for({{4, kError}, {9, kError}});

    document.replace(position(4, 4), position(4, 4), "/* now */ "); // in bonus()
    const Json aged = document.wait_for({{4, kInformation}, {9, kError}});
    for (const Json& one : aged["diagnostics"]) {
        if (one["severity"] != kInformation) continue;
        EXPECT_THAT(one["message"].get<std::string>(), HasSubstr("As of the last run"));
        EXPECT_EQ(one["tags"], Json({1}));
        EXPECT_EQ(one["range"]["start"]["character"].get<int>(), 14) << "still at 'total'";
    }
    const Json hover =
        editor.ask("textDocument/hover", {{"textDocument", {{"uri", uri}}}, {"position", position(4, 15)}});
    EXPECT_FALSE(hover["result"].is_null());

    document.replace(position(4, 4), position(4, 14), ""); // undone
    document.wait_for({{4, kError}, {9, kError}});
}

TEST_F(DriftTest, a_line_that_is_put_in_before_one_that_begins_alike_is_before_that) {
    test::write_file(trace, test::kRacy);
    Editor editor(loop, hub);
    editor.initialize(root, kPush);
    Document document(editor, uri);
    document.wait_for({{2, kError}, {7, kError}});
    const auto is_at_total = [&] {
        const Json aged = document.wait_for({{3, kInformation}, {8, kError}});
        for (const Json& one : aged["diagnostics"]) {
            if (one["severity"] != kInformation) continue;
            EXPECT_EQ(one["range"], Json({{"start", position(3, 4)}, {"end", position(3, 9)}}));
        }
    };
    // "top = now();" before "total += 25;"
    document.replace(position(2, 6), position(2, 6), "p = now();\n    to");
    is_at_total();
    document.replace(position(2, 6), position(3, 6), ""); // undone
    document.wait_for({{2, kError}, {7, kError}});
    document.replace(position(2, 6), position(2, 16),
                     "p = now();\n    total += 25;"); // as Neovim 0.7 tells it
    is_at_total();
}

/// Everything that is told of the finding that begins in a line of the source.
std::string told_at(Editor& editor, const std::string& uri, const Json& diagnostics, int line) {
    for (const Json& one : diagnostics["diagnostics"]) {
        const Json& start = one["range"]["start"];
        if (start["line"] != line) continue;
        const Json hover =
            editor.ask("textDocument/hover", {{"textDocument", {{"uri", uri}}}, {"position", start}});
        return one["message"].get<std::string>() + "\n" +
               hover["result"]["contents"]["value"].get<std::string>();
    }
    return {};
}

TEST_F(DriftTest, texts_name_the_lines_as_they_are_now) {
    test::write_file(trace, test::kRacy);
    Editor editor(loop, hub);
    Json client = kPush;
    client["textDocument"]["publishDiagnostics"]["relatedInformation"] = false; // steps are in the message
    editor.initialize(root, client);
    Document document(editor, uri);
    document.wait_for({{2, kError}, {7, kError}});
    editor.until_analysed();
    document.replace(position(0, 0), position(0, 0), "\n");
    const Json before = document.wait_for({{3, kError}, {8, kError}});
    EXPECT_THAT(told_at(editor, uri, before, 3), HasSubstr("at bank.cpp:9 in deposit"));

    std::string more;
    for (int line = 0; line < 92; ++line) more += "// a line\n";
    document.replace(position(5, 0), position(5, 0), more); // between bonus() and deposit()
    const Json moved = document.wait_for({{3, kError}, {100, kError}});
    const std::string at_bonus = told_at(editor, uri, moved, 3);
    const std::string at_deposit = told_at(editor, uri, moved, 100);
    // The other place; the steps in the message; the rows of the table, with and without the file's name.
    EXPECT_THAT(at_bonus, HasSubstr("at bank.cpp:101 in deposit"));
    EXPECT_THAT(at_deposit, HasSubstr("at bank.cpp:4 in bonus"));
    EXPECT_THAT(at_deposit, HasSubstr("(bank.cpp:100 in deposit)")); // lock mu
    EXPECT_THAT(at_deposit, HasSubstr(" lock mu :100 |"));
    EXPECT_THAT(at_deposit, HasSubstr("holds 'mu' since bank.cpp:100"));
    EXPECT_THAT(at_deposit, Not(HasSubstr("bank.cpp:8")));
    EXPECT_THAT(at_deposit, Not(HasSubstr(" :8")));
    EXPECT_THAT(at_deposit, Not(HasSubstr("bank.cpp:3 ")));
    EXPECT_THAT(at_deposit, HasSubstr(" fork T1 :12 |")) << "which the text does not have";
    const Json list = editor.ask("workspace/executeCommand", {{"command", "heddle.findings"}})["result"];
    EXPECT_THAT(list[0]["message"].get<std::string>(),
                testing::AnyOf(HasSubstr("bank.cpp:4 "), HasSubstr("bank.cpp:101 ")));
    std::vector<int> lines;
    for (const Json& place : list[0]["places"]) lines.push_back(place["line"].get<int>());
    EXPECT_THAT(lines, testing::UnorderedElementsAre(4, 101));

    // What is shown as of the last run names its lines; elsewhere that place is where it is now.
    document.replace(position(3, 4), position(3, 4), "/* now */ ");
    const Json aged = document.wait_for({{3, kInformation}, {100, kError}});
    EXPECT_THAT(told_at(editor, uri, aged, 3), HasSubstr("at bank.cpp:8 in deposit"));
    EXPECT_THAT(told_at(editor, uri, aged, 100), HasSubstr("at bank.cpp:4 in bonus"));
}

TEST_F(DriftTest, what_another_file_tells_follows_too) {
    std::string run(test::kRacy);
    for (std::size_t at = 0; (at = run.find("bonus@bank.cpp:3", at)) != std::string::npos;)
        run.replace(at, 16, "bonus@gift.cpp:3");
    const std::string gift = root + "/gift.cpp";
    test::write_file(gift, std::string(test::kSource));
    test::write_file(trace, run);
    Editor editor(loop, hub);
    editor.initialize(root, kPush);
    editor.wait("textDocument/publishDiagnostics", settled);
    editor.until_analysed();
    Document document(editor, "file://" + gift);
    document.replace(position(0, 0), position(0, 0), "\n\n\n");
    editor.wait("textDocument/publishDiagnostics", [&](const Json& params) {
        return params["uri"] == uri && params.dump().find("at gift.cpp:6 in bonus") != std::string::npos;
    });
}

TEST_F(DriftTest, what_is_asked_right_after_an_edit_is_answered_for_the_new_text) {
    test::write_file(trace, test::kRacy);
    Editor editor(loop, hub);
    editor.initialize(root, kPush);
    Document document(editor, uri);
    document.wait_for({{2, kError}, {7, kError}});
    editor.until_analysed(); // before, less of the line may be marked
    for (int lines = 1; lines <= 20; ++lines) {
        document.replace(position(0, 0), position(0, 0), "\n");
        const Json hover = editor.ask(
            "textDocument/hover", {{"textDocument", {{"uri", uri}}}, {"position", position(2 + lines, 5)}});
        ASSERT_FALSE(hover["result"].is_null()) << lines;
        EXPECT_EQ(hover["result"]["range"]["start"]["line"].get<int>(), 2 + lines);
    }
}

struct RestartTest : SessionTest {
    /// A daemon that begins now, with the cache of those before; what it tells of the source.
    std::map<int, int> told_after_restart() {
        boost::asio::io_context new_loop;
        Hub next(new_loop, {.settings = nullptr,
                            .cache_folder = folder.file("cache"),
                            .cache_bytes = 1'000'000,
                            .debug_folders = {},
                            .log = {}});
        Editor editor(new_loop, next);
        editor.initialize(root, kPush);
        return severities(editor.wait("textDocument/publishDiagnostics", settled)["params"]);
    }
};

TEST_F(RestartTest, a_file_that_changed_meanwhile_is_compared_with_what_was_analysed) {
    test::write_file(trace, test::kRacy);
    const std::map<int, int> as_recorded = {{2, kError}, {7, kError}};
    EXPECT_EQ(told_after_restart(), as_recorded);

    std::string text = "#include <mutex>\n#include <vector>\n" + std::string(test::kSource);
    test::write_file(source, text);
    const std::map<int, int> moved = {{4, kError}, {9, kError}};
    EXPECT_EQ(told_after_restart(), moved);

    text.insert(text.find("    total += 50"), "    log();\n");
    test::write_file(source, text);
    const std::map<int, int> aged = {{4, kError}, {10, kInformation}};
    EXPECT_EQ(told_after_restart(), aged);
}

} // namespace
} // namespace heddle::service
