// Splits a text into pieces (pieces.h), in one pass: it counts brackets, and looks closer outside of them.
//
// For PieceFinder only.
#pragma once

#include "analysis/source/known_pieces.h"
#include "analysis/source/lexical.h"
#include "analysis/source/pieces.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::source {

class Splitter {
  public:
    /// With `mend`, what looks like the beginning of a declaration is one, whatever is open. What is known of
    /// the text before `edit`, if there was one, was found out with the same `mend`.
    Splitter(std::string_view text, Language language, bool mend, const KnownPieces& known,
             const TextEdit* edit);

    void split();

    // After split().

    [[nodiscard]] bool matched() const;
    [[nodiscard]] Pieces pieces() const;
    [[nodiscard]] KnownPieces known() && {
        return {std::move(pieces_), frame_, static_cast<std::uint32_t>(text_.size())};
    }

  private:
    enum class Holding : std::uint8_t { text, name_space, conditional };

    /// What the splitter goes back to when a conditional turns out to cut through what it holds.
    struct Mark {
        std::uint32_t at = 0;
        KnownPiece piece;
        std::size_t frame = 0;
        std::size_t pieces = 0;
    };
    struct Holder {
        Holding holding = Holding::text;
        std::uint32_t column = 0;                ///< of the line that opens it
        std::optional<std::uint32_t> contents{}; ///< their column
        Mark before{};                           ///< of conditionals
        std::uint64_t around = 0;                ///< a hash of those that hold it
    };
    struct Bracket {
        char letter;
        std::uint32_t at;
    };
    /// A declaration or definition, from its first token.
    struct Item {
        std::uint32_t first = 0;
        bool type = false; ///< begins with `struct` or the like
        bool parentheses = false;
        bool initialised = false; ///< behind a `=`
        bool done = false;        ///< by a closing brace, unless what follows says otherwise
    };

    [[nodiscard]] char letter(std::uint32_t at) const { return at < text_.size() ? text_[at] : '\0'; }
    [[nodiscard]] Holder& holder() { return holders_.back(); }

    // Inside of brackets.

    void next_inside();
    void close(char here);
    void abandon_one();
    void closed_brace();
    /// A line that begins at `line`, where brackets are open, as those do that begin what the holder holds.
    [[nodiscard]] bool begins_declaration(std::uint32_t line);
    /// The line before `line` is blank, closes something, or is a comment.
    [[nodiscard]] bool ends_something(std::uint32_t line) const;
    void abandon_brackets();

    // Outside of brackets.

    void next_outside();
    void skip_comment() { at_ = std::max(lexical_.after_comment(at_), at_ + 1); }
    /// Cuts in front of what begins here, if it begins a paragraph or follows something large. True: a piece
    /// that is known begins here, and was taken.
    bool begin_token();
    bool take_known();
    [[nodiscard]] bool initialiser_seems_over() const;
    void begin_item();
    void word();
    /// `<typename T = X>`, whose `=` initialises nothing here.
    void skip_template_parameters();
    void skip_operator();
    void punctuation(char here);
    void end_of_item();

    // What holds pieces.

    /// The item so far is `namespace a::b` or `extern "C"`.
    [[nodiscard]] bool opens_namespace();
    void begin_holder();
    void end_of_holder();
    void stray_brace();
    /// What the frame takes: it ends the piece before, which it may not be in the middle of.
    void frame(ByteRange range);
    void begin_piece(std::uint32_t first);
    [[nodiscard]] std::uint64_t hash_of_holders() const;
    void push(Holder holder);
    void pop_holder();
    void end_piece(std::uint32_t end);

    // The preprocessor.

    void directive();
    void begin_conditional();
    /// A branch of the innermost conditional of the frame ends in the middle of what it holds: it is to be
    /// part of a piece.
    void go_back();
    /// To the line of the `#endif`: of the branches, the first one counts.
    void skip_to_end_of_conditional();
    /// Behind a conditional around nothing but `extern "C" {`, or the brace that closes that; or 0.
    [[nodiscard]] std::uint32_t after_linkage(std::uint32_t conditional);
    /// A piece of its own up to `end`, whatever brackets are in it.
    void alone(std::uint32_t end);

    std::string_view text_;
    Lexical lexical_;
    bool mend_;
    const KnownPieces& known_;
    const TextEdit* edit_;
    std::array<bool, 256> inside_braces_;
    std::array<bool, 256> inside_others_;

    std::vector<ByteRange> frame_;
    std::vector<KnownPiece> pieces_;
    std::uint32_t at_ = 0;
    KnownPiece current_;         ///< without its end
    bool fresh_ = true;          ///< nothing of the current piece was read
    std::uint32_t ended_at_ = 0; ///< the last token outside of brackets
    bool large_ = false;         ///< braces over several lines are in the current piece
    std::vector<Holder> holders_ = std::vector<Holder>(1);
    std::size_t conditionals_ = 0; ///< among them
    std::vector<Bracket> open_;    ///< within the holder
    std::optional<Item> item_;
    std::size_t inner_conditionals_ = 0; ///< those that are part of the current piece
    std::set<std::uint32_t> cutting_;    ///< conditionals that cut through what they hold
};

} // namespace heddle::source
