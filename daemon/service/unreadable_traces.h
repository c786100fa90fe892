// Traces that cannot be read: each is told once, until it can be read again or is gone, and of many that come
// at once a person sees the first few and one sentence for the rest.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::service {

class UnreadableTraces {
  public:
    /// False when that is known already.
    [[nodiscard]] bool is_news(const std::string& path, const std::string& why) const;
    /// What a person is to be told, if anything.
    [[nodiscard]] std::optional<std::string> add(const std::string& path, const std::string& why);
    void remove(const std::string& path) { why_.erase(path); }

    /// For a person who comes later.
    [[nodiscard]] std::vector<std::string> summary() const;

  private:
    std::map<std::string, std::string> why_; ///< by path
};

} // namespace heddle::service
