// What the splitter makes of lines of the preprocessor.
#include "analysis/source/splitter.h"

#include <algorithm>
#include <array>
#include <string>

namespace heddle::source {

namespace {

/// Conditionals around conditionals that are part of the frame: deeper ones are part of a piece. Each may
/// make the splitter go back once.
constexpr std::size_t kMostConditionals = 8;

bool opens_conditional(std::string_view directive) {
    return directive == "if" || directive == "ifdef" || directive == "ifndef";
}

bool begins_branch(std::string_view directive) {
    static constexpr std::array<std::string_view, 4> kWords = {"else", "elif", "elifdef", "elifndef"};
    return std::ranges::find(kWords, directive) != kWords.end();
}

} // namespace

void Splitter::directive() {
    if (!lexical_.first_in_line(at_)) {
        ++at_;
        return;
    }
    const std::string_view name = lexical_.directive(at_);
    const bool outside = open_.empty() && !item_;
    if (opens_conditional(name)) {
        if (outside && !cutting_.contains(at_) && conditionals_ + inner_conditionals_ < kMostConditionals)
            return begin_conditional();
        if (outside) {
            end_piece(at_ - lexical_.column(at_)); // as if it were of the frame
            if (begin_token()) return;
            if (const std::uint32_t end = after_linkage(at_); end != 0) return alone(end);
            begin_item();
        }
        ++inner_conditionals_;
    } else if (begins_branch(name)) {
        if (inner_conditionals_ > 0) return skip_to_end_of_conditional();
        if (conditionals_ > 0) {
            if (!outside || holder().holding != Holding::conditional) return go_back();
            end_piece(at_);
            return frame({at_, lexical_.after_directive(at_)});
        }
    } else if (name == "endif") {
        if (inner_conditionals_ > 0) {
            --inner_conditionals_;
        } else if (conditionals_ > 0) {
            if (!outside || holder().holding != Holding::conditional) return go_back();
            end_piece(at_);
            pop_holder();
            return frame({at_, lexical_.after_directive(at_)});
        }
    } else if (outside && begin_token()) {
        return;
    }
    at_ = lexical_.after_directive(at_);
    if (open_.empty()) ended_at_ = at_ - 1;
}

void Splitter::begin_conditional() {
    const Mark before{at_, current_, frame_.size(), pieces_.size()};
    end_piece(at_ - lexical_.column(at_));
    push({.holding = Holding::conditional, .column = 0, .before = before});
    frame({at_, lexical_.after_directive(at_)});
}

void Splitter::go_back() {
    while (holder().holding != Holding::conditional) pop_holder();
    const Mark before = holder().before;
    pop_holder();
    open_.clear();
    inner_conditionals_ = 0;
    item_.reset();
    frame_.resize(before.frame);
    pieces_.resize(before.pieces);
    current_ = before.piece;
    fresh_ = false;
    at_ = before.at;
    ended_at_ = at_;
    cutting_.insert(at_);
}

void Splitter::skip_to_end_of_conditional() {
    int depth = 0;
    at_ = lexical_.after_line(at_);
    while (at_ < text_.size()) {
        std::uint32_t first = at_;
        while (is_blank(letter(first))) ++first;
        if (letter(first) == '#') {
            const std::string_view name = lexical_.directive(first);
            if (opens_conditional(name)) ++depth;
            if (name == "endif" && depth-- == 0) return;
        }
        at_ = lexical_.after_line(at_);
    }
}

std::uint32_t Splitter::after_linkage(std::uint32_t conditional) {
    std::uint32_t line = lexical_.after_line(conditional);
    std::string held;
    for (int lines = 0; lines < 4 && line < text_.size(); ++lines) {
        const std::uint32_t end = lexical_.after_line(line);
        std::uint32_t first = line;
        while (is_blank(letter(first))) ++first;
        if (letter(first) == '#')
            return lexical_.directive(first) == "endif" &&
                           (held == "extern\"C\"{" || held == "}" || held == "extern\"C++\"{")
                       ? end
                       : 0;
        for (; first < end && lexical_.after_comment(first) == first; ++first) {
            if (!is_blank(text_[first]) && text_[first] != '\n') held += text_[first];
        }
        line = end;
    }
    return 0;
}

void Splitter::alone(std::uint32_t end) {
    at_ = end;
    end_piece(at_);
    ended_at_ = at_;
}

} // namespace heddle::source
