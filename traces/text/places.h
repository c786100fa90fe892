// From the place field of a line to the stack it means: frames, innermost first, joined by ` < `.
//
// A field seen before costs one hash lookup. What was seen is forgotten when there is much of it (a trace
// may give every event a place of its own), and when a directive changes what places mean.
#pragma once

#include "traces/hash.h"
#include "traces/hash_index.h"
#include "traces/string_table.h"
#include "traces/text/frame.h"
#include "traces/trace_builder.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heddle::text {

class PlaceTable {
  public:
    explicit PlaceTable(TraceBuilder& builder) : builder_(builder) {}

    /// The stack of a place field, which is not empty, trimmed and still escaped. Invalid when a frame
    /// is missing between two `<`.
    [[nodiscard]] StackId stack(std::string_view field) {
        const std::uint64_t hash = hash_of(field);
        const std::uint32_t row =
            index_.find(hash, [&](std::uint32_t at) { return known_[at].field == field; });
        return row != HashIndex::kAbsent ? known_[row].stack : add(field, hash);
    }

    /// What other tools write where they know no place: 0, or -1. Unless a place of this name is declared.
    [[nodiscard]] bool is_none(std::string_view field) const {
        return (field == "0" || field == "-1") && !declared_.contains(std::string(field));
    }

    void declare_module(std::string_view path, ModuleId id);
    /// From here on a frame that reads `word` is this place.
    void declare_place(std::string_view word, PlaceId id);

  private:
    struct Known {
        std::string_view field;
        StackId stack;
    };

    StackId add(std::string_view field, std::uint64_t hash);
    [[nodiscard]] StackId parse(std::string_view field);
    [[nodiscard]] PlaceId place(std::string_view escaped);
    void forget();

    TraceBuilder& builder_;
    ModulePaths modules_;
    std::unordered_map<std::string, PlaceId> declared_;

    HashIndex index_;
    std::vector<Known> known_;
    StringTable fields_;

    std::vector<std::string_view> frames_; ///< reused from call to call
    std::string unescaped_;
};

} // namespace heddle::text
