// One frame of a place in text: `[function@]file:line[:column]`, `[function@]module+0xOFFSET`,
// `[function@]file:line[:column]=module+0xOFFSET`, a word that an `#! place` directive declared, or any
// other text, which is a label.
//
// The reader parses frames; the writer renders them, and parses what it rendered to learn whether the
// frame survives. What would not is declared by a directive instead.
#pragma once

#include "traces/id.h"
#include "traces/tables.h"
#include "traces/trace.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace heddle::text {

/// A Place whose strings are not interned yet.
struct Frame {
    std::string_view label;
    std::string_view function;
    std::string_view file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    ModuleId module;
    std::uint64_t offset = 0;

    bool operator==(const Frame&) const = default;
};

/// Modules by path, as far as they were declared. Of several with one path the first is meant.
class ModulePaths {
  public:
    void add(std::string_view path, ModuleId id) { ids_.emplace(path, id); }
    /// Invalid when there is none.
    [[nodiscard]] ModuleId find(std::string_view path) const {
        const auto found = ids_.find(path);
        return found == ids_.end() ? ModuleId{} : found->second;
    }

  private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    std::unordered_map<std::string, ModuleId, Hash, std::equal_to<>> ids_;
};

/// Never fails: what is nothing else is a label. The result refers to `text`, which is not escaped.
[[nodiscard]] Frame parse_frame(std::string_view text, const ModulePaths& modules);

[[nodiscard]] Frame frame_of(const Trace& trace, const Place& place);
/// Appends the text of a frame, not escaped. parse_frame() tells whether it says it all.
void append_frame(std::string& out, const Frame& frame, const Trace& trace);

} // namespace heddle::text
