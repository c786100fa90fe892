// A text of C or C++ in pieces that can be parsed each alone: a function, a type, a paragraph of
// declarations. What holds them (heads and ends of namespaces, of `extern "C" {`, of conditionals of the
// preprocessor) is the frame, in which the pieces are gaps.
//
// Where a text is cut depends on what is around the cut, so that an edit changes the pieces near it and no
// others, whatever it does to brackets: where these do not match, a line that looks like the beginning of a
// declaration is taken for one. A piece of a text that is of the language is never cut off in the middle of a
// declaration. O(text).
#pragma once

#include "analysis/source/byte_range.h"
#include "analysis/source/grammar.h"
#include "analysis/source/known_pieces.h"
#include "analysis/source/text_edit.h"

#include <string_view>
#include <vector>

namespace heddle::source {

struct Pieces {
    std::vector<ByteRange> frame;  ///< in order
    std::vector<ByteRange> pieces; ///< in order; the text that is neither is blank
};

[[nodiscard]] Pieces split(std::string_view text, Language language);

/// Splits a text each time it has changed; what is far from the edit is not looked at again.
class PieceFinder {
  public:
    explicit PieceFinder(Language language) : language_(language) {}

    [[nodiscard]] Pieces split(std::string_view text);
    /// `edit` made `text` of the one before.
    [[nodiscard]] Pieces split_again(std::string_view text, const TextEdit& edit);

  private:
    [[nodiscard]] Pieces split(std::string_view text, const TextEdit* edit);

    Language language_;
    KnownPieces strict_;
    KnownPieces mended_; ///< of a text whose brackets do not match
};

} // namespace heddle::source
