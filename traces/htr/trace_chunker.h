// Feeds the events and tables of a Trace to a ChunkEncoder, numbering locally what each chunk uses.
#pragma once

#include "traces/hash_index.h"
#include "traces/htr/chunk_encoder.h"
#include "traces/trace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::htr {

/// Local numbers of a table's rows in the current chunk. Starting a new chunk is O(1).
class LocalNumbers {
  public:
    void start_chunk() { ++chunk_; }
    [[nodiscard]] std::optional<std::uint32_t> find(std::uint32_t row) const {
        if (row >= numbers_.size() || numbers_[row].chunk != chunk_) return std::nullopt;
        return numbers_[row].number;
    }
    std::uint32_t set(std::uint32_t row, std::uint32_t number) {
        if (row >= numbers_.size()) numbers_.resize(std::max<std::size_t>(row + 1, numbers_.size() * 2));
        numbers_[row] = {chunk_, number};
        return number;
    }

  private:
    struct Entry {
        std::uint32_t chunk = 0;
        std::uint32_t number = 0;
    };
    std::vector<Entry> numbers_;
    std::uint32_t chunk_ = 1;
};

class TraceChunker {
  public:
    explicit TraceChunker(Trace trace) : trace_(std::move(trace)) {}

    void start_chunk(ChunkEncoder& encoder);
    /// Earlier chunks of the file have said all there is to say of objects: the next ones only name their
    /// keys.
    void objects_are_known() { objects_known_ = true; }

    /// Number a row in the current chunk, together with all that it refers to.
    std::uint32_t string(StringId id);
    std::uint32_t module(ModuleId id);
    std::uint32_t place(PlaceId id);
    std::uint32_t stack(StackId id);
    std::uint32_t object(ObjectKind kind, std::uint32_t id);

    void event(const EventView& event, std::uint64_t stamp);

    [[nodiscard]] const Trace& trace() const { return trace_; }

  private:
    std::uint32_t site(EventHead head);

    Trace trace_;
    ChunkEncoder* encoder_ = nullptr;
    LocalNumbers strings_;
    LocalNumbers modules_;
    LocalNumbers places_;
    LocalNumbers stacks_;
    std::array<LocalNumbers, kObjectKinds> objects_;
    bool objects_known_ = false;
    HashIndex site_index_;
    std::vector<EventHead> sites_;
};

} // namespace heddle::htr
