#include "daemon/replay/plan.h"

#include "daemon/replay/thread_order.h"
#include "traces/recorder/replay_violation.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

namespace heddle::replay {

namespace {

constexpr std::size_t kMostHolds = 64;        ///< of one thread, beyond the schedule
constexpr std::size_t kLongestTail = 100'000; ///< events of one thread that are looked at for them

struct Part {
    Role role = Role::order;
    std::uint32_t number = 0;
};

/// Which events of the violation are which of its parts.
std::map<EventId, Part> parts_of(const Property& property) {
    std::map<EventId, Part> parts;
    if (const auto* race = std::get_if<Race>(&property)) {
        parts[race->first] = {Role::stand, 0};
        parts[race->second] = {Role::stand, 1};
    } else if (const auto* triple = std::get_if<AtomicityViolation>(&property)) {
        parts[triple->first] = {Role::first, 0};
        parts[triple->remote] = {Role::remote, 1};
        parts[triple->second] = {Role::second, 2};
    } else {
        const auto& steps = std::get<Deadlock>(property).steps;
        for (std::uint32_t i = 0; i < steps.size(); ++i) {
            parts[steps[i].holds] = {Role::holds, i};
            parts[steps[i].requests] = {Role::stand, i};
        }
    }
    return parts;
}

class PlanMaker {
  public:
    PlanMaker(const Trace& trace, const PlanRequest& request)
        : trace_(trace), request_(request), parts_(parts_of(request.property)), order_(trace) {}

    Result<MadePlan> make() {
        follow_schedule();
        if (auto named = name_threads(); !named) return tl::make_unexpected(named.error());
        made_.plan.violation = static_cast<Violation>(request_.property.index());
        made_.plan.stall_ms = request_.stall_ms;
        made_.plan.limit_ms = request_.limit_ms;
        made_.plan.stay = request_.stay;
        if (auto programmed = add_program(); !programmed) return tl::make_unexpected(programmed.error());
        if (request_.variation.holds) {
            for (const ThreadId thread : made_.threads) find_holds(thread);
        }
        for (std::uint32_t thread = 0; thread < made_.threads.size(); ++thread) {
            if (auto added = add_thread(thread); !added) return tl::make_unexpected(added.error());
        }
        if (made_.plan.steps.size() > kMaxSteps || made_.plan.needs.size() > kMaxNeeds) {
            return fail(
                fmt::format("the schedule needs {} steps in a fixed order; at most {} can be replayed",
                            made_.plan.steps.size(), kMaxSteps));
        }
        resolve_needs();
        if (const char* problem = problem_of_violation(made_.plan); problem != nullptr)
            return fail(
                fmt::format("the recorded run does not tell enough to take the schedule: {}", problem));
        return std::move(made_);
    }

  private:
    struct Place {
        std::uint32_t module = 0;
        std::uint64_t offset = 0;
        auto operator<=>(const Place&) const = default;
    };
    /// Where one thread is while its steps are chosen.
    struct ThreadWork {
        std::uint32_t number = 0; ///< in the plan
        OperationReader reader;
        std::map<std::tuple<Operation, Place>, std::uint32_t> counts; ///< since its last step
        std::map<std::tuple<Operation, Place, std::uint32_t, unsigned>,
                 std::pair<std::uint32_t, std::uint64_t>>
            accesses; ///< since its last synchronisation or step: how many, and what the last one saw
        std::optional<PlanStep> anchor; ///< its last synchronisation, if that is no step
        EventId anchor_event;
    };

