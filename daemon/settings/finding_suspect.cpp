#include "daemon/settings/finding_suspect.h"

namespace heddle::settings {

namespace {

FindingType type_of(FindingKind kind) {
    switch (kind) {
    case FindingKind::race: return FindingType::race;
    case FindingKind::atomicity: return FindingType::atomicity;
    case FindingKind::deadlock: return FindingType::deadlock;
    }
    return FindingType::race;
}

Frame frame_of(const Trace& trace, const Place& place) {
    Frame frame{.function = trace.string(place.function), .file = trace.string(place.file), .module = {}};
    // Traces of other tools may know nothing but a label.
    if (frame.function.empty() && frame.file.empty()) frame.function = trace.string(place.label);
    if (place.module.valid()) frame.module = trace.string(trace.modules()[place.module.value].path);
    return frame;
}

std::vector<Frame> stack_of(const Trace& trace, StackId stack) {
    std::vector<Frame> frames;
    for (; stack.valid(); stack = trace.stacks()[stack.value].caller) {
        const PlaceId place = trace.stacks()[stack.value].place;
        if (place.valid()) frames.push_back(frame_of(trace, trace.places()[place.value]));
    }
    return frames;
}

} // namespace

Suspect suspect_of(const Trace& trace, const Finding& finding) {
    Suspect suspect{.type = type_of(finding.kind()), .stacks = {}, .objects = {}};
    for (const FindingAccess& access : finding.accesses) {
        const EventView event = trace[access.event];
        suspect.stacks.push_back(stack_of(trace, event.stack()));
        if (finding.kind() == FindingKind::deadlock) {
            suspect.objects.push_back(trace.display_name(ObjectKind::lock, event.lock().value));
        } else if (suspect.objects.empty()) {
            suspect.objects.push_back(trace.accessed_name(event));
        }
    }
    return suspect;
}

} // namespace heddle::settings
