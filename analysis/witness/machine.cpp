#include "analysis/witness/machine.h"

#include "traces/hash.h"

#include <algorithm>

namespace heddle {

using Action = WindowProgram::Action;
using Progress = WindowProgram::Progress;

Machine::Machine(const WindowProgram& program)
    : program_(program), locks_(program.strands.size()), semaphores_(locks_ + program.locks.size()),
      memory_(semaphores_ + program.semaphores.size()), frozen_(memory_ + program.slots), hash_(frozen_ + 1),
      state_(hash_ + 2) {
    for (std::size_t k = 0; k < program.locks.size(); ++k) {
        const WindowProgram::Lock& lock = program.locks[k];
        state_[locks_ + k] = lock.owned ? kOwned | lock.owner : lock.sharers;
    }
    for (std::size_t k = 0; k < program.semaphores.size(); ++k)
        state_[semaphores_ + k] = static_cast<std::uint32_t>(program.semaphores[k]);
    for (std::uint32_t slot = 0; slot < program.slots; ++slot) state_[memory_ + slot] = slot;
}

void Machine::change(std::size_t at, std::uint32_t value, std::uint32_t meaning_before,
                     std::uint32_t meaning) {
    // A sum over all numbers, so that one can be exchanged.
    const std::uint64_t place = hash_mix(0, at + 1);
    const std::uint64_t hash = this->hash() - hash_mix(place, meaning_before) + hash_mix(place, meaning);
    state_[at] = value;
    state_[hash_] = static_cast<std::uint32_t>(hash >> 32U);
    state_[hash_ + 1] = static_cast<std::uint32_t>(hash);
}

bool Machine::done() const {
    for (StrandNumber strand = 0; strand < program_.strands.size(); ++strand)
        if (program_.strands[strand].fixed && !at_end(strand)) return false;
    return std::ranges::all_of(program_.goal, [&](const Progress& progress) { return reached(progress); });
}

bool Machine::allowed(const WindowProgram::Step& step) const {
    if (step.impossible) return false;
    for (const Progress& need : program_.needs_of(step))
        if (!reached(need)) return false;
    switch (step.action) {
    case Action::acquire: return lock(step.object) == 0;
    case Action::acquire_shared: return (lock(step.object) & kOwned) == 0;
    case Action::wait: return static_cast<std::int32_t>(state_[semaphores_ + step.object]) > 0;
    default: return true;
    }
}

bool Machine::sees(const WindowProgram::Read& read) const {
    const std::uint32_t now = content(read.slot);
    if (now == kUnknownContent) return false; // also where the read saw a write that is not in the window
    if (now == read.saw) return true;
    return read.known && program_.contents[now].known && program_.contents[now].value == read.value;
}

bool Machine::faithful(const WindowProgram::Step& step) const {
    return std::ranges::all_of(program_.reads_of(step),
                               [&](const WindowProgram::Read& read) { return sees(read); });
}

bool Machine::can_take(StrandNumber strand) const {
    if (at_end(strand)) return false;
    const WindowProgram::Step& step = next(strand);
    if (!allowed(step)) return false;
    if (!program_.violation) return faithful(step);
    if (is_second(strand)) return reached(program_.remote);
    if (is_remote(strand)) return reached(program_.first);
    if (strand == program_.remote.strand && state_[frozen_] != 0) return false;
    return faithful(step);
}

void Machine::take(StrandNumber strand) {
    const WindowProgram::Step& step = next(strand);
    const bool unfaithful = is_remote(strand) && !faithful(step);
    change(strand, state_[strand] + 1, state_[strand], state_[strand] + 1);
    switch (step.action) {
    case Action::acquire: state_[locks_ + step.object] = kOwned | strand; break;
    case Action::release: state_[locks_ + step.object] = 0; break;
    case Action::acquire_shared: ++state_[locks_ + step.object]; break;
    case Action::release_shared: --state_[locks_ + step.object]; break;
    case Action::post: ++state_[semaphores_ + step.object]; break;
    case Action::wait: --state_[semaphores_ + step.object]; break;
    case Action::plain: break;
    }
    if (unfaithful) change(frozen_, 1, 0, 1);
    for (const WindowProgram::Write& write : program_.writes_of(step)) {
        const std::uint32_t written = unfaithful ? kUnknownContent : write.content;
        change(memory_ + write.slot, written, kind_of(content(write.slot)), kind_of(written));
    }
}

std::optional<Progress> Machine::obstacle(StrandNumber strand) const {
    const WindowProgram::Step& step = next(strand);
    if (step.impossible) return std::nullopt;
    for (const Progress& need : program_.needs_of(step))
        if (!reached(need)) return need;
    if (!allowed(step))
        return step.action == Action::wait ? next_post(step.object, strand) : release_of(step.object, strand);
    if (is_second(strand)) return program_.remote;
    if (is_remote(strand)) return program_.first;
    for (const WindowProgram::Read& read : program_.reads_of(step))
        if (!sees(read)) return writer_for(read, strand);
    return std::nullopt;
}

/// Of the one who has it, or of one of those who share it.
std::optional<Progress> Machine::release_of(std::uint32_t number, StrandNumber except) const {
    for (StrandNumber strand = 0; strand < program_.strands.size(); ++strand) {
        if (strand == except) continue;
        const bool owner = lock(number) == (kOwned | strand);
        if ((lock(number) & kOwned) != 0 && !owner) continue;
        const auto& steps = program_.strands[strand].steps;
        for (std::uint32_t k = state_[strand]; k < steps.size(); ++k) {
            if (steps[k].object != number) continue;
            if (steps[k].action == Action::release || steps[k].action == Action::release_shared)
                return Progress{strand, k + 1};
            if (steps[k].action == Action::acquire || steps[k].action == Action::acquire_shared) break;
        }
    }
    return std::nullopt;
}

std::optional<Progress> Machine::writer_for(const WindowProgram::Read& read, StrandNumber except) const {
    if (read.saw != WindowProgram::kNone && read.saw >= program_.slots) {
        const Progress& written = program_.contents[read.saw].written;
        if (written.strand != except && !reached(written)) return written;
    }
    if (!read.known) return std::nullopt;
    for (const WindowProgram::Write& write : program_.writes) {
        const WindowProgram::Content& content = program_.contents[write.content];
        if (write.slot == read.slot && content.known && content.value == read.value &&
            content.written.strand != except && !reached(content.written))
            return content.written;
    }
    return std::nullopt;
}

std::optional<Progress> Machine::next_post(std::uint32_t semaphore, StrandNumber except) const {
    std::optional<Progress> best;
    EventId earliest;
    for (StrandNumber strand = 0; strand < program_.strands.size(); ++strand) {
        const auto& steps = program_.strands[strand].steps;
        for (std::uint32_t k = state_[strand]; strand != except && k < steps.size(); ++k) {
            if (steps[k].action != Action::post || steps[k].object != semaphore) continue;
            if (!best || steps[k].event < earliest) {
                best = Progress{strand, k + 1};
                earliest = steps[k].event;
            }
            break;
        }
    }
    return best;
}

} // namespace heddle