    /// What is taken before, and where the threads then stand.
    void follow_schedule() {
        for (std::uint32_t i = 0; i < request_.schedule.base.value; ++i) order_.take(EventId{i});
        for (const EventId event : request_.schedule.steps) order_.take(event);
        for (const auto& [event, part] : parts_) {
            if (part.role == Role::stand) order_.stand(event);
        }
        for (const Edge& edge : order_.edges()) {
            is_step_[edge.before.value];
            is_step_[edge.after.value].push_back(edge.before);
        }
        for (const auto& [event, part] : parts_) is_step_[event.value];
        if (const auto* triple = std::get_if<AtomicityViolation>(&request_.property)) {
            is_step_[triple->remote.value].push_back(triple->first);
            is_step_[triple->second.value].push_back(triple->remote);
        }
    }

    Result<void> name_threads() {
        std::vector<PlanThread> origins(trace_.thread_count());
        for (std::uint32_t parent = 0; parent < origins.size(); ++parent) {
            std::uint32_t forks = 0;
            for (const std::uint32_t id : trace_.events_of(ThreadId{parent})) {
                const EventView event = trace_[EventId{id}];
                if (event.kind() == EventKind::fork) origins[event.other_thread().value] = {parent, ++forks};
            }
        }
        numbers_.assign(trace_.thread_count(), kUnnamed);
        first_thread_ = trace_[EventId{0U}].thread();
        for (std::uint32_t thread = 0; thread < origins.size(); ++thread) {
            if (auto named = name_thread(ThreadId{thread}, origins); !named) return named;
        }
        return {};
    }

    /// Parents first. A thread that nobody was seen to create is needed only if the schedule takes steps of
    /// it.
    Result<void> name_thread(ThreadId thread, const std::vector<PlanThread>& origins) {
        std::vector<ThreadId> line;
        for (ThreadId at = thread; numbers_[at.value] == kUnnamed; at = ThreadId{origins[at.value].parent}) {
            line.push_back(at);
            if (at == first_thread_) break;
            if (origins[at.value].fork == 0) {
                if (order_.taken(thread) == 0) return {};
                return fail(
                    fmt::format("thread '{}' was not seen being created, so it cannot be told from others "
                                "when the program runs again",
                                trace_.display_name(ObjectKind::thread, at.value)));
            }
        }
        for (std::size_t i = line.size(); i-- > 0;) {
            const ThreadId one = line[i];
            const bool first = one == first_thread_;
            numbers_[one.value] = static_cast<std::uint32_t>(made_.threads.size());
            made_.threads.push_back(one);
            made_.plan.threads.push_back(
                first ? PlanThread{}
                      : PlanThread{numbers_[origins[one.value].parent], origins[one.value].fork});
        }
        if (made_.threads.size() > kMaxPlanThreads)
            return fail("the run had too many threads to be replayed");
        return {};
    }

    Result<std::uint32_t> module_number(ModuleId id) {
        const auto [at, fresh] = modules_.try_emplace(id.value, static_cast<std::uint32_t>(modules_.size()));
        if (fresh) {
            const Module& module = trace_.modules()[id.value];
            made_.plan.modules.push_back(
                {std::string(trace_.string(module.build_id)), std::string(trace_.string(module.path))});
            if (made_.plan.modules.back().path.find('\n') != std::string::npos)
                return fail("the path of a binary has a line break in it");
            if (modules_.size() > kMaxPlanModules)
                return fail("the run had too many binaries to be replayed");
        }
        return at->second;
    }

    /// The first module is the one that the process runs.
    Result<void> add_program() {
        const std::vector<std::string>& command = trace_.metadata().command;
        for (std::size_t i = 0; i < trace_.modules().size(); ++i) {
            const std::string_view path = trace_.string(trace_.modules()[i].path);
            const std::string_view name = path.substr(path.rfind('/') + 1);
            const bool named = !command.empty() && command[0].substr(command[0].rfind('/') + 1) == name;
            if (named || (command.empty() && path.find(".so") == std::string_view::npos))
                return module_number(ModuleId{i}).map([](std::uint32_t) {});
        }
        return fail("the trace does not tell which binary is the program");
    }

