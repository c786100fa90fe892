#include "analysis/witness/step_order.h"

#include <algorithm>

namespace heddle {

namespace {

using Action = WindowProgram::Action;
using Progress = WindowProgram::Progress;

void append(std::vector<Progress>& to, const std::vector<Progress>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

bool is_acquire(Action action) {
    return action == Action::acquire || action == Action::acquire_shared;
}
bool is_release(Action action) {
    return action == Action::release || action == Action::release_shared;
}

} // namespace

StepOrder::StepOrder(const WindowProgram& program, const Interleaving& interleaving)
    : program_(program), number_(program.strands.size()), locks_(program.locks.size()),
      semaphores_(program.semaphores.size()), posts_(program.semaphores.size()), slots_(program.slots) {
    places_.reserve(interleaving.size());
    after_.reserve(interleaving.size());
    for (const StrandNumber strand : interleaving) {
        const auto step = static_cast<std::uint32_t>(number_[strand].size());
        number_[strand].push_back(static_cast<std::uint32_t>(places_.size()));
        Place& place = places_.emplace_back(Place{strand, step, {}});
        add(program.strands[strand].steps[step], place, after_.emplace_back());
    }
    if (!program.violation || places_.empty()) return;
    // The remote access comes after the first one, and before the last step of all.
    const auto place_of = [&](Progress progress) -> std::uint32_t {
        return progress.steps == 0 ? WindowProgram::kNone : number_[progress.strand][progress.steps - 1];
    };
    if (const std::uint32_t remote = place_of(program.remote); remote != WindowProgram::kNone) {
        after_[remote].push_back(program.first);
        after_.back().push_back(program.remote);
    }
}

void StepOrder::add(const WindowProgram::Step& step, Place& place, std::vector<Progress>& after) {
    const Progress self{place.strand, place.step + 1};
    for (const Progress& need : program_.needs_of(step)) place.uses.push_back(need);
    add_accesses(step, place, after);
    switch (step.action) {
    case Action::acquire: append(after, locks_[step.object].shared); [[fallthrough]];
    case Action::acquire_shared: append(after, locks_[step.object].owned); break;
    case Action::release: locks_[step.object] = {.shared = {}, .owned = {self}}; break;
    case Action::release_shared: locks_[step.object].shared.push_back(self); break;
    case Action::post:
    case Action::wait:
        if (step.action == Action::wait) append(place.uses, posts_[step.object]);
        append(after, semaphores_[step.object]);
        semaphores_[step.object] = {self};
        if (step.action == Action::post) posts_[step.object].push_back(self);
        break;
    case Action::plain: break;
    }
    append(after, place.uses);
    std::erase_if(after, [&](const Progress& other) { return other.strand == place.strand; });
}

void StepOrder::add_accesses(const WindowProgram::Step& step, Place& place, std::vector<Progress>& after) {
    const Progress self{place.strand, place.step + 1};
    for (const WindowProgram::Read& read : program_.reads_of(step)) {
        append(place.uses, slots_[read.slot].writer);
        slots_[read.slot].readers.push_back(self);
    }
    for (const WindowProgram::Write& write : program_.writes_of(step)) {
        append(after, slots_[write.slot].readers);
        append(after, slots_[write.slot].writer);
        slots_[write.slot] = {.writer = {self}, .readers = {}};
    }
}

Interleaving StepOrder::without_needless(std::span<const Progress> ends) const {
    std::vector<std::uint32_t> kept(number_.size()); // by strand: how many steps
    const auto keep = [&](Progress progress) {
        kept[progress.strand] = std::max(kept[progress.strand], progress.steps);
    };
    std::ranges::for_each(ends, keep);
    do {
        // What a step uses comes before it: one pass from the end finds all.
        for (auto place = places_.rbegin(); place != places_.rend(); ++place)
            if (place->step < kept[place->strand]) std::ranges::for_each(place->uses, keep);
    } while (close_sections(kept));
    Interleaving result;
    for (const Place& place : places_)
        if (place.step < kept[place.strand]) result.push_back(place.strand);
    return result;
}

/// A lock that somebody keeps in the end must not be asked for later. True: more steps are kept now.
bool StepOrder::close_sections(std::vector<std::uint32_t>& kept) const {
    bool changed = false;
    for (StrandNumber strand = 0; strand < number_.size(); ++strand) {
        const auto& steps = program_.strands[strand].steps;
        for (std::uint32_t k = kept[strand]; k < number_[strand].size(); ++k) {
            if (!is_release(steps[k].action)) continue;
            const bool opened_later = std::ranges::any_of(
                steps.begin() + kept[strand], steps.begin() + k, [&](const WindowProgram::Step& step) {
                    return is_acquire(step.action) && step.object == steps[k].object;
                });
            if (opened_later) continue;
            const std::uint32_t released = number_[strand][k];
            const bool asked_for =
                std::ranges::any_of(places_.begin() + released, places_.end(), [&](const Place& place) {
                    const WindowProgram::Step& step = program_.strands[place.strand].steps[place.step];
                    return place.step < kept[place.strand] && is_acquire(step.action) &&
                           step.object == steps[k].object;
                });
            if (!asked_for) continue;
            kept[strand] = k + 1;
            changed = true;
        }
    }
    return changed;
}

} // namespace heddle
