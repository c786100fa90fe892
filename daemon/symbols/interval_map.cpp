#include "daemon/symbols/interval_map.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace heddle::symbols {

namespace {

struct LosesAgainst {
    bool operator()(const Interval& a, const Interval& b) const {
        return std::tie(a.rank, a.begin) < std::tie(b.rank, b.begin);
    }
};

} // namespace

IntervalMap::IntervalMap(std::vector<Interval> intervals) {
    std::erase_if(intervals, [](const Interval& one) { return one.begin >= one.end; });
    std::ranges::stable_sort(intervals, {}, &Interval::begin);
    std::priority_queue<Interval, std::vector<Interval>, LosesAgainst> open;
    std::size_t next = 0;
    std::uint64_t at = 0;
    while (next < intervals.size() || !open.empty()) {
        // The next address where the answer may change: something begins, or what holds now ends.
        const bool begins =
            next < intervals.size() && (open.empty() || intervals[next].begin <= open.top().end);
        at = begins ? intervals[next].begin : open.top().end;
        for (; next < intervals.size() && intervals[next].begin == at; ++next) open.push(intervals[next]);
        while (!open.empty() && open.top().end <= at) open.pop();
        add(at, open.empty() ? kNothing : open.top().value);
    }
}

void IntervalMap::add(std::uint64_t begin, std::uint32_t value) {
    if (!begins_.empty() && begins_.back() == begin) {
        values_.back() = value;
    } else if (values_.empty() || values_.back() != value) {
        begins_.push_back(begin);
        values_.push_back(value);
    }
}

std::uint32_t IntervalMap::find(std::uint64_t address) const {
    const auto after = std::ranges::upper_bound(begins_, address);
    if (after == begins_.begin()) return kNothing;
    return values_[static_cast<std::size_t>(after - begins_.begin()) - 1];
}

} // namespace heddle::symbols
