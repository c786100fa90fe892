#include "daemon/settings/settings.h"

#include "daemon/settings/json_value.h"
#include "daemon/settings/limits.h"
#include "daemon/settings/text_file.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::settings {

namespace {

using nlohmann::json;

constexpr std::uint64_t kMostMib = std::uint64_t{1} << 30U; // a pebibyte

template<typename T>
Result<void> put(Setting<T>& setting, Layer layer, Result<T> value) {
    if (!value) return tl::make_unexpected(std::move(value.error()));
    setting = {.value = std::move(*value), .from = layer};
    return {};
}

Result<Properties> read_properties(const json& value) {
    constexpr std::array<std::string_view, 3> kNames = {"race", "atomicity", "deadlock"};
    std::array<bool, kNames.size()> wanted{};
    const bool fits = value.is_array() && std::ranges::all_of(value, [&](const json& item) {
                          const Result<std::size_t> word = read_word(item, kNames);
                          if (word) wanted[*word] = true;
                          return word.has_value();
                      });
    if (!fits) return fail(fmt::format("must be a list of {}", fmt::join(kNames, ", ")));
    return Properties{.race = wanted[0], .atomicity = wanted[1], .deadlock = wanted[2]};
}

Result<std::vector<PathMapping>> read_path_mappings(const json& value) {
    std::vector<PathMapping> mappings;
    const bool fits =
        value.is_array() && value.size() <= kLimits.list_items &&
        std::ranges::all_of(value, [&](const json& item) {
            if (!item.is_object() || item.size() != 2 || !item.contains("from") || !item.contains("to"))
                return false;
            auto from = read_text(item["from"], "a path");
            auto to = read_text(item["to"], "a path");
            if (from && to) mappings.push_back({.from = std::move(*from), .to = std::move(*to)});
            return from && to;
        });
    if (!fits) return fail(R"(must be a list of {"from": path, "to": path})");
    return mappings;
}

Result<std::vector<std::string>> read_command(const json& value) {
    const std::string_view expected =
        "must be a line for the shell, or a list of a program and its arguments";
    if (value.is_array()) {
        // Arguments may be empty, unlike the program.
        const bool texts =
            !value.empty() && value.size() <= kLimits.list_items &&
            std::ranges::all_of(value, [](const json& item) {
                return item.is_string() && item.get_ref<const std::string&>().find('\0') == std::string::npos;
            });
        if (!texts || value[0].get_ref<const std::string&>().empty()) return fail(std::string(expected));
        return value.get<std::vector<std::string>>();
    }
    const Result<std::string> line = read_text(value, "a line");
    if (!line) return fail(std::string(expected));
    return std::vector<std::string>{"/bin/sh", "-c", *line};
}

Result<LogLevel> read_log_level(const json& value) {
    constexpr std::array<std::string_view, 6> kNames = {"trace", "debug", "info", "warning", "error", "off"};
    return read_word(value, kNames).map([](std::size_t at) { return static_cast<LogLevel>(at); });
}

/// One key and how its value is taken.
struct Key {
    std::string_view name;
    Result<void> (*take)(Settings&, Layer, const json&);
};

constexpr std::array<Key, 16> kKeys = {{
    {"cache", [](Settings& s, Layer from, const json& v) { return put(s.cache, from, read_bool(v)); }},
    {"cacheLimit", [](Settings& s, Layer from,
                      const json& v) { return put(s.cache_limit_mib, from, read_count(v, 0, kMostMib)); }},
    {"debugFolders", [](Settings& s, Layer from,
                        const json& v) { return put(s.debug_folders, from, read_texts(v, "folders")); }},
    {"logLevel",
     [](Settings& s, Layer from, const json& v) { return put(s.log_level, from, read_log_level(v)); }},
    {"maxFindings", [](Settings& s, Layer from,
                       const json& v) { return put(s.max_findings, from, read_count(v, 1, 1'000'000)); }},
    {"inferTransactions",
     [](Settings& s, Layer from, const json& v) { return put(s.infer_transactions, from, read_bool(v)); }},
    {"memoryLimit", [](Settings& s, Layer from,
                       const json& v) { return put(s.memory_limit_mib, from, read_count(v, 64, kMostMib)); }},
    {"pathMappings", [](Settings& s, Layer from,
                        const json& v) { return put(s.path_mappings, from, read_path_mappings(v)); }},
    {"properties",
     [](Settings& s, Layer from, const json& v) { return put(s.properties, from, read_properties(v)); }},
    {"runOnSave",
     [](Settings& s, Layer from, const json& v) { return put(s.run_on_save, from, read_bool(v)); }},
    {"showPossible",
     [](Settings& s, Layer from, const json& v) { return put(s.show_possible, from, read_bool(v)); }},
    {"suppressions",
     [](Settings& s, Layer from, const json& v) {
         return put(s.suppressions, from, read_text(v, "the path of a file"));
     }},
    {"testCommand",
     [](Settings& s, Layer from, const json& v) { return put(s.test_command, from, read_command(v)); }},
    {"testFolder",
     [](Settings& s, Layer from, const json& v) {
         return put(s.test_folder, from, read_text(v, "the path of a folder"));
     }},
    {"traces",
     [](Settings& s, Layer from, const json& v) { return put(s.traces, from, read_texts(v, "folders")); }},
    {"witnessBudget", [](Settings& s, Layer from,
                         const json& v) { return put(s.witness_budget, from, read_number(v, 0.001, 1000)); }},
}};

std::string unknown_key(const std::string& name) {
    const auto same = [&](const Key& key) {
        return std::ranges::equal(key.name, name, [](char a, char b) { return (a | 0x20) == (b | 0x20); });
    };
    const auto* const meant = std::ranges::find_if(kKeys, same);
    const std::string hint =
        meant != kKeys.end() ? fmt::format("; heddle.{} is", meant->name) : std::string();
    // A name from a hostile file may be anything: as it is quoted, without the quotes.
    std::string shown = quoted(json(name)).substr(1);
    if (shown.ends_with('"')) shown.pop_back();
    return fmt::format("heddle.{}: is not a setting{}", shown, hint);
}

/// Of "[json.exception.parse_error.101] parse error at line 1, column 2: …; last read: …" what a person
/// needs. What was read last may be no text at all.
std::string_view parse_problem(std::string_view what) {
    what = what.substr(0, what.find("; last read"));
    const std::size_t number_end = what.find("] ");
    return number_end == std::string_view::npos ? what : what.substr(number_end + 2);
}

} // namespace

