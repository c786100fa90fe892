#include "traces/htr/chunk_encoder.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <span>

namespace heddle::htr {

namespace {

std::uint64_t plus_one(std::optional<std::uint32_t> number) {
    return number ? std::uint64_t{*number} + 1 : 0;
}

/// A column of numbers as byte planes: all low bytes, then all second bytes, … as many as the largest
/// number needs. Planes of like bytes compress better than numbers do, and cost nothing to read.
void put_column(Bytes& out, std::span<const std::uint32_t> column) {
    std::uint32_t all_bits = 0;
    for (const std::uint32_t number : column) all_bits |= number;
    std::uint8_t planes = 1;
    while (planes < 4 && (all_bits >> (8U * planes)) != 0) ++planes;
    out.push_back(planes);
    const std::size_t start = out.size();
    out.resize(start + planes * column.size());
    std::uint8_t* to = out.data() + start;
    for (unsigned plane = 0; plane < planes; ++plane) {
        for (const std::uint32_t number : column) *to++ = static_cast<std::uint8_t>(number >> (8U * plane));
    }
}

/// Writes numbers to where there is room for them.
template<typename... Numbers>
std::uint8_t* write_varints(std::uint8_t* to, Numbers... numbers) {
    ((to = write_varint(to, numbers)), ...);
    return to;
}

} // namespace

void ChunkEncoder::reset() {
    strings_.clear();
    modules_.clear();
    places_.clear();
    stacks_.clear();
    for (Section& section : objects_) section.clear();
    last_key_.fill(0);
    sites_.clear();
    runs_.clear();
    site_values_.clear();
    events_ = 0;
    value_bytes_ = 0;
    for (auto& last : last_value_) last.clear();
    run_ = {};
    run_base_ = 0;
    first_stamp_ = 0;
    last_stamp_ = 0;
}

std::uint32_t ChunkEncoder::add_string(std::string_view text) {
    std::uint8_t* to = strings_.begin_entry(kMaxVarintBytes + text.size());
    to = write_varint(to, text.size());
    return strings_.end_entry(std::copy(text.begin(), text.end(), to)) + 1;
}

std::uint32_t ChunkEncoder::add_module(const ModuleEntry& module) {
    std::uint8_t* to = modules_.begin_entry(4 * kMaxVarintBytes);
    return modules_.end_entry(write_varints(to, module.path, module.build_id, module.base, module.size));
}

std::uint32_t ChunkEncoder::add_place(const PlaceEntry& place) {
    std::uint8_t* to = places_.begin_entry(7 * kMaxVarintBytes);
    return places_.end_entry(write_varints(to, place.label, place.function, place.file, place.line,
                                           place.column, plus_one(place.module), place.offset));
}

std::uint32_t ChunkEncoder::add_stack(std::uint32_t place, std::optional<std::uint32_t> caller) {
    std::uint8_t* to = stacks_.begin_entry(2 * kMaxVarintBytes);
    return stacks_.end_entry(write_varints(to, place, plus_one(caller)));
}

std::uint32_t ChunkEncoder::add_object(ObjectKind kind, const ObjectEntry& object) {
    Section& section = objects_[index_of(kind)];
    std::uint64_t& last_key = last_key_[index_of(kind)];
    std::uint8_t* to = section.begin_entry(5 * kMaxVarintBytes + 1);
    to = write_varint(to, zigzag(object.key - last_key));
    last_key = object.key;
    *to++ = static_cast<std::uint8_t>((object.name ? kHasName : 0) | (object.address != 0 ? kHasAddress : 0) |
                                      (object.size != 0 ? kHasSize : 0) | (object.block ? kHasBlock : 0));
    if (object.name) to = write_varint(to, *object.name);
    if (object.address != 0) to = write_varint(to, object.address);
    if (object.size != 0) to = write_varint(to, object.size);
    if (object.block) to = write_varint(to, *object.block);
    last_value_[index_of(kind)].push_back(0);
    return section.end_entry(to);
}

std::uint32_t ChunkEncoder::add_site(const SiteEntry& site) {
    std::uint8_t* to = sites_.begin_entry(3 + kMaxVarintBytes);
    *to++ = static_cast<std::uint8_t>(site.kind);
    *to++ = static_cast<std::uint8_t>(static_cast<unsigned>(site.order) << 1U |
                                      static_cast<unsigned>(site.has_value));
    *to++ = static_cast<std::uint8_t>(static_cast<unsigned>(site.bytes.offset) << 4U | site.bytes.size);
    to = write_varint(to, plus_one(site.stack));
    const std::optional<ObjectKind> target = traits(site.kind).target;
    assert(!site.has_value || target);
    site_values_.push_back({.has_value = site.has_value,
                            .has_two = site.kind == EventKind::atomic_rmw,
                            .target_kind = static_cast<std::uint8_t>(target.value_or(ObjectKind::thread))});
    return sites_.end_entry(to);
}

void ChunkEncoder::grow_columns() {
    const std::size_t larger = 2 * events_ + 1024;
    sites_of_events_.resize(larger);
    targets_of_events_.resize(larger);
}

void ChunkEncoder::continue_run(std::uint32_t thread, std::uint64_t stamp) {
    if (events_ == 0) {
        first_stamp_ = run_base_ = last_stamp_ = stamp;
        run_ = {.thread = thread, .first = stamp, .count = 1};
        return;
    }
    assert(stamp >= last_stamp_);
    const bool same = stamp == last_stamp_;
    const bool next = stamp == last_stamp_ + 1;
    const bool fits = run_.count == 1 ? same || next : (run_.same_stamp ? same : next);
    if (run_.thread == thread && fits) {
        if (run_.count == 1) run_.same_stamp = same;
        ++run_.count;
    } else {
        close_run();
        run_ = {.thread = thread, .first = stamp, .count = 1};
    }
    last_stamp_ = stamp;
}

void ChunkEncoder::close_run() {
    if (run_.count == 0) return;
    runs_.end_entry(write_varints(runs_.begin_entry(3 * kMaxVarintBytes), run_.thread, run_.first - run_base_,
                                  run_.count << 1U | static_cast<std::uint64_t>(run_.same_stamp)));
    run_base_ = last_stamp_;
    run_ = {};
}

std::size_t ChunkEncoder::bytes() const {
    const std::size_t dictionaries =
        strings_.bytes().size() + modules_.bytes().size() + places_.bytes().size() + stacks_.bytes().size() +
        sites_.bytes().size() +
        std::accumulate(objects_.begin(), objects_.end(), std::size_t{0},
                        [](std::size_t sum, const Section& section) { return sum + section.bytes().size(); });
    return dictionaries + runs_.bytes().size() + value_bytes_ + 8 * events_;
}

void ChunkEncoder::finish(Bytes& out) {
    close_run();
    const auto put_section = [&](const Section& section) {
        put_varint(out, section.count());
        out.insert(out.end(), section.bytes().begin(), section.bytes().end());
    };
    put_section(strings_);
    put_section(modules_);
    put_section(places_);
    put_section(stacks_);
    for (const ObjectKind kind : kDictionaryOrder) put_section(objects_[index_of(kind)]);
    put_section(sites_);
    put_section(runs_);
    put_column(out, {sites_of_events_.data(), events_});
    put_column(out, {targets_of_events_.data(), events_});
    put_varint(out, value_bytes_);
    out.insert(out.end(), values_.data(), values_.data() + value_bytes_);
}

} // namespace heddle::htr
