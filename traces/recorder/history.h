// What threads did with memory that only one of them touched at a time, in case another comes later.
//
// A *page* is a list of sites: the different places, kinds and byte ranges with which one thread touched such
// memory between two of its synchronisation events. A cell names a page and has a bit for each of its sites:
// "this one touched me". When the thread goes on to its next epoch, or the memory to its next owner, page and
// bits become the newest step of the cell's *past*. A million elements of an array that are filled in one
// loop and sorted in another share one page; that they differ in bits costs nothing.
//
// Pages and steps are written by the thread that owns the memory, read by anyone, and never removed. When
// there is no room for more, or a past gets too long, memory is recorded as it is touched instead.
#pragma once

#include "traces/recorder/call_stack.h"
#include "traces/recorder/call_tree.h"
#include "traces/recorder/shadow.h"
#include "traces/recorder/stamps.h"

#include <atomic>
#include <cstdint>
#include <optional>

namespace heddle::recorder {

struct ThreadState;

using PageNumber = std::uint32_t;
using StepNumber = std::uint32_t;
inline constexpr PageNumber kNoPage = 0;
/// Of nobody, and without sites: cells with it describe heap blocks (heap_header.h).
inline constexpr PageNumber kHeaderPage = 1;
/// The same: a step with it says which call of a function the memory belongs to.
inline constexpr PageNumber kCallPage = 2;
inline constexpr StepNumber kNoStep = 0;

/// One point of the program that touches memory.
struct HistorySite {
    StackNode stack;
    std::uint32_t what;     ///< Record::what(): kind and bytes
    std::uint32_t position; ///< within the epoch, when the thread was first here
};

struct HistoryPage {
    std::uint64_t stamp; ///< the epoch
    std::uint32_t thread;
    std::uint32_t first_site;
    PageNumber previous; ///< of the same epoch, when its sites did not fit one page
    std::atomic<std::uint32_t> sites;
};

/// Page and bits of a cell. The bits are in two words because the page shares the first with other things.
struct HistoryBits {
    PageNumber page = kNoPage;
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    static constexpr unsigned kLowBits = 39;
    static constexpr unsigned kBits = kLowBits + 64;
    bool operator==(const HistoryBits&) const = default;
};

/// A bit of a page.
struct SiteBit {
    PageNumber page = kNoPage;
    unsigned bit = 0;

    [[nodiscard]] bool is_in(const HistoryBits& bits) const noexcept {
        if (bits.page != page) return false;
        return bit < HistoryBits::kLowBits ? (bits.low >> bit & 1U) != 0
                                           : (bits.high >> (bit - HistoryBits::kLowBits) & 1U) != 0;
    }
};

/// Something that happened to a cell before its present page.
struct HistoryStep {
    HistoryBits bits;
    StepNumber earlier;
    std::uint32_t length;
    StepNumber next; ///< in the same bucket
};

class History {
  public:
    [[nodiscard]] bool start() noexcept;

    /// A page without sites; kNoPage if there is no room.
    [[nodiscard]] PageNumber new_page(ThreadState& state, std::uint64_t stamp) noexcept;
    /// Where a site stands among those of the thread in the epoch of `stamp`; no page if there is no room.
    /// `stamp`: the turn of the access, of which a new site gets the next place. `stack`: of `place`, if it
    /// is known.
    [[nodiscard]] SiteBit bit_of(ThreadState& state, std::uint64_t stamp, Address place, std::uint32_t what,
                                 StackNode stack) noexcept;
    /// The past that ends with `bits`; kNoStep if there is no room.
    [[nodiscard]] StepNumber step(const HistoryBits& bits, StepNumber earlier) noexcept;

    /// What Cell::past says, as steps; nothing if there is no room for the first one.
    [[nodiscard]] std::optional<StepNumber> steps_of(std::uint32_t past) noexcept {
        if ((past & kCallBit) == 0) return past;
        const StepNumber first = step({.page = kCallPage, .low = past}, kNoStep);
        return first == kNoStep ? std::nullopt : std::optional(first);
    }
    /// Which call the memory with this past belongs to; 0: it was no stack memory.
    [[nodiscard]] CallNumber call_of(std::uint32_t past) const noexcept {
        if ((past & kCallBit) != 0 || past == kNoStep) return past;
        while (steps_[past].earlier != kNoStep) past = steps_[past].earlier;
        return steps_[past].bits.page == kCallPage ? static_cast<CallNumber>(steps_[past].bits.low) : 0;
    }

    [[nodiscard]] const HistoryPage& page(PageNumber number) const noexcept { return pages_[number]; }
    [[nodiscard]] const HistoryStep& step(StepNumber number) const noexcept { return steps_[number]; }
    [[nodiscard]] const HistorySite& site(const HistoryPage& page, unsigned bit) const noexcept {
        return sites_[page.first_site + bit];
    }

  private:
    [[nodiscard]] SiteBit find_site(PageNumber page, Address place, std::uint32_t what) const noexcept;

    static constexpr std::uint32_t kMaxPages = 1U << 21U;
    static constexpr std::uint32_t kMaxSites = 1U << 22U;
    static constexpr std::uint32_t kMaxSteps = 1U << 20U;
    static constexpr std::uint32_t kMaxLength = 64;
    static constexpr std::uint32_t kSitesAtOnce = 4096; ///< taken by a thread for its pages
    static constexpr std::uint32_t kBuckets = 1U << 16U;

    HistoryPage* pages_ = nullptr;
    HistorySite* sites_ = nullptr;
    HistoryStep* steps_ = nullptr;
    std::atomic<StepNumber>* buckets_ = nullptr;
    std::atomic<std::uint32_t> page_count_{kCallPage + 1};
    std::atomic<std::uint32_t> site_count_{0};
    std::atomic<std::uint32_t> step_count_{1};
};

extern History history;

/// A thread's part: the page it is filling, and where its sites are in it.
struct HistoryCursor {
    PageNumber page = kNoPage;
    std::uint64_t stamp = 0; ///< of the page
    std::uint32_t unused_sites = 0;
    std::uint32_t end_of_sites = 0;
    Places places;

    struct Known {
        Address place;
        std::uint64_t stamp;
        std::uint32_t what;
        SiteBit site;
    };
    [[nodiscard]] Known& known(Address place, std::uint32_t what) noexcept {
        return known_[(place ^ place >> 7U ^ what ^ what >> 5U) % kKnown];
    }

  private:
    static constexpr std::size_t kKnown = 512;
    Known known_[kKnown]{};
};

} // namespace heddle::recorder
