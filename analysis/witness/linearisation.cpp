#include "analysis/witness/linearisation.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace heddle {

namespace {

using Progress = WindowProgram::Progress;

class Search {
  public:
    Search(const WindowProgram& program, const LinearisationLimits& limits)
        : program_(program), limits_(limits), machine_(program), width_(machine_.state().size()) {}

    Linearisation run() {
        if (machine_.done()) return {Linearisation::Outcome::found, {}};
        visited_.insert(machine_.hash());
        add({kNoStrand, 0, 0});
        std::size_t begin = 0;
        // Nodes of one level have equally many changes behind them.
        for (std::size_t level = 0; begin < nodes_.size() && level <= limits_.changes; ++level) {
            const std::size_t end = nodes_.size();
            for (; begin < end; ++begin) {
                for (StrandNumber strand = 0; strand < program_.strands.size(); ++strand) {
                    if (strand == nodes_[begin].strand) continue;
                    auto found = follow(static_cast<std::uint32_t>(begin), strand);
                    if (found) return {Linearisation::Outcome::found, std::move(*found)};
                    if (tried_ > limits_.steps) return {};
                }
            }
        }
        return {begin < nodes_.size() ? Linearisation::Outcome::gave_up : Linearisation::Outcome::none, {}};
    }

  private:
    static constexpr StrandNumber kNoStrand = WindowProgram::kNone;

    /// A state that was reached by so many steps of a strand after another.
    struct Node {
        StrandNumber strand = kNoStrand;
        std::uint32_t steps = 0;
        std::uint32_t parent = 0;
    };

    void add(const Node& node) {
        nodes_.push_back(node);
        states_.insert(states_.end(), machine_.state().begin(), machine_.state().end());
    }

    /// Lets a strand run from a node as far as it can, and keeps every state that is new.
    std::optional<Interleaving> follow(std::uint32_t from, StrandNumber strand) {
        const auto state = states_.begin() + static_cast<std::ptrdiff_t>(from * width_);
        machine_.restore({state, state + static_cast<std::ptrdiff_t>(width_)});
        for (std::uint32_t steps = 1; machine_.can_take(strand); ++steps) {
            machine_.take(strand);
            if (++tried_ > limits_.steps) return std::nullopt;
            const Node node{strand, steps, from};
            if (machine_.done()) return run_to(node);
            if (visited_.insert(machine_.hash()).second) add(node);
        }
        return std::nullopt;
    }

    [[nodiscard]] Interleaving run_to(Node node) const {
        Interleaving run;
        for (; node.strand != kNoStrand; node = nodes_[node.parent])
            run.insert(run.end(), node.steps, node.strand);
        std::ranges::reverse(run);
        return run;
    }

    const WindowProgram& program_;
    LinearisationLimits limits_;
    Machine machine_;
    std::size_t width_; ///< of a state
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> states_; ///< of the nodes, one after the other
    std::unordered_set<std::uint64_t> visited_;
    std::size_t tried_ = 0;
};

} // namespace

Linearisation linearise(const WindowProgram& program, const LinearisationLimits& limits) {
    return Search(program, limits).run();
}

void add_causality(WindowProgram& program, const UcgProjection& projection, const Property& property) {
    std::unordered_map<std::uint32_t, StrandNumber> strand_of; // by thread
    for (StrandNumber strand = 0; strand < program.strands.size(); ++strand)
        strand_of[program.strands[strand].thread.value] = strand;
    const std::vector<EventId> named = events_of(property);
    const bool stops = !std::holds_alternative<AtomicityViolation>(property);

    std::vector<Progress> needs;
    for (WindowProgram::Strand& strand : program.strands) {

        for (WindowProgram::Step& step : strand.steps) {
            const auto first = static_cast<std::uint32_t>(needs.size());
            const auto known = program.needs_of(step);
            needs.insert(needs.end(), known.begin(), known.end());
            const auto node =
                std::ranges::lower_bound(projection.nodes, step.event, {}, &UcgProjection::Node::event);
            const bool stands = stops && std::ranges::find(named, step.event) != named.end();
            if (node != projection.nodes.end() && node->event == step.event && !stands) {
                for (const UcgProjection::After& after : node->after) {
                    const auto other = strand_of.find(after.thread.value);
                    if (other == strand_of.end()) continue;
                    const auto& steps = program.strands[other->second].steps;
                    const auto end = std::ranges::lower_bound(steps, EventId{after.bound}, {},
                                                              &WindowProgram::Step::event);
                    if (end != steps.begin())
                        needs.push_back({other->second, static_cast<std::uint32_t>(end - steps.begin())});
                }
            }
            step.first_need = first;
            step.last_need = static_cast<std::uint32_t>(needs.size());
        }
    }
    program.needs = std::move(needs);
}

} // namespace heddle
