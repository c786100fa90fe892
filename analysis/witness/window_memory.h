// The memory of a window's program (window_program.h): which variables several strands share, divided into
// slots of bytes that are always accessed together, and for each read whose content it saw when recorded.
#pragma once

#include "analysis/witness/run_index.h"
#include "analysis/witness/window_program.h"
#include "traces/trace.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace heddle {

class WindowMemory {
  public:
    WindowMemory(const Trace& trace, const RunIndex& index, EventId base)
        : trace_(trace), index_(index), base_(base), last_(trace.thread_count(), base.value) {}

    [[nodiscard]] const RunIndex& index() const { return index_; }

    // In this order: strands, a survey of all accesses, settle, all steps, connect.
    void add_strand(ThreadId thread, EventId last) { last_[thread.value] = last.value + 1; }
    void survey(const EventView& access, StrandNumber strand);
    void settle(WindowProgram& program);
    /// Whether what one strand does to the variable can be noticed by another.
    [[nodiscard]] bool matters(VarId variable) const {
        const auto found = variables_.find(variable.value);
        return found != variables_.end() && found->second.matters();
    }
    void add(WindowProgram& program, const EventView& access, WindowProgram::Progress taken,
             WindowProgram::Step& step);
    void connect(WindowProgram& program) const;

  private:
    struct Variable {
        std::uint32_t cuts = 0; ///< a bit for each byte at which an access begins, or one before it ends
        StrandNumber strand = 0;
        bool several = false; ///< strands access it
        bool written = false;
        bool from_outside = false; ///< a read saw a write of the window's time that is not part of it
        EventId any;               ///< an access of the window
        std::uint32_t first_slot = 0;

        [[nodiscard]] bool matters() const { return (several && written) || from_outside; }
    };
    /// The content that a read saw is known once all writes have theirs.
    struct Unconnected {
        std::uint32_t read = 0;
        EventId write; ///< invalid: not in the window
        std::uint32_t slot_of_write = 0;
    };

    [[nodiscard]] bool within(EventId event) const {
        return event >= base_ && event.value < last_[trace_[event].thread().value];
    }
    template<typename Visit>
    void for_each_slot(const Variable& variable, ByteRange bytes, Visit visit) const;
    [[nodiscard]] WindowProgram::Content content_at_base(EventId any, ByteRange bytes) const;
    [[nodiscard]] WindowProgram::Content content_of(EventId write, ByteRange slot) const;
    void find_source(WindowProgram& program, const EventView& read, std::uint32_t slot, ByteRange bytes);

    const Trace& trace_;
    const RunIndex& index_;
    EventId base_;
    std::vector<std::uint32_t> last_; ///< by thread: its events of the window are below
    std::unordered_map<std::uint32_t, Variable> variables_;
    std::unordered_map<std::uint64_t, std::uint32_t> written_; ///< by write and slot: the content
    std::vector<Unconnected> unconnected_;
};

} // namespace heddle
