// The seeds of a test over random traces. Their number and the first of them come from the environment, so
// that a soak can run for hours, go on where it stopped, and repeat what failed (CONTRIBUTING.md):
//   HEDDLE_RANDOM_TRACES   how many, instead of the test's own number
//   HEDDLE_RANDOM_SEED     the first; 1 unless told
//
// A test names the seed in the message of every failure. Iteration ends at the first failure.
#pragma once

#include <cstdint>
#include <cstdlib>

#include <gtest/gtest.h>

namespace heddle::testing_support {

class RandomTraces {
  public:
    class Iterator {
      public:
        explicit Iterator(std::uint64_t seed) : seed_(seed) {}
        std::uint64_t operator*() const { return seed_; }
        Iterator& operator++() {
            ++seed_;
            return *this;
        }
        bool operator!=(const Iterator& end) const {
            return seed_ != end.seed_ && !testing::Test::HasFailure();
        }

      private:
        std::uint64_t seed_;
    };

    RandomTraces(std::uint64_t first, std::uint64_t count) : first_(first), count_(count) {}
    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] Iterator begin() const { return Iterator(first_); }
    [[nodiscard]] Iterator end() const { return Iterator(first_ + count_); }

  private:
    std::uint64_t first_;
    std::uint64_t count_;
};

/// `usual`: how many when the environment does not say.
[[nodiscard]] inline RandomTraces random_traces(std::uint64_t usual) {
    const auto number = [](const char* name, std::uint64_t otherwise) {
        const char* text = std::getenv(name);
        return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
    };
    return {number("HEDDLE_RANDOM_SEED", 1), number("HEDDLE_RANDOM_TRACES", usual)};
}

} // namespace heddle::testing_support
