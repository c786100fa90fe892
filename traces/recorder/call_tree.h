// Call stacks as paths in one tree for the whole process: a node is a code address and the node of its
// caller. Nodes are never removed, so their numbers can stand in buffers. Lock-free; O(1) expected.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle::recorder {

using StackNode = std::uint32_t;
inline constexpr StackNode kNoCaller = 0;

class CallTree {
  public:
    struct Node {
        std::uint64_t code_address;
        StackNode caller;
        StackNode next; ///< in the same bucket
    };

    [[nodiscard]] bool start() noexcept;
    /// The node of `code_address` called from `caller`; kNoCaller once the tree is full.
    [[nodiscard]] StackNode intern(StackNode caller, std::uint64_t code_address) noexcept;
    [[nodiscard]] const Node& node(StackNode number) const noexcept { return nodes_[number]; }

  private:
    static constexpr std::uint32_t kBuckets = 1U << 16U;
    static constexpr std::uint32_t kMaxNodes = 1U << 26U; ///< a trace holds 2^27 stacks

    Node* nodes_ = nullptr;
    std::atomic<StackNode>* buckets_ = nullptr;
    std::atomic<std::uint32_t> count_{1}; ///< node 0 stands for "no caller"
};

extern CallTree call_tree;

} // namespace heddle::recorder
