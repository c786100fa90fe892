#include "analysis/source/pieces.h"

#include "analysis/source/splitter.h"

#include <optional>
#include <utility>

namespace heddle::source {

Pieces split(std::string_view text, Language language) {
    return PieceFinder(language).split(text);
}

Pieces PieceFinder::split(std::string_view text) {
    return split(text, nullptr);
}

Pieces PieceFinder::split_again(std::string_view text, const TextEdit& edit) {
    return split(text, &edit);
}

Pieces PieceFinder::split(std::string_view text, const TextEdit* edit) {
    const auto split_with = [&](bool mend, KnownPieces& known) {
        Splitter splitter(text, language_, mend, known, edit);
        splitter.split();
        std::optional<Pieces> pieces;
        if (mend || splitter.matched()) pieces = splitter.pieces();
        known = std::move(splitter).known();
        return pieces;
    };
    if (auto pieces = split_with(false, strict_)) {
        mended_ = {};
        return std::move(*pieces);
    }
    return *split_with(true, mended_);
}

} // namespace heddle::source
