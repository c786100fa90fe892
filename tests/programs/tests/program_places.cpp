#include "program_places.h"

#include "daemon/symbols/symbolised.h"

#include <filesystem>
#include <utility>

namespace heddle::test {

namespace {

/// Debug information of the system's libraries says nothing about samples, and is large.
symbols::Symboliser::Options without_libraries() {
    symbols::Symboliser::Options options;
    options.debug_folders.roots.clear();
    return options;
}

} // namespace

ProgramPlaces::ProgramPlaces(const Trace& trace, std::string source)
    : symboliser_(without_libraries()), trace_(symbols::symbolised(trace, symboliser_).trace),
      source_(std::move(source)) {}

std::vector<SourceFrame> ProgramPlaces::frames(StackId stack) const {
    std::vector<SourceFrame> frames;
    for (; stack.valid(); stack = trace_.stacks()[stack.value].caller) {
        const Place& place = trace_.places()[trace_.stacks()[stack.value].place.value];
        if (std::filesystem::path(trace_.string(place.file)).filename() != source_) continue;
        frames.push_back({.function = std::string(trace_.string(place.function)),
                          .line = place.line,
                          .column = place.column});
    }
    return frames;
}

std::string ProgramPlaces::lock_name(std::uint32_t lock) const {
    return trace_.display_name(ObjectKind::lock, lock);
}

} // namespace heddle::test
