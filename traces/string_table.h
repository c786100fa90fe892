// Interned strings. Number 0 is the empty string. Views of strings stay valid as long as the memory()
// handle or a snapshot's owner lives.
#pragma once

#include "traces/append_vector.h"
#include "traces/hash_index.h"
#include "traces/id.h"

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace heddle {

class StringTable {
  public:
    StringTable();

    [[nodiscard]] StringId intern(std::string_view text);
    [[nodiscard]] std::string_view operator[](StringId id) const { return strings_[id.value]; }
    [[nodiscard]] std::size_t size() const { return strings_.size(); }

    [[nodiscard]] AppendView<std::string_view> snapshot() const { return strings_.snapshot(); }
    [[nodiscard]] std::shared_ptr<const void> memory() const { return arena_; }

  private:
    struct Arena {
        std::vector<std::unique_ptr<char[]>> blocks;
        std::size_t used = 0;
        std::size_t capacity = 0;
    };

    [[nodiscard]] std::string_view store(std::string_view text);

    std::shared_ptr<Arena> arena_;
    AppendVector<std::string_view> strings_;
    HashIndex index_;
};

} // namespace heddle
