#include "analysis/witness/prefix_extension.h"

#include <algorithm>

namespace heddle {

namespace {

using Action = WindowProgram::Action;
using Progress = WindowProgram::Progress;
using Turn = std::vector<Progress>; ///< what is to be reached together

constexpr std::size_t kMaxOrders = 6;

bool is_acquire(Action action) {
    return action == Action::acquire || action == Action::acquire_shared;
}
bool is_release(Action action) {
    return action == Action::release || action == Action::release_shared;
}

/// How far each strand has to go, from where it is, for some to get where they should: all that their steps
/// need as recorded.
class Needed {
  public:
    explicit Needed(const Machine& machine) : machine_(machine), ends_(machine.program().strands.size()) {
        for (StrandNumber strand = 0; strand < ends_.size(); ++strand)
            ends_[strand] = machine.position(strand);
    }

    void add(Progress progress) {
        open_.push_back(progress);
        while (!open_.empty()) {
            const Progress one = open_.back();
            open_.pop_back();
            extend(one);
        }
    }
    [[nodiscard]] std::uint32_t end(StrandNumber strand) const { return ends_[strand]; }

  private:
    void extend(Progress progress) {
        const WindowProgram& program = machine_.program();
        const WindowProgram::Strand& strand = program.strands[progress.strand];
        const auto end = std::min(progress.steps, static_cast<std::uint32_t>(strand.steps.size()));
        std::uint32_t& at = ends_[progress.strand];
        int held = 0;
        // Nobody stops within a section unless the property says so.
        while (at < end || (held > 0 && !strand.fixed && at < strand.steps.size())) {
            const WindowProgram::Step& step = strand.steps[at++];
            held += is_acquire(step.action) ? 1 : is_release(step.action) ? -1 : 0;
            for (const Progress& need : program.needs_of(step)) open_.push_back(need);
            for (const WindowProgram::Read& read : program.reads_of(step))
                if (read.saw != WindowProgram::kNone && read.saw >= program.slots)
                    open_.push_back(program.contents[read.saw].written);
            if (step.action == Action::wait) need_posts(step);
        }
    }

    void need_posts(const WindowProgram::Step& wait) {
        const WindowProgram& program = machine_.program();
        for (StrandNumber number = 0; number < program.strands.size(); ++number) {
            const auto& steps = program.strands[number].steps;
            for (auto k = static_cast<std::uint32_t>(steps.size()); k-- > ends_[number];) {
                if (steps[k].action != Action::post || steps[k].object != wait.object ||
                    steps[k].event > wait.event)
                    continue;
                open_.push_back({number, k + 1});
                break;
            }
        }
    }

    const Machine& machine_;
    std::vector<std::uint32_t> ends_;
    std::vector<Progress> open_;
};

/// Takes what a turn needs, always the earliest in the recorded order that can be taken.
bool take_turn(Runner& runner, const Turn& turn) {
    Needed needed(runner.machine());
    for (const Progress& target : turn) needed.add(target);
    const Machine& machine = runner.machine();
    const auto strands = static_cast<StrandNumber>(runner.program().strands.size());
    while (!std::ranges::all_of(turn, [&](const Progress& target) { return machine.reached(target); })) {
        StrandNumber earliest = strands;
        for (StrandNumber strand = 0; strand < strands; ++strand) {
            if (machine.position(strand) >= needed.end(strand)) continue;
            if (earliest != strands && machine.next(strand).event > machine.next(earliest).event) continue;
            if (machine.can_take(strand)) earliest = strand;
        }
        if (earliest != strands) {
            runner.take(earliest);
            continue;
        }
        // Whoever holds a lock at the base may have to give it back first.
        const auto held_up =
            std::ranges::find_if(turn, [&](const Progress& target) { return !machine.reached(target); });
        if (!runner.bring(*held_up)) return false;
    }
    return true;
}

std::vector<std::vector<Turn>> orders_of(const WindowProgram& program) {
    std::vector<std::vector<Turn>> orders;
    if (program.violation) {
        const auto own = static_cast<StrandNumber>(
            std::ranges::find_if(program.strands, &WindowProgram::Strand::fixed) - program.strands.begin());
        const auto last = static_cast<std::uint32_t>(program.strands[own].steps.size());
        const Progress before_remote{program.remote.strand,
                                     program.remote.steps - (program.remote.steps > 0 ? 1 : 0)};
        const Turn end = {{own, last}};
        orders.push_back({{program.first}, {program.remote}, end});
        orders.push_back({{before_remote}, {program.first}, {program.remote}, end});
        orders.push_back({{{own, last - 1}}, {program.remote}, end});
        orders.push_back({{before_remote}, {{own, last - 1}}, {program.remote}, end});
        return orders;
    }
    Turn all = program.goal;
    for (StrandNumber strand = 0; strand < program.strands.size(); ++strand)
        if (program.strands[strand].fixed)
            all.push_back({strand, static_cast<std::uint32_t>(program.strands[strand].steps.size())});
    orders.push_back({all});
    if (all.size() < 2) return orders;
    std::vector<std::size_t> order(all.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    do {
        std::vector<Turn>& turns = orders.emplace_back();
        for (const std::size_t k : order) turns.push_back({all[k]});
    } while (orders.size() <= kMaxOrders && std::ranges::next_permutation(order).found);
    return orders;
}

} // namespace

std::optional<Interleaving> extend_prefix(const WindowProgram& program) {
    for (const std::vector<Turn>& turns : orders_of(program)) {
        Runner runner(program);
        const bool possible =
            std::ranges::all_of(turns, [&](const Turn& turn) { return take_turn(runner, turn); });
        if (possible && runner.machine().done()) return runner.finish();
    }
    return std::nullopt;
}

} // namespace heddle
