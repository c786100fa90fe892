#include "traces/text/attributes.h"

#include "traces/text/notation.h"
#include "traces/tried.h"

#include <utility>

namespace heddle::text {

namespace {

constexpr std::string_view kAnyAttribute =
    "an attribute such as =5, relaxed, bytes=0+4, ticket=1, spurious, tried, round=1 or count=1";

constexpr bool takes_ticket(EventKind kind) {
    return kind == EventKind::notify || kind == EventKind::notify_all || kind == EventKind::wait_post;
}
constexpr bool takes_round(EventKind kind) {
    return kind == EventKind::barrier_enter || kind == EventKind::barrier_leave;
}

} // namespace

void AttributeParser::start(EventKind kind) {
    kind_ = kind;
    result_ = {};
    value_ = {};
    value_read_ = {};
    has_bytes_ = false;
}

bool AttributeParser::add(std::string_view words) {
    for (std::size_t at = 0; at < words.size();) {
        if (is_blank(words[at])) {
            ++at;
            continue;
        }
        const std::string_view word = words.substr(at, word_length(words.substr(at)));
        if (!add_word(word)) return false;
        at += word.size();
    }
    return true;
}

bool AttributeParser::add_word(std::string_view word) {
    if (word.front() == '=') return add_value(word);
    if (const std::size_t equals = word.find('='); equals != std::string_view::npos) {
        const std::string_view key = word.substr(0, equals);
        const std::string_view text = word.substr(equals + 1);
        if (key == "bytes") return add_bytes(word, text);
        if (key == "ticket") {
            return add_matching(word, text, takes_ticket(kind_),
                                "ticket=… only with notify, notify_all, wait_post");
        }
        if (key == "round") {
            return add_matching(word, text, takes_round(kind_),
                                "round=… only with barrier_enter, barrier_leave");
        }
        if (key == "count") {
            return add_matching(word, text, kind_ == EventKind::sem_init, "count=… only with sem_init");
        }
        return fail_at(word, kAnyAttribute);
    }
    if (word == "spurious") {
        if (kind_ != EventKind::wait_post) return fail_at(word, "spurious only with wait_post");
        return add_matching(word, "none", true, {});
    }
    if (word == "tried") {
        if (!may_be_tried(kind_)) return fail_at(word, "tried only with acq, acq_shared");
        if (std::exchange(result_.has_value, true)) return fail_at(word, "one tried");
        result_.value = kTried;
        return true;
    }
    const MemoryOrder order = memory_order_named(word);
    if (order == MemoryOrder::none) return fail_at(word, kAnyAttribute);
    if (!traits(kind_).atomic) return fail_at(word, "a memory order only with atomic operations and fences");
    if (result_.order != MemoryOrder::none) return fail_at(word, "one memory order");
    result_.order = order;
    return true;
}

bool AttributeParser::add_value(std::string_view word) {
    if (!is_access(kind_)) return fail_at(word, "a value only with reads, writes and atomic accesses");
    if (result_.has_value) return fail_at(word, "one value");
    result_.has_value = true;
    const std::string_view text = word.substr(1);
    const std::size_t arrow = text.find("->");
    if ((arrow != std::string_view::npos) != (kind_ == EventKind::atomic_rmw)) {
        return fail_at(word, kind_ == EventKind::atomic_rmw ? "=READ->WRITTEN, as in =0->1"
                                                            : "=VALUE, as in =5 or =0x1f");
    }
    if (kind_ != EventKind::atomic_rmw) return parse_written(text, value_);
    return parse_written(text.substr(0, arrow), value_read_) && parse_written(text.substr(arrow + 2), value_);
}

bool AttributeParser::parse_written(std::string_view text, Written& out) {
    out.text = text;
    out.negative = text.starts_with('-');
    const std::string_view digits = out.negative ? text.substr(1) : text;
    const std::optional<std::uint64_t> number = parse_number(digits);
    if (!number || (out.negative && digits.starts_with("0x"))) {
        return fail_at(text, "a number of at most 64 bits, decimal or 0x hexadecimal");
    }
    out.magnitude = *number;
    return true;
}

bool AttributeParser::add_bytes(std::string_view word, std::string_view range) {
    if (!is_access(kind_)) return fail_at(word, "bytes=… only with reads, writes and atomic accesses");
    if (has_bytes_) return fail_at(word, "one range of bytes");
    has_bytes_ = true;
    const bool digits = range.size() == 3 && range[0] >= '0' && range[0] <= '7' && range[1] == '+' &&
                        range[2] >= '1' && range[2] <= '8';
    if (digits) {
        result_.bytes = {static_cast<std::uint8_t>(range[0] - '0'),
                         static_cast<std::uint8_t>(range[2] - '0')};
    }
    if (!digits || !result_.bytes.valid()) {
        return fail_at(word, "bytes=OFFSET+SIZE within the 8 bytes of a variable, as in bytes=4+2");
    }
    return true;
}

bool AttributeParser::add_matching(std::string_view word, std::string_view number, bool applies,
                                   std::string_view expected) {
    if (!applies) return fail_at(word, expected);
    if (result_.has_value || result_.unmatched) return fail_at(word, "one ticket, round or count");
    if (number == "none" && kind_ != EventKind::sem_init) {
        result_.unmatched = true;
        return true;
    }
    const std::optional<std::uint64_t> value = parse_number(number);
    if (!value) return fail_at(word, "a number of at most 64 bits after the =");
    result_.has_value = true;
    result_.value = *value;
    return true;
}

bool AttributeParser::fit(const Written& written, std::uint64_t& out) {
    const unsigned bits = result_.bytes.size * 8U;
    const std::uint64_t highest_bit = std::uint64_t{1} << (bits - 1U);
    const std::uint64_t all = highest_bit | (highest_bit - 1U);
    if (written.magnitude > (written.negative ? highest_bit : all)) {
        return fail_at(written.text, "a value that fits the bytes of the access");
    }
    out = (written.negative ? ~written.magnitude + 1U : written.magnitude) & all;
    return true;
}

bool AttributeParser::finish() {
    if (traits(kind_).atomic && result_.order == MemoryOrder::none) result_.order = MemoryOrder::seq_cst;
    if (!result_.has_value || !is_access(kind_)) return true;
    if (kind_ == EventKind::atomic_rmw && !fit(value_read_, result_.value_read)) return false;
    return fit(value_, result_.value);
}

} // namespace heddle::text
