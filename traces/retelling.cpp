#include "traces/retelling.h"

#include "traces/hash.h"

#include <algorithm>

namespace heddle {

namespace {

template<typename T, unsigned FirstBits>
AppendVector<T, FirstBits> copy_of(const AppendView<T, FirstBits>& rows) {
    AppendVector<T, FirstBits> result;
    for (const T& row : rows) result.push_back(row);
    return result;
}

} // namespace

Retelling::Retelling(const Trace& trace)
    : original_(trace), places_(copy_of(trace.places())), stacks_(copy_of(trace.stacks())),
      parts_(copy_of(trace.variable_parts_)) {
    // Interned in their order, strings keep their numbers: they are all different.
    for (std::size_t i = 0; i < trace.string_count(); ++i) {
        static_cast<void>(strings_.intern(trace.string(StringId{i})));
    }
}

PlaceId Retelling::add_place(const Place& place) {
    places_.push_back(place);
    return PlaceId{places_.size() - 1};
}

StackId Retelling::add_stack(const Stack& stack) {
    // Both are small numbers, close to each other: mixed one after the other, or half of the pairs would
    // collide.
    const std::uint64_t hash = hash_mix(hash_mix(0, stack.place.value), stack.caller.value);
    const std::uint32_t known =
        added_stacks_.find(hash, [&](std::uint32_t row) { return stacks_[row] == stack; });
    if (known != HashIndex::kAbsent) return StackId{known};
    const StackId id{stacks_.size()};
    stacks_.push_back(stack);
    added_stacks_.insert(hash, id.value);
    return id;
}

void Retelling::name(ObjectKind kind, std::uint32_t id, StringId name) {
    auto& table = objects_[static_cast<std::size_t>(kind)];
    if (!table) table = copy_of(original_.objects(kind));
    Object object = (*table)[id];
    object.name = name;
    table->replace(id, object);
}

void Retelling::add_parts(const std::vector<VariablePart>& parts) {
    if (parts.empty()) return;
    std::vector<VariablePart> all = parts; // before those that are there: whoever names more knows better
    for (std::size_t i = 0; i < parts_.size(); ++i) all.push_back(parts_[i]);
    std::ranges::stable_sort(all, {}, &VariablePart::variable);
    parts_ = AppendVector<VariablePart>();
    for (const VariablePart& part : all) parts_.push_back(part);
}

/// Frames that were inlined are behind those that they are called by, or before them.
AppendVector<PlaceId> Retelling::places_for_people() const {
    AppendVector<PlaceId> result;
    for (const Stack& innermost : stacks_.snapshot()) {
        PlaceId found = innermost.place;
        for (const Stack* at = &innermost;; at = &stacks_[at->caller.value]) {
            const bool told = at->place.valid() && is_for_people(strings_[places_[at->place.value].file]);
            if (told) found = at->place;
            if (told || !at->caller.valid()) break;
        }
        result.push_back(found);
    }
    return result;
}

Trace Retelling::trace() const {
    Trace result = original_;
    result.strings_ = strings_.snapshot();
    result.string_memory_ = strings_.memory();
    result.places_ = places_.snapshot();
    result.stacks_ = stacks_.snapshot();
    result.places_for_people_ = places_for_people().snapshot();
    result.variable_parts_ = parts_.snapshot();
    for (std::size_t kind = 0; kind < kObjectKinds; ++kind) {
        if (objects_[kind]) result.objects_[kind] = objects_[kind]->snapshot();
    }
    return result;
}

} // namespace heddle
