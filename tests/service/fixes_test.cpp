// Fixes that are offered with what the recorded run says of them, and suppression by comments.
#include "editor.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

namespace heddle::service {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing::UnorderedElementsAre;

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

/// Two sections of one lock, in what is meant to be one job; somebody else's write comes in between.
constexpr std::string_view kTwoSections = "#include <mutex>\n"
                                          "std::mutex job, mu;\n"
                                          "int total;\n"
                                          "void count() {\n"
                                          "    std::lock_guard<std::mutex> lock(mu);\n"
                                          "    total = 7;\n"
                                          "}\n"
                                          "void take() {\n"
                                          "    std::lock_guard<std::mutex> one(job);\n"
                                          "    int left = 0;\n"
                                          "    {\n"
                                          "        std::lock_guard<std::mutex> lock(mu);\n"
                                          "        left = total;\n"
                                          "    }\n"
                                          "    {\n"
                                          "        std::lock_guard<std::mutex> lock(mu);\n"
                                          "        total = left;\n"
                                          "    }\n"
                                          "}\n";

constexpr std::string_view kTwoSectionsRun = "T0|fork(T1)|main@bank.cpp:30:5\n"
                                             "T0|fork(T2)|main@bank.cpp:31:5\n"
                                             "T1|acq(job)|take@bank.cpp:9:37\n"
                                             "T1|acq(mu)|take@bank.cpp:12:41\n"
                                             "T1|r(total)|take@bank.cpp:13:16|=0\n"
                                             "T1|rel(mu)|take@bank.cpp:14:5\n"
                                             "T1|acq(mu)|take@bank.cpp:16:41\n"
                                             "T1|w(total)|take@bank.cpp:17:15|=0\n"
                                             "T1|rel(mu)|take@bank.cpp:18:5\n"
                                             "T1|rel(job)|take@bank.cpp:19:1\n"
                                             "T2|acq(mu)|count@bank.cpp:5:37\n"
                                             "T2|w(total)|count@bank.cpp:6:11|=7\n"
                                             "T2|rel(mu)|count@bank.cpp:7:1\n";

struct FixesTest : SessionTest {
    /// An editor with the source open, and the findings of the run shown.
    Editor& shown(std::string_view run, bool resolves = false, std::string_view text = kGuarded) {
        test::write_file(source, text);
        test::write_file(trace, run);
        editor = std::make_unique<Editor>(loop, hub);
        editor->initialize(root, client(resolves));
        editor->tell(
            "textDocument/didOpen",
            {{"textDocument", {{"uri", uri}, {"languageId", "cpp"}, {"version", 1}, {"text", text}}}});
        editor->wait("textDocument/publishDiagnostics", some);
        editor->until_analysed(); // fixes are not looked for meanwhile
        return *editor;
    }
    void insert(int line, int character, const std::string& text) {
        const Json at = {{"line", line}, {"character", character}};
        editor->tell("textDocument/didChange",
                     {{"textDocument", {{"uri", uri}, {"version", ++version}}},
                      {"contentChanges", {{{"range", {{"start", at}, {"end", at}}}, {"text", text}}}}});
    }
    Json actions(int line, int character = 5) {
        const Json at = {{"line", line}, {"character", character}};
        return editor->ask("textDocument/codeAction",
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
    /// What the edits of a file put in, and where: "line:character-line:character text".
    static std::vector<std::string> edits_of(const Json& action, const std::string& uri) {
        std::vector<std::string> result;
        for (const Json& change : action["edit"]["documentChanges"]) {
            if (change["textDocument"]["uri"] != uri) continue;
            for (const Json& edit : change["edits"]) {
                const auto at = [&](const char* end) {
                    const Json& position = edit["range"][end];
                    return position["line"].dump() + ":" + position["character"].dump();
                };
                result.push_back(at("start") + "-" + at("end") + " " + edit["newText"].get<std::string>());
            }
        }
        return result;
    }

    std::unique_ptr<Editor> editor;
    int version = 1;
};

TEST_F(FixesTest, the_lock_of_the_other_accesses_is_offered_with_what_it_does) {
    shown(kRun);
    const Json action = titled(actions(5), "Hold");
    ASSERT_FALSE(action.is_null());
    EXPECT_EQ(action["title"], "Hold 'mu' here: removes this race; no new deadlock");
    EXPECT_EQ(action["isPreferred"], true);
    EXPECT_EQ(action["edit"]["documentChanges"][0]["textDocument"], Json({{"uri", uri}, {"version", 1}}));
    EXPECT_THAT(edits_of(action, uri),
                ElementsAre("5:4-5:4 const std::lock_guard<std::mutex> lock(mu);\n    "));
    EXPECT_TRUE(titled(actions(9), "Hold").is_null()) << "it is held there already";
}

TEST_F(FixesTest, a_guard_of_the_programs_own_is_copied) {
    constexpr std::string_view text = "class Lock {\n"
                                      "public:\n"
                                      "    Lock(Mutex* mu) : mu_(mu) { mu_->take(); }\n"
                                      "    ~Lock() { mu_->give(); }\n"
                                      "    Mutex* mu_;\n"
                                      "};\n"
                                      "Mutex mu;\n"
                                      "int total;\n"
                                      "void deposit() {\n"
                                      "    Lock lock(&mu);\n"
                                      "    total += 50;\n"
                                      "}\n"
                                      "void bonus() {\n"
                                      "    total += 25;\n"
                                      "}\n";
    const auto run = [](const std::string& gives) {
        return "T0|fork(T1)|main@bank.cpp:20:5\n"
               "T0|fork(T2)|main@bank.cpp:21:5\n"
               "T1|acq(mu)|Lock::Lock@bank.cpp:3:38 < deposit@bank.cpp:10:10\n"
               "T1|w(total)|deposit@bank.cpp:11:11|=50\n"
               "T1|rel(mu)|" +
               gives +
               "@bank.cpp:4:21 < deposit@bank.cpp:12:1\n"
               "T2|w(total)|bonus@bank.cpp:14:11|=75\n";
    };
    shown(run("Lock::~Lock"), false, text);
    const Json action = titled(actions(13), "Hold");
    ASSERT_FALSE(action.is_null());
    EXPECT_EQ(action["title"], "Hold 'mu' here: removes this race; no new deadlock");
    EXPECT_THAT(edits_of(action, uri), ElementsAre("13:4-13:4 Lock lock(&mu);\n    "));
    shown(run("Lock::give"), false, text);
    EXPECT_TRUE(titled(actions(13), "Hold").is_null()) << "nothing says that its end gives the lock back";
}

TEST_F(FixesTest, a_variable_can_be_made_atomic) {
    shown(kRun);
    for (const int line : {5, 9}) {
        const Json action = titled(actions(line), "Make");
        ASSERT_FALSE(action.is_null());
        EXPECT_EQ(action["title"], "Make 'total' atomic: removes this race; no new deadlock");
        EXPECT_THAT(edits_of(action, uri),
                    UnorderedElementsAre("0:0-0:0 #include <atomic>\n", "3:0-3:3 std::atomic<int>"));
    }
}

TEST_F(FixesTest, what_stays_two_steps_when_it_is_atomic_is_told) {
    const auto title = [&](std::string_view look, std::string_view body) {
        shown("T0|fork(T1)|main@bank.cpp:20:5\nT0|fork(T2)|main@bank.cpp:21:5\n" + std::string(look) +
                  "T1|w(total)|sell@bank.cpp:7:15|=4\nT1|rel(mu)|sell@bank.cpp:8:5\nT2|r(total)|look@bank."
                  "cpp:11:12|=4\n",
              false,
              "#include <mutex>\nstd::mutex mu;\nint total = 5;\nvoid sell() {\n" + std::string(body) +
                  "        total -= 1;\n    }\n}\nint look() {\n    return total;\n}\n");
        return titled(actions(10, 12), "Make")["title"].get<std::string>();
    };
    EXPECT_EQ(
        title("T1|r(total)|sell@bank.cpp:5:9|=5\nT1|acq(mu)|sell@bank.cpp:6:44\n",
              "    if (total > 0) {\n        const std::lock_guard<std::mutex> lock(mu);\n"),
        "Make 'total' atomic: removes this race, but what was read may be outdated when it is written back");
    EXPECT_EQ(title("T1|acq(mu)|sell@bank.cpp:5:40\nT1|r(total)|sell@bank.cpp:6:9|=5\n",
                    "    const std::lock_guard<std::mutex> lock(mu);\n    if (total > 0) {\n"),
              "Make 'total' atomic: removes this race; no new deadlock");
}

TEST_F(FixesTest, what_is_put_in_comes_before_what_is_replaced_at_the_same_place) {
    shown("T0|fork(T1)|main@bank.cpp:9:5\n"
          "T0|fork(T2)|main@bank.cpp:9:9\n"
          "T1|w(total)|deposit@bank.cpp:3:11|=50\n"
          "T2|w(total)|bonus@bank.cpp:6:11|=75\n",
          false, "int total;\nvoid deposit() {\n    total += 50;\n}\nvoid bonus() {\n    total += 25;\n}\n");
    const Json action = titled(actions(5), "Make");
    ASSERT_FALSE(action.is_null());
    EXPECT_THAT(edits_of(action, uri),
                ElementsAre("0:0-0:0 #include <atomic>\n\n", "0:0-0:3 std::atomic<int>"));
}

TEST_F(FixesTest, every_source_of_the_workspace_counts_for_what_is_atomic) {
    test::write_file(root + "/other.cpp", "extern int total;\nint* where() {\n    return &total;\n}\n");
    shown(kRun);
    EXPECT_TRUE(titled(actions(5), "Make").is_null()) << "its address is taken";
    test::write_file(root + "/other.cpp", "extern int total;\nint look() {\n    return total;\n}\n");
    shown(std::string(kRun) + "T0|join(T1)|main@bank.cpp:14:5\n");
    const Json action = titled(actions(5), "Make");
    ASSERT_FALSE(action.is_null());
    EXPECT_THAT(edits_of(action, "file://" + root + "/other.cpp"),
                UnorderedElementsAre("0:0-0:0 #include <atomic>\n\n", "0:7-0:10 std::atomic<int>"));
}

TEST_F(FixesTest, who_copies_the_object_counts_for_what_is_atomic) {
    const std::string_view text = "#include \"point.h\"\nPoint cursor;\nvoid move() {\n    cursor.x = 1;\n}\n"
                                  "int where() {\n    return cursor.x;\n}\n";
    const std::string_view run =
        "T0|fork(T1)|main@bank.cpp:9:5\nT0|fork(T2)|main@bank.cpp:9:9\n"
        "T1|w(cursor.x)|move@bank.cpp:4:14|=1\nT2|r(cursor.x)|where@bank.cpp:7:19|=1\n";
    test::write_file(root + "/point.h", "struct Point {\n    int x;\n    int y;\n};\n");
    shown(run, false, text);
    EXPECT_FALSE(titled(actions(3, 6), "Make").is_null());
    test::write_file(root + "/other.cpp", "#include \"point.h\"\nPoint same(Point p) {\n    return p;\n}\n");
    shown(std::string(run) + "T0|join(T1)|main@bank.cpp:9:11\n", false, text);
    EXPECT_TRUE(titled(actions(3, 6), "Make").is_null()) << "it would no longer compile";
}

TEST_F(FixesTest, a_fix_for_several_findings_is_in_the_menu_once) {
    shown(std::string(kRun) + "T0|r(total)|main@bank.cpp:10:5|=75\n"); // races with the bonus as well
    const Json all = actions(5);
    EXPECT_EQ(std::ranges::count_if(all,
                                    [](const Json& one) {
                                        return one["title"].get<std::string>().starts_with(
                                            "Make 'total' atomic: removes this race");
                                    }),
              1);
}

TEST_F(FixesTest, a_lock_that_was_taken_again_after_a_wait_is_taken_as_before_it) {
    shown("T0|fork(T1)|main@bank.cpp:14:5\nT0|fork(T2)|main@bank.cpp:15:5\n"
          "T1|acq(mu)|take@bank.cpp:6:38\nT1|wait_pre(cv)|take@bank.cpp:7:12\nT1|rel(mu)|take@bank.cpp:7:12\n"
          "T2|notify(cv)|close@bank.cpp:11:18\nT2|w(open)|close@bank.cpp:12:10|=0\n"
          "T1|acq(mu)|take@bank.cpp:7:12\nT1|wait_post(cv)|take@bank.cpp:7:12\n"
          "T1|r(open)|take@bank.cpp:8:12|=0\nT1|rel(mu)|take@bank.cpp:9:1\n",
          false,
          "#include <mutex>\nstd::mutex mu;\nstd::condition_variable cv;\nbool open = true;\nbool take() {\n"
          "    std::unique_lock<std::mutex> lock(mu);\n    cv.wait(lock);\n    return open;\n}\n"
          "void close() {\n    cv.notify_one();\n    open = false;\n}\n");
    const Json action = titled(actions(11, 5), "Hold 'mu' here");
    ASSERT_FALSE(action.is_null());
    EXPECT_THAT(edits_of(action, uri), ElementsAre("11:4-11:4 std::unique_lock<std::mutex> lock(mu);\n    "));
}

TEST_F(FixesTest, sections_are_made_one) {
    shown(kTwoSectionsRun, false, kTwoSections);
    for (const auto& [line, character] : {std::pair(12, 16), std::pair(16, 9)}) {
        const Json action = titled(actions(line, character), "Hold 'mu' over both accesses");
        ASSERT_FALSE(action.is_null());
        EXPECT_EQ(action["title"],
                  "Hold 'mu' over both accesses: removes this atomicity violation; no new deadlock");
        EXPECT_THAT(edits_of(action, uri),
                    UnorderedElementsAre("10:4-10:4 std::lock_guard<std::mutex> lock(mu);\n    ",
                                         "11:0-12:0 ", "15:0-16:0 "));
    }
}

TEST_F(FixesTest, a_client_that_resolves_gets_the_edit_for_the_text_of_that_moment) {
    shown(kRun, true);
    const Json action = titled(actions(5), "Hold");
    ASSERT_FALSE(action.is_null());
    EXPECT_FALSE(action.contains("edit"));
    insert(0, 0, "\n\n");
    const Json resolved = editor->ask("codeAction/resolve", action)["result"];
    EXPECT_EQ(resolved["edit"]["documentChanges"][0]["textDocument"]["version"], 2);
    EXPECT_THAT(edits_of(resolved, uri), ElementsAre(StartsWith("7:4-7:4 ")));

    insert(7, 4, "if (open) "); // not what ran any more
    EXPECT_TRUE(editor->ask("codeAction/resolve", action).contains("error"));
    EXPECT_THAT(titles(actions(7)), Not(Contains(HasSubstr("Hold"))));
}

TEST_F(FixesTest, a_fix_that_brings_a_deadlock_says_so) {
    shown(kNestedRun);
    const Json action = titled(actions(5), "Hold");
    ASSERT_FALSE(action.is_null());
    EXPECT_EQ(action["title"], "Hold 'mu' here: removes this race, but a deadlock becomes possible");
    EXPECT_FALSE(action.contains("isPreferred"));
}

// The run went around the loop five times and has one read: the recorder leaves out what comes again.
TEST_F(FixesTest, a_guard_over_a_loop_is_not_safe_because_the_run_tells_of_one_round) {
    const auto title = [&](std::string_view head, std::string_view more) {
        shown(std::string(more) +
                  "T0|fork(T1)|main@bank.cpp:20:5\nT0|fork(T2)|main@bank.cpp:21:5\nT0|fork(T3)|main@bank.cpp:"
                  "22:5\n"
                  "T1|acq(mu)|deposit@bank.cpp:12:37\nT1|w(total)|deposit@bank.cpp:13:11|=50\n"
                  "T1|rel(mu)|deposit@bank.cpp:14:1\nT2|w(total)|bonus@bank.cpp:6:11|=75\n"
                  "T2|atomic_load(level)|bonus@bank.cpp:8:23|=0 relaxed\n"
                  "T3|atomic_store(level)|set@bank.cpp:16:16|=1 relaxed\n",
              false,
              "#include <atomic>\n#include <mutex>\nstd::mutex mu;\nint total; std::atomic<int> level;\n"
              "void bonus() {\n    total += 25;\n" +
                  std::string(head) +
                  "        use(level.load());\n    }\n}\nvoid deposit() {\n"
                  "    std::lock_guard<std::mutex> lock(mu);\n    total += 50;\n}\n"
                  "void set() {\n    level.store(1);\n}\n");
        return titled(actions(5), "Hold")["title"].get<std::string>();
    };
    EXPECT_EQ(title("    for (int i = 0; i < 5; ++i) {\n", ""),
              "Hold 'mu' here: removes this race; an atomicity violation becomes possible");
    EXPECT_EQ(title("    if (open) {\n", "T0|w(open)|main@bank.cpp:19:5\n"), // another run, after the change
              "Hold 'mu' here: removes this race; no new deadlock");
}

TEST_F(FixesTest, a_comment_suppresses_what_it_names) {
    shown(kRun);
    const Json action = titled(actions(5), "Suppress here");
    ASSERT_FALSE(action.is_null());
    EXPECT_THAT(edits_of(action, uri), ElementsAre("5:16-5:16  // heddle: ignore race"));
    insert(5, 16, " // heddle: ignore race");
    editor->wait("textDocument/publishDiagnostics", none);
}

} // namespace
} // namespace heddle::service
