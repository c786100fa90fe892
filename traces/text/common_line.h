// A shortcut for the shape that nearly all lines of large traces have:
//
//   T1|r(x)|place      T1|r(x)|place|=5      with r, w, acq or rel, and no blanks to trim
//
// It takes a line apart exactly as LineParser does, or not at all; the fuzzer holds it to that. It makes
// reading about twice as fast.
#pragma once

#include "traces/text/line_parser.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace heddle::text {

namespace detail {

/// The bars of a line, one after the other.
class Bars {
  public:
    explicit Bars(std::string_view line) : start_(line.data()), end_(line.data() + line.size()) {
#ifdef __SSE2__
        // All at once: the length of names varies from line to line, which loops over them mispredict.
        // The last 16 bytes are looked at together, so nothing beyond the line is read.
        if (line.size() < 16 || line.size() > 64) return;
        std::size_t at = 0;
        for (; at + 16 <= line.size(); at += 16) mask_ |= mask_at(at) << at;
        const std::size_t last = line.size() - 16;
        mask_ |= mask_at(last) << last;
        masked_ = true;
#endif
    }

    /// The next bar from `from` on, or the end of the line.
    [[nodiscard]] const char* next(const char* from) {
        if (!masked_) return std::find(from, end_, '|');
        if (mask_ == 0) return end_;
        const char* const bar = start_ + std::countr_zero(mask_);
        mask_ &= mask_ - 1;
        return bar;
    }

  private:
#ifdef __SSE2__
    [[nodiscard]] std::uint64_t mask_at(std::size_t at) const {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(start_ + at));
        return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('|'))));
    }
#endif

    const char* start_;
    const char* end_;
    std::uint64_t mask_ = 0;
    bool masked_ = false;
};

[[nodiscard]] inline bool has_no_blank_ends(const char* from, const char* end) {
    return from != end && !is_blank(*from) && !is_blank(end[-1]);
}

/// The operation and the bracket that the field starts with: "r(" and so on. Null when it is another.
[[nodiscard]] inline const char* common_operation(const char* at, const char* end, EventKind& out) {
    if (end - at < 4) return nullptr;
    if (at[1] == '(' && (at[0] == 'r' || at[0] == 'w')) {
        out = at[0] == 'r' ? EventKind::read : EventKind::write;
        return at + 2;
    }
    const bool acquire = std::memcmp(at, "acq(", 4) == 0;
    if (!acquire && std::memcmp(at, "rel(", 4) != 0) return nullptr;
    out = acquire ? EventKind::acquire : EventKind::release;
    return at + 4;
}

/// Up to 8 digits that end at `end`; at least 8 bytes lie before it. All at once, for the reason above:
/// what precedes the digits is replaced by zeros, then digits, pairs and quadruples are joined.
[[nodiscard]] inline bool few_digits(const char* end, std::size_t count, std::uint64_t& out) {
    std::uint64_t digits = 0;
    std::memcpy(&digits, end - 8, 8);
    const std::uint64_t ours = ~std::uint64_t{0} << (8U - count) * 8U;
    digits = (digits & ours) | (0x3030'3030'3030'3030U & ~ours);
    const std::uint64_t high = 0xF0F0'F0F0'F0F0'F0F0U;
    const std::uint64_t over_nine = (digits + 0x0606'0606'0606'0606U) & high;
    if (((digits & high) | over_nine >> 4U) != 0x3333'3333'3333'3333U) return false;
    digits &= 0x0F0F'0F0F'0F0F'0F0FU;
    digits = (digits * 10U + (digits >> 8U)) & 0x00FF'00FF'00FF'00FFU;
    digits = (digits * 100U + (digits >> 16U)) & 0x0000'FFFF'0000'FFFFU;
    out = (digits * 10'000U + (digits >> 32U)) & 0xFFFF'FFFFU;
    return true;
}

/// "=5": all of what is left, short enough for any 64-bit number. A whole field lies before it.
[[nodiscard]] inline bool common_value(const char* at, const char* end, std::uint64_t& out) {
    constexpr std::ptrdiff_t kMostDigits = 19;
    if (end - at < 2 || end - at > kMostDigits + 1 || *at != '=') return false;
    const auto count = static_cast<std::size_t>(end - at - 1);
    if (std::endian::native == std::endian::little && count <= 8) return few_digits(end, count, out);
    out = 0;
    for (++at; at != end; ++at) {
        const auto digit = static_cast<unsigned>(*at - '0');
        if (digit > 9U) return false;
        out = out * 10U + digit;
    }
    return true;
}

} // namespace detail

/// `line` holds no backslash. False: the line is of another shape, and `out` holds nothing of use.
[[nodiscard]] inline bool parse_common_line(std::string_view line, ParsedLine& out) {
    const char* at = line.data();
    const char* const end = at + line.size();
    if (line.empty() || *at == '#' || *at == '/' || *at == '\xEF') return false;

    detail::Bars bars(line);
    const char* bar = bars.next(at);
    if (bar == end || !detail::has_no_blank_ends(at, bar)) return false;
    out.thread = {at, bar};
    EventKind kind{};
    at = detail::common_operation(bar + 1, end, kind);
    if (at == nullptr) return false;
    out.operation = {kind};

    bar = bars.next(at);
    if (bar == end || bar[-1] != ')' || !detail::has_no_blank_ends(at, bar - 1)) return false;
    out.target = {at, bar - 1};
    at = bar + 1;

    bar = bars.next(at);
    if (!detail::has_no_blank_ends(at, bar)) return false;
    out.place = {at, bar};
    out.attributes = {};
    if (bar == end) return true;
    out.attributes.has_value = true;
    return is_access(kind) && detail::common_value(bar + 1, end, out.attributes.value);
}

} // namespace heddle::text