    Result<Place> place_of(const EventView& event) {
        const PlaceId id = trace_.place_of(event.stack());
        if (!id.valid() || !trace_.places()[id.value].module.valid()) {
            return fail(
                fmt::format("event {} of the trace has no code address; only recorded traces, as they were "
                            "recorded, can be replayed",
                            event.id().value));
        }
        const heddle::Place& place = trace_.places()[id.value];
        const Result<std::uint32_t> module = module_number(place.module);
        if (!module) return tl::make_unexpected(module.error());
        return Place{*module, place.offset};
    }

    /// Globals lie at the same place of their module; the heap moves by pages; stacks by anything.
    Result<void> add_address(const EventView& event, PlanStep& step) {
        const Object& variable = trace_.objects(ObjectKind::variable)[event.variable().value];
        if (!request_.variation.addresses || variable.address == 0) return {};
        const std::uint64_t address = variable.address + event.bytes().offset;
        for (std::size_t i = 0; i < trace_.modules().size(); ++i) {
            const Module& module = trace_.modules()[i];
            if (address < module.base || address - module.base >= module.size) continue;
            const Result<std::uint32_t> number = module_number(ModuleId{i});
            if (!number) return tl::make_unexpected(number.error());
            step.rule = AddressRule::exact;
            step.address_module = *number;
            step.address = address - module.base;
            return {};
        }
        if (!variable.block.valid() || trace_.name(ObjectKind::block, variable.block.value) == kFrameName)
            return {};
        step.rule = AddressRule::low;
        step.address = address & kLowMask;
        return {};
    }

    void emit(ThreadWork& work, PlanStep step, EventId event) {
        step.thread = work.number;
        step_of_[event.value] = static_cast<std::uint32_t>(made_.plan.steps.size());
        made_.plan.steps.push_back(step);
        made_.events.push_back(event);
        work.counts.clear();
        work.accesses.clear();
        work.anchor.reset();
    }

    Result<void> add_access(ThreadWork& work, const EventView& event, const Meaning& meaning,
                            const PlanStep* wanted) {
        const Result<Place> place = place_of(event);
        if (!place) return wanted == nullptr ? Result<void>() : tl::make_unexpected(place.error());
        const unsigned bytes = event.bytes().offset * 16U + event.bytes().size;
        auto& [count, value] = work.accesses[{meaning.operation, *place, event.variable().value, bytes}];
        const bool same =
            event.kind() == EventKind::read && event.has_value() && count > 0 && value == event.raw_value();
        if (!same) ++count;
        value = event.raw_value();
        if (wanted == nullptr) return {};
        PlanStep step = *wanted;
        step.operation = meaning.operation;
        step.place_module = place->module;
        step.place_offset = place->offset;
        step.count = count;
        // The second access of a transaction is counted from the first: it stays in the same transaction.
        if (is_final(step.role) && step.role != Role::second && request_.variation.shift > 0)
            step.count += static_cast<std::uint32_t>(request_.variation.shift);
        if (auto added = add_address(event, step); !added) return added;
        if (work.anchor) emit(work, PlanStep(*work.anchor), work.anchor_event);
        emit(work, step, event.id());
        return {};
    }

    Result<void> add_synchronisation(ThreadWork& work, const EventView& event, const Meaning& meaning,
                                     const PlanStep* wanted) {
        const Result<Place> place = place_of(event);
        if (!place) return wanted == nullptr ? Result<void>() : tl::make_unexpected(place.error());
        PlanStep step = wanted == nullptr ? PlanStep() : *wanted;
        step.operation = meaning.operation;
        step.place_module = place->module;
        step.place_offset = place->offset;
        step.count = ++work.counts[{meaning.operation, *place}];
        work.accesses.clear();
        if (wanted != nullptr) return emit(work, step, event.id()), Result<void>();
        work.anchor = step;
        work.anchor_event = event.id();
        return {};
    }

