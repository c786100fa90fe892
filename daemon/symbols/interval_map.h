// Which of many overlapping address ranges an address belongs to: made once, then one binary search.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::symbols {

/// Addresses [begin, end) that belong to `value`. Where several overlap, the highest rank wins; among equals
/// the one that begins last.
struct Interval {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint32_t value = 0;
    std::uint32_t rank = 0;
};

class IntervalMap {
  public:
    static constexpr std::uint32_t kNothing = 0xFFFF'FFFF;

    IntervalMap() = default;
    /// O(n log n). Empty intervals are ignored.
    explicit IntervalMap(std::vector<Interval> intervals);

    /// The value at an address, or kNothing. O(log n).
    [[nodiscard]] std::uint32_t find(std::uint64_t address) const;
    [[nodiscard]] bool empty() const { return begins_.empty(); }

  private:
    void add(std::uint64_t begin, std::uint32_t value);

    std::vector<std::uint64_t> begins_; ///< ascending; each piece reaches to the next
    std::vector<std::uint32_t> values_; ///< kNothing for gaps
};

} // namespace heddle::symbols
