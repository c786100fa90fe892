#include "traces/recorder/ownership.h"

#include "traces/recorder/blocks.h"
#include "traces/recorder/internal_memory.h"
#include "traces/recorder/recording.h"

namespace heddle::recorder {

constinit IdentitySet shared_identities;
constinit IdentitySet told_addresses;

bool IdentitySet::start() noexcept {
    bits_ = static_cast<std::atomic<std::uint64_t>*>(reserve(std::size_t{kMaxIdentity} / 8));
    return bits_ != nullptr;
}

namespace {

/// Keeps an access of owned memory in the buffer, unless it is there already.
void keep_back(ThreadState& state, const Cell& cell, Address address, unsigned size, EventKind kind,
               Address place) noexcept {
    const std::uint64_t head = Record::head_of(kind, address, size);
    const std::uint64_t key = state.kept_filter.key_of(head, place);
    EpochFilter::Entry& entry = state.kept_filter.entry(key);
    if (entry.key == key) return;
    state.kept_filter.set(entry, key, 0);
    const Inside inside(state);
    make_room(state, 2);
    put_kept_stamp(state);
    put(state, {head | Record::kOwned, state.calls.node_of(place),
                cell.identity.load(std::memory_order_relaxed), 0});
}

/// Sets a bit of the page that the cell already names. False: another thread has come.
bool set_bit(Cell& cell, Ownership ownership, unsigned bit) noexcept {
    if (bit < HistoryBits::kLowBits) {
        const std::uint64_t wanted = ownership.bits() | std::uint64_t{1} << bit;
        std::uint64_t expected = ownership.bits();
        return wanted == expected || cell.state.compare_exchange_strong(expected, wanted);
    }
    const std::uint64_t wanted = std::uint64_t{1} << (bit - HistoryBits::kLowBits);
    if ((cell.high_bits.load(std::memory_order_relaxed) & wanted) != 0) return true;
    cell.high_bits.fetch_or(wanted);
    return cell.state.load() == ownership.bits();
}

/// Makes the cell's page the newest step of its past and begins with a new page. Who takes the cell over in
/// between, and looks at the past last, finds the old page there (add_late_history). False: no room, or
/// somebody has come.
bool turn_page(Cell& cell, Ownership ownership, PageNumber page, unsigned bit) noexcept {
    const HistoryBits bits{ownership.page(), ownership.low(), cell.high_bits.load()};
    if (bits.low != 0 || bits.high != 0) {
        const std::optional<StepNumber> earlier = history.steps_of(cell.past.load());
        const StepNumber past = earlier ? history.step(bits, *earlier) : kNoStep;
        if (past == kNoStep) return false;
        cell.past.store(past);
    }
    const bool low = bit < HistoryBits::kLowBits;
    cell.high_bits.store(low ? 0 : std::uint64_t{1} << (bit - HistoryBits::kLowBits));
    std::uint64_t expected = ownership.bits();
    return cell.state.compare_exchange_strong(
        expected, Ownership::by_page(page, low ? std::uint64_t{1} << bit : 0).bits());
}

/// Whether an earlier page of the same epoch tells of the access already.
bool is_in_past(const Cell& cell, SiteBit site) noexcept {
    const std::uint64_t epoch = history.page(site.page).stamp;
    const std::uint32_t past = cell.past.load();
    for (StepNumber at = (past & kCallBit) != 0 ? kNoStep : past; at != kNoStep;
         at = history.step(at).earlier) {
        const HistoryBits& bits = history.step(at).bits;
        if (history.page(bits.page).stamp != epoch) return false;
        if (site.is_in(bits)) return true;
    }
    return false;
}

/// Adds an access to the history, unless the epoch tells of it already. False: it must be recorded.
bool remember(ThreadState& state, Cell& cell, Ownership ownership, Address place, std::uint32_t what,
              std::uint64_t stamp, StackNode stack) noexcept {
    const SiteBit found = history.find_site(state, epoch_of(stamp), place, what);
    if (history.tells({ownership.page(), ownership.low(), cell.high_bits.load()}, found)) return true;
    const SiteBit site = history.bit_of(state, found, stamp, place, what, stack);
    if (site.page == kNoPage) return false;
    if (ownership.page() == site.page) return set_bit(cell, ownership, site.bit);
    return is_in_past(cell, site) || turn_page(cell, ownership, site.page, site.bit);
}

/// The thread's sign on memory whose accesses are all in its buffer. Its stamp says that only who has joined
/// the thread comes after them.
PageNumber own_mark(ThreadState& state) noexcept {
    if (state.ownership_mark == kNoPage)
        state.ownership_mark = history.new_page(state, ForkJoinClock::kEverything);
    return state.ownership_mark;
}

/// Claims memory whose first access is one that the history has already, with the same call stack: then
/// nothing would be gained by keeping it in the buffer.
bool claim_remembered(ThreadState& state, Cell& cell, Address place, std::uint32_t what) noexcept {
    const HistoryCursor::Known& known = state.history_cursor.known(place, what);
    if (known.place != place || known.what != what || known.stamp != state.stamp ||
        known.turn < state.open_turn)
        return false;
    const SiteBit site = known.site;
    if (site.page == kNoPage || site.bit >= HistoryBits::kLowBits || !is_no_stack(cell) ||
        history.site(history.page(site.page), site.bit).stack != state.calls.node_of(place))
        return false;
    std::uint64_t expected = 0;
    return cell.state.compare_exchange_strong(
        expected, Ownership::by_page(site.page, std::uint64_t{1} << site.bit).bits());
}

bool claim(ThreadState& state, Cell& cell) noexcept {
    const PageNumber mark = own_mark(state);
    std::uint64_t expected = 0;
    return mark != kNoPage &&
           cell.state.compare_exchange_strong(expected, Ownership::by_page(mark, 0).bits());
}

} // namespace

bool access_owned(ThreadState& state, Cell& cell, Address address, unsigned size, EventKind kind,
                  Address place) noexcept {
    const Ownership ownership(cell.state.load(std::memory_order_acquire));
    const bool fresh = ownership.untouched();
    const std::uint32_t what = Record::what(Record::head_of(kind, address, size));
    if (fresh || ownership.page() == state.ownership_mark) {
        if (fresh) {
            static_cast<void>(touch(state, address));
            if (claim_remembered(state, cell, place, what)) return true;
            if (!claim(state, cell)) return false;
        }
        keep_back(state, cell, address, size, kind, place);
        return true;
    }
    if (ownership.recorded()) return false;
    const HistoryPage& page = history.page(ownership.page());
    if (page.thread != state.thread && !state.clock.is_after(page.thread, page.stamp)) return false;
    return remember(state, cell, ownership, place, what, state.stamp + state.turn, kNoCaller);
}

Settled settle(ThreadState& state, const Record& record, std::uint64_t stamp, bool live, bool last) noexcept {
    if (record.kind() == EventKind::alloc)
        return is_told_now(record, state.thread, stamp) ? Settled::to_be_written : Settled::dropped;
    if (shared_identities.contains(record.target)) return Settled::to_be_written;
    Cell* cell = shadow.cell(record.address());
    if (cell == nullptr || cell->identity.load(std::memory_order_acquire) != record.target)
        return Settled::dropped;
    const Ownership ownership(cell->state.load(std::memory_order_acquire));
    if (ownership.recorded() || ownership.untouched() ||
        history.page(ownership.page()).thread != state.thread)
        return Settled::to_be_written;
    if (last) return Settled::dropped;
    const bool on_stack = on_own_stack(state, record.address());
    if (live && on_stack &&
        history.call_of(cell->past.load(std::memory_order_relaxed)) != state.calls.call_of(record.address()))
        return Settled::dropped;
    if (!on_stack && remember(state, *cell, ownership, call_tree.node(record.stack).code_address,
                              Record::what(record.head), stamp, record.stack))
        return Settled::dropped;
    static_cast<void>(variable_of(state, *cell, record.address()));
    return Settled::to_be_written;
}

} // namespace heddle::recorder
