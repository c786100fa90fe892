// The directives at the head of a written trace: everything that the lines of events do not say.
#pragma once

#include "traces/text/object_words.h"
#include "traces/text/place_texts.h"
#include "traces/text/text_output.h"
#include "traces/trace.h"

namespace heddle::text {

/// Writes metadata, modules, odd places, and those kinds of objects that reading the events alone would
/// not give back with the same ids.
void write_declarations(const Trace& trace, const ObjectWords& words, const PlaceTexts& places,
                        TextOutput& out);

} // namespace heddle::text
