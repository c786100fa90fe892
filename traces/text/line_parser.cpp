#include "traces/text/line_parser.h"

#include <array>
#include <cstring>

namespace heddle::text {

namespace {

constexpr std::array<std::string_view, kObjectKinds> kTargetExpected = {
    "the name of a thread in parentheses, as in fork(T1)",
    "the name of a lock in parentheses, as in acq(m)",
    "the name of a variable in parentheses, as in r(x)",
    "the name of a condition in parentheses, as in notify(c)",
    "the name of a barrier in parentheses, as in barrier_enter(b)",
    "the name of a semaphore in parentheses, as in sem_post(s)",
    "the name of a once guard in parentheses, as in once_begin(o)",
    "the name of a block in parentheses, as in alloc(b)",
    "the name of a tag in parentheses, as in happens_before(t)",
};

} // namespace

bool LineParser::parse(std::string_view line, bool may_hold_escapes, ParsedLine& out) {
    line_ = line;
    may_hold_escapes_ = may_hold_escapes;
    const std::size_t bar = find_bar(line, 0, may_hold_escapes);
    const bool in_fields = bar != std::string_view::npos;
    std::size_t at = 0;
    if (!parse_thread(bar, at, out)) return false;
    std::size_t end = line.size();
    if (in_fields) end = std::min(end, find_bar(line, at, may_hold_escapes));
    if (!parse_operation(at, end, out)) return false;
    if (out.operation.is_skipped()) return true;
    if (!parse_target(at, end, in_fields, out)) return false;
    attributes_.start(out.operation.kind);
    if (!parse_rest(at, end, out)) return false;
    if (!attributes_.finish()) return fail_at(attributes_.complaint().at, attributes_.complaint().expected);
    out.attributes = attributes_.result();
    return true;
}

bool LineParser::parse_thread(std::size_t bar, std::size_t& at, ParsedLine& out) {
    if (bar != std::string_view::npos) {
        out.thread = trimmed(line_.substr(0, bar));
        at = bar + 1;
    } else {
        const std::size_t start = skip_blanks(0, line_.size());
        out.thread = line_.substr(start, word_length(line_.substr(start)));
        at = start + out.thread.size();
    }
    if (out.thread.empty()) return fail_at(skip_blanks(0, line_.size()), "the name of a thread");
    return true;
}

bool LineParser::parse_operation(std::size_t& at, std::size_t end, ParsedLine& out) {
    at = skip_blanks(at, end);
    std::size_t name_end = at;
    while (name_end < end && line_[name_end] != '(' && !is_blank(line_[name_end])) ++name_end;
    const std::string_view name = line_.substr(at, name_end - at);
    const std::optional<Operation> operation = operation_named(name);
    if (!operation) {
        constexpr std::string_view kExpected = "an operation such as r, w, acq";
        return name.empty() ? fail_at(at, kExpected) : fail_at(name, kExpected);
    }
    out.operation = *operation;
    at = name_end;
    return true;
}

bool LineParser::parse_target(std::size_t& at, std::size_t end, bool in_field, ParsedLine& out) {
    const KindTraits& kind = traits(out.operation.kind);
    at = skip_blanks(at, end);
    out.target = {};
    if (at < end && line_[at] == '(') {
        // In a field the name may hold parentheses of its own.
        const std::string_view inside = line_.substr(at + 1, end - at - 1);
        const std::size_t close = in_field ? inside.rfind(')') : inside.find(')');
        if (close == std::string_view::npos) return fail_at(inside, "a closing ) after the target");
        out.target = trimmed(inside.substr(0, close));
        if (!out.target.empty() && !kind.target) return fail_at(out.target, "no target for this operation");
        at += close + 2;
    }
    if (out.target.empty() && kind.target && !kind.target_optional) {
        return fail_at(at, kTargetExpected[static_cast<std::size_t>(*kind.target)]);
    }
    return true;
}

bool LineParser::parse_rest(std::size_t at, std::size_t end, ParsedLine& out) {
    out.place = {};
    at = skip_blanks(at, end);
    const bool has_place = at < end && line_[at] == '@';
    if (has_place) at = parse_place_words(at + 1, end, out);
    if (at < end && !parse_attributes(at, end)) return false;
    if (end == line_.size()) return true;
    at = end + 1;
    if (!has_place) {
        const std::size_t bar = find_bar(line_, at, may_hold_escapes_);
        out.place =
            trimmed(line_.substr(at, bar == std::string_view::npos ? std::string_view::npos : bar - at));
        if (bar == std::string_view::npos) return true;
        at = bar + 1;
    }
    return parse_attributes(at, line_.size());
}

/// A place among words: words joined by `<`.
std::size_t LineParser::parse_place_words(std::size_t at, std::size_t end, ParsedLine& out) const {
    const std::size_t start = at;
    at += word_length(line_.substr(at, end - at));
    for (;;) {
        const std::size_t joint = skip_blanks(at, end);
        const bool joins = joint + 1 < end && line_[joint] == '<' && is_blank(line_[joint + 1]);
        if (!joins) break;
        const std::size_t next = skip_blanks(joint + 1, end);
        at = next + word_length(line_.substr(next, end - next));
    }
    out.place = line_.substr(start, at - start);
    return at;
}

bool LineParser::parse_attributes(std::size_t at, std::size_t end) {
    if (attributes_.add(line_.substr(at, end - at))) return true;
    return fail_at(attributes_.complaint().at, attributes_.complaint().expected);
}

bool LineParser::fail_at(std::string_view found, std::string_view expected) {
    error_ = {static_cast<std::size_t>(found.data() - line_.data()) + 1, expected, found};
    return false;
}

bool LineParser::fail_at(std::size_t at, std::string_view expected) {
    const std::size_t start = skip_blanks(std::min(at, line_.size()), line_.size());
    return fail_at(line_.substr(start, word_length(line_.substr(start))), expected);
}

} // namespace heddle::text
