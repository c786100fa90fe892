// What the dictionaries of all chunks of a file have said so far, as ids of the trace being built.
#pragma once

#include "traces/hash.h"
#include "traces/hash_index.h"
#include "traces/trace_builder.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::htr {

class FileTables {
  public:
    explicit FileTables(TraceBuilder& builder) : builder_(&builder) {}

    [[nodiscard]] TraceBuilder& builder() { return *builder_; }

    /// Whether the file has more threads than a trace can hold, so that no new one can be added.
    [[nodiscard]] bool threads_full() const {
        return keys_[static_cast<std::size_t>(ObjectKind::thread)].by_id.size() == EventHead::kMaxThreads;
    }

    [[nodiscard]] std::optional<std::uint32_t> find(ObjectKind kind, std::uint64_t key) const {
        const Keys& keys = keys_[static_cast<std::size_t>(kind)];
        // Who writes a whole trace takes ids for keys.
        if (key < keys.by_id.size() && keys.by_id[key] == key) return static_cast<std::uint32_t>(key);
        const std::uint32_t found =
            keys.index.find(hash_mix(0, key), [&](std::uint32_t row) { return keys.by_id[row] == key; });
        if (found == HashIndex::kAbsent) return std::nullopt;
        return found;
    }
    /// Adds an object whose key find() did not find.
    std::uint32_t add(ObjectKind kind, std::uint64_t key, const Object& object) {
        Keys& keys = keys_[static_cast<std::size_t>(kind)];
        const std::uint32_t id = builder_->add_object(kind, object);
        keys.by_id.push_back(key);
        keys.index.insert(hash_mix(0, key), id);
        return id;
    }

  private:
    struct Keys {
        HashIndex index;
        std::vector<std::uint64_t> by_id;
    };
    TraceBuilder* builder_;
    std::array<Keys, kObjectKinds> keys_;
};

} // namespace heddle::htr
