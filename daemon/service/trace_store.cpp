#include "daemon/service/trace_store.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <utility>

#include <boost/asio/post.hpp>
#include <malloc.h>

namespace heddle::service {

namespace {

/// A growing file is looked at again when there is this much more of it, in percent, so that all looks
/// together cost no more than a few of the whole; or when it has not grown so much for a while.
constexpr std::uint64_t kWorthALook = 125;
constexpr std::chrono::milliseconds kPatience{1000};

} // namespace

struct TraceStore::Entry {
    explicit Entry(boost::asio::io_context& loop) : patience(loop) {}

    SharedReport settled;                    ///< of the last run that ended
    SharedReport growing;                    ///< of the run that goes on
    std::unique_ptr<TraceAnalysis> analysis; ///< while no worker has it
    std::shared_ptr<AnalysisJob> job;        ///< what a worker does, or will
    std::uint64_t generation = 0;            ///< of the file's content, as far as it is one
    std::uint64_t bytes = 0;
    std::uint64_t looked_at = 0;                ///< bytes there were when the last job began
    bool ended = false;                         ///< the writer let go
    bool again = false;                         ///< there is more since the job began
    bool whole = false;                         ///< what is known is of all of the last run
    bool fresh = false;                         ///< not from the cache
    std::vector<std::function<void()>> waiting; ///< for the next report, see look_again()
    boost::asio::steady_timer patience;
};

TraceStore::TraceStore(Means means, AnalysisSettings settings, Listener listener)
    : means_(means), settings_(std::move(settings)), listener_(std::move(listener)) {}

TraceStore::~TraceStore() {
    *self_ = nullptr;
    cancel();
}

void TraceStore::file_changed(const std::string& path, TraceChange change, std::uint64_t bytes) {
    auto found = entries_.find(path);
    if (change == TraceChange::gone) {
        if (found == entries_.end()) return;
        abandon(*found->second);
        entries_.erase(found);
        listener_.problem(path, {});
        listener_.reports(path);
        listener_.activity(path);
        return;
    }
    if (found == entries_.end()) found = entries_.emplace(path, std::make_unique<Entry>(means_.loop)).first;
    Entry& entry = *found->second;
    entry.bytes = bytes;
    if (change == TraceChange::replaced || entry.generation == 0) {
        abandon(entry);
        entry.generation = ++generations_;
        entry.growing.reset();
        entry.looked_at = 0;
        entry.whole = false;
    }
    entry.ended = change == TraceChange::finished;
    if (entry.job) {
        entry.again = true;
        return;
    }
    const bool worth_it = entry.bytes * 100 >= entry.looked_at * kWorthALook;
    if (entry.ended || worth_it) {
        start(path, entry);
    } else {
        start_later(path, entry);
    }
}

void TraceStore::start(const std::string& path, Entry& entry) {
    entry.patience.cancel();
    entry.again = false;
    entry.looked_at = entry.bytes;
    entry.job = std::make_shared<AnalysisJob>();
    *entry.job = {.path = path,
                  .generation = entry.generation,
                  .bytes = entry.bytes,
                  .ended = entry.ended,
                  .fresh = entry.fresh,
                  .settings = settings_,
                  .analysis = std::move(entry.analysis)};
    listener_.activity(path);
    means_.pool.submit(entry.bytes, [job = entry.job, self = self_, means = means_] {
        const auto post = [&](auto call) {
            boost::asio::post(means.loop, [self, call = std::move(call)]() mutable {
                if (*self != nullptr) call(**self);
            });
        };
        std::atomic<unsigned> told = 0; // progress may be told by any thread of the analysis
        const auto progress = [&](std::uint64_t done, std::uint64_t total) {
            const auto percent = static_cast<unsigned>(total == 0 ? 0 : done * 100 / total);
            if (unsigned before = told; percent > before && told.compare_exchange_strong(before, percent))
                post([job, percent](TraceStore& store) { store.tell_progress(job, percent); });
            return !job->stop.stop_requested();
        };
        const auto interim = [&](report::TraceReport report) {
            post([job, shared = std::make_shared<const report::TraceReport>(std::move(report))](
                     TraceStore& store) { store.tell_interim(job, shared); });
        };
        auto result = run(*job, means.cache, means.symbols, progress, interim);
        post([job, result = std::move(result)](TraceStore& store) mutable {
            store.finished(job, std::move(result));
        });
    });
}

void TraceStore::start_later(const std::string& path, Entry& entry) {
    entry.patience.expires_after(kPatience);
    entry.patience.async_wait([this, path, self = self_](const boost::system::error_code& error) {
        if (error || *self == nullptr) return;
        const auto found = entries_.find(path);
        if (found != entries_.end() && !found->second->job) start(path, *found->second);
    });
}

void TraceStore::finished(const std::shared_ptr<AnalysisJob>& job, Result<report::TraceReport> result) {
    const auto found = entries_.find(job->path);
    if (found == entries_.end() || found->second->job != job) return give_back(std::move(job->analysis));
    Entry& entry = *found->second;
    entry.job.reset();
    entry.fresh = false;
    // An empty file is no run that ended: its writer has made it, and is about to take hold of it.
    entry.whole = (job->ended && job->bytes > 0) || (result && result->complete);
    if (!result) {
        // A recording that has just begun is empty, and nobody needs to hear of that.
        if (job->bytes > 0) listener_.problem(job->path, result.error().message);
        if (job->ended) {
            entry.settled.reset();
            entry.growing.reset();
        }
    } else {
        listener_.problem(job->path, {});
        auto report = std::make_shared<const report::TraceReport>(std::move(*result));
        if (entry.whole) {
            entry.settled = std::move(report);
            entry.growing.reset();
        } else {
            entry.growing = std::move(report);
            entry.analysis = std::move(job->analysis);
        }
    }
    listener_.reports(job->path);
    if (entry.again) {
        file_changed(job->path, entry.ended ? TraceChange::finished : TraceChange::grew, entry.bytes);
    } else {
        answer_waiting(entry);
    }
    listener_.activity(job->path);
}

void TraceStore::tell_interim(const std::shared_ptr<AnalysisJob>& job, SharedReport report) {
    const auto found = entries_.find(job->path);
    if (found == entries_.end() || found->second->job != job) return;
    found->second->growing = std::move(report);
    listener_.reports(job->path);
}

void TraceStore::abandon(Entry& entry) {
    if (entry.job) entry.job->stop.request_stop();
    entry.job.reset();
    give_back(std::move(entry.analysis));
    entry.patience.cancel();
    answer_waiting(entry);
}

/// Not on the loop: it takes its time for a large trace, most of which the allocator would keep, too.
void TraceStore::give_back(std::unique_ptr<TraceAnalysis> analysis) {
    if (!analysis) return;
    means_.pool.submit(0, [last = std::shared_ptr<TraceAnalysis>(std::move(analysis))]() mutable {
        last.reset();
        malloc_trim(0);
    });
}

void TraceStore::answer_waiting(Entry& entry) {
    for (std::function<void()>& then : std::exchange(entry.waiting, {}))
        boost::asio::post(means_.loop, std::move(then));
}

void TraceStore::tell_progress(const std::shared_ptr<AnalysisJob>& job, unsigned percent) {
    const auto found = entries_.find(job->path);
    if (found == entries_.end() || found->second->job != job) return;
    job->percent = percent;
    listener_.activity(job->path);
}

void TraceStore::look_again(const std::string& path, std::function<void()> then) {
    const auto found = entries_.find(path);
    if (found == entries_.end()) {
        boost::asio::post(means_.loop, std::move(then));
        return;
    }
    Entry& entry = *found->second;
    entry.waiting.push_back(std::move(then));
    if (entry.job) {
        entry.again = true;
    } else {
        start(path, entry);
    }
}

void TraceStore::analyse_again() {
    for (auto& [path, entry] : entries_) {
        abandon(*entry);
        entry->generation = ++generations_;
        entry->fresh = true;
        start(path, *entry);
    }
}

void TraceStore::use(AnalysisSettings settings) {
    const bool same = settings.key() == settings_.key();
    settings_ = std::move(settings);
    if (same) return;
    for (auto& [path, entry] : entries_) {
        abandon(*entry);
        entry->generation = ++generations_;
        start(path, *entry);
    }
}

void TraceStore::cancel() {
    for (auto& [path, entry] : entries_) {
        const bool busy = entry->job != nullptr;
        abandon(*entry);
        if (busy && *self_ != nullptr) listener_.activity(path);
    }
}

void TraceStore::clear() {
    cancel();
    for (auto& [path, entry] : entries_) {
        entry->settled.reset();
        entry->growing.reset();
        listener_.reports(path);
    }
}

std::vector<SharedReport> TraceStore::reports(const std::string& path) const {
    std::vector<SharedReport> result;
    const auto found = entries_.find(path);
    if (found == entries_.end()) return result;
    if (found->second->settled) result.push_back(found->second->settled);
    if (found->second->growing) result.push_back(found->second->growing);
    return result;
}

std::vector<std::string> TraceStore::paths() const {
    std::vector<std::string> result;
    for (const auto& [path, entry] : entries_) result.push_back(path);
    return result;
}

TraceStore::Activity TraceStore::activity() const {
    Activity result;
    std::uint64_t all = 0;
    std::uint64_t done = 0;
    for (const auto& [path, entry] : entries_) {
        if (!entry->whole) ++result.growing;
        if (!entry->job) continue;
        ++result.waiting;
        all += entry->bytes;
        done += entry->bytes * entry->job->percent / 100;
        if (result.name.empty()) result.name = std::filesystem::path(path).filename().string();
    }
    result.percent = all == 0 ? 0 : static_cast<unsigned>(done * 100 / all);
    return result;
}

} // namespace heddle::service
