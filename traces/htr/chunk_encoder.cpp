#include "traces/htr/chunk_encoder.h"

#include <algorithm>
#include <bit>
#include <cassert>
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
    for (Objects& objects : objects_) {
        objects.pages.clear();
        objects.facts.clear();
        objects.last_page = objects.last_key = 0;
    }
    sites_.clear();
    runs_.clear();
    encoded_runs_.clear();
    site_values_.clear();
    events_ = 0;
    value_bytes_ = 0;
    told_values_ = 0;
    told_sum_ = 0;
    run_ = {};
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

std::uint32_t ChunkEncoder::add_page(ObjectKind kind, std::uint64_t page) {
    Objects& objects = objects_[index_of(kind)];
    std::uint8_t* to = objects.pages.begin_entry(kMaxVarintBytes);
    to = write_varint(to, zigzag(page - objects.last_page));
    objects.last_page = page;
    return objects.pages.end_entry(to) * kKeysPerPage;
}

void ChunkEncoder::describe(ObjectKind kind, const ObjectEntry& object) {
    Objects& objects = objects_[index_of(kind)];
    std::uint8_t* to = objects.facts.begin_entry(5 * kMaxVarintBytes + 1);
    to = write_varint(to, zigzag(object.key - objects.last_key));
    objects.last_key = object.key;
    *to++ = static_cast<std::uint8_t>((object.name ? kHasName : 0) | (object.address != 0 ? kHasAddress : 0) |
                                      (object.size != 0 ? kHasSize : 0) | (object.block ? kHasBlock : 0));
    if (object.name) to = write_varint(to, *object.name);
    if (object.address != 0) to = write_varint(to, object.address);
    if (object.size != 0) to = write_varint(to, object.size);
    if (object.block) to = write_varint(to, *object.block);
    objects.facts.end_entry(to);
}

std::uint32_t ChunkEncoder::add_site(const SiteEntry& site) {
    std::uint8_t* to = sites_.begin_entry(3 + kMaxVarintBytes);
    *to++ = static_cast<std::uint8_t>(site.kind);
    *to++ =
        static_cast<std::uint8_t>(static_cast<unsigned>(site.order) << 1U |
                                  (site.has_value ? kSiteHasValue : 0) | (site.is_told ? kSiteIsTold : 0));
    *to++ = static_cast<std::uint8_t>(static_cast<unsigned>(site.bytes.offset) << 4U | site.bytes.size);
    to = write_varint(to, plus_one(site.stack));
    assert(site.has_value || !site.is_told);
    assert(reads_memory(site.kind) || !site.is_told);
    site_values_.push_back({.has_value = site.has_value,
                            .is_told = site.is_told,
                            .has_two = site.kind == EventKind::atomic_rmw});
    return sites_.end_entry(to);
}

void ChunkEncoder::grow_columns() {
    const std::size_t larger = 2 * events_ + 1024;
    sites_of_events_.resize(larger);
    targets_of_events_.resize(larger);
}

void ChunkEncoder::continue_run(std::uint32_t thread, std::uint64_t stamp) {
    if (events_ == 0) {
        first_stamp_ = last_stamp_ = stamp;
        run_ = {.thread = thread, .count = 1};
        return;
    }
    assert(stamp >= last_stamp_);
    const std::uint64_t gap = stamp - last_stamp_;
    const bool same = gap == 0;
    const bool next = gap == 1;
    const bool fits = run_.count == 1 ? same || next : (run_.same_stamp ? same : next);
    if (run_.thread == thread && fits) {
        if (run_.count == 1) run_.same_stamp = same;
        ++run_.count;
    } else {
        close_run();
        run_ = {.gap = gap, .thread = thread, .count = 1};
    }
    last_stamp_ = stamp;
}

void ChunkEncoder::add_value(std::uint32_t site, std::uint64_t value, std::uint64_t value_read) {
    SiteValues& values = site_values_[site];
    const std::uint64_t seen = values.has_two ? value_read : value;
    if (values.is_told) {
        leave_out(seen);
        if (!values.has_two) return;
    }
    if (values_.size() - value_bytes_ < 2 * kMaxVarintBytes) values_.resize(2 * values_.size() + 4096);
    std::uint8_t* to = values_.data() + value_bytes_;
    if (!values.is_told) {
        to = write_varint(to, zigzag(seen - values.last));
        values.last = seen;
    }
    if (values.has_two) to = write_varint(to, zigzag(value - seen));
    value_bytes_ = static_cast<std::size_t>(to - values_.data());
}

void ChunkEncoder::close_run() {
    if (run_.count != 0) runs_.push_back(run_);
    run_ = {};
}

void ChunkEncoder::encode_runs(unsigned shift) {
    std::uint32_t thread = 0;
    for (const Run& run : runs_) {
        const bool other = run.thread != thread;
        std::uint8_t* to = encoded_runs_.begin_entry(3 * kMaxVarintBytes);
        to = write_varint(to, std::uint64_t{run.count} << 2U | (other ? kRunOtherThread : 0U) |
                                  (run.same_stamp ? kRunSameStamp : 0U));
        if (other) to = write_varint(to, run.thread);
        to = write_varint(to, run.gap >> shift);
        encoded_runs_.end_entry(to);
        thread = run.thread;
    }
}

std::size_t ChunkEncoder::bytes() const {
    std::size_t dictionaries = 0;
    for (const Section* section : {&strings_, &modules_, &places_, &stacks_, &sites_})
        dictionaries += section->bytes().size();
    for (const Objects& objects : objects_)
        dictionaries += objects.pages.bytes().size() + objects.facts.bytes().size();
    return dictionaries + 4 * runs_.size() + value_bytes_ + 8 * events_;
}

std::size_t ChunkEncoder::finish(Bytes& out) {
    close_run();
    const auto put_section = [&](const Section& section) {
        put_varint(out, section.count());
        out.insert(out.end(), section.bytes().begin(), section.bytes().end());
    };
    put_section(strings_);
    put_section(modules_);
    put_section(places_);
    put_section(stacks_);
    for (const ObjectKind kind : kDictionaryOrder) {
        put_section(objects_[index_of(kind)].pages);
        put_section(objects_[index_of(kind)].facts);
    }
    put_section(sites_);
    // Stamps are multiples of something, most often: what all gaps are multiples of is told once.
    std::uint64_t all_gaps = 0;
    for (const Run& run : runs_) all_gaps |= run.gap;
    const auto shift = static_cast<std::uint8_t>(all_gaps == 0 ? 0 : std::countr_zero(all_gaps));
    encode_runs(shift);
    out.push_back(shift);
    put_section(encoded_runs_);
    for (unsigned byte = 0; byte < 8; ++byte)
        out.push_back(static_cast<std::uint8_t>(told_sum_ >> 8U * byte));
    put_varint(out, value_bytes_);
    out.insert(out.end(), values_.data(), values_.data() + value_bytes_);
    put_column(out, {sites_of_events_.data(), events_});
    const std::size_t targets = out.size();
    put_column(out, {targets_of_events_.data(), events_});
    return targets;
}

} // namespace heddle::htr
