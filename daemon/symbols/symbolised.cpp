#include "daemon/symbols/symbolised.h"

#include "daemon/symbols/object_names.h"
#include "daemon/symbols/readable_name.h"
#include "traces/hash.h"
#include "traces/hash_index.h"
#include "traces/retelling.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace heddle::symbols {

namespace {

bool is_code_only(const Place& place) {
    return place.module.valid() && place.file.value == 0 && place.function.value == 0;
}

/// Puts what the symboliser knows into the tables of one trace.
class PlaceResolver {
  public:
    PlaceResolver(const Trace& trace, Symboliser& symboliser, const std::vector<ModuleNumber>& modules)
        : trace_(trace), symboliser_(symboliser), modules_(modules), told_(trace) {}

    Trace result() {
        resolve_places();
        resolve_stacks();
        name_objects(trace_, modules_, symboliser_, told_);
        return told_.trace();
    }

  private:
    void resolve_places() {
        for (std::size_t i = 0; i < trace_.places().size(); ++i) {
            const PlaceId id{i};
            Place place = trace_.places()[i];
            LocationId location;
            if (is_code_only(place)) {
                location = symboliser_.locate(modules_[place.module.value], place.offset);
            }
            locations_.push_back(location);
            one_place_.push_back(id);
            if (!location.valid()) continue;
            fill(place, location);
            told_.replace_place(id, place);
            one_place_.back() = one_for(place, id);
        }
    }

    /// The first place that says the same of the source. Callers do not matter, inlined or not.
    PlaceId one_for(Place place, PlaceId id) {
        // Without a line, another instruction of the function may be anywhere in it.
        if (place.line == 0) return id;
        place.module = {};
        place.offset = 0;
        const std::uint64_t hash = hash_mix(hash_mix(hash_mix(0, place.function.value), place.file.value),
                                            std::uint64_t{place.line} << 32U | place.column);
        const std::uint32_t known =
            same_source_.find(hash, [&](std::uint32_t row) { return sources_[row].first == place; });
        if (known != HashIndex::kAbsent) return sources_[known].second;
        same_source_.insert(hash, static_cast<std::uint32_t>(sources_.size()));
        sources_.emplace_back(place, id);
        return id;
    }

    void resolve_stacks() {
        for (std::size_t i = 0; i < trace_.stacks().size(); ++i) {
            const Stack& stack = trace_.stacks()[i];
            const LocationId location = locations_[stack.place.value];
            if (!location.valid()) continue;
            const LocationId around = symboliser_[location].inlined_into;
            const StackId caller = expanded(around, stack.caller, trace_.places()[stack.place.value]);
            told_.replace_stack(StackId{i}, {one_place_[stack.place.value], caller});
        }
    }

    /// The stack of the call sites from `location` outwards, then `caller`.
    StackId expanded(LocationId location, StackId caller, const Place& code) {
        std::vector<LocationId> chain;
        for (; location.valid(); location = symboliser_[location].inlined_into) chain.push_back(location);
        for (std::size_t i = chain.size(); i-- > 0;)
            caller = told_.add_stack({call_place(chain[i], code), caller});
        return caller;
    }

    PlaceId call_place(LocationId location, const Place& code) {
        const auto [known, added] = call_places_.try_emplace(location.value);
        if (added) {
            Place place{.module = code.module, .offset = code.offset};
            fill(place, location);
            known->second = told_.add_place(place);
        }
        return known->second;
    }

    void fill(Place& place, LocationId id) {
        const SourceFrame& frame = symboliser_[id].frame;
        place.function = function_name(frame.function);
        place.file = file_name(frame.file);
        place.line = frame.line;
        place.column = frame.column;
    }

    StringId function_name(StringId full) {
        const auto [known, added] = functions_.try_emplace(full.value);
        if (added) known->second = told_.string(short_function_name(symboliser_.text(full)));
        return known->second;
    }

    StringId file_name(StringId path) {
        const auto [known, added] = files_.try_emplace(path.value);
        if (added) known->second = told_.string(symboliser_.text(path));
        return known->second;
    }

    const Trace& trace_;
    Symboliser& symboliser_;
    const std::vector<ModuleNumber>& modules_;
    Retelling told_;
    std::vector<LocationId> locations_; ///< by place; invalid: nothing is known
    std::vector<PlaceId> one_place_;    ///< by place: the one that stands for all of the same source
    std::vector<std::pair<Place, PlaceId>> sources_; ///< places without their code, and who has it
    HashIndex same_source_;
    std::unordered_map<std::uint32_t, PlaceId> call_places_; ///< by location
    std::unordered_map<std::uint32_t, StringId> functions_;  ///< by the symboliser's string
    std::unordered_map<std::uint32_t, StringId> files_;
};

} // namespace

SymbolisedTrace symbolised(const Trace& trace, Symboliser& symboliser) {
    SymbolisedTrace result{.trace = trace, .modules = {}};
    for (const Module& module : trace.modules()) {
        result.modules.push_back(symboliser.module({.path = std::string(trace.string(module.path)),
                                                    .build_id = std::string(trace.string(module.build_id)),
                                                    .recorded_ns = trace.metadata().start_time_unix_ns}));
    }
    if (std::any_of(trace.places().begin(), trace.places().end(), is_code_only)) {
        result.trace = PlaceResolver(trace, symboliser, result.modules).result();
    }
    return result;
}

} // namespace heddle::symbols
