#include "lsp/line_index.h"

#include <algorithm>
#include <iterator>

namespace heddle::lsp {

namespace {

/// Where lines begin that a line end before `end` begins.
void scan(std::string_view text, std::size_t from, std::size_t end, std::vector<std::uint32_t>& starts) {
    for (std::size_t at = from; at < end; ++at) {
        if (text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n') continue;
        if (text[at] == '\n' || text[at] == '\r') starts.push_back(static_cast<std::uint32_t>(at + 1));
    }
}

} // namespace

LineIndex::LineIndex(std::string_view text) : starts_{0} {
    scan(text, 0, text.size(), starts_);
}

std::size_t LineIndex::line_of(std::size_t byte) const {
    const auto after = std::ranges::upper_bound(starts_, byte);
    return static_cast<std::size_t>(std::distance(starts_.begin(), after)) - 1;
}

std::string_view LineIndex::line(std::string_view text, std::size_t line) const {
    const std::size_t start = starts_[line];
    if (line + 1 == starts_.size()) return text.substr(start);
    std::string_view found = text.substr(start, starts_[line + 1] - start);
    if (found.ends_with('\n')) found.remove_suffix(1);
    // A lone \r, or the one before the \n; never a \r that ends an earlier line, for that began this one.
    if (found.ends_with('\r')) found.remove_suffix(1);
    return found;
}

void LineIndex::edited(std::string_view text, std::size_t byte, std::size_t removed, std::size_t inserted) {
    std::size_t first = line_of(byte);
    // A \n that comes to stand behind the \r that ended the line before makes one line end of the two.
    if (first > 0 && byte == starts_[first]) --first;
    const std::size_t last = line_of(byte + removed);

    const auto behind = starts_.begin() + static_cast<std::ptrdiff_t>(last) + 1;
    const auto grown = static_cast<std::uint32_t>(inserted) - static_cast<std::uint32_t>(removed);
    // Modulo 2^32, so that a text that shrinks needs no other case.
    std::for_each(behind, starts_.end(), [grown](std::uint32_t& start) { start += grown; });

    const std::size_t scan_end = behind == starts_.end() ? text.size() : *behind;
    std::vector<std::uint32_t> fresh;
    scan(text, starts_[first], scan_end, fresh);
    // The line end before `behind` is scanned as well, and finds it again.
    if (behind != starts_.end() && !fresh.empty() && fresh.back() == *behind) fresh.pop_back();

    const auto begin = starts_.begin() + static_cast<std::ptrdiff_t>(first) + 1;
    const auto kept = static_cast<std::size_t>(
        std::min(std::distance(begin, behind), static_cast<std::ptrdiff_t>(fresh.size())));
    std::copy_n(fresh.begin(), kept, begin);
    const auto next = begin + static_cast<std::ptrdiff_t>(kept);
    if (kept == fresh.size()) {
        starts_.erase(next, behind);
    } else {
        starts_.insert(behind, fresh.begin() + static_cast<std::ptrdiff_t>(kept), fresh.end());
    }
}

} // namespace heddle::lsp
