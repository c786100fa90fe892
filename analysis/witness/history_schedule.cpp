#include "analysis/witness/history_schedule.h"

#include <algorithm>

namespace heddle {

namespace {

using Action = WindowProgram::Action;
using Progress = WindowProgram::Progress;
using Step = WindowProgram::Step;

/// Of an atomicity violation, how many places within the transaction are tried.
constexpr std::size_t kMaxPlaces = 16;

bool is_acquire(const Step& step) {
    return step.action == Action::acquire || step.action == Action::acquire_shared;
}
bool is_release(const Step& step) {
    return step.action == Action::release || step.action == Action::release_shared;
}
bool excludes(const Step& a, const Step& b) {
    return is_acquire(a) && is_acquire(b) && a.object == b.object &&
           (a.action == Action::acquire || b.action == Action::acquire);
}

/// Brings strands to a common state.
class Meeting {
  public:
    Meeting(Runner& runner, std::vector<Progress> targets) : runner_(runner), targets_(std::move(targets)) {}

    [[nodiscard]] bool reach() {
        bool moved = true;
        while (moved) {
            moved = false;
            for (const Progress& target : targets_) moved = advance(target) || moved;
        }
        return std::ranges::all_of(targets_,
                                   [&](const Progress& target) { return runner_.machine().reached(target); });
    }

  private:
    /// Whether it could take a step.
    bool advance(const Progress& target) {
        const std::uint32_t before = runner_.machine().position(target.strand);
        while (!runner_.machine().reached(target) && !has_to_wait(target)) {
            const std::uint32_t at = runner_.machine().position(target.strand);
            if (!runner_.machine().can_take(target.strand) && !make_way(target.strand)) break;
            if (runner_.machine().can_take(target.strand)) runner_.take(target.strand);
            if (runner_.machine().position(target.strand) == at) break;
        }
        return runner_.machine().position(target.strand) > before;
    }

    /// The next step is a final acquisition for which others still have to make room.
    [[nodiscard]] bool has_to_wait(const Progress& target) const {
        const auto& steps = runner_.program().strands[target.strand].steps;
        const std::uint32_t at = runner_.machine().position(target.strand);
        if (!is_acquire(steps[at])) return false;
        for (std::uint32_t k = at + 1; k < target.steps; ++k)
            if (is_release(steps[k]) && steps[k].object == steps[at].object) return false;
        return std::ranges::any_of(targets_, [&](const Progress& other) {
            if (other.strand == target.strand) return false;
            const auto& others = runner_.program().strands[other.strand].steps;
            for (std::uint32_t k = runner_.machine().position(other.strand); k < other.steps; ++k)
                if (excludes(steps[at], others[k])) return true;
            return false;
        });
    }

    /// Threads that the meeting is not about do what they are waited for.
    [[nodiscard]] bool make_way(StrandNumber strand) {
        const auto obstacle = runner_.machine().obstacle(strand);
        if (!obstacle || obstacle->steps > runner_.program().strands[obstacle->strand].steps.size())
            return false;
        const bool named = std::ranges::any_of(
            targets_, [&](const Progress& target) { return target.strand == obstacle->strand; });
        return !named && runner_.bring(*obstacle);
    }

    Runner& runner_;
    std::vector<Progress> targets_;
};

std::optional<Interleaving> meet(const WindowProgram& program) {
    std::vector<Progress> targets;
    for (StrandNumber strand = 0; strand < program.strands.size(); ++strand)
        if (program.strands[strand].fixed)
            targets.push_back({strand, static_cast<std::uint32_t>(program.strands[strand].steps.size())});
    Runner runner(program);
    if (!Meeting(runner, targets).reach()) return std::nullopt;
    for (const Progress& also : program.goal)
        if (!runner.bring(also)) return std::nullopt;
    if (!runner.machine().done()) return std::nullopt;
    return runner.finish();
}

/// A meeting somewhere in the transaction, the remote access, and on to the end of the transaction; the
/// remote thread gives back what is in the way.
std::optional<Interleaving> violate_at(const WindowProgram& program, StrandNumber own, std::uint32_t place) {
    Runner runner(program);
    std::vector<Progress> targets = {{own, place}};
    if (program.remote.steps > 0) targets.push_back({program.remote.strand, program.remote.steps - 1});
    if (!Meeting(runner, targets).reach() || !runner.bring(program.remote)) return std::nullopt;
    const Progress end{own, static_cast<std::uint32_t>(program.strands[own].steps.size())};
    if (!runner.bring(end)) return std::nullopt;
    return runner.finish();
}

std::optional<Interleaving> violate(const WindowProgram& program) {
    const auto own = static_cast<StrandNumber>(
        std::ranges::find_if(program.strands, &WindowProgram::Strand::fixed) - program.strands.begin());
    const auto& steps = program.strands[own].steps;
    const auto last = static_cast<std::uint32_t>(steps.size()) - 1;
    const std::uint32_t first = program.first.steps;
    std::size_t tried = 0;
    for (std::uint32_t place = first; place <= last && tried < kMaxPlaces; ++place) {
        // What the thread holds changes only at lock operations.
        const bool another = place == first || place == last || is_release(steps[place - 1]);
        if (!another) continue;
        ++tried;
        if (auto run = violate_at(program, own, place)) return run;
    }
    return std::nullopt;
}

} // namespace

std::optional<Interleaving> schedule_histories(const WindowProgram& program) {
    return program.violation ? violate(program) : meet(program);
}

} // namespace heddle
