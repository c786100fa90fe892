#include "daemon/service/unreadable_traces.h"

#include <cstddef>

namespace heddle::service {

namespace {
constexpr std::size_t kToldOneByOne = 5;
constexpr const char* kMore = "Heddle: more traces cannot be read; the log names them all.";
} // namespace

bool UnreadableTraces::is_news(const std::string& path, const std::string& why) const {
    const auto known = why_.find(path);
    return known == why_.end() || known->second != why;
}

std::optional<std::string> UnreadableTraces::add(const std::string& path, const std::string& why) {
    const auto [known, added] = why_.insert_or_assign(path, why);
    if (!added || why_.size() > kToldOneByOne + 1) return std::nullopt;
    return why_.size() > kToldOneByOne ? kMore : why;
}

std::vector<std::string> UnreadableTraces::summary() const {
    std::vector<std::string> result;
    for (const auto& [path, why] : why_) {
        result.push_back(result.size() < kToldOneByOne ? why : kMore);
        if (result.size() > kToldOneByOne) break;
    }
    return result;
}

} // namespace heddle::service
