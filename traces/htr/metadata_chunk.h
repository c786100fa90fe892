// The payload of a metadata chunk: pairs of key and value, both texts. Unknown keys are ignored.
#pragma once

#include "traces/htr/varint.h"
#include "traces/metadata.h"

#include <span>

namespace heddle::htr {

[[nodiscard]] Bytes encode_metadata(const Metadata& metadata);

/// Adds what the payload says to `metadata`; false when it is malformed.
[[nodiscard]] bool decode_metadata(std::span<const std::uint8_t> payload, Metadata& metadata);

} // namespace heddle::htr
