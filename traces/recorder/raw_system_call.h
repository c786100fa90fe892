// System calls made without the C library's wrappers, which the recorder interposes for the program.
#pragma once

#include <cstddef>
#include <cstdint>

#include <linux/membarrier.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle::recorder {

inline void* raw_mmap(std::size_t bytes, int protection, int flags) noexcept {
    return reinterpret_cast<void*>(::syscall(SYS_mmap, nullptr, bytes, protection, flags, -1, 0));
}
inline void raw_madvise(void* from, std::size_t bytes, int advice) noexcept {
    ::syscall(SYS_madvise, from, bytes, advice);
}
[[nodiscard]] inline std::uint32_t raw_thread_id() noexcept {
    return static_cast<std::uint32_t>(::syscall(SYS_gettid));
}
[[nodiscard]] inline std::uint32_t raw_process_id() noexcept {
    return static_cast<std::uint32_t>(::syscall(SYS_getpid));
}
/// Before fence_all_threads() can be used.
inline void allow_fences() noexcept {
    ::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
}
/// As if every thread of the process had executed a full fence.
inline void fence_all_threads() noexcept {
    ::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}
[[noreturn]] inline void raw_exit(int status) noexcept {
    for (;;) ::syscall(SYS_exit_group, status);
}

} // namespace heddle::recorder
