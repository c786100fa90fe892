#include "analysis/source/splitter.h"

#include "traces/hash.h"

#include <algorithm>

namespace heddle::source {

namespace {

template<std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& list) {
    return std::ranges::find(list, word) != list.end();
}

bool begins_type(std::string_view word) {
    static constexpr std::array<std::string_view, 5> kWords = {"struct", "class", "union", "enum", "typedef"};
    return is_one_of(word, kWords);
}

/// What may stand behind the closing brace of what it is still a part of.
bool goes_on_after_brace(std::string_view word) {
    static constexpr std::array<std::string_view, 4> kWords = {"else", "while", "catch", "__attribute__"};
    return is_one_of(word, kWords);
}

/// Letters that matter inside of brackets; everything matters outside of them.
constexpr std::array<bool, 256> matters_inside(std::string_view letters) {
    std::array<bool, 256> result{};
    for (const char letter : letters) result[static_cast<unsigned char>(letter)] = true;
    return result;
}

} // namespace

Splitter::Splitter(std::string_view text, Language language, bool mend, const KnownPieces& known,
                   const TextEdit* edit)
    : text_(text), lexical_(text, language), mend_(mend), known_(known), edit_(edit),
      inside_braces_(matters_inside(mend ? "/\"'#{}\n" : "/\"'#{}")),
      inside_others_(matters_inside(mend ? "/\"'#(){}[]\n" : "/\"'#(){}[]")) {}

void Splitter::split() {
    begin_piece(0);
    while (at_ < text_.size()) {
        if (open_.empty()) {
            next_outside();
        } else {
            next_inside();
        }
    }
    if (!open_.empty()) current_.matched = false;
    end_piece(at_);
}

bool Splitter::matched() const {
    return holders_.size() == 1 && std::ranges::find(pieces_, false, &KnownPiece::matched) == pieces_.end();
}

Pieces Splitter::pieces() const {
    Pieces result{frame_, {}};
    for (const KnownPiece& piece : pieces_) result.pieces.push_back(piece.range);
    return result;
}

// Inside of brackets.

void Splitter::next_inside() {
    // Between braces, others need not match.
    const auto& inside = open_.back().letter == '{' ? inside_braces_ : inside_others_;
    const auto matters = [&](char letter) { return inside[static_cast<unsigned char>(letter)]; };
    const auto here_at = std::find_if(text_.begin() + at_, text_.end(), matters);
    at_ = static_cast<std::uint32_t>(here_at - text_.begin());
    if (here_at == text_.end()) return;
    switch (const char here = text_[at_]) {
    case '/': return skip_comment();
    case '"':
    case '\'': at_ = lexical_.after_literal(at_); return;
    case '#': return directive();
    case '\n':
        ++at_;
        if (begins_declaration(at_)) abandon_brackets();
        return;
    case '(':
    case '[':
    case '{': open_.push_back({here, at_++}); return;
    default: return close(here);
    }
}

void Splitter::close(char here) {
    if (here == '}') {
        while (open_.size() > 1 && open_.back().letter != '{') abandon_one();
        if (open_.back().letter != '{') {
            abandon_one(); // the brace is of what is around
            return;
        }
        closed_brace();
    } else if (open_.back().letter == (here == ')' ? '(' : '[')) {
        open_.pop_back();
    } else {
        current_.matched = false;
    }
    ++at_;
    ended_at_ = at_;
}

void Splitter::abandon_one() {
    open_.pop_back();
    current_.matched = false;
}

void Splitter::closed_brace() {
    const Bracket brace = open_.back();
    open_.pop_back();
    if (!open_.empty() || !item_) return;
    large_ = large_ || text_.substr(brace.at, at_ - brace.at).find('\n') != std::string_view::npos;
    const bool definition_of_type = item_->type && !item_->parentheses;
    item_->done = !definition_of_type && !item_->initialised;
}

bool Splitter::begins_declaration(std::uint32_t line) {
    std::uint32_t first = line;
    while (is_blank(letter(first))) ++first;
    if (!begins_word(letter(first)) || first - line > holder().contents.value_or(0)) return false;
    static constexpr std::array<std::string_view, 9> kInside = {
        "public", "private", "protected", "case", "default", "else", "while", "catch", "return"};
    const std::uint32_t end = lexical_.after_word(first);
    if (is_one_of(text_.substr(first, end - first), kInside)) return false;
    if (letter(end) == ':' && letter(end + 1) != ':') return false; // a label
    return ends_something(line);
}

