#include "daemon/symbols/symboliser.h"

#include "traces/hash.h"

#include <utility>

namespace heddle::symbols {

namespace {

std::uint64_t hash_of_location(const Location& location) {
    std::uint64_t hash = hash_mix(hash_mix(0, location.frame.function.value), location.frame.file.value);
    hash = hash_mix(hash, std::uint64_t{location.frame.line} << 32U | location.frame.column);
    return hash_mix(hash, location.inlined_into.value);
}

bool is_same(const RecordedModule& a, const RecordedModule& b) {
    // Without a build-id, when it was recorded decides whether the file can be trusted.
    return a.path == b.path && a.build_id == b.build_id &&
           (!a.build_id.empty() || a.recorded_ns == b.recorded_ns);
}

} // namespace

Symboliser::Symboliser(Options options) : options_(std::move(options)), paths_(options_.shown_from) {}

ModuleNumber Symboliser::module(const RecordedModule& recorded) {
    for (std::size_t i = 0; i < recorded_.size(); ++i) {
        if (is_same(recorded_[i], recorded)) return static_cast<ModuleNumber>(i);
    }
    recorded_.push_back(recorded);
    modules_.emplace_back(recorded, options_.debug_folders, paths_, strings_);
    return static_cast<ModuleNumber>(modules_.size() - 1);
}

LocationId Symboliser::locate(ModuleNumber module, std::uint64_t offset) {
    const std::uint64_t hash = hash_mix(module, offset);
    const std::uint32_t known = asked_index_.find(hash, [&](std::uint32_t row) {
        return asked_[row].offset == offset && asked_[row].module == module;
    });
    if (known != HashIndex::kAbsent) return asked_[known].location;
    const LocationId location = find(module, offset);
    asked_index_.insert(hash, static_cast<std::uint32_t>(asked_.size()));
    asked_.push_back({offset, module, location});
    return location;
}

LocationId Symboliser::find(ModuleNumber module, std::uint64_t offset) {
    modules_[module].find(offset, frames_);
    LocationId location;
    for (std::size_t i = frames_.size(); i-- > 0;) {
        location = intern({.frame = frames_[i], .inlined_into = location});
    }
    return location;
}

LocationId Symboliser::intern(const Location& location) {
    const std::uint64_t hash = hash_of_location(location);
    const std::uint32_t known =
        location_index_.find(hash, [&](std::uint32_t row) { return locations_[row] == location; });
    if (known != HashIndex::kAbsent) return LocationId{known};
    const LocationId id{locations_.size()};
    location_index_.insert(hash, id.value);
    locations_.push_back(location);
    return id;
}

} // namespace heddle::symbols
