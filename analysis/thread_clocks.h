// Clocks: for each thread, how many of its events must come first. Most clocks of a run differ from others in
// a few threads only, so they are kept as trees of small nodes that share what is alike: a run that begins
// and joins a hundred thousand threads one after another needs a few nodes for each, not a hundred thousand
// numbers.
//
// A clock is a value that never changes. O(log threads) to ask, O(what differs) to merge.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

class ThreadClocks {
  public:
    struct Clock {
        std::uint32_t root = 0;
        std::uint32_t levels = 1; ///< of nodes; threads beyond what they hold have none
    };
    struct Tick {
        std::uint32_t thread = 0;
        std::uint32_t count = 0;
    };

    [[nodiscard]] std::uint32_t at(Clock clock, std::uint32_t thread) const {
        if (thread >> (kBits * clock.levels) != 0) return 0;
        std::uint32_t node = clock.root;
        for (std::uint32_t level = clock.levels - 1; level > 0; --level)
            node = nodes_[node][thread >> (kBits * level) & kMask];
        return nodes_[node][thread & kMask];
    }

    /// The greatest of all that is given, thread by thread. The lists are used up.
    [[nodiscard]] Clock merged(std::vector<Clock> clocks, std::vector<Tick> ticks);

    /// How many nodes all clocks take together, of 64 bytes each.
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }

  private:
    static constexpr std::uint32_t kBits = 4;
    static constexpr std::uint32_t kMask = (1U << kBits) - 1;
    /// Of counts, or of the numbers of nodes below. Number 0 is all zero, on every level.
    using Node = std::array<std::uint32_t, 1U << kBits>;

    [[nodiscard]] std::uint32_t merged(std::uint32_t level, std::vector<std::uint32_t> nodes,
                                       std::span<const Tick> ticks);
    [[nodiscard]] std::uint32_t add(const Node& node, std::span<const std::uint32_t> alike);

    std::vector<Node> nodes_ = std::vector<Node>(1);
};

} // namespace heddle
