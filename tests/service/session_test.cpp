// Conversations with the daemon, as editors have them.
#include "daemon/service/commands.h"
#include "editor.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::service {
namespace {

using testing::HasSubstr;

TEST_F(SessionTest, from_a_run_to_a_diagnostic_to_its_witness_to_the_correction) {
    Editor editor(loop, hub);
    const Json hello = editor.initialize(root, kPush);
    EXPECT_EQ(hello["capabilities"]["positionEncoding"], "utf-16");
    EXPECT_EQ(hello["serverInfo"]["name"], "heddle");
    editor.tell(
        "textDocument/didOpen",
        {{"textDocument", {{"uri", uri}, {"languageId", "cpp"}, {"version", 1}, {"text", test::kSource}}}});

    test::write_file(trace, test::kRacy);
    const Json told = editor.wait("textDocument/publishDiagnostics", settled)["params"];
    EXPECT_EQ(told["uri"], uri);
    std::set<int> lines;
    for (const Json& one : told["diagnostics"]) {
        EXPECT_EQ(one["source"], "heddle");
        EXPECT_EQ(one["severity"], 1);
        EXPECT_EQ(one["code"], "race");
        EXPECT_THAT(one["message"].get<std::string>(), HasSubstr("Data race on 'total'"));
        EXPECT_FALSE(one["relatedInformation"].empty());
        lines.insert(one["range"]["start"]["line"].get<int>());
    }
    EXPECT_THAT(lines, testing::ElementsAre(2, 7)) << "both ends of the race are marked";

    const Json position = told["diagnostics"][0]["range"]["start"];
    const Json hover =
        editor.ask("textDocument/hover", {{"textDocument", {{"uri", uri}}}, {"position", position}});
    EXPECT_EQ(hover["result"]["contents"]["kind"], "markdown");
    EXPECT_THAT(hover["result"]["contents"]["value"].get<std::string>(),
                testing::AllOf(HasSubstr("| T"), HasSubstr("witnessed")));

    const Json commands =
        editor.ask("textDocument/codeAction", {{"textDocument", {{"uri", uri}}},
                                               {"range", told["diagnostics"][0]["range"]},
                                               {"context", {{"diagnostics", Json::array()}}}});
    ASSERT_FALSE(commands["result"].empty());
    EXPECT_EQ(commands["result"][0]["command"], kShowWitness);
    const Json witness = editor.ask("workspace/executeCommand", commands["result"][0]);
    EXPECT_TRUE(witness["result"].contains("witness")) << witness;
    editor.wait("window/showMessage"); // it cannot show documents

    test::write_file(trace, test::kCorrect);
    EXPECT_EQ(editor.wait("textDocument/publishDiagnostics", none)["params"]["uri"], uri);
    EXPECT_TRUE(
        editor.ask("textDocument/hover", {{"textDocument", {{"uri", uri}}}, {"position", position}})["result"]
            .is_null());
}

TEST_F(SessionTest, a_client_without_related_information_reads_the_schedule_in_the_message) {
    test::write_file(trace, test::kRacy);
    Editor editor(loop, hub);
    editor.initialize(root, Json::object());
    const Json told = editor.wait("textDocument/publishDiagnostics", settled)["params"];
    EXPECT_FALSE(told["diagnostics"][0].contains("relatedInformation"));
    EXPECT_THAT(told["diagnostics"][0]["message"].get<std::string>(), HasSubstr("\n1/"));
    const Json hover =
        editor.ask("textDocument/hover", {{"textDocument", {{"uri", uri}}},
                                          {"position", told["diagnostics"][0]["range"]["start"]}});
    EXPECT_EQ(hover["result"]["contents"]["kind"], "plaintext");
}

TEST_F(SessionTest, columns_are_in_the_encoding_that_was_agreed_on) {
    const std::string text = "int x;\r\n/*😀ä*/ x = 1;\r\n";
    test::write_file(source, text);
    test::write_file(
        trace,
        "T0|fork(T1)|main@bank.cpp:1:1\nT0|w(x)|main@bank.cpp:2:12|=1\nT1|w(x)|run@bank.cpp:2:12|=1\n");
    const std::map<std::string, int> starts = {{"utf-8", 11}, {"utf-16", 8}, {"utf-32", 7}};
    for (const auto& [encoding, column] : starts) {
        Editor editor(loop, hub);
        Json client = kPush;
        client["general"]["positionEncodings"] = {encoding};
        EXPECT_EQ(editor.initialize(root, client)["capabilities"]["positionEncoding"], encoding);
        const Json told = editor.wait("textDocument/publishDiagnostics", settled)["params"]["diagnostics"];
        ASSERT_EQ(told.size(), 1U) << "two accesses at one place are one mark";
        EXPECT_EQ(told[0]["range"]["start"], Json({{"line", 1}, {"character", column}})) << encoding;
        EXPECT_EQ(told[0]["range"]["end"], Json({{"line", 1}, {"character", column + 1}})) << encoding;
    }
}

TEST_F(SessionTest, a_client_that_asks_for_diagnostics_is_told_when_to_ask_again) {
    Editor editor(loop, hub);
    const Json client = {{"textDocument", {{"diagnostic", Json::object()}}},
                         {"workspace", {{"diagnostics", {{"refreshSupport", true}}}}}};
    EXPECT_TRUE(editor.initialize(root, client)["capabilities"].contains("diagnosticProvider"));
    test::write_file(trace, test::kRacy);
    editor.answer(editor.wait("workspace/diagnostic/refresh"), nullptr);
    const Json all =
        editor.ask("workspace/diagnostic", {{"previousResultIds", Json::array()}})["result"]["items"];
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0]["kind"], "full");
    const Json again =
        editor.ask("textDocument/diagnostic",
                   {{"textDocument", {{"uri", uri}}}, {"previousResultId", all[0]["resultId"]}})["result"];
    EXPECT_EQ(again["kind"], "unchanged");
}

