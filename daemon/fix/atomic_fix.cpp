#include "daemon/fix/atomic_fix.h"

#include "analysis/source/make_atomic.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace heddle::fix {

namespace {

/// What is accessed wherever the variable is: the same member of other objects.
std::vector<VarId> alike(const Trace& trace, VarId variable) {
    std::vector<bool> places(trace.places().size());
    const auto place_of = [&](const EventView& event) { return trace.place_for_people(event.stack()); };
    for (const EventView event : trace.events()) {
        if (!is_access(event.kind()) || event.variable() != variable) continue;
        if (const PlaceId place = place_of(event); place.valid()) places[place.value] = true;
    }
    std::set<VarId> result = {variable};
    for (const EventView event : trace.events()) {
        const PlaceId place = place_of(event);
        if (is_access(event.kind()) && place.valid() && places[place.value]) result.insert(event.variable());
    }
    return {result.begin(), result.end()};
}

/// Calls `visit(event, held)` for every access of the variables that another thread could have come between.
template<typename Visit>
void for_each_shared_access(const Trace& trace, const std::vector<VarId>& variables, Visit visit) {
    std::vector<bool> meant(trace.objects(ObjectKind::variable).size());
    for (const VarId variable : variables) meant[variable.value] = true;
    std::vector<std::set<LockId>> held(trace.thread_count());
    bool forked = false;
    for (const EventView event : trace.events()) {
        std::set<LockId>& own = held[event.thread().value];
        if (event.kind() == EventKind::acquire) own.insert(event.lock());
        if (event.kind() == EventKind::release) own.erase(event.lock());
        forked = forked || event.kind() == EventKind::fork;
        if (forked && is_access(event.kind()) && meant[event.target()]) visit(event, own);
    }
}

/// Whether each variable has a lock that is held at all its accesses in the functions that write: what these
/// read is still so when they write.
bool writers_are_guarded(const Trace& trace, const std::vector<VarId>& variables) {
    const auto function_of = [&](const EventView& event) {
        const PlaceId place = trace.place_for_people(event.stack());
        return place.valid() ? trace.places()[place.value].function : StringId();
    };
    std::set<StringId> writers;
    for_each_shared_access(trace, variables, [&](const EventView& event, const auto&) {
        if (writes_memory(event.kind())) writers.insert(function_of(event));
    });
    std::map<VarId, std::set<LockId>> common;
    for_each_shared_access(trace, variables, [&](const EventView& event, const std::set<LockId>& own) {
        if (!writers.contains(function_of(event))) return;
        std::set<LockId>& locks = common.try_emplace(event.variable(), own).first->second;
        std::erase_if(locks, [&](LockId lock) { return !own.contains(lock); });
    });
    return !common.empty() &&
           std::ranges::none_of(common, [](const auto& one) { return one.second.empty(); });
}

/// Whether one of the threads frees the memory that the race is about.
bool frees(const Trace& trace, const Race& race) {
    const BlockId block = trace.objects(ObjectKind::variable)[trace[race.first].target()].block;
    return block.valid() && std::ranges::any_of(trace.events(), [&](const EventView& event) {
               return event.kind() == EventKind::free && event.target() == block.value &&
                      (event.thread() == trace[race.first].thread() ||
                       event.thread() == trace[race.second].thread());
           });
}

/// As debug information names it, or, on the heap, as it is written here.
std::optional<source::SharedVariable> variable_at(const Trace& trace, EventId access, const Located& at) {
    const std::string name = trace.accessed_name(trace[access]);
    if (name.find(' ') == std::string::npos) return source::shared_variable(name);
    auto variable = source::shared_variable(at.source->tree.text(at.range));
    if (variable) variable->member = true;
    return variable;
}

std::vector<const source::SyntaxTree*> trees_of(const std::vector<const Source*>& texts) {
    std::vector<const source::SyntaxTree*> trees;
    for (const Source* text : texts) trees.push_back(&text->tree);
    return trees;
}

} // namespace

std::optional<Draft> atomic_fix(const RunPlaces& places, Sources& sources, const Race& race, EventId access) {
    const Trace& trace = places.trace();
    const auto at = places.accessed(access);
    if (!at || frees(trace, race)) return std::nullopt;
    const auto variable = variable_at(trace, access, *at);
    // What is written there is a member of something larger, or goes by another name.
    if (!variable || !at->source->tree.text(at->range).ends_with(variable->name)) return std::nullopt;
    std::optional<std::vector<const Source*>> texts = std::vector<const Source*>{at->source};
    if (!source::is_hidden(at->source->tree, *variable))
        texts = sources.with_names(*at->source, {variable->name});
    if (!texts) return std::nullopt;
    if (auto names = source::types_with(trees_of(*texts), 0, *variable); !names.empty()) {
        names.push_back(variable->name);
        texts = sources.with_names(*at->source, names); // who copies the object need not name its member
        if (!texts) return std::nullopt;
    }
    const std::vector<const source::SyntaxTree*> trees = trees_of(*texts);
    auto made = source::make_atomic(trees, 0, *variable, sources.headers_of(*texts->front()));
    if (!made) return std::nullopt;
    Draft draft{
        .title = fmt::format("Make '{}' atomic", variable->name),
        .files = {},
        .change = {.held = {}, .joins_sections = false, .atomic = alike(trace, trace[access].variable())},
        .otherwise = {},
        .caveat = {}};
    for (std::size_t i = 0; i < texts->size(); ++i) {
        if (!made->edits[i].empty())
            draft.files.push_back({(*texts)[i]->path, (*texts)[i]->version, std::move(made->edits[i])});
    }
    if (made->stays_apart && !writers_are_guarded(trace, draft.change.atomic))
        draft.caveat = "what was read may be outdated when it is written back";
    return draft;
}

} // namespace heddle::fix
