#include "analysis/thread_clocks.h"

#include <algorithm>

namespace heddle {

ThreadClocks::Clock ThreadClocks::merged(std::vector<Clock> clocks, std::vector<Tick> ticks) {
    std::ranges::sort(ticks, {}, &Tick::thread);
    Clock result;
    for (const Clock& clock : clocks) result.levels = std::max(result.levels, clock.levels);
    while (!ticks.empty() && ticks.back().thread >> (kBits * result.levels) != 0) ++result.levels;
    std::vector<std::uint32_t> roots;
    for (const Clock& clock : clocks) {
        std::uint32_t root = clock.root;
        for (std::uint32_t level = clock.levels; level < result.levels && root != 0; ++level)
            root = add({root}, {});
        roots.push_back(root);
    }
    result.root = merged(result.levels - 1, std::move(roots), ticks);
    return result;
}

/// `level`: how many there are below the nodes. The ticks are of their threads.
std::uint32_t ThreadClocks::merged(std::uint32_t level, std::vector<std::uint32_t> nodes,
                                   std::span<const Tick> ticks) {
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    std::erase(nodes, 0U);
    if (ticks.empty() && nodes.size() <= 1) return nodes.empty() ? 0 : nodes.front();
    Node result{};
    if (level == 0) {
        for (const std::uint32_t node : nodes)
            for (std::uint32_t k = 0; k <= kMask; ++k) result[k] = std::max(result[k], nodes_[node][k]);
        for (const Tick& tick : ticks)
            result[tick.thread & kMask] = std::max(result[tick.thread & kMask], tick.count);
        return add(result, nodes);
    }
    for (std::uint32_t k = 0; k <= kMask; ++k) {
        const auto own = std::ranges::find_if(
            ticks, [&](const Tick& tick) { return (tick.thread >> (kBits * level) & kMask) != k; });
        const std::span<const Tick> below(ticks.begin(), own);
        ticks = ticks.subspan(below.size());
        std::vector<std::uint32_t> children;
        for (const std::uint32_t node : nodes) children.push_back(nodes_[node][k]);
        result[k] = merged(level - 1, std::move(children), below);
    }
    return add(result, nodes);
}

/// `alike`: nodes of which one may be the same.
std::uint32_t ThreadClocks::add(const Node& node, std::span<const std::uint32_t> alike) {
    for (const std::uint32_t number : alike)
        if (nodes_[number] == node) return number;
    nodes_.push_back(node);
    return static_cast<std::uint32_t>(nodes_.size() - 1);
}

} // namespace heddle
