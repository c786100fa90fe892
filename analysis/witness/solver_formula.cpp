#include "analysis/witness/solver_formula.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>

namespace heddle::solver {

Formula::Formula(SolverWindow& window)
    : window_(window), solver_(context_, z3::solver::simple()), end_(context_.int_const("end")),
      recorded_(context_.bool_const("recorded")), ordered_(window.trace().thread_count()) {
    // Difference logic by shortest paths: several times faster here than Z3's own choice.
    solver_.set("arith.solver", 1U);
}

// --- order -------------------------------------------------------------------------------------------

z3::expr Formula::fresh_bool() {
    return context_.constant(context_.int_symbol(static_cast<int>(names_++)), context_.bool_sort());
}

z3::expr Formula::fresh_int() {
    return context_.constant(context_.int_symbol(static_cast<int>(names_++)), context_.int_sort());
}

void Formula::add(const z3::expr& clause) {
    solver_.add(clause);
    ++size_;
}

/// An event that must be within the window. Its thread's events stay in order.
z3::expr Formula::order(EventId event) {
    if (const auto found = orders_.find(event); found != orders_.end()) return found->second;
    z3::expr result = orders_.emplace(event, fresh_int()).first->second;
    std::set<EventId>& of_thread = ordered_[window_.thread_of(event).value];
    const auto at = of_thread.insert(event).first;
    if (at != of_thread.begin()) add(orders_.at(*std::prev(at)) < result);
    if (std::next(at) != of_thread.end()) add(result < orders_.at(*std::next(at)));
    return result;
}

z3::expr Formula::taken(EventId event) {
    if (!event.valid()) return context_.bool_val(false);
    if (window_.before_base(event)) return context_.bool_val(true);
    return window_.within(event) ? order(event) - end_ <= -1 : context_.bool_val(false);
}

/// Z3 first tries every atom as false. The atoms are such that this means: as recorded, and not taken.
z3::expr Formula::precedes(EventId first, EventId second) {
    if (first < second) return !(order(second) - order(first) <= 0);
    return order(first) - order(second) <= -1;
}

z3::expr Formula::before(EventId first, EventId second) {
    if (!first.valid()) return context_.bool_val(false);
    if (window_.before_base(first)) return context_.bool_val(!window_.before_base(second) || first < second);
    if (!window_.within(first) || window_.before_base(second)) return context_.bool_val(false);
    return precedes(first, second);
}

// --- rules -------------------------------------------------------------------------------------------

/// In the recorded run `need` comes first, so that the rule may be stated of events that are not taken, too.
bool Formula::state_need(EventId event, EventId need) {
    if (!needs_.emplace(event, need).second) return false;
    if (window_.within(need)) {
        add(order(need) < order(event));
    } else {
        add(!taken(event));
    }
    return true;
}

bool Formula::state_exclusion(const LockSection& one, const LockSection& other) {
    if (!exclusions_.insert(std::minmax(one.acquire, other.acquire)).second) return false;
    z3::expr_vector clause(context_);
    clause.push_back(!taken(one.acquire));
    clause.push_back(!taken(other.acquire));
    clause.push_back(before(one.release, other.acquire));
    clause.push_back(before(other.release, one.acquire));
    add(z3::mk_or(clause));
    return true;
}

/// Each row is the literals so far, each column how many of them hold; true when enough do.
z3::expr Formula::at_least(std::size_t count, const std::vector<z3::expr>& literals) {
    std::vector<z3::expr> row(count + 1, context_.bool_val(false));
    row[0] = context_.bool_val(true);
    for (std::size_t i = 0; i < literals.size(); ++i) {
        for (std::size_t j = std::min(count, i + 1); j > 0; --j) {
            row[j] = row[j] || (literals[i] && row[j - 1]);
            ++size_;
        }
    }
    return row[count];
}

bool Formula::state_count(EventId wait) {
    if (!counts_.insert(wait).second) return false;
    const CountRule& rule = window_.count_rule(wait);
    if (rule.needed <= 0) return true;
    const auto needed = static_cast<std::size_t>(rule.needed);
    if (needed > rule.posts.size() + rule.waits.size()) {
        add(!taken(wait));
        return true;
    }
    std::vector<z3::expr> favourable;
    for (const EventId post : rule.posts) favourable.push_back(before(post, wait));
    for (const EventId other : rule.waits) favourable.push_back(before(wait, other));
    add(z3::implies(taken(wait), at_least(needed, favourable)));
    return true;
}

// --- reads -------------------------------------------------------------------------------------------

z3::expr Formula::guard(EventId read) {
    const auto found = guards_.find(read);
    return found != guards_.end() ? found->second : guards_.emplace(read, fresh_bool()).first->second;
}

bool Formula::state_read(EventId read) {
    if (base_choices_.contains(read)) return false;
    base_choices_[read]; // even if the read has no parts that matter
    for (const ReadPart& part : window_.read_rule(read).parts) state_part(read, part);
    return true;
}

/// Some good write, or the base, comes before the read, and every bad write before that one (before `since`)
/// or after the read. A read-modify-write that is not bound to be faithful counts as bad: nobody knows what
/// it wrote.
void Formula::state_part(EventId read, const ReadPart& part) {
    const z3::expr from_base = base_choice(read, part);
    base_choices_[read].push_back(from_base);
    const z3::expr since = fresh_int();
    const auto not_between = [&](EventId write) {
        const z3::expr after = precedes(read, write);
        if (!from_base.is_false()) add(!from_base || after);
        return order(write) < since || after;
    };
    z3::expr_vector choices(context_);
    choices.push_back(!guard(read));
    choices.push_back(!taken(read));
    choices.push_back(from_base);
    for (const EventId write : part.good) {
        const z3::expr literal = fresh_bool();
        const z3::expr chosen = write == part.recorded ? !literal : literal; // false is tried first
        choices.push_back(chosen);
        add(z3::implies(chosen, precedes(write, read)));
        add(z3::implies(chosen, since <= order(write)));
        if (!reads_memory(window_.trace()[write].kind())) continue;
        add(z3::implies(chosen, guard(write)));
        add(guard(write) || not_between(write));
    }
    add(z3::mk_or(choices));
    for (const EventId write : part.bad) add(not_between(write));
}

z3::expr Formula::base_choice(EventId read, const ReadPart& part) {
    if (!part.base_possible || (part.base_certain && !part.base_fits)) return context_.bool_val(false);
    const VarId variable = window_.trace()[read].variable();
    z3::expr chosen = fresh_bool();
    if (!part.base_fits) add(!chosen || !recorded_);
    if (part.base_certain) return chosen;
    for (const std::uint8_t byte : part.bytes) {
        const std::optional<BaseContent> content = window_.base_content_for(read, byte);
        add(!chosen || recorded_ ||
            (content ? base_holds(variable, byte, *content) : context_.bool_val(false)));
    }
    return chosen;
}

/// Of the contents by value at most one holds, and so of those by write.
z3::expr Formula::base_holds(VarId variable, std::uint8_t byte, const BaseContent& content) {
    auto& known = contents_[{variable.value, byte}];
    for (const auto& [other, holds] : known)
        if (other == content) return holds;
    z3::expr result = fresh_bool();
    for (const auto& [other, holds] : known)
        if (other.by_value == content.by_value) add(!result || !holds);
    known.emplace_back(content, result);
    if (!content.by_value && content.write.valid()) {
        const EventView write = window_.trace()[content.write];
        if (write.has_value()) {
            const auto value = static_cast<std::uint8_t>(window_.trace().value_of(write) >>
                                                         (8U * (byte - write.bytes().offset)));
            add(z3::implies(result, base_holds(variable, byte, {.value = value, .write = {}})));
        }
    }
    return result;
}

// --- properties --------------------------------------------------------------------------------------

Goal Formula::aim(const Property& property) {
    Goal goal{fresh_bool(), {}, {}, fresh_bool()};
    if (const auto* violation = std::get_if<AtomicityViolation>(&property)) {
        aim_violation(goal, *violation);
    } else {
        for (const EventId stop : events_of(property)) aim_stop(goal.literal, stop);
    }
    return goal;
}

void Formula::aim_stop(const z3::expr& literal, EventId stop) {
    if (window_.within(stop)) add(z3::implies(literal, !taken(stop)));
    const EventId previous = window_.previous(stop);
    if (previous.valid()) {
        add(z3::implies(literal, taken(previous)));
    } else if (const EventId fork = window_.fork_before(stop); fork.valid()) {
        add(z3::implies(literal, taken(fork)));
    }
}

/// The second access is the last event taken; it may see anything. So may the remote access, if its thread
/// takes no further step.
void Formula::aim_violation(Goal& goal, const AtomicityViolation& violation) {
    const z3::expr& literal = goal.literal;
    add(z3::implies(literal, taken(violation.second) && end_ <= order(violation.second) + 1));
    add(z3::implies(literal, before(violation.first, violation.remote)));
    add(z3::implies(literal, before(violation.remote, violation.second)));
    goal.second = violation.second;
    goal.remote = violation.remote;
    if (!window_.within(violation.remote)) return;
    const EventId further = window_.next(violation.remote);
    if (further.valid() && window_.within(further))
        add(z3::implies(literal && goal.bound && taken(further), guard(violation.remote)));
}

void Formula::state_lemmas(const Goal& goal, const UcgProjection& lemmas) {
    for (const UcgProjection::Node& node : lemmas.nodes) {
        if (!window_.within(node.event)) continue;
        for (const UcgProjection::After& after : node.after) {
            const EventId last = window_.last_below(after.thread, EventId{after.bound});
            if (!last.valid() || window_.before_base(last)) continue;
            add(!goal.literal || !taken(node.event) || before(last, node.event));
        }
    }
}

// --- questions ---------------------------------------------------------------------------------------

z3::check_result Formula::check(const Goal& goal, BaseMemory memory, std::uint64_t effort) {
    std::vector<EventId> faithful;
    for (const auto& [read, choices] : base_choices_) faithful.push_back(read);
    return check(goal, memory, effort, faithful);
}

z3::check_result Formula::check(const Goal& goal, BaseMemory memory, std::uint64_t effort,
                                std::span<const EventId> faithful) {
    z3::expr_vector assumptions(context_);
    assumptions.push_back(goal.literal);
    if (memory == BaseMemory::recorded) assumptions.push_back(recorded_);
    for (const EventId read : faithful)
        if (read != goal.second) assumptions.push_back(read == goal.remote ? goal.bound : guard(read));
    solver_.set("rlimit",
                static_cast<unsigned>(std::min<std::uint64_t>(effort, std::numeric_limits<unsigned>::max())));
    return solver_.check(assumptions);
}

std::uint64_t Formula::effort() const {
    const z3::stats statistics = solver_.statistics();
    for (unsigned i = 0; i < statistics.size(); ++i)
        if (statistics.key(i) == "rlimit count")
            return statistics.is_uint(i) ? statistics.uint_value(i)
                                         : static_cast<std::uint64_t>(statistics.double_value(i));
    return 0;
}

std::vector<Placed> Formula::placed() const {
    const z3::model model = solver_.get_model();
    const auto value = [&](const z3::expr& variable) {
        return model.eval(variable, true).get_numeral_int64();
    };
    const std::int64_t end = value(end_);
    std::vector<Placed> result;
    for (const auto& [event, variable] : orders_) {
        const std::int64_t when = value(variable);
        if (when < end) result.push_back({event, when});
    }
    std::ranges::stable_sort(
        result, {}, [&](const Placed& one) { return std::pair(one.when, window_.thread_of(one.event)); });
    return result;
}

bool Formula::sees_base(EventId read, std::size_t part) const {
    const auto found = base_choices_.find(read);
    return found != base_choices_.end() && solver_.get_model().eval(found->second[part], true).is_true();
}

std::vector<EventId> Formula::contradicting_reads(const Goal& goal) const {
    std::vector<EventId> result;
    for (const auto& [read, literal] : guards_)
        if (in_core(read == goal.remote ? goal.bound : literal)) result.push_back(read);
    return result;
}

bool Formula::contradicts_recorded_memory() const {
    return in_core(recorded_);
}

bool Formula::in_core(const z3::expr& assumption) const {
    for (const z3::expr& other : solver_.unsat_core())
        if (z3::eq(other, assumption)) return true;
    return false;
}

} // namespace heddle::solver
