// What the dictionaries of all chunks of a file have said so far, as ids of the trace being built.
#pragma once

#include "traces/hash.h"
#include "traces/hash_index.h"
#include "traces/htr/contents.h"
#include "traces/htr/layout.h"
#include "traces/trace_builder.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::htr {

class FileTables {
  public:
    /// The ids of a page of keys; kNoTarget for those that nothing is known of yet.
    using Page = std::array<std::uint32_t, kKeysPerPage>;

    explicit FileTables(TraceBuilder& builder) : builder_(&builder) {}

    [[nodiscard]] TraceBuilder& builder() { return *builder_; }
    [[nodiscard]] Contents& contents() { return contents_; }

    /// Whether the file has more threads than a trace can hold, so that no new one can be added.
    [[nodiscard]] bool threads_full() const {
        return builder_->object_count(ObjectKind::thread) == EventHead::kMaxThreads;
    }

    /// Null: none of its objects is known.
    [[nodiscard]] const Page* page(ObjectKind kind, std::uint64_t number) const {
        const Pages& pages = pages_[index_of(kind)];
        const std::uint32_t row = pages.find(number);
        return row == HashIndex::kAbsent ? nullptr : &pages.ids[row];
    }
    [[nodiscard]] std::optional<std::uint32_t> find(ObjectKind kind, std::uint64_t key) const {
        const Page* ids = page(kind, key / kKeysPerPage);
        if (ids == nullptr || (*ids)[key % kKeysPerPage] == kNoTarget) return std::nullopt;
        return (*ids)[key % kKeysPerPage];
    }
    /// Adds an object whose key find() did not find.
    std::uint32_t add(ObjectKind kind, std::uint64_t key, const Object& object) {
        const std::uint32_t id = builder_->add_object(kind, object);
        if (kind == ObjectKind::variable) contents_.add_variable();
        pages_[index_of(kind)].made(key / kKeysPerPage)[key % kKeysPerPage] = id;
        return id;
    }

  private:
    struct Pages {
        HashIndex index;
        std::vector<std::uint64_t> numbers;
        std::vector<Page> ids;

        [[nodiscard]] std::uint32_t find(std::uint64_t number) const {
            // Who writes a whole trace numbers its objects from 0.
            if (number < numbers.size() && numbers[number] == number)
                return static_cast<std::uint32_t>(number);
            return index.find(hash_mix(0, number), [&](std::uint32_t row) { return numbers[row] == number; });
        }
        [[nodiscard]] Page& made(std::uint64_t number) {
            if (const std::uint32_t row = find(number); row != HashIndex::kAbsent) return ids[row];
            index.insert(hash_mix(0, number), static_cast<std::uint32_t>(ids.size()));
            numbers.push_back(number);
            ids.emplace_back().fill(kNoTarget);
            return ids.back();
        }
    };
    TraceBuilder* builder_;
    std::array<Pages, kObjectKinds> pages_;
    Contents contents_;
};

} // namespace heddle::htr
