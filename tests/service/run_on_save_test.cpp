// Saving a file runs tests only where the person's own settings ask for it.
#include "daemon/settings/settings.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace heddle::settings {
namespace {

Settings with(const nlohmann::json& workspace, const nlohmann::json& editor) {
    Settings settings;
    EXPECT_TRUE(apply(settings, Layer::workspace_file, workspace).empty());
    EXPECT_TRUE(apply(settings, Layer::editor, editor).empty());
    return settings;
}

TEST(RunOnSave, is_for_the_person_to_ask_for) {
    const nlohmann::json command = {{"testCommand", "make check"}};
    const nlohmann::json both = {{"testCommand", "make check"}, {"runOnSave", true}};
    EXPECT_TRUE(with(nullptr, both).runs_on_save());
    EXPECT_FALSE(with(nullptr, command).runs_on_save());
    EXPECT_FALSE(with(both, nullptr).runs_on_save()) << "the workspace may come from anywhere";
    EXPECT_FALSE(with(both, command).runs_on_save()) << "it was the workspace's wish";
    EXPECT_FALSE(with(command, {{"runOnSave", true}}).runs_on_save()) << "nobody agreed to that command";
    EXPECT_FALSE(with(nullptr, {{"runOnSave", true}}).runs_on_save()) << "there is nothing to run";
}

} // namespace
} // namespace heddle::settings