TEST_F(SessionTest, what_is_suppressed_is_not_shown_and_stays_in_the_file) {
    test::write_file(trace, test::kRacy);
    Editor editor(loop, hub);
    editor.initialize(root, kPush);
    const Json told = editor.wait("textDocument/publishDiagnostics", settled)["params"]["diagnostics"];
    for (const Json& one : told)
        editor.ask("workspace/executeCommand",
                   {{"command", kSuppress}, {"arguments", {{{"bug", one["data"]["bug"]}}}}});
    editor.wait("textDocument/publishDiagnostics", none);
    std::ifstream file(root + "/.heddle/suppressions");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_THAT(text, HasSubstr("race:"));
}

TEST_F(SessionTest, settings_that_are_wrong_are_named_and_the_rest_counts) {
    test::write_file(root + "/.heddle/config.json", R"({"witnessBudget": "much", "showPossible": false})");
    test::write_file(trace, test::kRacy);
    Editor editor(loop, hub);
    editor.initialize(root, kPush);
    EXPECT_THAT(editor.wait("window/showMessage")["params"]["message"].get<std::string>(),
                HasSubstr("witnessBudget"));
    editor.wait("textDocument/publishDiagnostics", some);
}

TEST_F(SessionTest, tests_of_the_workspaces_own_file_run_only_when_the_person_agrees) {
    test::write_file(root + "/.heddle/config.json", R"({"testCommand": ["/bin/sh", "-c", "touch ran"]})");
    Editor editor(loop, hub);
    Json client = kPush;
    client["window"]["showMessage"] = Json::object();
    editor.initialize(root, client);
    const int asked = editor.send("workspace/executeCommand", {{"command", kRecordTests}});
    const Json question = editor.wait("window/showMessageRequest");
    EXPECT_THAT(question["params"]["message"].get<std::string>(), HasSubstr("touch ran"));
    editor.answer(question, {{"title", "Do not run"}});
    EXPECT_EQ(lsp::test::error_code(editor.answer_to(asked)),
              lsp::test::code(lsp::ErrorCode::request_failed));
    EXPECT_FALSE(std::filesystem::exists(root + "/ran"));
}

TEST_F(SessionTest, one_client_that_dies_disturbs_no_other) {
    Editor first(loop, hub);
    Editor second(loop, hub);
    first.initialize(root, kPush);
    second.initialize(root, kPush);
    EXPECT_EQ(hub.clients, 2U);
    first.hang_up();
    EXPECT_TRUE(lsp::test::run_until(loop, [&] { return first.over(); }));
    test::write_file(trace, test::kRacy);
    second.wait("textDocument/publishDiagnostics", some);
    const Json status = second.ask("workspace/executeCommand", {{"command", kStatus}})["result"];
    EXPECT_EQ(status["clients"], 1);
    ASSERT_EQ(status["workspaces"].size(), 1U);
    EXPECT_GT(status["workspaces"][0]["races"], 0);
}

TEST_F(SessionTest, a_folder_that_is_closed_takes_its_diagnostics_along) {
    test::write_file(trace, test::kRacy);
    Editor editor(loop, hub);
    editor.initialize(root, kPush);
    editor.wait("textDocument/publishDiagnostics", some);
    editor.tell(
        "workspace/didChangeWorkspaceFolders",
        {{"event",
          {{"added", Json::array()}, {"removed", {{{"uri", "file://" + root}, {"name", "project"}}}}}}});
    editor.wait("textDocument/publishDiagnostics", none);
}

TEST_F(SessionTest, a_source_that_vanished_has_no_marks_and_no_trouble) {
    std::filesystem::remove(source);
    test::write_file(trace, test::kRacy);
    Editor editor(loop, hub);
    editor.initialize(root, kPush);
    const Json status = [&] {
        Json result;
        do {
            result = editor.ask("workspace/executeCommand", {{"command", kStatus}})["result"];
        } while (result["workspaces"][0]["races"] == 0);
        return result;
    }();
    EXPECT_GT(status["workspaces"][0]["races"], 0);
    EXPECT_TRUE(editor
                    .ask("textDocument/hover", {{"textDocument", {{"uri", uri}}},
                                                {"position", {{"line", 2}, {"character", 5}}}})["result"]
                    .is_null());
}

} // namespace
} // namespace heddle::service
