// What a user sets, layer over layer, and what is said about mistakes.
#include "daemon/settings/settings.h"
#include "test_files.h"

#include <fstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

namespace heddle::settings {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;
using testing::UnorderedElementsAre;

/// The problems of one layer that says just this.
Problems problems_of(const char* text) {
    Settings settings;
    return apply(settings, Layer::editor, json::parse(text));
}

TEST(Settings, every_key_can_be_set) {
    Settings settings;
    EXPECT_THAT(apply(settings, Layer::editor, json::parse(R"({
        "traces": ["a", "b"], "properties": ["race", "deadlock"], "witnessBudget": 2.5, "maxFindings": 7,
        "suppressions": "s", "debugFolders": ["d"], "pathMappings": [{"from": "/build", "to": "/home/me"}],
        "testCommand": ["ctest", "-j2", ""], "testFolder": "build", "memoryLimit": 100, "cacheLimit": 0, "cache": false,
        "logLevel": "warning", "showPossible": false, "inferTransactions": false})")),
                IsEmpty());
    EXPECT_THAT(settings.traces.value, ElementsAre("a", "b"));
    EXPECT_EQ(settings.properties.value, (Properties{.race = true, .atomicity = false, .deadlock = true}));
    EXPECT_EQ(settings.witness_budget.value, 2.5);
    EXPECT_EQ(settings.max_findings.value, 7U);
    EXPECT_EQ(settings.suppressions.value, "s");
    EXPECT_THAT(settings.debug_folders.value, ElementsAre("d"));
    EXPECT_THAT(settings.path_mappings.value, ElementsAre(PathMapping{.from = "/build", .to = "/home/me"}));
    EXPECT_THAT(settings.test_command.value, ElementsAre("ctest", "-j2", ""));
    EXPECT_EQ(settings.test_folder.value, "build");
    EXPECT_EQ(settings.memory_limit_mib.value, 100U);
    EXPECT_EQ(settings.cache_limit_mib.value, 0U);
    EXPECT_FALSE(settings.cache.value);
    EXPECT_EQ(settings.log_level.value, LogLevel::warning);
    EXPECT_FALSE(settings.show_possible.value);
    EXPECT_FALSE(settings.infer_transactions.value);
}

TEST(Settings, later_layers_win_where_they_say_something) {
    Settings settings;
    EXPECT_EQ(settings.max_findings.value, 500U);
    EXPECT_EQ(settings.max_findings.from, Layer::defaults);
    EXPECT_THAT(apply(settings, Layer::workspace_file, {{"maxFindings", 1}, {"cache", false}}), IsEmpty());
    EXPECT_THAT(apply(settings, Layer::editor, {{"maxFindings", 2}, {"cache", nullptr}}), IsEmpty());
    EXPECT_THAT(apply(settings, Layer::command_line, nullptr), IsEmpty());
    EXPECT_EQ(settings.max_findings.value, 2U);
    EXPECT_EQ(settings.max_findings.from, Layer::editor);
    EXPECT_FALSE(settings.cache.value);
    EXPECT_EQ(settings.cache.from, Layer::workspace_file);
    EXPECT_EQ(settings.witness_budget.from, Layer::defaults);
}

TEST(Settings, a_command_of_the_workspace_alone_needs_consent) {
    Settings settings;
    EXPECT_FALSE(settings.test_command_needs_consent()) << "there is none";
    EXPECT_THAT(apply(settings, Layer::workspace_file, {{"testCommand", "make test"}}), IsEmpty());
    EXPECT_THAT(settings.test_command.value, ElementsAre("/bin/sh", "-c", "make test"));
    EXPECT_TRUE(settings.test_command_needs_consent());
    EXPECT_THAT(apply(settings, Layer::editor, {{"testCommand", "make test"}}), IsEmpty());
    EXPECT_FALSE(settings.test_command_needs_consent());
}

TEST(Settings, a_mistake_is_named_and_the_rest_counts) {
    Settings settings;
    const Problems problems =
        apply(settings, Layer::editor,
              {{"witnessBudget", "much"}, {"maxFindings", 3}, {"frobnicate", true}, {"MaxFindings", 4}});
    EXPECT_THAT(problems, UnorderedElementsAre(
                              "heddle.witnessBudget: must be a number between 0.001 and 1000, not \"much\"",
                              "heddle.frobnicate: is not a setting",
                              "heddle.MaxFindings: is not a setting; heddle.maxFindings is"));
    EXPECT_EQ(settings.witness_budget.value, 1.0);
    EXPECT_EQ(settings.witness_budget.from, Layer::defaults);
    EXPECT_EQ(settings.max_findings.value, 3U);
}

TEST(Settings, values_out_of_range_or_of_another_type_are_mistakes) {
    for (const char* wrong : {R"({"traces": "folder"})",
                              R"({"traces": [1]})",
                              R"({"traces": [""]})",
                              R"({"traces": ["a\u0000b"]})",
                              R"({"properties": ["races"]})",
                              R"({"properties": {}})",
                              R"({"witnessBudget": 0})",
                              R"({"witnessBudget": 1001})",
                              R"({"witnessBudget": true})",
                              R"({"maxFindings": 0})",
                              R"({"maxFindings": 1.5})",
                              R"({"maxFindings": -1})",
                              R"({"maxFindings": 1e300})",
                              R"({"suppressions": ""})",
                              R"({"debugFolders": [null]})",
                              R"({"pathMappings": [{"from": "a"}]})",
                              R"({"pathMappings": [{"from": "a", "to": "b", "via": "c"}]})",
                              R"({"pathMappings": ["a"]})",
                              R"({"testCommand": []})",
                              R"({"testCommand": [""]})",
                              R"({"testCommand": ["a", 1]})",
                              R"({"testCommand": ""})",
                              R"({"testCommand": 7})",
                              R"({"testFolder": []})",
                              R"({"memoryLimit": 63})",
                              R"({"cacheLimit": "big"})",
                              R"({"cache": 1})",
                              R"({"logLevel": "loud"})",
                              R"({"logLevel": 3})",
                              R"({"showPossible": "yes"})"}) {
        const std::string key = "heddle." + json::parse(wrong).begin().key() + ": must be ";
        EXPECT_THAT(problems_of(wrong), ElementsAre(StartsWith(key))) << wrong;
    }
    EXPECT_THAT(problems_of(R"({"maxFindings": 2e3})"), IsEmpty()) << "a whole number in another notation";
    EXPECT_THAT(problems_of(R"([])"), ElementsAre("heddle: must be an object, not []"));
}

TEST(Settings, text_may_have_comments) {
    Settings settings;
    EXPECT_THAT(
        apply_text(settings, Layer::workspace_file, "// ours\n{ /* all */ \"cache\": false }\n", "c.json"),
        IsEmpty());
    EXPECT_FALSE(settings.cache.value);
}

TEST(Settings, text_that_is_no_json_is_one_problem_with_its_place) {
    Settings settings;
    EXPECT_THAT(apply_text(settings, Layer::workspace_file, "{\"cache\": false,\n oops}", "c.json"),
                ElementsAre(AllOf(StartsWith("c.json: parse error at line 2"), HasSubstr("column"))));
    EXPECT_TRUE(settings.cache.value);
    EXPECT_THAT(apply_text(settings, Layer::workspace_file, "", "c.json"), SizeIs(1));
    EXPECT_THAT(apply_text(settings, Layer::workspace_file, "{\"cache\": \"\xff\"}", "c.json"),
                ElementsAre(testing::Not(HasSubstr("\xff"))))
        << "a problem is text, whatever the file is";
}

TEST(Settings, hostile_text_is_one_problem) {
    Settings settings;
    const auto problems = [&](const std::string& text) {
        return apply_text(settings, Layer::workspace_file, text, "c.json");
    };
    const std::string deep = "{\"traces\": " + std::string(200'000, '[') + std::string(200'000, ']') + "}";
    EXPECT_THAT(problems(deep), ElementsAre("c.json: is nested more than 32 deep, and so not read"));
    EXPECT_THAT(problems(std::string(400'000, '[')), SizeIs(1));
    EXPECT_THAT(problems(std::string(2U << 20U, ' ')),
                ElementsAre("c.json: is larger than 1024 KiB, and so not read"));
    EXPECT_THAT(problems("{\"witnessBudget\": 1e999}"), SizeIs(1));
    std::string many = "{";
    for (int i = 0; i < 10'000; ++i) many += "\"k" + std::to_string(i) + "\":0,";
    many.back() = '}';
    EXPECT_THAT(problems(many), AllOf(SizeIs(51), testing::Contains(HasSubstr("9950 more problems"))));
    EXPECT_THAT(problems("{\"" + std::string(100'000, 'k') + "\": 1}"),
                ElementsAre(SizeIs(testing::Lt(200U))));
    EXPECT_THAT(problems("{\"cache\": \"" + std::string(100'000, 'v') + "\"}"),
                ElementsAre(SizeIs(testing::Lt(200U))));
}

TEST(Settings, a_file_may_be_absent_but_not_something_else) {
    const test::TemporaryFolder folder;
    Settings settings;
    const auto problems = [&](const std::string& name) {
        return apply_file(settings, Layer::workspace_file, folder.file(name));
    };
    EXPECT_THAT(problems("none.json"), IsEmpty());
    ASSERT_EQ(mkfifo(folder.file("pipe").c_str(), 0600), 0);
    EXPECT_THAT(problems("pipe"), ElementsAre(HasSubstr("pipe: is not a file")));
    EXPECT_THAT(problems(""), ElementsAre(HasSubstr("is not a file")));
    std::ofstream(folder.file("config.json")) << R"({"maxFindings": 3, "cache": 0})";
    EXPECT_THAT(problems("config.json"),
                ElementsAre(AllOf(StartsWith(folder.file("config.json")),
                                  HasSubstr("heddle.cache: must be true or false, not 0"))));
    EXPECT_EQ(settings.max_findings.value, 3U);
}

} // namespace
} // namespace heddle::settings
