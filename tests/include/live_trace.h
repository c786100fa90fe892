// The trace that live_writer writes and its tests expect to read.
#pragma once

#include "traces/generator.h"
#include "traces/trace.h"

#include <cstdint>

namespace heddle::test {

inline Trace live_trace(std::uint64_t seed, std::uint32_t threads, std::uint64_t events) {
    GeneratorSettings settings = every_kind(seed);
    settings.threads = threads;
    settings.events = events;
    return generate(settings);
}

} // namespace heddle::test
