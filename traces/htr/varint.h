// Numbers in as few bytes as they need: seven bits a byte, low bits first, the high bit says "more".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace heddle::htr {

inline constexpr std::size_t kMaxVarintBytes = 10;

using Bytes = std::vector<std::uint8_t>;

/// Writes to where there is room for kMaxVarintBytes; the end of what was written.
inline std::uint8_t* write_varint(std::uint8_t* to, std::uint64_t number) {
    for (; number >= 0x80; number >>= 7U) *to++ = static_cast<std::uint8_t>(number | 0x80U);
    *to++ = static_cast<std::uint8_t>(number);
    return to;
}

inline void put_varint(Bytes& out, std::uint64_t number) {
    if (number < 0x80) return out.push_back(static_cast<std::uint8_t>(number));
    std::uint8_t bytes[kMaxVarintBytes];
    out.insert(out.end(), bytes, write_varint(bytes, number));
}

inline void put_text(Bytes& out, std::string_view text) {
    put_varint(out, text.size());
    out.insert(out.end(), text.begin(), text.end());
}

/// Small differences of either sign become small numbers.
[[nodiscard]] constexpr std::uint64_t zigzag(std::uint64_t difference) {
    return (difference << 1U) ^ (std::uint64_t{0} - (difference >> 63U));
}
[[nodiscard]] constexpr std::uint64_t unzigzag(std::uint64_t number) {
    return (number >> 1U) ^ (std::uint64_t{0} - (number & 1U));
}

/// Reads numbers and texts off a payload. Running past the end, or a number that is too long, sets a
/// sticky failure and gives zeros: callers check ok() where it matters, not after every number.
class ByteReader {
  public:
    ByteReader() = default;
    explicit ByteReader(std::span<const std::uint8_t> bytes)
        : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

    [[nodiscard]] bool ok() const { return ok_; }
    [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

    std::uint64_t number() {
        if (at_ != end_ && *at_ < 0x80) return *at_++;
        return long_number();
    }
    /// A count of things that take at least `bytes_each` bytes: more than could follow is a failure.
    std::size_t count(std::size_t bytes_each = 1) {
        const std::uint64_t wanted = number();
        if (wanted > left() / bytes_each) return fail();
        return static_cast<std::size_t>(wanted);
    }
    /// A number below `bound`.
    std::uint32_t below(std::size_t bound) {
        const std::uint64_t found = number();
        if (found >= bound) return static_cast<std::uint32_t>(fail());
        return static_cast<std::uint32_t>(found);
    }
    std::uint8_t byte() {
        if (at_ == end_) return static_cast<std::uint8_t>(fail());
        return *at_++;
    }
    std::span<const std::uint8_t> bytes(std::size_t size) {
        if (size > left()) {
            fail();
            return {};
        }
        const std::span<const std::uint8_t> result(at_, size);
        at_ += size;
        return result;
    }
    std::string_view text() {
        const auto raw = bytes(count());
        return {reinterpret_cast<const char*>(raw.data()), raw.size()};
    }

  private:
    std::size_t fail() {
        ok_ = false;
        at_ = end_;
        return 0;
    }
    std::uint64_t long_number() {
        std::uint64_t result = 0;
        for (unsigned shift = 0; at_ != end_ && shift < 7 * kMaxVarintBytes; shift += 7) {
            const std::uint8_t next = *at_++;
            result |= static_cast<std::uint64_t>(next & 0x7FU) << shift;
            if (next < 0x80) return result;
        }
        return fail();
    }

    const std::uint8_t* at_ = nullptr;
    const std::uint8_t* end_ = nullptr;
    bool ok_ = true;
};

} // namespace heddle::htr
