#include "daemon/fix/fix_finder.h"

#include "traces/load.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <boost/asio/post.hpp>

namespace heddle::fix {

namespace {

constexpr std::size_t kMaxKnown = 256;

std::vector<Offer> work(const Question& question, service::SharedSymbols& symbols,
                        const std::stop_token& stop) {
    const Progress progress = [&](std::uint64_t, std::uint64_t) { return !stop.stop_requested(); };
    const auto loaded = load_trace(question.trace, {.limits = {}, .progress = progress});
    if (!loaded || stop.stop_requested()) return {};
    const Trace trace = symbols.tell(loaded->trace).trace;
    return offers(trace, question.root, *question.report, question.report->findings[question.finding],
                  question.access, progress);
}

} // namespace

FixFinder::~FixFinder() {
    stop_.request_stop();
    *self_ = nullptr;
}

const std::vector<Offer>* FixFinder::known(const Question& question) const {
    const auto found = std::ranges::find(entries_, question, &Entry::question);
    return found != entries_.end() && found->done ? &found->offers : nullptr;
}

void FixFinder::find(const Question& question, Found found) {
    if (const std::vector<Offer>* offers = known(question)) return found(*offers);
    const auto under_way = std::ranges::find(entries_, question, &Entry::question);
    if (under_way != entries_.end()) {
        under_way->waiting.push_back(std::move(found));
        return;
    }
    entries_.push_front({.question = question, .done = false, .offers = {}, .waiting = {}});
    entries_.front().waiting.push_back(std::move(found));
    if (entries_.size() > kMaxKnown) entries_.pop_back();
    std::error_code ignored;
    // Somebody is waiting: before analyses of traces of the same size.
    const std::uint64_t weight = std::filesystem::file_size(question.trace, ignored) / 2;
    pool_.submit(weight,
                 [question, &symbols = symbols_, &loop = loop_, self = self_, stop = stop_.get_token()] {
                     std::vector<Offer> offers = work(question, symbols, stop);
                     boost::asio::post(loop, [question, self, offers = std::move(offers)]() mutable {
                         if (*self != nullptr) (*self)->finish(question, std::move(offers));
                     });
                 });
}

void FixFinder::finish(const Question& question, std::vector<Offer> offers) {
    const auto entry = std::ranges::find(entries_, question, &Entry::question);
    if (entry == entries_.end()) return;
    entry->done = true;
    entry->offers = std::move(offers);
    for (const Found& found : std::exchange(entry->waiting, {})) found(entry->offers);
}

} // namespace heddle::fix
