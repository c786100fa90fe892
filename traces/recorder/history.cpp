#include "traces/recorder/history.h"

#include "traces/hash.h"
#include "traces/recorder/internal_memory.h"
#include "traces/recorder/recording.h"
#include "traces/recorder/thread_state.h"

namespace heddle::recorder {

constinit History history;

namespace {
constexpr std::uint32_t kNobody = 0xFFFF'FFFF;

/// The turn of an access that happens now. What waits in the buffer gets its place only when that is written.
/// May be in a new epoch.
std::uint64_t turn_to_remember(ThreadState& state) noexcept {
    if (state.kept_back) next_turn(state);
    state.remembered = true;
    return state.stamp + state.turn;
}

/// As ThreadState::open_turn was when an access that is in the buffer had this stamp.
std::uint64_t open_turn(const ThreadState& state, std::uint64_t stamp) noexcept {
    const std::uint64_t turn = state.flushed_direct - epoch_of(stamp);
    return turn > stamp % kEpoch || turn == kLastTurn ? 0 : turn;
}

HistoryCursor& cursor_of(ThreadState& state, std::uint64_t epoch) noexcept {
    return epoch == state.stamp ? state.history_cursor : state.earlier_cursor;
}
} // namespace

bool History::start() noexcept {
    pages_ = static_cast<HistoryPage*>(reserve(kMaxPages * sizeof(HistoryPage)));
    sites_ = static_cast<HistorySite*>(reserve(kMaxSites * sizeof(HistorySite)));
    steps_ = static_cast<HistoryStep*>(reserve(kMaxSteps * sizeof(HistoryStep)));
    buckets_ = static_cast<std::atomic<StepNumber>*>(reserve(kBuckets * sizeof(*buckets_)));
    if (pages_ == nullptr || sites_ == nullptr || steps_ == nullptr || buckets_ == nullptr) return false;
    for (const PageNumber page : {kHeaderPage, kCallPage}) {
        pages_[page].stamp = ForkJoinClock::kEverything;
        pages_[page].thread = kNobody;
    }
    return true;
}

PageNumber History::new_page(ThreadState& state, std::uint64_t stamp) noexcept {
    HistoryCursor& cursor = cursor_of(state, stamp);
    if (cursor.end_of_sites - cursor.unused_sites < HistoryBits::kBits) {
        if (site_count_.load(std::memory_order_relaxed) >= kMaxSites - kSitesAtOnce) return kNoPage;
        cursor.unused_sites = site_count_.fetch_add(kSitesAtOnce, std::memory_order_relaxed);
        cursor.end_of_sites = cursor.unused_sites + kSitesAtOnce;
        if (cursor.end_of_sites > kMaxSites) return kNoPage;
    }
    if (page_count_.load(std::memory_order_relaxed) >= kMaxPages) return kNoPage;
    const PageNumber number = page_count_.fetch_add(1, std::memory_order_relaxed);
    if (number >= kMaxPages) return kNoPage;
    pages_[number].stamp = stamp;
    pages_[number].thread = state.thread;
    pages_[number].first_site = cursor.unused_sites;
    pages_[number].previous = cursor.page != kNoPage && cursor.stamp == stamp ? cursor.page : kNoPage;
    return number;
}

SiteBit History::search_pages(PageNumber last, Address place, std::uint32_t what) const noexcept {
    for (PageNumber number = last; number != kNoPage; number = pages_[number].previous) {
        const HistoryPage& page = pages_[number];
        for (std::uint32_t bit = page.sites.load(std::memory_order_relaxed); bit-- > 0;) {
            const HistorySite& known = site(page, bit);
            if (known.what == what && call_tree.node(known.stack).code_address == place) return {number, bit};
        }
    }
    return {};
}

SiteBit History::find_site(ThreadState& state, std::uint64_t epoch, Address place,
                           std::uint32_t what) noexcept {
    HistoryCursor& cursor = cursor_of(state, epoch);
    const HistoryCursor::Known& known = cursor.known(place, what);
    if (known.place == place && known.what == what && known.stamp == epoch && known.site.page != kNoPage)
        [[likely]]
        return known.site;
    return cursor.stamp == epoch ? search_pages(cursor.page, place, what) : SiteBit{};
}

bool History::tells(const HistoryBits& bits, SiteBit at) const noexcept {
    while (at.page != kNoPage && at.page == bits.page) {
        if (at.is_in(bits)) return true;
        const std::uint32_t same_plus = site(pages_[at.page], at.bit).same_plus;
        at = same_plus == 0 ? SiteBit{} : SiteBit{at.page, same_plus - 1};
    }
    return false;
}

SiteBit History::add_site(ThreadState& state, std::uint64_t stamp, std::uint32_t what, StackNode stack,
                          SiteBit same) noexcept {
    const std::uint64_t epoch = epoch_of(stamp);
    HistoryCursor& cursor = cursor_of(state, epoch);
    const bool fits = cursor.page != kNoPage && cursor.stamp == epoch &&
                      pages_[cursor.page].sites.load(std::memory_order_relaxed) < HistoryBits::kBits;
    if (!fits) {
        const PageNumber fresh = new_page(state, epoch);
        if (fresh == kNoPage) return {};
        cursor.page = fresh;
        cursor.stamp = epoch;
    }
    HistoryPage& page = pages_[cursor.page];
    const std::uint32_t bit = page.sites.load(std::memory_order_relaxed);
    sites_[page.first_site + bit] = {
        .stack = stack,
        .what = what,
        .position = static_cast<std::uint16_t>(state.places.for_history(stamp) - epoch),
        .same_plus = static_cast<std::uint16_t>(same.page == cursor.page ? same.bit + 1 : 0)};
    ++cursor.unused_sites;
    page.sites.store(bit + 1, std::memory_order_release);
    return {cursor.page, bit};
}

SiteBit History::bit_of(ThreadState& state, SiteBit found, std::uint64_t stamp, Address place,
                        std::uint32_t what, StackNode stack) noexcept {
    const bool now = stack == kNoCaller;
    const auto is_open = [&](std::uint64_t turn) {
        return now ? turn >= state.open_turn : turn >= open_turn(state, stamp) && turn <= stamp % kEpoch;
    };
    const bool fits = found.page != kNoPage &&
                      (is_open(turn_of(found)) || site_count_.load(std::memory_order_relaxed) >= kManySites);
    if (!fits) {
        if (now) stamp = turn_to_remember(state);
        found = add_site(state, stamp, what, now ? state.calls.node_of(place) : stack, found);
        if (found.page == kNoPage) return {};
    }
    HistoryCursor::Known& known = cursor_of(state, epoch_of(stamp)).known(place, what);
    if (known.site != found || known.place != place || known.stamp != epoch_of(stamp))
        known = {place, epoch_of(stamp), what, turn_of(found), found};
    return found;
}

StepNumber History::step(const HistoryBits& bits, StepNumber earlier) noexcept {
    const std::uint64_t hash = hash_mix(hash_mix(hash_mix(earlier, bits.page), bits.low), bits.high);
    std::atomic<StepNumber>& bucket = buckets_[hash % kBuckets];
    StepNumber head = bucket.load(std::memory_order_acquire);
    for (StepNumber at = head; at != kNoStep; at = steps_[at].next) {
        if (steps_[at].bits == bits && steps_[at].earlier == earlier) return at;
    }
    const std::uint32_t length = steps_[earlier].length + 1;
    if (length > kMaxLength || step_count_.load(std::memory_order_relaxed) >= kMaxSteps) return kNoStep;
    const StepNumber fresh = step_count_.fetch_add(1, std::memory_order_relaxed);
    if (fresh >= kMaxSteps) return kNoStep;
    steps_[fresh] = {bits, earlier, length, head};
    // A step that another thread adds in the same moment is at worst there twice.
    while (!bucket.compare_exchange_weak(head, fresh, std::memory_order_acq_rel)) steps_[fresh].next = head;
    return fresh;
}

} // namespace heddle::recorder
