// What was wrong with an input, kept beside what could be read of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

enum class DamageKind : std::uint8_t {
    syntax,     ///< text that is not the notation; the line was left out
    corrupt,    ///< bytes that cannot be what the writer wrote; reading stopped there
    incomplete, ///< the writer is still running, or died before it closed the file
    rule,       ///< events that no real execution could have produced; see rules.h
    limit,      ///< a limit of this program was reached
};

struct Damage {
    DamageKind kind = DamageKind::syntax;
    std::string where; ///< "trace.std:12:4", "trace.htr: chunk 17 at byte 40960", "trace.std:12"
    std::string what;

    [[nodiscard]] std::string text() const { return where + ": " + what; }
    bool operator==(const Damage&) const = default;
};

/// Keeps the first few in words and counts the rest, so that a hostile file cannot fill
/// memory with complaints.
class DamageLog {
  public:
    DamageLog() = default;
    explicit DamageLog(std::size_t max_kept) : max_kept_(max_kept) {}

    void add(Damage damage) {
        ++total_;
        if (kept_.size() < max_kept_) kept_.push_back(std::move(damage));
    }
    /// For callers that would otherwise build a message no one keeps.
    void add_uncounted_text(std::uint64_t count) { total_ += count; }
    [[nodiscard]] bool full() const { return kept_.size() >= max_kept_; }
    [[nodiscard]] bool empty() const { return total_ == 0; }
    [[nodiscard]] std::uint64_t total() const { return total_; }
    [[nodiscard]] const std::vector<Damage>& kept() const { return kept_; }

  private:
    std::size_t max_kept_ = 100;
    std::uint64_t total_ = 0;
    std::vector<Damage> kept_;
};

} // namespace heddle
