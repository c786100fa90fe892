// Phase I of seed 001, section 4: for every thread and variable, where the thread may stand when it makes a
// remote access (sets R and W) and where it may stand between two accesses of one transaction (WW and AA),
// one witness for each lock profile.
//
// Each thread is walked on its own. Accesses outside transactions cost a lookup by variable. Whether a
// critical section waits inside is known only at its end, so a thread is processed up to the last point at
// which none of its transactions was open: extend() takes the events recorded since, finish() the rest
// (extend a copy to look at a run that goes on).
//
// Deviations from the paper: the witnesses between two accesses of a variable are all profiles in between, so
// the pass costs O(accesses × D + lock events × (D + locks held)), D being the distinct profiles within one
// transaction (usually 1 to 3), not O(events). D is capped: beyond, the profiles left longest ago give way to
// one that is weaker than all of them. Ranges of bytes are kept apart, and so are the kinds of both accesses,
// to tell the patterns apart.
#pragma once

#include "analysis/hard_order.h"
#include "analysis/lock_futures.h"
#include "analysis/lock_profiles.h"
#include "analysis/transactions.h"

#include <array>
#include <span>
#include <vector>

namespace heddle {

/// Where an access stands: in its thread, in the hard order, in the program. Witnesses are told apart by
/// segment and place only when a HardOrder is given; without one all tags are equal, as in the paper.
struct AccessTag {
    std::uint32_t index = 0; ///< within its thread
    SegmentId segment;
    PlaceId place;
    std::uint32_t number = 0; ///< of the pair of segment and place

    [[nodiscard]] bool alike(const AccessTag& other) const { return number == other.number; }
};

/// An access that could come between those of another thread: an element of R or W.
struct RemoteWitness {
    VarId variable;
    ThreadId thread;
    ProfileId profile;
    FutureId future;
    EventId event;
    ByteRange bytes;
    bool writes = false;
    AccessTag tag;
};

/// A place between two accesses of one transaction: an element of AA, and of WW if both write.
struct TransactionWitness {
    VarId variable;
    ThreadId thread;
    ProfileId profile; ///< at the place
    FutureId future;   ///< from there to the second access
    EventId first;
    EventId second;
    ByteRange first_bytes;
    ByteRange second_bytes;
    bool first_writes = false;
    bool second_writes = false;
    bool exact = true; ///< the thread can stand at the profile; it is not weaker
    AccessTag first_tag;
    AccessTag second_tag;
};

inline constexpr std::size_t kMaxPlaces = 32; ///< distinct profiles of one transaction

class AtomicityWitnesses {
  public:
    /// `futures`: threads (by index) for which to tell futures apart; see threads_that_may_block().
    /// `order`: tell witnesses apart by segment and place, too. `shared`: by variable, whether to look at it
    /// at all. Both must outlive this object.
    explicit AtomicityWitnesses(std::span<const TransactionBlock> given = {}, std::vector<bool> futures = {},
                                std::size_t max_places = kMaxPlaces, const HardOrder* order = nullptr,
                                const std::vector<bool>* shared = nullptr);

    /// The trace must extend the one of the call before.
    void extend(const Trace& trace);
    /// Ends what is open. Nothing may follow.
    void finish(const Trace& trace);

    [[nodiscard]] LockProfiles& profiles() { return profiles_; }
    [[nodiscard]] const LockProfiles& profiles() const { return profiles_; }
    [[nodiscard]] LockFutures& futures() { return futures_; }
    [[nodiscard]] const std::vector<RemoteWitness>& remote() const { return remote_; }
    [[nodiscard]] const std::vector<TransactionWitness>& transactional() const { return transactional_; }

  private:
    /// A lock event or an access while a transaction may be open.
    struct Item {
        EventId event;
        std::uint32_t target = kNoTarget;
        ProfileId profile; ///< after it
        EventKind kind = EventKind::read;
        ByteRange bytes;
        AccessTag tag;
    };
    struct Thread {
        explicit Thread(ThreadId thread) : id(thread), scanner(thread) {}

