// The operators new and delete. The C++ library's own do the work, and call malloc and free; all that happens
// here is to note the place in the program, which is not where malloc is called from.
#include "traces/recorder/interception.h"
#include "traces/recorder/internal_memory.h"

#include <new>

#include <malloc.h>

using namespace heddle::recorder;

namespace {

/// For the life of a call. Operators that call each other count as the outermost one.
class AllocationPlace {
  public:
    explicit AllocationPlace(Address place) noexcept : state_(current_state) {
        if (state_ == nullptr || state_->allocation_place != 0) {
            state_ = nullptr;
        } else {
            state_->allocation_place = place;
        }
    }
    ~AllocationPlace() {
        if (state_ != nullptr) state_->allocation_place = 0;
    }
    AllocationPlace(const AllocationPlace&) = delete;
    AllocationPlace& operator=(const AllocationPlace&) = delete;

  private:
    ThreadState* state_;
};

/// Whether the recorder itself allocates, or there is no C++ library but the recorder's own.
bool is_own(const void* operation) noexcept {
    return operation == nullptr || (current_state != nullptr && current_state->is_in_recorder());
}

} // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the names are the C++ ABI's
#define HEDDLE_NEW(name, otherwise, parameters, ...)                                                         \
    HEDDLE_EXPORT void* name parameters {                                                                    \
        if (is_own(reinterpret_cast<const void*>(real().name))) return otherwise;                            \
        const AllocationPlace place(HEDDLE_CALLER);                                                          \
        return real().name(__VA_ARGS__);                                                                     \
    }
#define HEDDLE_DELETE(name, parameters, ...)                                                                 \
    HEDDLE_EXPORT void name parameters {                                                                     \
        if (is_own(reinterpret_cast<const void*>(real().name))) return ::free(memory);                       \
        const AllocationPlace place(HEDDLE_CALLER);                                                          \
        real().name(__VA_ARGS__);                                                                            \
    }

HEDDLE_NEW(_Znwm, ::malloc(bytes), (std::size_t bytes), bytes)
HEDDLE_NEW(_Znam, ::malloc(bytes), (std::size_t bytes), bytes)
HEDDLE_NEW(_ZnwmRKSt9nothrow_t, ::malloc(bytes), (std::size_t bytes, const std::nothrow_t& tag) noexcept,
           bytes, tag)
HEDDLE_NEW(_ZnamRKSt9nothrow_t, ::malloc(bytes), (std::size_t bytes, const std::nothrow_t& tag) noexcept,
           bytes, tag)
HEDDLE_NEW(_ZnwmSt11align_val_t, ::memalign(std::size_t(alignment), bytes),
           (std::size_t bytes, std::align_val_t alignment), bytes, alignment)
HEDDLE_NEW(_ZnamSt11align_val_t, ::memalign(std::size_t(alignment), bytes),
           (std::size_t bytes, std::align_val_t alignment), bytes, alignment)
HEDDLE_DELETE(_ZdlPv, (void* memory) noexcept, memory)
HEDDLE_DELETE(_ZdaPv, (void* memory) noexcept, memory)
HEDDLE_DELETE(_ZdlPvm, (void* memory, std::size_t bytes) noexcept, memory, bytes)
HEDDLE_DELETE(_ZdaPvm, (void* memory, std::size_t bytes) noexcept, memory, bytes)
HEDDLE_DELETE(_ZdlPvSt11align_val_t, (void* memory, std::align_val_t alignment) noexcept, memory, alignment)
HEDDLE_DELETE(_ZdaPvSt11align_val_t, (void* memory, std::align_val_t alignment) noexcept, memory, alignment)
HEDDLE_DELETE(_ZdlPvmSt11align_val_t, (void* memory, std::size_t bytes, std::align_val_t alignment) noexcept,
              memory, bytes, alignment)
HEDDLE_DELETE(_ZdaPvmSt11align_val_t, (void* memory, std::size_t bytes, std::align_val_t alignment) noexcept,
              memory, bytes, alignment)
// NOLINTEND(bugprone-reserved-identifier)
