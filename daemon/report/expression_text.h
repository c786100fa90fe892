// What expressions that name memory, as they stand in the source, have in common.
#pragma once

#include <string_view>

namespace heddle::report {

/// What names of heap memory begin with, and what stands between a name from the source and the rest of that.
inline constexpr std::string_view kHeapBlock = "heap block";
inline constexpr std::string_view kInHeapBlock = " in a heap block";

/// "balance" of "acct->balance": what two expressions for the same memory end in.
[[nodiscard]] std::string_view last_word(std::string_view text);

} // namespace heddle::report
