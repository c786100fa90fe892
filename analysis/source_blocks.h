// What the source says belongs together, as far as a run shows it: which call stacks stand in which piece of
// source. Whoever has read the source fills it (daemon/report/source_transactions.h); here are only numbers.
//
// Two kinds of pieces. A *marked* one is code that somebody called atomic: what a thread does there in one
// call is a transaction, whatever it accesses. An *inferred* one is a place that reads and a later place that
// writes what depends on it; the two accesses belong together when they are of the same memory, by one
// thread, in one call of the function.
//
// Grows with the run's table of stacks; what was added never changes. Reading is O(1), any number of threads
// may while none adds.
#pragma once

#include "traces/id.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heddle {

using SourceBlockId = Id<struct SourceBlockTag>;

/// What the source looks like where two accesses are taken to belong together.
enum class Inference : std::uint8_t {
    update,          ///< `x += y`, `x++`, `x = x + 1`
    check_then_act,  ///< `if (!p) p = …`
    read_then_write, ///< `old = x; … x = old + 1`
};

class SourceBlocks {
  public:
    /// A part that an access from a stack may play in an inferred piece.
    struct Role {
        SourceBlockId block;
        bool reads = false;  ///< it is where the piece reads
        bool writes = false; ///< and where it writes
    };
    /// A marked piece that a stack has a frame in.
    struct Mark {
        SourceBlockId block;
        StackId call;           ///< who called its function
        std::uint32_t step = 0; ///< the frame's statement within the piece: never less later in one call
        bool in_loop = false;   ///< it may come again in one call
        bool itself = false;    ///< no call in between: the event happens in the piece's own code
    };
    struct Stack {
        StackId call; ///< who called the function that has the roles
        std::vector<Role> roles;
        std::vector<Mark> marks;
    };

    [[nodiscard]] SourceBlockId add_inferred(Inference inference) {
        inferred_.push_back(inference);
        return SourceBlockId{inferred_.size() - 1};
    }
    /// What is known of the next stack of the run.
    void add_stack(const Stack& stack);

    [[nodiscard]] std::size_t stacks() const { return rows_.size(); }
    [[nodiscard]] bool empty() const { return roles_.empty() && marks_.empty(); }
    [[nodiscard]] bool any_marks() const { return !marks_.empty(); }
    [[nodiscard]] bool has_roles(StackId stack) const {
        return stack.value < rows_.size() && rows_[stack.value].roles > 0;
    }
    [[nodiscard]] std::span<const Role> roles(StackId stack) const;
    [[nodiscard]] std::span<const Mark> marks(StackId stack) const;
    /// Of a stack that has roles.
    [[nodiscard]] StackId call_of(StackId stack) const { return rows_[stack.value].call; }

    /// Why a read from one stack and a write from another belong together, if they do; the widest piece that
    /// says so.
    [[nodiscard]] std::optional<Inference> inference(StackId read, StackId write) const;

  private:
    struct Row {
        std::uint32_t first_role = 0;
        std::uint32_t first_mark = 0;
        std::uint16_t roles = 0;
        std::uint16_t marks = 0;
        StackId call;
    };
    std::vector<Inference> inferred_; ///< by block; marked ones have numbers of their own
    std::vector<Row> rows_;           ///< by stack
    std::vector<Role> roles_;
    std::vector<Mark> marks_;
};

} // namespace heddle
