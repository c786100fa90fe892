// Functions on memory and strings that compilers call or that live in the C library, where nothing is
// instrumented: their accesses are told here. Memory is told by the range that the function may touch.
#include "traces/recorder/accesses.h"
#include "traces/recorder/interception.h"

#include <cctype>
#include <cstring>

using namespace heddle::recorder;
using heddle::EventKind;

namespace {

void told_read(const void* memory, std::size_t bytes, Address place) noexcept {
    if (bytes != 0) access<EventKind::read>(address_of(memory), bytes, place);
}
void told_write(const void* memory, std::size_t bytes, Address place) noexcept {
    if (bytes != 0) access<EventKind::write>(address_of(memory), bytes, place);
}
/// A string with its end, but no more than `most` bytes.
void told_string(const char* text, std::size_t most, Address place) noexcept {
    const std::size_t length = real().strnlen(text, most);
    told_read(text, length < most ? length + 1 : most, place);
}
constexpr std::size_t kAll = ~std::size_t{0} >> 1U;

/// What is looked for in a string: a character, or what another string holds.
void told_wanted(int, Address) noexcept {}
void told_wanted(const char* wanted, Address place) noexcept {
    told_string(wanted, kAll, place);
}

/// Whether the call is to be told at all; the recorder itself calls these functions as well.
bool is_told() noexcept {
    const ThreadState* state = current_state;
    return real_table_ready && state != nullptr && (state->records_accesses() || replay::is_following(state));
}

/// How much of two strings is looked at to compare them: up to the first difference or the end.
template<typename Same>
std::size_t compared(const char* a, const char* b, std::size_t most, Same&& same) noexcept {
    std::size_t i = 0;
    while (i < most && same(a[i], b[i]) && a[i] != 0) ++i;
    return i < most ? i + 1 : most;
}
bool equal(char a, char b) noexcept {
    return a == b;
}
bool equal_ignoring_case(char a, char b) noexcept {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

} // namespace

// --- memory -------------------------------------------------------------------------------------------

#define HEDDLE_COPY(exported, function)                                                                      \
    HEDDLE_EXPORT void* exported(void* to, const void* from, std::size_t bytes) noexcept {                   \
        if (is_told()) {                                                                                     \
            told_read(from, bytes, HEDDLE_CALLER);                                                           \
            told_write(to, bytes, HEDDLE_CALLER);                                                            \
        }                                                                                                    \
        return real().function(to, from, bytes);                                                             \
    }
#define HEDDLE_SET(exported)                                                                                 \
    HEDDLE_EXPORT void* exported(void* at, int value, std::size_t bytes) noexcept {                          \
        if (is_told()) told_write(at, bytes, HEDDLE_CALLER);                                                 \
        return real().memset(at, value, bytes);                                                              \
    }

HEDDLE_COPY(memcpy, memcpy)
HEDDLE_COPY(memmove, memmove)
HEDDLE_SET(memset)
// NOLINTBEGIN(bugprone-reserved-identifier): what Clang calls
HEDDLE_COPY(__tsan_memcpy, memcpy)
HEDDLE_COPY(__tsan_memmove, memmove)
HEDDLE_SET(__tsan_memset)
// NOLINTEND(bugprone-reserved-identifier)

HEDDLE_EXPORT void* mempcpy(void* to, const void* from, std::size_t bytes) noexcept {
    if (is_told()) {
        told_read(from, bytes, HEDDLE_CALLER);
        told_write(to, bytes, HEDDLE_CALLER);
    }
    return static_cast<char*>(real().memcpy(to, from, bytes)) + bytes;
}
HEDDLE_EXPORT int memcmp(const void* a, const void* b, std::size_t bytes) noexcept {
    if (is_told()) {
        told_read(a, bytes, HEDDLE_CALLER);
        told_read(b, bytes, HEDDLE_CALLER);
    }
    return real().memcmp(a, b, bytes);
}
HEDDLE_EXPORT int bcmp(const void* a, const void* b, std::size_t bytes) noexcept {
    if (is_told()) {
        told_read(a, bytes, HEDDLE_CALLER);
        told_read(b, bytes, HEDDLE_CALLER);
    }
    return real().memcmp(a, b, bytes);
}
// The C++ headers declare these with two signatures each: they are defined under other names.
HEDDLE_EXPORT void* recorded_memchr(const void* at, int wanted, std::size_t bytes) noexcept __asm__("memchr");
HEDDLE_EXPORT void* recorded_memchr(const void* at, int wanted, std::size_t bytes) noexcept {
    void* found = real().memchr(at, wanted, bytes);
    if (is_told()) {
        const auto* end = static_cast<const char*>(found);
        told_read(at,
                  end == nullptr ? bytes : static_cast<std::size_t>(end - static_cast<const char*>(at)) + 1,
                  HEDDLE_CALLER);
    }
    return found;
}

// --- strings ------------------------------------------------------------------------------------------

HEDDLE_EXPORT std::size_t strlen(const char* text) noexcept {
    const std::size_t length = real().strlen(text);
    if (is_told()) told_read(text, length + 1, HEDDLE_CALLER);
    return length;
}
HEDDLE_EXPORT std::size_t strnlen(const char* text, std::size_t most) noexcept {
    if (is_told()) told_string(text, most, HEDDLE_CALLER);
    return real().strnlen(text, most);
}
HEDDLE_EXPORT char* strcpy(char* to, const char* from) noexcept {
    const std::size_t bytes = real().strlen(from) + 1;
    if (is_told()) {
        told_read(from, bytes, HEDDLE_CALLER);
        told_write(to, bytes, HEDDLE_CALLER);
    }
    return static_cast<char*>(real().memcpy(to, from, bytes));
}
HEDDLE_EXPORT char* stpcpy(char* to, const char* from) noexcept {
    const std::size_t bytes = real().strlen(from) + 1;
    if (is_told()) {
        told_read(from, bytes, HEDDLE_CALLER);
        told_write(to, bytes, HEDDLE_CALLER);
    }
    return static_cast<char*>(real().memcpy(to, from, bytes)) + bytes - 1;
}
HEDDLE_EXPORT char* strncpy(char* to, const char* from, std::size_t most) noexcept {
    if (is_told()) {
        told_string(from, most, HEDDLE_CALLER);
        told_write(to, most, HEDDLE_CALLER);
    }
    return real().strncpy(to, from, most);
}
HEDDLE_EXPORT char* strcat(char* to, const char* from) noexcept {
    const std::size_t before = real().strlen(to);
    const std::size_t bytes = real().strlen(from) + 1;
    if (is_told()) {
        told_read(to, before + 1, HEDDLE_CALLER);
        told_read(from, bytes, HEDDLE_CALLER);
        told_write(to + before, bytes, HEDDLE_CALLER);
    }
    real().memcpy(to + before, from, bytes);
    return to;
}
HEDDLE_EXPORT char* strncat(char* to, const char* from, std::size_t most) noexcept {
    const std::size_t before = real().strlen(to);
    const std::size_t bytes = real().strnlen(from, most);
    if (is_told()) {
        told_read(to, before + 1, HEDDLE_CALLER);
        told_string(from, most, HEDDLE_CALLER);
        told_write(to + before, bytes + 1, HEDDLE_CALLER);
    }
    real().memcpy(to + before, from, bytes);
    to[before + bytes] = 0;
    return to;
}

#define HEDDLE_COMPARE(name, parameters, arguments, most, same)                                              \
    HEDDLE_EXPORT int name parameters noexcept {                                                             \
        if (is_told()) {                                                                                     \
            const std::size_t looked_at = compared(a, b, most, same);                                        \
            told_read(a, looked_at, HEDDLE_CALLER);                                                          \
            told_read(b, looked_at, HEDDLE_CALLER);                                                          \
        }                                                                                                    \
        return real().name arguments;                                                                        \
    }
HEDDLE_COMPARE(strcmp, (const char* a, const char* b), (a, b), kAll, equal)
HEDDLE_COMPARE(strncmp, (const char* a, const char* b, std::size_t most), (a, b, most), most, equal)
HEDDLE_COMPARE(strcasecmp, (const char* a, const char* b), (a, b), kAll, equal_ignoring_case)
HEDDLE_COMPARE(strncasecmp, (const char* a, const char* b, std::size_t most), (a, b, most), most,
               equal_ignoring_case)

#define HEDDLE_SEARCH(name, wanted_type)                                                                     \
    HEDDLE_EXPORT char* recorded_##name(const char* text, wanted_type wanted) noexcept __asm__(#name);       \
    HEDDLE_EXPORT char* recorded_##name(const char* text, wanted_type wanted) noexcept {                     \
        if (is_told()) {                                                                                     \
            told_string(text, kAll, HEDDLE_CALLER);                                                          \
            told_wanted(wanted, HEDDLE_CALLER);                                                              \
        }                                                                                                    \
        return real().name(text, wanted);                                                                    \
    }
