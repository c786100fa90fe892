// Bytes that can be read at any offset: a file that may be growing, shrinking or vanishing, or memory.
// Files are read with pread, never mapped: a mapped file that is truncated kills its reader.
#pragma once

#include "traces/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heddle {

class RandomAccess {
  public:
    RandomAccess() = default;
    virtual ~RandomAccess() = default;
    RandomAccess(const RandomAccess&) = delete;
    RandomAccess& operator=(const RandomAccess&) = delete;
    RandomAccess(RandomAccess&&) = delete;
    RandomAccess& operator=(RandomAccess&&) = delete;

    /// How many bytes there are now.
    [[nodiscard]] virtual Result<std::uint64_t> size() const = 0;
    /// Fills `to` from `offset`; how many bytes were there to be read.
    [[nodiscard]] virtual Result<std::size_t> read_at(std::uint64_t offset,
                                                      std::span<std::uint8_t> to) const = 0;
    /// Whether the name these bytes were opened by still leads to them.
    [[nodiscard]] virtual bool still_named() const = 0;
};

[[nodiscard]] Result<std::unique_ptr<RandomAccess>> open_file(const std::string& path);
/// The bytes must outlive the result.
[[nodiscard]] std::unique_ptr<RandomAccess> open_memory(std::span<const std::uint8_t> bytes);

} // namespace heddle
