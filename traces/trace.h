// A recorded run: events in their total order, with the tables that their ids refer to.
//
// A Trace is an immutable value, cheap to copy and safe to share between threads. TraceBuilder makes
// traces; a later snapshot of the same builder extends an earlier one and shares its memory, so ids and
// references stay valid while a recording grows. 24 bytes per event: head 8, value 8, target 4, and 4
// for the index by thread.
#pragma once

#include "traces/append_vector.h"
#include "traces/event.h"
#include "traces/metadata.h"
#include "traces/tables.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

using ObjectTable = AppendView<Object, 4>;
using ThreadIndex = AppendView<std::uint32_t, 4>; ///< event ids of one thread, ascending

/// Consecutive events [first, last) of a trace, for range-for.
class EventRange {
  public:
    class Iterator;

    EventRange(const class Trace& trace, std::size_t first, std::size_t last)
        : trace_(&trace), first_(first), last_(last) {}
    [[nodiscard]] Iterator begin() const;
    [[nodiscard]] Iterator end() const;

  private:
    const Trace* trace_;
    std::size_t first_;
    std::size_t last_;
};

class Trace {
  public:
    [[nodiscard]] std::size_t size() const { return heads_.size(); }
    [[nodiscard]] bool empty() const { return heads_.empty(); }

    [[nodiscard]] EventView operator[](EventId id) const {
        return {id, heads_[id.value], targets_[id.value], values_[id.value]};
    }
    [[nodiscard]] EventRange events() const { return {*this, 0, size()}; }
    [[nodiscard]] EventRange events(EventId first, EventId last) const {
        return {*this, first.value, last.value};
    }
    [[nodiscard]] const ThreadIndex& events_of(ThreadId thread) const { return by_thread_[thread.value]; }
    /// How many events its thread made before an event. O(log events).
    [[nodiscard]] std::uint32_t index_in_thread(EventId event) const;

    /// The value a write stored, a read saw, or a synchronisation event carries.
    [[nodiscard]] std::uint64_t value_of(const EventView& event) const {
        if (event.kind() != EventKind::atomic_rmw) return event.raw_value();
        return event.head().wide() ? wide_rmws_[event.raw_value()].written : event.raw_value() >> 32U;
    }
    /// The value that a reading access saw.
    [[nodiscard]] std::uint64_t value_read_by(const EventView& event) const {
        if (event.kind() != EventKind::atomic_rmw) return event.raw_value();
        return event.head().wide() ? wide_rmws_[event.raw_value()].read : event.raw_value() & 0xFFFF'FFFFU;
    }
    [[nodiscard]] Event spelled_out(const EventView& event) const;

    [[nodiscard]] const ObjectTable& objects(ObjectKind kind) const {
        return objects_[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] std::size_t thread_count() const { return objects(ObjectKind::thread).size(); }
    [[nodiscard]] std::string_view name(ObjectKind kind, std::uint32_t id) const {
        return string(objects(kind)[id].name);
    }
    /// What to call an object when talking to a person: its name, its place in a block that has a name, its
    /// address, or kind and number.
    [[nodiscard]] std::string display_name(ObjectKind kind, std::uint32_t id) const;
    /// What to call what an access touches: the part of its variable, if parts have names of their own, else
    /// the variable. O(log parts).
    [[nodiscard]] std::string accessed_name(const EventView& access) const;
    /// Whether accessed_name() is the name of just the bytes that the access touches.
    [[nodiscard]] bool tells_bytes(const EventView& access) const;

    [[nodiscard]] std::string_view string(StringId id) const { return strings_[id.value]; }
    [[nodiscard]] std::size_t string_count() const { return strings_.size(); }
    [[nodiscard]] const AppendView<Module, 4>& modules() const { return modules_; }
    [[nodiscard]] const AppendView<Place>& places() const { return places_; }
    [[nodiscard]] const AppendView<Stack>& stacks() const { return stacks_; }
    /// The place of an event's innermost frame; invalid when the event has none.
    [[nodiscard]] PlaceId place_of(StackId stack) const {
        return stack.valid() ? stacks_[stack.value].place : PlaceId{};
    }
    /// Where a person looks: the innermost frame in a file that is not one of the system's, if there is one.
    [[nodiscard]] PlaceId place_for_people(StackId stack) const {
        return stack.valid() ? places_for_people_[stack.value] : PlaceId{};
    }
    /// "deposit@bank.cpp:41:9", "libbank.so+0x41c2", or the label. Empty for an invalid place.
    [[nodiscard]] std::string place_text(PlaceId id) const;

    [[nodiscard]] const Metadata& metadata() const { return metadata_; }

    /// Same events, objects, modules and metadata, with the same ids. How a trace numbers its strings,
    /// places and stacks does not matter, only what they say; nor do those that nothing refers to.
    /// O(events + tables).
    friend bool operator==(const Trace& a, const Trace& b);

  private:
    friend class TraceBuilder;
    friend class Retelling;
    friend class EventRange;

    /// The named part of a variable that an access lies in; null when there is none.
    [[nodiscard]] const VariablePart* accessed_part(const EventView& access) const;
    [[nodiscard]] bool is_named_by_block(const Object& object) const;
    /// Of the bytes `offset` after the object's first.
    [[nodiscard]] std::string display_name(ObjectKind kind, std::uint32_t id, std::uint64_t offset) const;

    AppendView<EventHead> heads_;
    AppendView<std::uint32_t> targets_;
    AppendView<std::uint64_t> values_;
    AppendView<WideRmw> wide_rmws_;
    std::vector<ThreadIndex> by_thread_;
    std::array<ObjectTable, kObjectKinds> objects_;
    AppendView<VariablePart> variable_parts_; ///< by variable
    AppendView<Module, 4> modules_;
    AppendView<Place> places_;
    AppendView<Stack> stacks_;
    AppendView<PlaceId> places_for_people_; ///< by stack
    AppendView<std::string_view> strings_;
    std::shared_ptr<const void> string_memory_;
    Metadata metadata_;
};

class EventRange::Iterator {
  public:
    using value_type = EventView;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(const Trace* trace, std::size_t index) : trace_(trace), index_(index) { load(); }

    EventView operator*() const {
        return {EventId{index_}, heads_[offset_], targets_[offset_], values_[offset_]};
    }
    Iterator& operator++() {
        ++index_;
        if (++offset_ == length_) load();
        return *this;
    }
    Iterator operator++(int) {
        Iterator before = *this;
        ++*this;
        return before;
    }
    bool operator==(const Iterator& other) const { return index_ == other.index_; }

  private:
    void load() {
        const auto heads = trace_->heads_.run_from(index_);
        heads_ = heads.data();
        targets_ = trace_->targets_.run_from(index_).data();
        values_ = trace_->values_.run_from(index_).data();
        offset_ = 0;
        length_ = heads.size();
    }

    const Trace* trace_ = nullptr;
    std::size_t index_ = 0;
    std::size_t offset_ = 0;
    std::size_t length_ = 0;
    const EventHead* heads_ = nullptr;
    const std::uint32_t* targets_ = nullptr;
    const std::uint64_t* values_ = nullptr;
};

inline EventRange::Iterator EventRange::begin() const {
    return {trace_, first_};
}
inline EventRange::Iterator EventRange::end() const {
    return {trace_, last_};
}

} // namespace heddle
