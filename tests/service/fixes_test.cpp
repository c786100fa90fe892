// Fixes that are offered with what the recorded run says of them, and suppression by comments.
#include "editor.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace heddle::service {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view kGuarded = "#include <mutex>\n"
                                      "std::mutex mu;\n"
                                      "std::mutex log;\n"
                                      "int total;\n"
                                      "void bonus() {\n"
                                      "    total += 25;\n"
                                      "}\n"
                                      "void deposit() {\n"
                                      "    const std::lock_guard<std::mutex> lock(mu);\n"
                                      "    total += 50;\n"
                                      "}\n";

constexpr std::string_view kRun = "T0|fork(T1)|main@bank.cpp:12:5\n"
                                  "T0|fork(T2)|main@bank.cpp:13:5\n"
                                  "T1|acq(mu)|deposit@bank.cpp:9:39\n"
                                  "T1|w(total)|deposit@bank.cpp:10:11|=50\n"
                                  "T1|rel(mu)|deposit@bank.cpp:9:39\n"
                                  "T2|w(total)|bonus@bank.cpp:6:11|=75\n";

/// The bonus is given with the log's lock held, and deposits take that lock inside of `mu`.
constexpr std::string_view kNestedRun = "T0|fork(T1)|main@bank.cpp:12:5\n"
                                        "T0|fork(T2)|main@bank.cpp:13:5\n"
                                        "T1|acq(mu)|deposit@bank.cpp:9:39\n"
                                        "T1|w(total)|deposit@bank.cpp:10:11|=50\n"
                                        "T1|acq(log)|deposit@bank.cpp:10:5\n"
                                        "T1|rel(log)|deposit@bank.cpp:10:5\n"
                                        "T1|rel(mu)|deposit@bank.cpp:9:39\n"
                                        "T2|acq(log)|run@bank.cpp:20:5\n"
                                        "T2|w(total)|bonus@bank.cpp:6:11 < run@bank.cpp:21:5|=75\n"
                                        "T2|rel(log)|run@bank.cpp:22:5\n";

Json client(bool resolves) {
    Json result = kPush;
    Json& actions = result["textDocument"]["codeAction"];
    actions["codeActionLiteralSupport"]["codeActionKind"]["valueSet"] = {"quickfix"};
    actions["isPreferredSupport"] = true;
    if (resolves) {
        actions["dataSupport"] = true;
        actions["resolveSupport"]["properties"] = {"edit"};
    }
    result["workspace"]["workspaceEdit"]["documentChanges"] = true;
    return result;
}

struct FixesTest : SessionTest {
    FixesTest() { test::write_file(source, kGuarded); }

    void open(Editor& editor) {
        editor.tell(
            "textDocument/didOpen",
            {{"textDocument", {{"uri", uri}, {"languageId", "cpp"}, {"version", 1}, {"text", kGuarded}}}});
    }
    void insert(Editor& editor, int line, int character, const std::string& text) {
        const Json at = {{"line", line}, {"character", character}};
        editor.tell("textDocument/didChange",
                    {{"textDocument", {{"uri", uri}, {"version", ++version}}},
                     {"contentChanges", {{{"range", {{"start", at}, {"end", at}}}, {"text", text}}}}});
    }
    Json actions(Editor& editor, int line) {
        const Json at = {{"line", line}, {"character", 5}};
        return editor.ask("textDocument/codeAction",
                          {{"textDocument", {{"uri", uri}}},
                           {"range", {{"start", at}, {"end", at}}},
                           {"context", {{"diagnostics", Json::array()}}}})["result"];
    }
    static std::vector<std::string> titles(const Json& actions) {
        std::vector<std::string> result;
        for (const Json& action : actions) result.push_back(action["title"].get<std::string>());
        return result;
    }
    static Json titled(const Json& actions, const std::string& begin) {
        for (const Json& action : actions) {
            if (action["title"].get<std::string>().starts_with(begin)) return action;
        }
        return nullptr;
    }

    int version = 1;
};

TEST_F(FixesTest, the_lock_of_the_other_accesses_is_offered_with_what_it_does) {
    test::write_file(trace, kRun);
    Editor editor(loop, hub);
    editor.initialize(root, client(false));
    open(editor);
    editor.wait("textDocument/publishDiagnostics", some);
    const Json action = titled(actions(editor, 5), "Hold");
    ASSERT_FALSE(action.is_null());
    EXPECT_EQ(action["title"], "Hold 'mu' here: removes this race; no new deadlock");
    EXPECT_EQ(action["isPreferred"], true);
    const Json change = action["edit"]["documentChanges"][0];
    EXPECT_EQ(change["textDocument"], Json({{"uri", uri}, {"version", 1}}));
    ASSERT_EQ(change["edits"].size(), 1U);
    EXPECT_EQ(change["edits"][0]["range"]["start"], Json({{"line", 5}, {"character", 4}}));
    EXPECT_EQ(change["edits"][0]["newText"], "const std::lock_guard<std::mutex> lock(mu);\n    ");
    EXPECT_TRUE(titled(actions(editor, 9), "Hold").is_null()) << "it is held there already";
}

TEST_F(FixesTest, a_client_that_resolves_gets_the_edit_for_the_text_of_that_moment) {
    test::write_file(trace, kRun);
    Editor editor(loop, hub);
    editor.initialize(root, client(true));
    open(editor);
    editor.wait("textDocument/publishDiagnostics", some);
    const Json action = titled(actions(editor, 5), "Hold");
    ASSERT_FALSE(action.is_null());
    EXPECT_FALSE(action.contains("edit"));
    insert(editor, 0, 0, "\n\n");
    const Json resolved = editor.ask("codeAction/resolve", action)["result"];
    const Json change = resolved["edit"]["documentChanges"][0];
    EXPECT_EQ(change["textDocument"]["version"], 2);
    EXPECT_EQ(change["edits"][0]["range"]["start"], Json({{"line", 7}, {"character", 4}}));

    insert(editor, 7, 4, "if (open) "); // not what ran any more
    EXPECT_TRUE(editor.ask("codeAction/resolve", action).contains("error"));
    EXPECT_THAT(titles(actions(editor, 7)), Not(Contains(HasSubstr("Hold"))));
}

TEST_F(FixesTest, a_fix_that_brings_a_deadlock_says_so) {
    test::write_file(trace, kNestedRun);
    Editor editor(loop, hub);
    editor.initialize(root, client(false));
    open(editor);
    editor.wait("textDocument/publishDiagnostics", some);
    const Json action = titled(actions(editor, 5), "Hold");
    ASSERT_FALSE(action.is_null());
    EXPECT_EQ(action["title"], "Hold 'mu' here: removes this race, but a deadlock becomes possible");
    EXPECT_FALSE(action.contains("isPreferred"));
}

TEST_F(FixesTest, a_comment_suppresses_what_it_names) {
    test::write_file(trace, kRun);
    Editor editor(loop, hub);
    editor.initialize(root, client(false));
    open(editor);
    editor.wait("textDocument/publishDiagnostics", some);
    const Json action = titled(actions(editor, 5), "Suppress here");
    ASSERT_FALSE(action.is_null());
    const Json edit = action["edit"]["documentChanges"][0]["edits"][0];
    EXPECT_EQ(edit["newText"], " // heddle: ignore race");
    EXPECT_EQ(edit["range"]["start"], Json({{"line", 5}, {"character", 16}}));
    insert(editor, 5, 16, edit["newText"].get<std::string>());
    editor.wait("textDocument/publishDiagnostics", none);
}

} // namespace
} // namespace heddle::service
