// The calls a thread is in, told by __tsan_func_entry and __tsan_func_exit. Pushing and popping is a few
// stores; the node in the call tree is looked up only when an event needs it.
//
// longjmp, exceptions that skip an exit and switched stacks leave frames behind that are no longer there.
// Both ends compare with the stack pointer and drop what lies below it.
#pragma once

#include "traces/recorder/call_tree.h"
#include "traces/recorder/shadow.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace heddle::recorder {

/// Tells the calls of a thread apart. Never 0, nor the number of a step of history.
using CallNumber = std::uint32_t;
inline constexpr CallNumber kCallBit = 1U << 31U;

struct Frame {
    Address call_site;     ///< in the caller
    Address stack_pointer; ///< of the function: its variables are above, those of its callees below
    Address entry;         ///< in the function itself
    std::uint32_t activation;
    StackNode node;      ///< of call_site; valid below CallStack::interned_
    std::uint32_t block; ///< that the trace knows the call's memory by, or 0: see frames.h

    /// Where the call that the function makes now returns to, unless it has moved its stack pointer since it
    /// was entered: in the place of the return address of __tsan_func_entry. The frame must be on a stack
    /// that is still there.
    [[nodiscard]] Address return_address() const noexcept {
        return *reinterpret_cast<const volatile Address*>(stack_pointer + sizeof(Address));
    }
};

class CallStack {
  public:
    /// `frames`: room for kMaxDepth of them, zeroed.
    void start(Frame* frames) noexcept {
        frames_ = top_ = interned_ = frames;
        overflow_ = 0;
        // The base: what is above the first function belongs to it and never goes away.
        *top_++ = {0, ~Address{0}, 0, 0, kNoCaller, 0};
        interned_ = top_;
    }

    void enter(Address call_site, Address entry, Address stack_pointer) noexcept {
        while (top_[-1].stack_pointer <= stack_pointer) [[unlikely]]-- top_;
        if (interned_ > top_) interned_ = top_;
        if (top_ == frames_ + kMaxDepth) [[unlikely]] {
            ++overflow_;
            return;
        }
        *top_++ = {call_site, stack_pointer, entry, ++activations_, kNoCaller, 0};
    }

    /// `caller`: in the code that called back. A function may jump to its last callback instead of calling
    /// it, its frame already gone: then that code is the function's own caller, which is not left.
    void leave(Address stack_pointer, Address caller) noexcept {
        if (overflow_ != 0) [[unlikely]] {
            --overflow_;
            return;
        }
        bool left = false;
        while (!left && top_[-1].stack_pointer < stack_pointer) left = (--top_)->call_site == caller;
        if (!left && top_ != frames_ + 1) --top_;
        if (interned_ > top_) interned_ = top_;
    }

    /// Forgets the calls below a function that a jump goes back to. `stack_pointer`: as of its own callbacks.
    void jump_to(Address stack_pointer) noexcept {
        while (top_ != frames_ + 1 && top_[-1].stack_pointer < stack_pointer) --top_;
        if (interned_ > top_) interned_ = top_;
        overflow_ = 0;
    }

    /// The node of an instruction in the innermost function.
    [[nodiscard]] StackNode node_of(Address code_address) noexcept {
        while (interned_ != top_) {
            interned_->node = call_tree.intern(interned_[-1].node, interned_->call_site);
            ++interned_;
        }
        const StackNode caller = top_[-1].node;
        Known& known = known_[(code_address ^ (code_address >> 9U) ^ caller) % kKnown];
        if (known.code_address != code_address || known.caller != caller) [[unlikely]] {
            known = {code_address, caller, call_tree.intern(caller, code_address)};
        }
        return known.node;
    }

    /// Which call of a function the memory at `address`, on this thread's stack, belongs to.
    [[nodiscard]] CallNumber call_of(Address address) const noexcept { return number_of(*frame_of(address)); }
    [[nodiscard]] Frame* frame_of(Address address) const noexcept {
        Frame* frame = top_ - 1;
        while (frame != frames_ && address >= frame[-1].stack_pointer) --frame;
        return frame;
    }
    [[nodiscard]] static CallNumber number_of(const Frame& frame) noexcept {
        return frame.activation | kCallBit;
    }

    // The same for another thread that asks while this one runs, about calls that it does not leave
    // meanwhile. The calls that come and go are further in: lower in memory, and with higher numbers.
    [[nodiscard]] Frame* lasting_frame_of(Address address) noexcept {
        Frame* top = std::atomic_ref(top_).load(std::memory_order_acquire);
        Frame* found = std::partition_point(
            frames_ + 1, top, [&](const Frame& frame) { return frame.stack_pointer > address; });
        return found == top ? top - 1 : found;
    }
    [[nodiscard]] bool is_lasting(CallNumber call) noexcept {
        Frame* top = std::atomic_ref(top_).load(std::memory_order_acquire);
        const Frame* found =
            std::partition_point(frames_, top, [&](const Frame& frame) { return number_of(frame) < call; });
        return found != top && number_of(*found) == call;
    }
    [[nodiscard]] bool is_base(const Frame& frame) const noexcept { return &frame == frames_; }
    /// The node of a frame's entry. Looks at no more than the innermost `kMost` calls that led to it.
    [[nodiscard]] StackNode entry_of(const Frame& frame) const noexcept {
        constexpr std::ptrdiff_t kMost = 256;
        StackNode node = kNoCaller;
        for (const Frame* at = &frame - std::min(kMost, &frame - frames_ - 1); at <= &frame; ++at)
            node = call_tree.intern(node, at->call_site);
        return call_tree.intern(node, frame.entry);
    }
    /// In the child of a fork: its trace knows none of the blocks.
    void forget_blocks() noexcept {
        for (Frame* frame = frames_; frame != top_; ++frame) frame->block = 0;
    }
    [[nodiscard]] Address caller() const noexcept { return top_[-1].call_site; }
    [[nodiscard]] const Frame& innermost() const noexcept { return top_[-1]; }

    static constexpr std::size_t kMaxDepth = 1U << 16U;

  private:
    struct Known {
        Address code_address;
        StackNode caller;
        StackNode node;
    };
    static constexpr std::size_t kKnown = 512;

    Frame* frames_ = nullptr;
    Frame* top_ = nullptr;      ///< one past the innermost
    Frame* interned_ = nullptr; ///< frames below have their nodes
    std::uint32_t overflow_ = 0;
    std::uint32_t activations_ = 0;
    Known known_[kKnown]{};
};

} // namespace heddle::recorder
