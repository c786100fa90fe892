// Which member of a variable some of its bytes are: ".config.limit", "[3].balance", by its type.
#pragma once

#include <cstdint>
#include <string>

#include <elfutils/libdw.h>

namespace heddle::symbols {

/// Bytes [begin, end), counted from the start of a variable or from an address.
struct ByteSpan {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    [[nodiscard]] bool contains(const ByteSpan& other) const {
        return begin <= other.begin && other.end <= end;
    }
    bool operator==(const ByteSpan&) const = default;
};

struct Member {
    std::string path; ///< empty: the variable itself
    ByteSpan bytes;   ///< of the member in the variable
};

/// The innermost member that has all of `bytes`, in a variable of the given type and size; bit-fields that
/// share the bytes are ".{a,b}". Of a union, the one member that has a number of just these bytes, if there
/// is only one. Members with names that are reserved for the implementation are not entered: a std::mutex is
/// a mutex, whatever is in it.
[[nodiscard]] Member member_at(Dwarf_Die type, std::uint64_t size, ByteSpan bytes);

/// The size of a variable of a type in bytes; 0 when it is not known.
[[nodiscard]] std::uint64_t size_of(Dwarf_Die type);

} // namespace heddle::symbols
