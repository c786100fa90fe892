// What became of a text between two versions that nobody saw the edits of: the lines that they have in
// common, found as a person would (patience: lines that occur once in both are the anchors), and within
// replaced lines the bytes in front and behind that stayed.
//
// A few passes over the texts; of texts made to need more, stretches count as replaced that need not.
#pragma once

#include "analysis/source/position_map.h"

#include <string_view>

namespace heddle::source {

[[nodiscard]] PositionMap text_diff(std::string_view first, std::string_view later);

} // namespace heddle::source
