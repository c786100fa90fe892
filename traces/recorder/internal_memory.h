// Memory of the recorder itself. It comes from mappings of its own, so that the recorder never calls the
// program's malloc: it works before main, inside malloc and in signal handlers, and a program that runs
// out of heap, replaces it or corrupts it does not disturb the trace.
//
// allocate() is for what lives and dies (encoders, buffers of closed threads are recycled by it); reserve()
// is for tables that stay: pages cost nothing until they are touched. Both are thread-safe.
#pragma once

#include <cstddef>

namespace heddle::recorder {

/// Zeroed memory, aligned to 16 bytes, or nothing.
[[nodiscard]] void* allocate(std::size_t bytes) noexcept;
void release(void* memory) noexcept;
/// Whether allocate() gave it out.
[[nodiscard]] bool owns(const void* memory) noexcept;
/// How many bytes a block of allocate() can hold.
[[nodiscard]] std::size_t capacity(const void* memory) noexcept;

/// An address range that reads as zeros, backed by memory page by page when first written.
[[nodiscard]] void* reserve(std::size_t bytes) noexcept;
/// Gives pages of such a range memory of their own before they are used, if the system can (Linux 5.14).
void fill_pages(void* from, std::size_t bytes) noexcept;
/// Makes whole pages of such a range zeros again and gives their memory back.
void clear_pages(void* from, std::size_t bytes) noexcept;

/// fork() while another thread allocates must not leave the child with a lock that nobody opens.
void lock_internal_memory() noexcept;
void unlock_internal_memory() noexcept;

} // namespace heddle::recorder