bool Splitter::ends_something(std::uint32_t line) const {
    std::string_view before = text_.substr(0, line - 1);
    before = before.substr(before.rfind('\n') + 1);
    while (!before.empty() && is_blank(before.front())) before.remove_prefix(1);
    while (!before.empty() && is_blank(before.back())) before.remove_suffix(1);
    return before.empty() || before.front() == '}' || before.starts_with("//") || before.ends_with("*/") ||
           before.ends_with(';') || before.ends_with('}');
}

void Splitter::abandon_brackets() {
    open_.clear();
    inner_conditionals_ = 0;
    item_.reset();
    current_.matched = false;
    large_ = true;
}

// Outside of brackets.

void Splitter::next_outside() {
    const char here = text_[at_];
    if (here == '\n' || is_blank(here)) {
        if (here == '\n' && initialiser_seems_over()) item_->done = true;
        ++at_;
    } else if (here == '/' && lexical_.after_comment(at_) != at_) {
        if (begin_token()) return;
        skip_comment();
        ended_at_ = at_;
    } else if (here == '#' && lexical_.first_in_line(at_)) {
        if (item_ && item_->done) item_.reset();
        directive();
    } else if (begins_word(here)) {
        word();
    } else {
        punctuation(here);
    }
}

/// At the end of an empty line behind a brace. Where somebody has just typed the `=`, what follows is another
/// function, and another.
bool Splitter::initialiser_seems_over() const {
    if (!item_ || !item_->initialised || ended_at_ == 0 || text_[ended_at_ - 1] != '}') return false;
    return text_.substr(ended_at_, at_ - ended_at_).find('\n') != std::string_view::npos;
}

bool Splitter::begin_token() {
    if (item_ && !item_->done) return false;
    const std::string_view between = text_.substr(ended_at_, at_ - ended_at_);
    const auto lines = std::ranges::count(between, '\n');
    if (lines > 1 || (lines == 1 && large_)) {
        item_.reset();
        end_piece(at_ - lexical_.column(at_));
    }
    return std::exchange(fresh_, false) && take_known();
}

bool Splitter::take_known() {
    const std::uint32_t first = current_.range.first;
    const KnownPiece* known = edit_ != nullptr ? known_.at(first, current_.around, *edit_) : nullptr;
    if (known == nullptr) return false;
    holder().contents = known->contents;
    inner_conditionals_ = known->open_conditionals;
    at_ = first + known->range.size();
    pieces_.push_back(*known);
    pieces_.back().range = {first, at_};
    begin_piece(at_);
    ended_at_ = at_;
    return true;
}

void Splitter::begin_item() {
    if (item_ && item_->done) item_.reset();
    if (item_) return;
    item_ = Item{.first = at_};
    if (!holder().contents && lexical_.first_in_line(at_)) holder().contents = lexical_.column(at_);
}

void Splitter::word() {
    const std::uint32_t end = lexical_.after_word(at_);
    const std::string_view word = text_.substr(at_, end - at_);
    if (item_ && item_->done && goes_on_after_brace(word)) item_->done = false;
    if (begin_token()) return;
    const bool begins = !item_ || item_->done;
    begin_item();
    if (begins_type(word) && !item_->parentheses) item_->type = true;
    at_ = end;
    if (begins && word == "template") skip_template_parameters();
    if (word == "operator") skip_operator();
    ended_at_ = at_;
}

void Splitter::skip_template_parameters() {
    std::uint32_t i = at_;
    while (is_blank(letter(i)) || letter(i) == '\n') ++i;
    int depth = 0;
    for (; i < text_.size(); ++i) {
        const char here = text_[i];
        if (here == ';' || here == '{' || here == '#') return; // more than is understood here
        if (here == '<' || here == '(') ++depth;
        if (here == ')' || (here == '>' && text_[i - 1] != '-')) --depth;
        if (depth > 0) continue;
        if (here == '>') at_ = i + 1;
        return;
    }
}

void Splitter::skip_operator() {
    while (is_blank(letter(at_))) ++at_;
    if (letter(at_) == '(' && letter(at_ + 1) == ')') {
        at_ += 2;
        return;
    }
    static constexpr std::string_view kOperators = "=<>!+-*/%^&|~,[]";
    while (kOperators.find(letter(at_)) != std::string_view::npos) ++at_;
}

