// The words in which all layouts of a story speak: names of threads and places, what is held, what was left
// out.
#pragma once

#include "analysis/witness/story.h"
#include "traces/trace.h"

#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

/// "bank.cpp:41", "bank+0x12a4" or "@label"; empty for an invalid place.
[[nodiscard]] std::string short_place(const Trace& trace, PlaceId place);
/// The same without the file, ":41", when `file` is that of the place, which it becomes.
[[nodiscard]] std::string next_place(const Trace& trace, PlaceId id, std::string_view& file);

/// "holds nothing", "holds 'mu' since bank.cpp:66, 'rw' (shared) since bank.cpp:70".
[[nodiscard]] std::string held_words(const Trace& trace, const std::vector<HeldLock>& held);

/// "1,204 events since its fork at bank.cpp:90, holds nothing": what a thread did before the story.
[[nodiscard]] std::string past_words(const Trace& trace, const StoryThread& thread);

[[nodiscard]] std::string gap_words(std::uint64_t events);    ///< "… 37 events"
[[nodiscard]] std::string others_words(std::uint64_t events); ///< "… 37 events of other threads"

} // namespace heddle::report
