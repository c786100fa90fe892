#include "traces/string_table.h"

#include "traces/hash.h"

#include <algorithm>
#include <cstring>

namespace heddle {

namespace {
constexpr std::size_t kArenaBlock = std::size_t{64} << 10U;
}

StringTable::StringTable() : arena_(std::make_shared<Arena>()) {
    strings_.push_back(std::string_view{});
    index_.insert(hash_of({}), 0);
}

StringId StringTable::intern(std::string_view text) {
    const std::uint64_t hash = hash_of(text);
    const std::uint32_t found = index_.find(hash, [&](std::uint32_t row) { return strings_[row] == text; });
    if (found != HashIndex::kAbsent) return StringId{found};
    const StringId id{strings_.size()};
    strings_.push_back(store(text));
    index_.insert(hash, id.value);
    return id;
}

std::string_view StringTable::store(std::string_view text) {
    if (arena_->capacity - arena_->used < text.size()) {
        arena_->capacity = std::max(kArenaBlock, text.size());
        arena_->blocks.push_back(std::make_unique_for_overwrite<char[]>(arena_->capacity));
        arena_->used = 0;
    }
    char* at = arena_->blocks.back().get() + arena_->used;
    std::memcpy(at, text.data(), text.size());
    arena_->used += text.size();
    return {at, text.size()};
}

} // namespace heddle