    Result<void> add_event(ThreadWork& work, const EventView& event) {
        const std::optional<Meaning> meaning = work.reader.next(trace_, event);
        if (!meaning || meaning->again) return {};
        std::optional<PlanStep> wanted;
        if (is_step_.contains(event.id().value)) {
            wanted.emplace();
            if (holds_.contains(event.id().value)) wanted->role = Role::hold;
            if (const auto part = parts_.find(event.id()); part != parts_.end()) {
                wanted->role = part->second.role;
                wanted->part = part->second.number;
            }
        }
        const PlanStep* step = wanted ? &*wanted : nullptr;
        return is_plain(meaning->operation) ? add_access(work, event, *meaning, step)
                                            : add_synchronisation(work, event, *meaning, step);
    }

    /// Where a thread would disturb the schedule once it has taken its own steps, or if it has none.
    void find_holds(ThreadId thread) {
        if (stands(thread)) return;
        const ThreadIndex& events = trace_.events_of(thread);
        const std::size_t taken = std::min(order_.taken(thread), events.size());
        const std::size_t end = std::min(events.size(), taken + kLongestTail);
        OperationReader reader;
        std::size_t found = 0;
        for (std::size_t i = 0; i < end && found < kMostHolds; ++i) {
            const EventView event = trace_[EventId{events[i]}];
            const std::optional<Meaning> meaning = reader.next(trace_, event);
            if (i < taken || !meaning || meaning->again) continue;
            const std::vector<EventId> needs = order_.held_back_by(event, *meaning);
            if (needs.empty()) continue;
            for (const EventId need : needs) is_step_[need.value];
            is_step_[event.id().value] = needs;
            holds_.insert(event.id().value);
            ++found;
        }
    }

    Result<void> add_thread(std::uint32_t number) {
        ThreadWork work;
        work.number = number;
        const ThreadIndex& events = trace_.events_of(made_.threads[number]);
        const std::size_t end = std::min(events.size(), order_.taken(made_.threads[number]) + kLongestTail);
        for (std::size_t i = 0; i < end; ++i) {
            if (auto added = add_event(work, trace_[EventId{events[i]}]); !added) return added;
        }
        return {};
    }

    [[nodiscard]] bool stands(ThreadId thread) const {
        return std::ranges::any_of(parts_, [&](const auto& part) {
            return trace_[part.first].thread() == thread &&
                   (part.second.role == Role::stand || part.second.role == Role::second);
        });
    }

    void resolve_needs() {
        Plan& plan = made_.plan;
        for (std::size_t i = 0; i < plan.steps.size(); ++i) {
            PlanStep& step = plan.steps[i];
            step.first_need = static_cast<std::uint32_t>(plan.needs.size());
            const auto needs = is_step_.find(made_.events[i].value);
            if (needs == is_step_.end()) continue; // an anchor
            for (const EventId need : needs->second) {
                const auto number = step_of_.find(need.value);
                if (number != step_of_.end()) plan.needs.push_back(number->second);
            }
            step.needs = static_cast<std::uint32_t>(plan.needs.size()) - step.first_need;
        }
    }

    static constexpr std::uint32_t kUnnamed = 0xFFFF'FFFF;

    const Trace& trace_;
    const PlanRequest& request_;
    std::map<EventId, Part> parts_;
    ThreadOrder order_;
    std::unordered_map<std::uint32_t, std::vector<EventId>> is_step_; ///< by event: what it needs
    std::unordered_set<std::uint32_t> holds_;
    std::unordered_map<std::uint32_t, std::uint32_t> step_of_;
    std::unordered_map<std::uint32_t, std::uint32_t> modules_;
    std::vector<std::uint32_t> numbers_; ///< in the plan, by thread
    ThreadId first_thread_;
    MadePlan made_;
};

} // namespace

Result<MadePlan> make_plan(const Trace& trace, const PlanRequest& request) {
    if (trace.empty()) return fail("the trace is empty");
    return PlanMaker(trace, request).make();
}

} // namespace heddle::replay
