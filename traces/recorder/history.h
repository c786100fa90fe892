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

/// One point of the program that touches memory, until the thread's next event that is recorded directly.
struct HistorySite {
    StackNode stack;
    std::uint32_t what;      ///< Record::what(): kind and bytes
    std::uint16_t position;  ///< within the epoch, when the thread was first here
    std::uint16_t same_plus; ///< the page's last site before, plus 1, that is the same point; 0: none
};
static_assert(kEpoch <= 1U << 16U);

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
    std::uint32_t bit = 0;

    bool operator==(const SiteBit&) const = default;
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
    /// The last site of this point of the program among those of the thread in the epoch; no page if there is
    /// none.
    [[nodiscard]] SiteBit find_site(ThreadState& state, std::uint64_t epoch, Address place,
                                    std::uint32_t what) noexcept;
    /// The site for an access in the turn `stamp`: `found` unless something was recorded directly in between,
    /// else a new one that has the next place of the turn; no page if there is no room. `stack`: of `place`,
    /// if the access is not made now but was found in the buffer.
    [[nodiscard]] SiteBit bit_of(ThreadState& state, SiteBit found, std::uint64_t stamp, Address place,
                                 std::uint32_t what, StackNode stack) noexcept;
    /// Whether the bits tell of the same point of the program, at this position or an earlier one.
    [[nodiscard]] bool tells(const HistoryBits& bits, SiteBit site) const noexcept;
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
    [[nodiscard]] SiteBit search_pages(PageNumber last, Address place, std::uint32_t what) const noexcept;
    [[nodiscard]] std::uint32_t turn_of(SiteBit at) const noexcept {
        return site(pages_[at.page], at.bit).position & ~std::uint32_t{kLastPlace};
    }
    [[nodiscard]] SiteBit add_site(ThreadState& state, std::uint64_t stamp, std::uint32_t what,
                                   StackNode stack, SiteBit same) noexcept;

    static constexpr std::uint32_t kMaxPages = 1U << 21U;
    static constexpr std::uint32_t kMaxSites = 1U << 22U;
    /// From here on a point of the program keeps its first position: better told early than not at all.
    static constexpr std::uint32_t kManySites = kMaxSites / 2;
    static constexpr std::uint32_t kMaxSteps = 1U << 20U;
    static constexpr std::uint32_t kMaxLength = 64;
    static constexpr std::uint32_t kSitesAtOnce = 4096; ///< taken by a thread for its pages
    static constexpr std::uint32_t kBuckets = 1U << 18U;

    HistoryPage* pages_ = nullptr;
    HistorySite* sites_ = nullptr;
    HistoryStep* steps_ = nullptr;
    std::atomic<StepNumber>* buckets_ = nullptr;
    std::atomic<std::uint32_t> page_count_{kCallPage + 1};
    std::atomic<std::uint32_t> site_count_{0};
    std::atomic<std::uint32_t> step_count_{1};
};

extern History history;

/// A thread's part: the page it is filling, and where its sites are in it. A thread has two. One is for the
/// epoch that it is in; the other is for earlier ones, of which there may be accesses in its buffer when that
/// is written: they must not cost the present epoch what is known of it.
struct HistoryCursor {
    PageNumber page = kNoPage;
    std::uint64_t stamp = 0; ///< of the page
    std::uint32_t unused_sites = 0;
    std::uint32_t end_of_sites = 0;

    struct Known {
        Address place;
        std::uint64_t stamp; ///< the epoch
        std::uint32_t what;
        std::uint32_t turn; ///< of the site
        SiteBit site;
    };
    static_assert(sizeof(SiteBit) == 8);
    [[nodiscard]] Known& known(Address place, std::uint32_t what) noexcept {
        return known_[(place ^ place >> 7U ^ what ^ what >> 5U) % kKnown];
    }

  private:
    static constexpr std::size_t kKnown = 512;
    Known known_[kKnown]{};
};

} // namespace heddle::recorder
