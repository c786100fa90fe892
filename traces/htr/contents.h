// What variables hold, as far as the events so far tell. Writers leave out values that it tells, and readers
// fill them in again: both go through the events of a file in the same order.
#pragma once

#include "traces/event.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::htr {

class Contents {
  public:
    /// Bytes of a variable as masks.
    struct Part {
        std::uint64_t ones = 0;
        std::uint8_t shift = 0;
        std::uint8_t set = 0; ///< one bit for each byte

        Part() = default;
        explicit Part(ByteRange bytes)
            : ones(~std::uint64_t{0} >> (64U - 8U * bytes.size)),
              shift(static_cast<std::uint8_t>(8U * bytes.offset)),
              set(static_cast<std::uint8_t>(((1U << bytes.size) - 1U) << bytes.offset)) {}
    };

    /// Of so many variables nothing is known yet.
    explicit Contents(std::size_t variables = 0) : rows_(variables) {}
    void add_variable() { rows_.emplace_back(); }

    /// What these bytes of the variable hold.
    [[nodiscard]] std::optional<std::uint64_t> of(std::uint32_t variable, const Part& part) const {
        const Row& row = rows_[variable];
        if ((row.known & part.set) != part.set) return std::nullopt;
        return row.content >> part.shift & part.ones;
    }
    /// An event tells what they hold.
    void learn(std::uint32_t variable, const Part& part, std::uint64_t value) {
        Row& row = rows_[variable];
        row.content = (row.content & ~(part.ones << part.shift)) | (value & part.ones) << part.shift;
        row.known |= part.set;
    }
    /// They were written, and the event does not tell what.
    void forget(std::uint32_t variable, const Part& part) {
        rows_[variable].known &= static_cast<std::uint8_t>(~part.set);
    }

  private:
    struct Row {
        std::uint64_t content = 0;
        std::uint8_t known = 0; ///< one bit for each byte
    };
    std::vector<Row> rows_;
};

} // namespace heddle::htr
