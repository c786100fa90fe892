// One object in a chunk that a test writes by hand.
#pragma once

#include "traces/htr/chunk_encoder.h"

namespace heddle::test {

/// The local number of the object with that key, whose page was not added yet.
inline std::uint32_t object_with_key(htr::ChunkEncoder& encoder, ObjectKind kind, std::uint64_t key) {
    return encoder.add_page(kind, key / htr::kKeysPerPage) +
           static_cast<std::uint32_t>(key % htr::kKeysPerPage);
}

} // namespace heddle::test
