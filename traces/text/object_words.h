// What the lines of a written trace call its objects: a word for each that no other object of its kind
// has. The name, if it will do; `mu~2` for the second lock named mu; else the address, or `lock#3`.
#pragma once

#include "traces/hash_index.h"
#include "traces/trace.h"

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heddle::text {

class ObjectWords {
  public:
    /// `plain`: words hold only what other tools read; blanks, bars and the like become `_`.
    ObjectWords(const Trace& trace, bool plain);

    [[nodiscard]] std::string_view word(ObjectKind kind, std::uint32_t id) const {
        return table(kind).words[id].word;
    }
    /// The word with the escapes that a field needs.
    [[nodiscard]] std::string_view field(ObjectKind kind, std::uint32_t id) const {
        return table(kind).words[id].field;
    }
    /// How many objects have a word that is not their name.
    [[nodiscard]] std::size_t renamed(ObjectKind kind) const { return table(kind).renamed; }

  private:
    struct Word {
        std::string_view word;
        std::string_view field;
    };
    struct Table {
        std::vector<Word> words;
        HashIndex taken;
        std::size_t renamed = 0;
    };

    [[nodiscard]] const Table& table(ObjectKind kind) const {
        return tables_[static_cast<std::size_t>(kind)];
    }
    void choose(const Trace& trace, ObjectKind kind, bool plain);
    /// Makes `word` the object's, unless another has it.
    [[nodiscard]] bool take(Table& table, std::uint32_t id, std::string_view word);
    void take_numbered(Table& table, std::uint32_t id, std::string_view base,
                       std::unordered_map<std::string, std::uint32_t>& last_number);
    [[nodiscard]] std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }

    std::array<Table, kObjectKinds> tables_;
    std::deque<std::string> kept_; ///< words and fields that are no strings of the trace
};

} // namespace heddle::text
