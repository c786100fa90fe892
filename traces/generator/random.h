// Random numbers that are the same on every machine: xoshiro256** seeded by splitmix64, and no floating
// point after a Chance was made. Not for secrets.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace heddle::generator {

/// A probability, kept as a number of 2^-32.
class Chance {
  public:
    constexpr Chance() = default;
    constexpr explicit Chance(double probability)
        : threshold_(static_cast<std::uint64_t>(probability * 4294967296.0)) {}

  private:
    friend class Random;
    std::uint64_t threshold_ = 0;
};

class Random {
  public:
    explicit Random(std::uint64_t seed) {
        for (std::uint64_t& word : state_) {
            seed += 0x9E37'79B9'7F4A'7C15U;
            std::uint64_t mixed = seed;
            mixed = (mixed ^ mixed >> 30U) * 0xBF58'476D'1CE4'E5B9U;
            mixed = (mixed ^ mixed >> 27U) * 0x94D0'49BB'1331'11EBU;
            word = mixed ^ mixed >> 31U;
        }
    }

    std::uint64_t next() {
        const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
        const std::uint64_t shifted = state_[1] << 17U;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    /// 0 to bound - 1; bound is at least 1.
    std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>(((next() >> 32U) * bound) >> 32U);
    }
    /// Both ends included.
    std::uint32_t between(std::uint32_t low, std::uint32_t high) { return low + below(high - low + 1); }
    bool happens(Chance chance) { return (next() >> 32U) < chance.threshold_; }
    bool one_in(std::uint32_t n) { return below(n) == 0; }

    template<typename Container>
    auto& pick(Container& from) {
        return from[below(static_cast<std::uint32_t>(from.size()))];
    }

  private:
    std::array<std::uint64_t, 4> state_{};
};

} // namespace heddle::generator
