#include "traces/recorder/call_tree.h"

#include "traces/hash.h"
#include "traces/recorder/internal_memory.h"

namespace heddle::recorder {

constinit CallTree call_tree;

bool CallTree::start() noexcept {
    nodes_ = static_cast<Node*>(reserve(kMaxNodes * sizeof(Node)));
    buckets_ = static_cast<std::atomic<StackNode>*>(reserve(kBuckets * sizeof(*buckets_)));
    return nodes_ != nullptr && buckets_ != nullptr;
}

StackNode CallTree::intern(StackNode caller, std::uint64_t code_address) noexcept {
    std::atomic<StackNode>& bucket = buckets_[hash_mix(caller, code_address) % kBuckets];
    StackNode fresh = 0;
    StackNode head = bucket.load(std::memory_order_acquire);
    for (StackNode searched = 0;;) {
        for (StackNode at = head; at != searched; at = nodes_[at].next) {
            if (nodes_[at].code_address == code_address && nodes_[at].caller == caller) return at;
        }
        if (fresh == 0) {
            if (count_.load(std::memory_order_relaxed) >= kMaxNodes) return kNoCaller;
            fresh = count_.fetch_add(1, std::memory_order_relaxed);
            if (fresh >= kMaxNodes) return kNoCaller;
        }
        nodes_[fresh] = {code_address, caller, head};
        searched = head;
        if (bucket.compare_exchange_weak(head, fresh, std::memory_order_acq_rel)) return fresh;
    }
}

} // namespace heddle::recorder
