// What variables hold, as far as the events so far tell. Writers leave out values that it tells, and readers
// fill them in again: both go through the events of a file in the same order.
#pragma once

#include "traces/event.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::htr {

class Contents {
  public:
    /// What these bytes of the variable hold.
    [[nodiscard]] std::optional<std::uint64_t> of(std::uint32_t variable, ByteRange bytes) const {
        if (variable >= rows_.size()) return std::nullopt;
        const Row& row = rows_[variable];
        const std::uint8_t wanted = bytes_of(bytes);
        if ((row.known & wanted) != wanted) return std::nullopt;
        return row.content >> shift_of(bytes) & ones_of(bytes);
    }
    /// An event tells what they hold.
    void learn(std::uint32_t variable, ByteRange bytes, std::uint64_t value) {
        Row& row = row_of(variable);
        const std::uint64_t ones = ones_of(bytes) << shift_of(bytes);
        row.content = (row.content & ~ones) | (value << shift_of(bytes) & ones);
        row.known |= bytes_of(bytes);
    }
    /// They were written, and the event does not tell what.
    void forget(std::uint32_t variable, ByteRange bytes) {
        if (variable < rows_.size()) rows_[variable].known &= static_cast<std::uint8_t>(~bytes_of(bytes));
    }

  private:
    struct Row {
        std::uint64_t content = 0;
        std::uint8_t known = 0; ///< one bit for each byte
    };

    [[nodiscard]] static unsigned shift_of(ByteRange bytes) { return 8U * bytes.offset; }
    [[nodiscard]] static std::uint64_t ones_of(ByteRange bytes) {
        return ~std::uint64_t{0} >> (64U - 8U * bytes.size);
    }
    [[nodiscard]] static std::uint8_t bytes_of(ByteRange bytes) {
        return static_cast<std::uint8_t>(((1U << bytes.size) - 1U) << bytes.offset);
    }
    [[nodiscard]] Row& row_of(std::uint32_t variable) {
        if (variable >= rows_.size())
            rows_.resize(std::max<std::size_t>(variable + std::size_t{1}, 2 * rows_.size()));
        return rows_[variable];
    }

    std::vector<Row> rows_;
};

} // namespace heddle::htr
