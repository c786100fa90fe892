#include "analysis/witness/minimise.h"

#include "analysis/witness/linearisation.h"
#include "analysis/witness/step_order.h"

#include <algorithm>
#include <utility>

namespace heddle {

namespace {

using Progress = WindowProgram::Progress;

constexpr std::size_t kMaxOrders = 6;

bool shorter(const Interleaving& a, const Interleaving& b) {
    return std::pair(changes_in(a), a.size()) < std::pair(changes_in(b), b.size());
}

/// What must be reached in the end.
std::vector<Progress> ends_of(const WindowProgram& program) {
    std::vector<Progress> ends = program.goal;
    for (StrandNumber strand = 0; strand < program.strands.size(); ++strand)
        if (program.strands[strand].fixed)
            ends.push_back({strand, static_cast<std::uint32_t>(program.strands[strand].steps.size())});
    if (program.violation) ends.push_back(program.remote);
    return ends;
}

/// Puts the steps of an interleaving into another order that keeps all their dependences: runs a strand until
/// it needs another, then that one just as far as needed.
class Merge {
  public:
    Merge(const StepOrder& order, std::size_t strands) : order_(order), taken_(strands) {}

    void bring(Progress target) {
        while (taken_[target.strand] < target.steps) {
            for (const Progress& need : order_.needs(target.strand, taken_[target.strand])) bring(need);
            ++taken_[target.strand];
            result_.push_back(target.strand);
        }
    }
    [[nodiscard]] Interleaving finish() { return std::move(result_); }

  private:
    const StepOrder& order_;
    std::vector<std::uint32_t> taken_; ///< by strand
    Interleaving result_;
};

Interleaving merged(const WindowProgram& program, Interleaving best) {
    const StepOrder order(program, best);
    std::vector<Progress> ends = ends_of(program);
    std::vector<std::size_t> turns(ends.size());
    for (std::size_t k = 0; k < turns.size(); ++k) turns[k] = k;
    for (std::size_t tried = 0; tried < kMaxOrders; ++tried) {
        Merge merge(order, program.strands.size());
        for (const std::size_t k : turns) merge.bring(ends[k]);
        Interleaving other = merge.finish();
        if (shorter(other, best) && reaches(program, other)) best = std::move(other);
        if (!std::ranges::next_permutation(turns).found) break;
    }
    return best;
}

/// The program, but each strand only as far as the interleaving takes it.
WindowProgram cut_to(WindowProgram program, const Interleaving& interleaving) {
    std::vector<std::size_t> taken(program.strands.size());
    for (const StrandNumber strand : interleaving) ++taken[strand];
    for (StrandNumber strand = 0; strand < taken.size(); ++strand)
        program.strands[strand].steps.resize(taken[strand]);
    return program;
}

} // namespace

bool reaches(const WindowProgram& program, const Interleaving& interleaving) {
    Machine machine(program);
    for (const StrandNumber strand : interleaving) {
        if (!machine.can_take(strand)) return false;
        machine.take(strand);
    }
    return machine.done();
}

std::size_t changes_in(const Interleaving& interleaving) {
    std::size_t changes = 0;
    for (std::size_t k = 1; k < interleaving.size(); ++k)
        changes += interleaving[k] != interleaving[k - 1] ? 1U : 0U;
    return changes;
}

Interleaving minimise(const WindowProgram& program, Interleaving interleaving, std::size_t steps) {
    const auto drop = [&] {
        Interleaving less = StepOrder(program, interleaving).without_needless(ends_of(program));
        if (reaches(program, less)) interleaving = std::move(less);
    };
    drop();
    interleaving = merged(program, std::move(interleaving));
    const std::size_t changes = changes_in(interleaving);
    if (changes > 1 && steps > 0) {
        Linearisation better =
            linearise(cut_to(program, interleaving), {.steps = steps, .changes = changes - 1});
        if (better.outcome == Linearisation::Outcome::found) interleaving = std::move(better.run);
    }
    drop();
    return interleaving;
}

} // namespace heddle
