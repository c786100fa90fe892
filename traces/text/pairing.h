// Derives what the lines of a text trace leave out: which notify ended which wait, and the rounds of
// barriers. What a line says explicitly is taken over, and counts for the lines that do not.
//
//   - A notify without a ticket gets a fresh one. A wait_post without one ends because of the earliest
//     notify since its wait_pre that ended no other wait, else of the latest notify_all since then, else
//     it is unmatched.
//   - A barrier_enter belongs to the current round, or to the next one when a thread has left the current
//     one. A barrier_leave has the round of its thread's last barrier_enter; without one it has none.
//
// O(log waiting) per event; keeps notifies only while a thread waits.
#pragma once

#include "traces/event.h"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace heddle::text {

class Pairing {
  public:
    /// Completes `event`: sets its value where one can be derived. `unmatched`: the line says that there
    /// is none. False when its ticket was already given to a notify that had none.
    [[nodiscard]] bool complete(Event& event, bool unmatched);

    [[nodiscard]] static bool concerns(EventKind kind) {
        return kind >= EventKind::wait_pre && kind <= EventKind::barrier_leave;
    }

  private:
    struct Condition {
        std::unordered_map<std::uint32_t, std::uint64_t> waiting_since; ///< by thread
        std::map<std::uint64_t, std::uint64_t> unused_notifies;         ///< time → ticket
        std::unordered_map<std::uint64_t, std::uint64_t> notify_times;  ///< ticket → time
        std::uint64_t last_notify_all = 0;                              ///< time; 0: none yet
        std::uint64_t last_notify_all_ticket = 0;
    };
    struct Barrier {
        std::uint64_t round = 1;
        bool left = false;                                        ///< some thread left the round
        std::unordered_map<std::uint32_t, std::uint64_t> entered; ///< by thread: its last round
    };

    [[nodiscard]] bool notify(Condition& condition, Event& event, bool unmatched);
    void wait_post(Condition& condition, Event& event, bool unmatched);
    static void use(Condition& condition, std::uint64_t ticket);
    static void barrier_enter(Barrier& barrier, Event& event, bool unmatched);
    static void barrier_leave(Barrier& barrier, Event& event, bool unmatched);

    std::unordered_map<std::uint32_t, Condition> conditions_;
    std::unordered_map<std::uint32_t, Barrier> barriers_;
    std::vector<std::uint64_t> derived_tickets_; ///< ascending
    std::uint64_t highest_ticket_ = 0;
    std::uint64_t now_ = 0;
};

} // namespace heddle::text
