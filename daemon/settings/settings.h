// What a user can set, and where each value comes from (docs/configuration.md).
//
// Four layers, each over the one before: defaults, the workspace's .heddle/config.json, the editor's settings
// (section `heddle`), the command line. A layer says only what it wants to change. What is wrong in one is
// told, with the key's full name, and the rest of the layer counts: a typing mistake never switches
// everything off.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace heddle::settings {

enum class Layer : std::uint8_t { defaults, workspace_file, editor, command_line };

template<typename T>
struct Setting {
    T value;
    Layer from = Layer::defaults;
};

struct Properties {
    bool race = true;
    bool atomicity = true;
    bool deadlock = true;

    friend bool operator==(const Properties&, const Properties&) = default;
};

/// Source files that were compiled at `from` are now at `to`.
struct PathMapping {
    std::string from;
    std::string to;

    friend bool operator==(const PathMapping&, const PathMapping&) = default;
};

enum class LogLevel : std::uint8_t { trace, debug, info, warning, error, off };

/// Paths are as the user wrote them; relative ones begin at the workspace's folder.
struct Settings {
    Setting<std::vector<std::string>> traces{{".heddle/traces"}};
    Setting<Properties> properties{};
    Setting<double> witness_budget{1.0};
    Setting<std::uint64_t> max_findings{500}; ///< shown of one trace
    Setting<std::string> suppressions{".heddle/suppressions"};
    Setting<std::vector<std::string>> debug_folders{};
    Setting<std::vector<PathMapping>> path_mappings{};
    /// A program and its arguments; a line of shell is {"/bin/sh", "-c", line}. Empty: not set.
    Setting<std::vector<std::string>> test_command{};
    Setting<std::string> test_folder{"."}; ///< where test_command runs
    Setting<bool> run_on_save{false};      ///< run test_command when a source file is saved
    Setting<std::uint64_t> memory_limit_mib{2048};
    Setting<std::uint64_t> cache_limit_mib{256};
    Setting<bool> cache{true};
    Setting<LogLevel> log_level{LogLevel::info};
    Setting<bool> show_possible{true};
    Setting<bool> infer_transactions{true};

    /// A workspace may come from anywhere. A command that only its own file names runs when the user has
    /// agreed to it.
    [[nodiscard]] bool test_command_needs_consent() const {
        return test_command.from == Layer::workspace_file;
    }
    /// Nor does saving a file run anything because of it.
    [[nodiscard]] bool runs_on_save() const {
        return run_on_save.value && run_on_save.from != Layer::workspace_file &&
               !test_command.value.empty() && !test_command_needs_consent();
    }
};

/// Sentences such as: heddle.witnessBudget: must be a number between 0.001 and 1000, not "much"
using Problems = std::vector<std::string>;

/// Puts what `object` says over what there is. null says nothing.
[[nodiscard]] Problems apply(Settings& settings, Layer layer, const nlohmann::json& object);

/// The same for JSON text, in which comments are allowed. `source` names it in problems.
[[nodiscard]] Problems apply_text(Settings& settings, Layer layer, std::string_view text,
                                  std::string_view source);

/// The same for a file. One that does not exist says nothing.
[[nodiscard]] Problems apply_file(Settings& settings, Layer layer, const std::string& path);

} // namespace heddle::settings