void Splitter::punctuation(char here) {
    const char next = letter(at_ + 1);
    const bool may_begin = (here == '[' && next == '[') || (here == ':' && next == ':') || here == '~';
    if (item_ && item_->done && !may_begin) item_->done = false;
    if (here == '}') return end_of_holder();
    if (here == ';') return end_of_item();
    if (begin_token()) return;
    begin_item();
    switch (here) {
    case '"':
    case '\'': at_ = lexical_.after_literal(at_); break;
    case '{':
        if (opens_namespace()) return begin_holder();
        [[fallthrough]];
    case '(':
    case '[':
        if (here == '(') item_->parentheses = true;
        open_.push_back({here, at_++});
        break;
    case '=':
        item_->initialised = true;
        ++at_;
        break;
    default: ++at_;
    }
    ended_at_ = at_;
}

void Splitter::end_of_item() {
    item_.reset();
    fresh_ = false;
    ended_at_ = ++at_;
}

// What holds pieces.

bool Splitter::opens_namespace() {
    std::uint32_t i = item_->first;
    const auto skip_space = [&] {
        while (is_blank(letter(i)) || letter(i) == '\n') ++i;
    };
    const auto next_word = [&] {
        skip_space();
        const std::uint32_t first = i;
        i = lexical_.after_word(i);
        return text_.substr(first, i - first);
    };
    std::string_view word = next_word();
    if (word == "inline") word = next_word();
    if (word == "namespace") return !item_->initialised;
    skip_space();
    if (word != "extern" || letter(i) != '"') return false;
    i = lexical_.after_literal(i);
    skip_space();
    return i == at_;
}

void Splitter::begin_holder() {
    const std::uint32_t first = item_->first;
    item_.reset();
    end_piece(first);
    push({.holding = Holding::name_space, .column = lexical_.column(first)});
    frame({first, at_ + 1});
}

void Splitter::end_of_holder() {
    const bool stray = holder().holding == Holding::text ||
                       (mend_ && holder().holding == Holding::name_space && lexical_.first_in_line(at_) &&
                        lexical_.column(at_) > holder().column);
    if (inner_conditionals_ > 0) { // it may be of one branch only
        current_.matched = false;
        fresh_ = false;
        ended_at_ = ++at_;
        return;
    }
    if (holder().holding == Holding::conditional) return go_back();
    item_.reset();
    end_piece(at_);
    if (stray) return stray_brace();
    pop_holder();
    frame({at_, at_ + 1});
}

/// What is around it is in the same pieces as if it closed something. Several in a row are one piece.
void Splitter::stray_brace() {
    current_.matched = false;
    if (pieces_.empty() || pieces_.back().range.end != at_ || text_[pieces_.back().range.first] != '}')
        return alone(at_ + 1);
    pieces_.back().range.end = at_ + 1;
    ended_at_ = ++at_;
    begin_piece(at_);
}

void Splitter::frame(ByteRange range) {
    frame_.push_back(range);
    at_ = range.end;
    ended_at_ = at_;
    begin_piece(at_);
}

void Splitter::begin_piece(std::uint32_t first) {
    current_ = {.range = {first, first}, .around = hash_mix(hash_of_holders(), inner_conditionals_)};
    fresh_ = true;
    large_ = false;
}

std::uint64_t Splitter::hash_of_holders() const {
    const Holder& inner = holders_.back();
    std::uint64_t hash = hash_mix(inner.around, static_cast<std::uint64_t>(inner.holding));
    hash = hash_mix(hash, inner.column);
    return hash_mix(hash, inner.contents ? *inner.contents + 1U : 0U);
}

void Splitter::push(Holder holder) {
    holder.around = hash_of_holders();
    holders_.push_back(holder);
    if (holder.holding == Holding::conditional) ++conditionals_;
}

void Splitter::pop_holder() {
    if (holder().holding == Holding::conditional) --conditionals_;
    holders_.pop_back();
}

void Splitter::end_piece(std::uint32_t end) {
    const std::uint32_t first = current_.range.first;
    if (end > first &&
        text_.substr(first, end - first).find_first_not_of(" \t\r\n\f\v") != std::string_view::npos) {
        current_.range.end = end;
        current_.contents = holder().contents;
        current_.open_conditionals = inner_conditionals_;
        current_.closed = !lexical_.looked_in_vain();
        pieces_.push_back(current_);
    }
    begin_piece(end);
}

} // namespace heddle::source
