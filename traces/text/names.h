// The objects of a text trace by the words that its lines call them. The word is the object's name,
// unless an `#! object` directive gives it another: two locks may be named "mu", their words differ.
#pragma once

#include "traces/hash.h"
#include "traces/hash_index.h"
#include "traces/string_table.h"
#include "traces/trace_builder.h"

#include <array>
#include <cstring>
#include <string_view>
#include <vector>

namespace heddle::text {

class NameTable {
  public:
    explicit NameTable(TraceBuilder& builder) : builder_(builder) {}

    /// The object that `word` stands for, HashIndex::kAbsent when there is none.
    [[nodiscard]] std::uint32_t find(ObjectKind kind, std::string_view word) const {
        return find(kind, word, hash_of(word));
    }
    /// The same; made, with the word as its name, when there is none.
    [[nodiscard]] std::uint32_t find_or_add(ObjectKind kind, std::string_view word) {
        const std::uint64_t key = short_key(word);
        Recent& recent = words_[static_cast<std::size_t>(kind)].recent[slot_of(key)];
        if (recent.key == key && recent.length == word.size()) return recent.id;
        const std::uint32_t id = find_or_add_slowly(kind, word);
        if (word.size() <= kShort && !word.empty()) {
            recent = {key, static_cast<std::uint32_t>(word.size()), id};
        }
        return id;
    }
    /// A new object whose name is not its word.
    std::uint32_t add_renamed(ObjectKind kind, std::string_view word, std::string_view name) {
        const std::string_view kept = other_words_[other_words_.intern(word)];
        return add(kind, kept, hash_of(word), builder_.string(name));
    }

  private:
    static constexpr std::size_t kShort = 8;
    static constexpr std::size_t kRecent = 512;

    /// The object that a short word was last found to be. Word and length are compared in full, so that
    /// the usual case needs no memory beyond this.
    struct Recent {
        std::uint64_t key = 0;
        std::uint32_t length = 0xFFFF'FFFF; ///< of no word
        std::uint32_t id = 0;
    };
    struct Words {
        HashIndex index;
        std::vector<std::string_view> by_object;
        std::array<Recent, kRecent> recent{};
    };

    /// All characters of a word of 1 to 8 characters; of others, something.
    [[nodiscard]] static std::uint64_t short_key(std::string_view word) {
        const auto bytes = [](const char* from, auto number) {
            std::memcpy(&number, from, sizeof number);
            return static_cast<std::uint64_t>(number);
        };
        const char* const start = word.data();
        if (word.size() > kShort || word.empty()) return 0;
        const char* const end = start + word.size();
        if (word.size() >= 4) return bytes(start, std::uint32_t{}) | bytes(end - 4, std::uint32_t{}) << 32U;
        if (word.size() >= 2) return bytes(start, std::uint16_t{}) | bytes(end - 2, std::uint16_t{}) << 32U;
        return bytes(start, std::uint8_t{});
    }
    [[nodiscard]] static std::size_t slot_of(std::uint64_t key) {
        return (key * 0x9E37'79B9'7F4A'7C15U) >> 55U;
    }
    static_assert(kRecent == std::size_t{1} << (64U - 55U));

    [[nodiscard]] std::uint32_t find_or_add_slowly(ObjectKind kind, std::string_view word) {
        const std::uint64_t hash = hash_of(word);
        const std::uint32_t found = find(kind, word, hash);
        if (found != HashIndex::kAbsent) return found;
        const StringId name = builder_.string(word);
        return add(kind, builder_.text(name), hash, name);
    }
    [[nodiscard]] std::uint32_t find(ObjectKind kind, std::string_view word, std::uint64_t hash) const {
        const Words& words = words_[static_cast<std::size_t>(kind)];
        return words.index.find(hash, [&](std::uint32_t id) { return words.by_object[id] == word; });
    }
    std::uint32_t add(ObjectKind kind, std::string_view word, std::uint64_t hash, StringId name) {
        Words& words = words_[static_cast<std::size_t>(kind)];
        const std::uint32_t id = builder_.add_object(kind, Object{.name = name});
        words.by_object.push_back(word);
        words.index.insert(hash, id);
        return id;
    }

    TraceBuilder& builder_;
    std::array<Words, kObjectKinds> words_;
    StringTable other_words_;
};

} // namespace heddle::text