HEDDLE_SEARCH(strrchr, int)
HEDDLE_SEARCH(strstr, const char*)

/// The search ends at the first that is found.
#define HEDDLE_SEARCH_FIRST(name, wanted_type)                                                               \
    HEDDLE_EXPORT char* recorded_##name(const char* text, wanted_type wanted) noexcept __asm__(#name);       \
    HEDDLE_EXPORT char* recorded_##name(const char* text, wanted_type wanted) noexcept {                     \
        char* found = real().name(text, wanted);                                                             \
        if (is_told()) {                                                                                     \
            told_string(text, found == nullptr ? kAll : std::size_t(found - text) + 1, HEDDLE_CALLER);       \
            told_wanted(wanted, HEDDLE_CALLER);                                                              \
        }                                                                                                    \
        return found;                                                                                        \
    }
HEDDLE_SEARCH_FIRST(strchr, int)
HEDDLE_SEARCH_FIRST(strchrnul, int)
HEDDLE_SEARCH_FIRST(strpbrk, const char*)

/// How many characters are, or are not, among those wanted: the one after them is looked at as well.
#define HEDDLE_SPAN(name)                                                                                    \
    HEDDLE_EXPORT std::size_t name(const char* text, const char* wanted) noexcept {                          \
        const std::size_t length = real().name(text, wanted);                                                \
        if (is_told()) {                                                                                     \
            told_read(text, length + 1, HEDDLE_CALLER);                                                      \
            told_wanted(wanted, HEDDLE_CALLER);                                                              \
        }                                                                                                    \
        return length;                                                                                       \
    }
HEDDLE_SPAN(strspn)
HEDDLE_SPAN(strcspn)

HEDDLE_EXPORT char* strdup(const char* text) noexcept {
    const std::size_t bytes = real().strlen(text) + 1;
    if (is_told()) told_read(text, bytes, HEDDLE_CALLER);
    auto* copy = static_cast<char*>(malloc(bytes));
    if (copy == nullptr) return nullptr;
    if (is_told()) told_write(copy, bytes, HEDDLE_CALLER);
    return static_cast<char*>(real().memcpy(copy, text, bytes));
}
HEDDLE_EXPORT char* strndup(const char* text, std::size_t most) noexcept {
    const std::size_t length = real().strnlen(text, most);
    if (is_told()) told_string(text, most, HEDDLE_CALLER);
    auto* copy = static_cast<char*>(malloc(length + 1));
    if (copy == nullptr) return nullptr;
    if (is_told()) told_write(copy, length + 1, HEDDLE_CALLER);
    real().memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}
