// The binaries the process has loaded, to tell code addresses as module and offset. An offset is an address
// as the binary's own symbol tables and debug information use it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::recorder {

struct LoadedModule {
    std::string path;
    std::string build_id;    ///< lower-case hex
    std::uint64_t bias = 0;  ///< what loading added to the binary's own addresses
    std::uint64_t begin = 0; ///< of its code and data in memory
    std::uint64_t end = 0;
    bool unloaded = false;
};

/// Looks at what is loaded now. At start-up and whenever the program loaded or unloaded something; not while
/// holding a lock that a thread in dlopen() may want.
void refresh_modules() noexcept;

/// Around fork().
void lock_modules() noexcept;
void unlock_modules() noexcept;

/// Calls `action(begin, end)` for modules that were loaded and are not any more, once for each.
void for_each_unloaded_module(void (*action)(std::uint64_t begin, std::uint64_t end)) noexcept;

/// Every module that was ever loaded; numbers are positions and stay.
class ModuleTable {
  public:
    static constexpr std::uint32_t kUnknown = 0xFFFF'FFFF;
    /// The module whose code is, or last was, at the address.
    [[nodiscard]] static std::uint32_t find(std::uint64_t code_address) noexcept;
    [[nodiscard]] static LoadedModule get(std::uint32_t number) noexcept;
    [[nodiscard]] static std::uint32_t size() noexcept;
};

} // namespace heddle::recorder