        ThreadId id;
        std::size_t taken = 0; ///< of its events
        TransactionScanner scanner;
        bool in_stretch = false;
        std::vector<Item> items; ///< of the stretch in which transactions are open
        std::vector<TransactionBlock> blocks;
        std::vector<TransactionBlock> given; ///< by first
        std::size_t next_given = 0;
        EventId given_until{0U};
        GrowingMap remote;        ///< its witnesses, by variable, standpoint and access
        GrowingMap transactional; ///< the same, by both accesses
        std::size_t next_segment = 0;
        SegmentId segment;
    };
    /// A profile met in the transaction, at latest in the lock-free stretch that ended at `end`.
    struct Place {
        ProfileId profile;
        FutureId future;
        EventId end; ///< invalid, which is later than all: it goes on
        bool exact = true;
    };
    /// The accesses of one transaction to one range of bytes of a variable. Indexed by whether it writes.
    struct Slot {
        ByteRange bytes;
        std::uint32_t next = kNoTarget; ///< another range of the same variable
        std::array<EventId, 2> first;
        std::array<EventId, 2> last;
        std::array<AccessTag, 2> first_tag{};
        std::array<AccessTag, 2> last_tag{};
        std::array<std::uint32_t, 2> last_step{};

        void note(std::size_t kind, EventId event, const AccessTag& tag, std::uint32_t step) {
            if (!first[kind].valid()) {
                first[kind] = event;
                first_tag[kind] = tag;
            }
            last[kind] = event;
            last_tag[kind] = tag;
            last_step[kind] = step;
        }
    };
    struct Variable {
        std::uint32_t context = 0; ///< in which `slots` is valid
        std::uint32_t slots = kNoTarget;
        std::uint32_t walk = 0; ///< in which the last remote witnesses are valid
        std::array<ProfileId, 2> profile;
        std::array<FutureId, 2> future;
        std::array<ByteRange, 2> bytes;
        std::array<AccessTag, 2> tag{};
    };

    void walk(const Trace& trace, Thread& thread, bool finishing);
    void collect(const Trace& trace, const EventView& event, Thread& thread);
    [[nodiscard]] AccessTag tag_of(const Trace& trace, const EventView& event, Thread& thread);
    void process(Thread& thread, bool futures);
    [[nodiscard]] std::vector<FutureId> remote_futures(std::span<const Item> items);
    void enter_context(std::span<const Item> earlier, EventId start, bool fresh, ProfileId profile,
                       bool futures);
    void lock_step(const Item& item, bool futures);
    void merge_oldest_places();
    void advance_futures(const Item& item);
    void note_remote(Thread& thread, const Item& item, ProfileId profile, FutureId future);
    void note_access(Thread& thread, const Item& item);
    using WitnessKey = std::array<std::uint32_t, 7>;
    [[nodiscard]] bool seen_lately(const WitnessKey& key);
    [[nodiscard]] std::uint32_t standpoint(ProfileId profile, FutureId future);
    [[nodiscard]] std::uint32_t tagged(std::uint32_t standpoint, const AccessTag& first,
                                       const AccessTag& second);
    [[nodiscard]] std::uint32_t slot_for(Variable& variable, ByteRange bytes);
    void note_place(Thread& thread, const TransactionWitness& witness);

    LockProfiles profiles_;
    LockFutures futures_;
    std::vector<TransactionBlock> given_;
    std::vector<bool> with_futures_;
    std::size_t max_places_;
    const HardOrder* order_;
    const std::vector<bool>* shared_;
    std::vector<Thread> threads_;
    std::vector<RemoteWitness> remote_;
    std::vector<TransactionWitness> transactional_;
    GrowingMap standpoints_;             ///< profile and future → number
    GrowingMap tags_;                    ///< segment and place → number
    std::vector<AccessTag> recent_tags_; ///< by place: the last one made
    std::vector<WitnessKey> lately_;     ///< a cache, as large as the run makes worth while
    GrowingMap tagged_;                  ///< standpoint and the tags of its accesses

    // Scratch of the thread being walked.
    std::vector<Variable> variables_;
    std::vector<Slot> slots_;
    std::vector<Place> places_; ///< distinct, the latest last
    std::uint32_t context_ = 0;
    std::uint32_t walk_ = 0;
    std::uint32_t step_ = 0; ///< lock events so far
};

} // namespace heddle
