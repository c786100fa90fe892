#include "analysis/source/text_diff.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle::source {

namespace {

constexpr std::size_t kMaxPasses = 64; ///< how often all lines may be looked at

/// The lines of a text, each with its line end, and where they begin; one beginning more than lines.
struct Lines {
    explicit Lines(std::string_view text) {
        std::size_t at = 0;
        while (at < text.size()) {
            const std::size_t newline = text.find('\n', at);
            const std::size_t end = newline == std::string_view::npos ? text.size() : newline + 1;
            starts.push_back(static_cast<std::uint32_t>(at));
            lines.push_back(text.substr(at, end - at));
            at = end;
        }
        starts.push_back(static_cast<std::uint32_t>(text.size()));
    }

    std::vector<std::string_view> lines;
    std::vector<std::uint32_t> starts;
};

/// Lines [first, end) of one text beside lines of another.
struct Stretch {
    std::size_t old_first = 0;
    std::size_t old_end = 0;
    std::size_t new_first = 0;
    std::size_t new_end = 0;
};

/// Lines of both texts that are the same.
using Anchors = std::vector<std::pair<std::size_t, std::size_t>>;

class Diff {
  public:
    Diff(std::string_view first, std::string_view later) : old_(first), new_(later) {}

    std::vector<Replaced> run() {
        // A stack of our own: a text may have as many levels as lines. The last pushed is the first in the
        // text, so replacements come out in order.
        std::vector<Stretch> todo = {{0, old_.lines.size(), 0, new_.lines.size()}};
        while (!todo.empty()) {
            Stretch stretch = todo.back();
            todo.pop_back();
            trim(stretch);
            if (stretch.old_first == stretch.old_end && stretch.new_first == stretch.new_end) continue;
            looked_at_ += stretch.old_end - stretch.old_first + stretch.new_end - stretch.new_first;
            const bool enough = looked_at_ > kMaxPasses * (old_.lines.size() + new_.lines.size());
            const Anchors anchors = enough ? Anchors{} : common_unique(stretch);
            if (anchors.empty()) {
                replaced_.push_back({old_.starts[stretch.old_first], old_.starts[stretch.old_end],
                                     new_.starts[stretch.new_first], new_.starts[stretch.new_end]});
                continue;
            }
            divide(stretch, anchors, todo);
        }
        return std::move(replaced_);
    }

  private:
    void trim(Stretch& stretch) const {
        const auto some = [&] {
            return stretch.old_first < stretch.old_end && stretch.new_first < stretch.new_end;
        };
        while (some() && old_.lines[stretch.old_first] == new_.lines[stretch.new_first]) {
            ++stretch.old_first;
            ++stretch.new_first;
        }
        while (some() && old_.lines[stretch.old_end - 1] == new_.lines[stretch.new_end - 1]) {
            --stretch.old_end;
            --stretch.new_end;
        }
    }

    static void divide(const Stretch& stretch, const Anchors& anchors, std::vector<Stretch>& todo) {
        Stretch rest = stretch;
        for (auto anchor = anchors.rbegin(); anchor != anchors.rend(); ++anchor) {
            todo.push_back({anchor->first + 1, rest.old_end, anchor->second + 1, rest.new_end});
            rest.old_end = anchor->first;
            rest.new_end = anchor->second;
        }
        todo.push_back(rest);
    }

    /// Lines that occur once in each of the two, in an order that both have: as many as can be.
    [[nodiscard]] Anchors common_unique(const Stretch& stretch) const {
        struct Seen {
            std::size_t olds = 0;
            std::size_t news = 0;
            std::size_t old_line = 0;
        };
        std::unordered_map<std::string_view, Seen> seen;
        for (std::size_t i = stretch.old_first; i < stretch.old_end; ++i) {
            Seen& line = seen[old_.lines[i]];
            ++line.olds;
            line.old_line = i;
        }
        for (std::size_t i = stretch.new_first; i < stretch.new_end; ++i) {
            if (const auto line = seen.find(new_.lines[i]); line != seen.end()) ++line->second.news;
        }
        Anchors pairs; // by new line
        for (std::size_t i = stretch.new_first; i < stretch.new_end; ++i) {
            const auto line = seen.find(new_.lines[i]);
            if (line == seen.end() || line->second.olds != 1 || line->second.news != 1) continue;
            pairs.emplace_back(line->second.old_line, i);
        }
        return longest_ascending(pairs);
    }

    /// Patience sorting: piles by their top, and for each card the top of the pile to its left.
    [[nodiscard]] static Anchors longest_ascending(const Anchors& pairs) {
        std::vector<std::size_t> tops;
        std::vector<std::size_t> left(pairs.size());
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const auto pile = std::ranges::lower_bound(tops, pairs[i].first, {},
                                                       [&](std::size_t top) { return pairs[top].first; });
            left[i] = pile == tops.begin() ? i : *std::prev(pile);
            if (pile == tops.end()) {
                tops.push_back(i);
            } else {
                *pile = i;
            }
        }
        Anchors result(tops.size());
        std::size_t card = tops.empty() ? 0 : tops.back();
        for (std::size_t i = tops.size(); i-- > 0; card = left[card]) result[i] = pairs[card];
        return result;
    }

    Lines old_;
    Lines new_;
    std::size_t looked_at_ = 0; ///< lines
    std::vector<Replaced> replaced_;
};

} // namespace

PositionMap text_diff(std::string_view first, std::string_view later) {
    PositionMap result(Diff(first, later).run());
    result.forget_undone(first, later);
    return result;
}

} // namespace heddle::source
