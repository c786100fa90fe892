// Makes traces, event by event or in bulk, and interns what their ids refer to. One thread owns a
// builder; the traces it gives out may be read anywhere. O(1) amortised per event.
#pragma once

#include "traces/hash_index.h"
#include "traces/string_table.h"
#include "traces/trace.h"

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace heddle {

class TraceBuilder {
  public:
    [[nodiscard]] std::size_t size() const { return heads_.size(); }

    /// The trace so far. O(threads); shares memory with the builder and with earlier snapshots.
    [[nodiscard]] Trace snapshot() const;

    // --- events -------------------------------------------------------------------------------------

    /// Appends an event. Its ids must have been made by this builder.
    EventId add(const Event& event);

    /// Uninitialised room for up to `wanted` more events, at least one. Fill a prefix of the columns,
    /// then commit() it run by run. For decoders that write columns directly.
    struct Room {
        std::span<EventHead> heads;
        std::span<std::uint32_t> targets;
        std::span<std::uint64_t> values;
    };
    [[nodiscard]] Room room(std::size_t wanted);
    /// Makes the next `count` events of the room part of the trace; all of them are of `thread`.
    void commit(ThreadId thread, std::size_t count);
    /// The value column of an atomic_rmw, and whether it refers to the table of wide ones.
    struct RmwColumn {
        std::uint64_t raw = 0;
        bool wide = false;
    };
    [[nodiscard]] RmwColumn rmw_column(ByteRange bytes, std::uint64_t read, std::uint64_t written);

    // --- tables -------------------------------------------------------------------------------------

    [[nodiscard]] StringId string(std::string_view text) { return strings_.intern(text); }
    [[nodiscard]] std::string_view text(StringId id) const { return strings_[id]; }
    [[nodiscard]] ModuleId module(const Module& module);
    [[nodiscard]] PlaceId place(const Place& place);
    [[nodiscard]] StackId stack(const Stack& stack);

    /// A new object, whatever its name.
    std::uint32_t add_object(ObjectKind kind, const Object& object);
    /// The object of that name, made when there is none yet.
    [[nodiscard]] std::uint32_t object_named(ObjectKind kind, std::string_view name);
    /// Replaces what is known of an object.
    void redefine(ObjectKind kind, std::uint32_t id, const Object& object);
    [[nodiscard]] const Object& object(ObjectKind kind, std::uint32_t id) const {
        return objects_[static_cast<std::size_t>(kind)][id];
    }
    [[nodiscard]] std::size_t object_count(ObjectKind kind) const {
        return objects_[static_cast<std::size_t>(kind)].size();
    }

    [[nodiscard]] std::size_t stack_count() const { return stacks_.size(); }
    [[nodiscard]] std::size_t module_count() const { return modules_.size(); }
    [[nodiscard]] Metadata& metadata() { return metadata_; }

  private:
    AppendVector<EventHead> heads_;
    AppendVector<std::uint32_t> targets_;
    AppendVector<std::uint64_t> values_;
    AppendVector<WideRmw> wide_rmws_;
    std::vector<AppendVector<std::uint32_t, 4>> by_thread_;

    std::array<AppendVector<Object, 4>, kObjectKinds> objects_;
    std::array<HashIndex, kObjectKinds> objects_by_name_;
    AppendVector<Module, 4> modules_;
    HashIndex module_index_;
    AppendVector<Place> places_;
    HashIndex place_index_;
    AppendVector<Stack> stacks_;
    AppendVector<PlaceId> places_for_people_; ///< by stack
    HashIndex stack_index_;
    StringTable strings_;
    Metadata metadata_;
};

} // namespace heddle
