#include "analysis/source/known_pieces.h"

#include <algorithm>
#include <utility>

namespace heddle::source {

KnownPieces::KnownPieces(std::vector<KnownPiece> pieces, std::span<const ByteRange> frame,
                         std::uint32_t text_size)
    : pieces_(std::move(pieces)) {
    auto next_frame = frame.begin();
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        const std::uint32_t end = pieces_[i].range.end;
        while (next_frame != frame.end() && next_frame->first < end) ++next_frame;
        std::uint32_t reach = text_size;
        if (i + 1 < pieces_.size()) reach = pieces_[i + 1].range.end;
        if (next_frame != frame.end()) reach = std::min(reach, next_frame->end);
        reach_.push_back(reach);
    }
}

const KnownPiece* KnownPieces::at(std::uint32_t byte, std::uint64_t around, const TextEdit& edit) const {
    const bool behind = byte >= edit.new_end;
    if (!behind && byte >= edit.start) return nullptr;
    const std::uint32_t first = behind ? byte - edit.new_end + edit.old_end : byte;
    const std::size_t at = index_of(first);
    if (at == pieces_.size() || pieces_[at].range.first != first) return nullptr;
    next_ = at + 1;
    const KnownPiece& known = pieces_[at];
    if (known.around != around || !known.closed) return nullptr;
    return behind || reach_[at] < edit.start ? &known : nullptr;
}

std::size_t KnownPieces::index_of(std::uint32_t first) const {
    if (next_ < pieces_.size() && pieces_[next_].range.first == first) return next_;
    const auto begin = [](const KnownPiece& one) { return one.range.first; };
    return static_cast<std::size_t>(std::ranges::lower_bound(pieces_, first, {}, begin) - pieces_.begin());
}

} // namespace heddle::source