Problems apply(Settings& settings, Layer layer, const json& object) {
    if (object.is_null()) return {};
    if (!object.is_object()) return {fmt::format("heddle: must be an object, not {}", quoted(object))};
    Problems problems;
    std::size_t untold = 0;
    for (const auto& [name, value] : object.items()) {
        if (value.is_null()) continue; // how editors say that nothing is set
        const auto* const key = std::ranges::find(kKeys, name, &Key::name);
        std::string problem;
        if (key == kKeys.end()) {
            problem = unknown_key(name);
        } else if (const Result<void> taken = key->take(settings, layer, value); !taken) {
            problem = fmt::format("heddle.{}: {}, not {}", name, taken.error().message, quoted(value));
        }
        if (problem.empty()) continue;
        if (problems.size() < kLimits.problems) {
            problems.push_back(std::move(problem));
        } else {
            ++untold;
        }
    }
    if (untold > 0) problems.push_back(fmt::format("heddle: {} more problems of this kind", untold));
    return problems;
}

Problems apply_text(Settings& settings, Layer layer, std::string_view text, std::string_view source) {
    if (text.size() > kLimits.config_bytes)
        return {
            fmt::format("{}: is larger than {} KiB, and so not read", source, kLimits.config_bytes / 1024)};
    bool too_deep = false;
    const auto shallow = [&](int depth, json::parse_event_t, json&) {
        if (static_cast<std::size_t>(depth) > kLimits.config_depth) too_deep = true;
        return !too_deep;
    };
    json object;
    try {
        object = json::parse(text, shallow, true, true);
    } catch (const json::exception& error) {
        return {fmt::format("{}: {}", source, parse_problem(error.what()))};
    }
    if (too_deep)
        return {
            fmt::format("{}: is nested more than {} deep, and so not read", source, kLimits.config_depth)};
    Problems problems = apply(settings, layer, object);
    for (std::string& problem : problems) problem = fmt::format("{}: {}", source, problem);
    return problems;
}

Problems apply_file(Settings& settings, Layer layer, const std::string& path) {
    const auto text = read_text_file(path, kLimits.config_bytes);
    if (!text) return {text.error().message};
    return *text ? apply_text(settings, layer, **text, path) : Problems{};
}

} // namespace heddle::settings
