// Names for contents: equal for equal bytes, and for others only by an accident that nobody will see.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace heddle::service {

[[nodiscard]] std::uint64_t hash_of(std::string_view bytes);
/// In 16 hexadecimal digits.
[[nodiscard]] std::string hash_name(std::string_view bytes);

/// 128 bits of what comes in pieces.
class ContentHash {
  public:
    ContentHash();
    ~ContentHash();
    ContentHash(const ContentHash&) = delete;
    ContentHash& operator=(const ContentHash&) = delete;
    ContentHash(ContentHash&&) = delete;
    ContentHash& operator=(ContentHash&&) = delete;

    void add(std::string_view bytes);
    /// In 32 hexadecimal digits.
    [[nodiscard]] std::string name() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace heddle::service
