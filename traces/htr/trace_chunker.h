// Feeds the events and tables of a Trace to a ChunkEncoder, numbering locally what each chunk uses.
#pragma once

#include "traces/hash_index.h"
#include "traces/htr/chunk_encoder.h"
#include "traces/htr/contents.h"
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
    /// `contents`: what the events so far tell, whichever chunker they went through. Without it all values
    /// are written.
    explicit TraceChunker(Trace trace, Contents* contents = nullptr)
        : trace_(std::move(trace)), contents_(contents) {}

    void start_chunk(ChunkEncoder& encoder);
    /// Number a row in the current chunk, together with all that it refers to.
    std::uint32_t string(StringId id);
    std::uint32_t module(ModuleId id);
    std::uint32_t place(PlaceId id);
    std::uint32_t stack(StackId id);
    std::uint32_t object(ObjectKind kind, std::uint32_t id);

    /// Says all there is to say of an object.
    void describe(ObjectKind kind, std::uint32_t id);

    void event(const EventView& event, std::uint64_t stamp);

    [[nodiscard]] const Trace& trace() const { return trace_; }

  private:
    /// What events of a site have in common.
    struct SiteKey {
        EventHead head;
        bool is_told = false;

        bool operator==(const SiteKey&) const = default;
    };
    std::uint32_t site(SiteKey key);
    /// Whether the events before it tell what the event read; what it tells is then known as well.
    bool follow(const EventView& event);

    Trace trace_;
    Contents* contents_;
    ChunkEncoder* encoder_ = nullptr;
    LocalNumbers strings_;
    LocalNumbers modules_;
    LocalNumbers places_;
    LocalNumbers stacks_;
    std::array<LocalNumbers, kObjectKinds> pages_;
    HashIndex site_index_;
    std::vector<SiteKey> sites_;
};

} // namespace heddle::htr
