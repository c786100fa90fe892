#include "analysis/shared_accesses.h"
#include "traces/io/byte_source.h"
#include "traces/text/reader.h"

#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// "x r@a 2 (1 alone) m": variable, kind, place, how many, locks.
std::vector<std::string> shared(std::string_view run) {
    const auto source = bytes_in_memory(run);
    const auto read = read_text(*source, "memory", {});
    std::vector<std::string> result;
    for (const SharedVariable& variable : shared_accesses(read->trace)) {
        for (const SharedAccess& access : variable.accesses) {
            const EventView event = read->trace[access.example];
            std::string text =
                fmt::format("{} {}@{} {}", read->trace.accessed_name(event), traits(event.kind()).text,
                            read->trace.place_text(read->trace.place_of(event.stack())), access.count);
            if (access.alone != 0) text += fmt::format(" ({} alone)", access.alone);
            for (const LockUse& use : access.locks) {
                text += fmt::format(" {}{}", read->trace.display_name(ObjectKind::lock, use.lock.value),
                                    use.mode == LockMode::shared ? "/shared" : "");
            }
            result.push_back(text);
        }
    }
    return result;
}

TEST(SharedAccesses, are_counted_by_place_kind_and_locks) {
    EXPECT_THAT(shared("T0|fork(T1)\nT0|acq(m)\nT0|w(x)|a\nT0|w(x)|a\nT0|acq(n)\nT0|w(x)|a\nT0|rel(m)\n"
                       "T0|r(x)|a\nT1|r(x)|b\nT1|w(own)|b\n"),
                ElementsAre("x w@a 2 m", "x w@a 1 m n", "x r@a 1 n", "x r@b 1"));
}

TEST(SharedAccesses, tell_locks_that_others_may_hold_too) {
    EXPECT_THAT(
        shared(
            "T0|fork(T1)\nT0|acq_shared(m)\nT0|r(x)|a\nT0|rel_shared(m)\nT0|acq(m)\nT0|r(x)|a\nT1|w(x)|b\n"),
        ElementsAre("x r@a 1 m/shared", "x r@a 1 m", "x w@b 1"));
}

TEST(SharedAccesses, a_lock_taken_twice_is_held_until_it_was_released_twice) {
    EXPECT_THAT(shared("T0|fork(T1)\nT0|acq(m)\nT0|acq(m)\nT0|rel(m)\nT0|w(x)|a\nT0|rel(m)\nT0|w(x)|b\n"
                       "T1|w(x)|c\n"),
                ElementsAre("x w@a 1 m", "x w@b 1", "x w@c 1"));
}

TEST(SharedAccesses, before_the_fork_and_after_the_join_one_is_alone) {
    EXPECT_THAT(shared("T0|w(x)|a\nT0|fork(T1)\nT0|w(x)|a\nT1|w(x)|b\nT0|join(T1)\nT0|r(x)|c\n"),
                ElementsAre("x w@a 2 (1 alone)", "x w@b 1", "x r@c 1 (1 alone)"));
    EXPECT_THAT(shared("T0|fork(T1)\nT1|w(x)|a\nT0|fork(T2)\nT2|w(x)|b\nT0|join(T2)\n"),
                ElementsAre("x w@a 1", "x w@b 1"))
        << "that another thread forked it says nothing of this one";
}

TEST(SharedAccesses, of_one_thread_are_none) {
    EXPECT_THAT(shared("T0|fork(T1)\nT0|w(x)|a\nT1|w(y)|b\n"), IsEmpty());
}

} // namespace
} // namespace heddle
