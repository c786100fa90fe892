#include "analysis/witness/forced_order.h"

#include "analysis/lock_profiles.h"
#include "analysis/witness/aim.h"
#include "analysis/witness/window.h"

#include <algorithm>

namespace heddle {

namespace {

/// Passes over all clocks, and how often more events may turn out to be needed: then nothing is known.
constexpr std::size_t kMaxSweeps = 100;
constexpr std::size_t kMaxGrowths = 8;

constexpr unsigned mask_of(ByteRange bytes) {
    return ((1U << bytes.size) - 1U) << bytes.offset;
}

} // namespace

ForcedOrder::ForcedOrder(const UcgContext& context, const RunIndex& index, const DataOrder& order,
                         const Property& property)
    : context_(context), trace_(context.trace), index_(index), order_(order),
      caps_(trace_.thread_count(), kNone), ends_(trace_.thread_count()) {
    set_caps(property);
}

void ForcedOrder::set_caps(const Property& property) {
    const Aim aim = aim_of(property);
    if (aim.violation) {
        is_violation_ = true;
        first_ = order_.place(trace_, aim.violation->first);
        remote_ = order_.place(trace_, aim.violation->remote);
        second_ = order_.place(trace_, aim.violation->second);
        caps_[second_.thread.value] = second_.index + 1;
        require(second_.thread, second_.index + 1);
        require(remote_.thread, remote_.index + 1);
    }
    for (const EventId stop : aim.stops) {
        const DataOrder::Place place = order_.place(trace_, stop);
        caps_[place.thread.value] = place.index;
    }
    for (const EventId stop : aim.stops) {
        const DataOrder::Place place = order_.place(trace_, stop);
        ends_[place.thread.value] = std::max(ends_[place.thread.value], place.index);
        require(place.thread, place.index);
        for (std::uint32_t other = 0; other < ends_.size(); ++other) // also if none of its events is taken
            require(ThreadId{other}, needed(place.thread, place.index, ThreadId{other}));
    }
}

bool ForcedOrder::exempt(ThreadId thread, std::uint32_t index) const {
    if (!is_violation_) return false;
    if (thread == second_.thread && index == second_.index) return true;
    return thread == remote_.thread && index == remote_.index && ends_[thread.value] == index + 1;
}

std::uint32_t ForcedOrder::needed(ThreadId thread, std::uint32_t taken, ThreadId other) const {
    const bool last_is_exempt = taken > 0 && exempt(thread, taken - 1);
    return order_.needed(thread, last_is_exempt ? taken - 1 : taken, other);
}

void ForcedOrder::require(ThreadId thread, std::uint32_t taken) {
    if (taken > caps_[thread.value]) contradiction_ = true;
    if (contradiction_ || taken <= ends_[thread.value]) return;
    ends_[thread.value] = taken;
    grown_ = true;
    // The order is closed: what these need needs nothing more.
    for (std::uint32_t other = 0; other < ends_.size(); ++other) {
        if (other == thread.value) continue;
        const std::uint32_t before = needed(thread, taken, ThreadId{other});
        if (before > caps_[other]) contradiction_ = true;
        ends_[other] = std::max(ends_[other], before);
    }
}

bool ForcedOrder::contradicts(EventId base, std::size_t max_events) {
    // The order of data takes it for granted that a read-modify-write read what it did, and others may have
    // to wait for it: a remote one that read something else would not come after what it saw.
    if (is_violation_ && trace_[remote_.event].kind() == EventKind::atomic_rmw) return false;
    for (std::size_t growths = 0; growths < kMaxGrowths; ++growths) {
        if (contradiction_) return true;
        grown_ = false;
        std::size_t events = 0;
        make_nodes(base);
        for (const Strand& strand : strands_) events += strand.end - strand.begin;
        if (events > max_events) return false;
        set_clocks();
        find_sections();
        find_sights();
        order_violation();
        if (!settle()) return false;
        if (!grown_) return contradiction_;
    }
    return contradiction_;
}

void ForcedOrder::make_nodes(EventId base) {
    strands_.clear();
    nodes_.clear();
    strand_of_.assign(ends_.size(), kNone);
    for (std::uint32_t thread = 0; thread < ends_.size(); ++thread) make_strand(ThreadId{thread}, base);
    std::ranges::sort(nodes_, {}, &Node::event);
    for (NodeNumber node = 0; node < nodes_.size(); ++node)
        strands_[nodes_[node].strand].nodes.push_back(node);
}

void ForcedOrder::make_strand(ThreadId thread, EventId base) {
    const ThreadIndex& events = trace_.events_of(thread);
    const std::uint32_t end = ends_[thread.value];
    if (end == 0 || events[end - 1] < base.value) return;
    Strand strand{.thread = thread, .begin = count_before(events, base.value), .end = end};
    const auto number = static_cast<StrandNumber>(strands_.size());
    std::uint32_t nodes = 0;
    for (std::uint32_t index = strand.begin; index < end; ++index) {
        strand.nodes_before.push_back(nodes);
        const EventView event = trace_[EventId{events[index]}];
        const bool noticed =
            is_lock_event(event.kind()) || (is_access(event.kind()) && index_.shared(event.variable()));
        if (!noticed) continue;
        ++nodes;
        nodes_.push_back({event.id(), number, index});
    }
    strand.nodes_before.push_back(nodes);
    strand_of_[thread.value] = number;
    strands_.push_back(std::move(strand));
}

void ForcedOrder::set_clocks() {
    ticks_.assign(nodes_.size() * strands_.size(), 0);
    for (NodeNumber node = 0; node < nodes_.size(); ++node) {
        const Node& about = nodes_[node];
        const ThreadId thread = strands_[about.strand].thread;
        for (StrandNumber strand = 0; strand < strands_.size(); ++strand)
            clock(node)[strand] = strand == about.strand
                                      ? about.index
                                      : needed(thread, about.index + 1, strands_[strand].thread);
    }
}

void ForcedOrder::find_sections() {
    sections_.clear();
    for (StrandNumber number = 0; number < strands_.size(); ++number) {
        const Strand& strand = strands_[number];
        for (const NodeNumber node : strand.nodes) {
            const EventView event = trace_[nodes_[node].event];
            if (!is_lock_event(event.kind())) continue;
            std::vector<Section>& all = sections_[event.target()];
            if (acquires_lock(event.kind())) {
                const LockSection& section = context_.locks[context_.locks.opened_by(event.id())];
                all.push_back(
                    {.strand = number,
                     .exclusive = section.exclusive,
                     .acquire = nodes_[node].index,
                     .release = section.release.valid() ? order_.place(trace_, section.release).index : kNone,
                     .acquire_node = node});
            } else if (!all.empty() && all.back().strand == number) {
                all.back().release_node = node;
            } else if (strand.begin > 0) {
                all.push_back({.strand = number,
                               .exclusive = event.kind() == EventKind::release,
                               .acquire = strand.begin - 1,
                               .release = nodes_[node].index,
                               .release_node = node});
            }
        }
    }
}

void ForcedOrder::find_sights() {
    variables_.clear();
    for (NodeNumber node = 0; node < nodes_.size(); ++node) {
        const EventView event = trace_[nodes_[node].event];
        if (!is_access(event.kind())) continue;
        Variable& variable = variables_[event.target()];
        if (writes_memory(event.kind())) variable.writes.push_back(node);
        if (reads_memory(event.kind()) && !exempt(event.thread(), nodes_[node].index))
            add_sights(node, variable);
    }
}

void ForcedOrder::add_sights(NodeNumber read, Variable& variable) const {
    unsigned missing = order_.fixed_bytes(trace_, index_, nodes_[read].event);
    const VarId of = trace_[nodes_[read].event].variable();
    for (EventId write = index_.write_before(of, nodes_[read].event, missing); write.valid();
         write = index_.write_before(of, write, missing)) {
        const unsigned written = missing & mask_of(trace_[write].bytes());
        missing &= ~written;
        const DataOrder::Place place = order_.place(trace_, write);
        variable.sights.push_back({.read = read,
                                   .bytes = static_cast<std::uint8_t>(written),
                                   .write = write,
                                   .writer = place.thread,
                                   .write_index = place.index,
                                   .write_node = node_at(place.thread, place.index)});
    }
    if (missing != 0) variable.sights.push_back({.read = read, .bytes = static_cast<std::uint8_t>(missing)});
}

ForcedOrder::NodeNumber ForcedOrder::node_at(ThreadId thread, std::uint32_t index) const {
    const StrandNumber number = strand_of_[thread.value];
    if (number == kNone || index < strands_[number].begin || index >= strands_[number].end) return kNone;
    const Strand& strand = strands_[number];
    return strand.nodes[strand.nodes_before[index - strand.begin]];
}

/// False: it took too long.
bool ForcedOrder::settle() {
    std::size_t sweeps = 0;
    do {
        while (sweep()) {
            if (contradiction_ || grown_) return true;
            if (++sweeps > kMaxSweeps) return false;
        }
        changed_ = false;
        order_sections();
        order_accesses();
    } while (changed_ && !contradiction_ && !grown_);
    return true;
}

/// Takes over the clocks of all that comes before. True: some grew.
bool ForcedOrder::sweep() {
    bool grew = false;
    for (NodeNumber node = 0; node < nodes_.size(); ++node) {
        const Node& about = nodes_[node];
        const auto own = clock(node);
        for (StrandNumber strand = 0; strand < strands_.size(); ++strand) {
            const Strand& other = strands_[strand];
            if (own[strand] <= other.begin) continue;
            const std::uint32_t before = other.nodes_before[own[strand] - other.begin];
            if (before == 0) continue;
            const auto theirs = clock(other.nodes[before - 1]);
            for (StrandNumber k = 0; k < strands_.size(); ++k) {
                if (theirs[k] <= own[k]) continue;
                own[k] = theirs[k];
                grew = true;
            }
        }
        if (own[about.strand] > about.index) contradiction_ = true;
        if (contradiction_) return true;
    }
    return grew;
}

void ForcedOrder::put_before(StrandNumber strand, std::uint32_t taken, NodeNumber node) {
    if (taken > strands_[strand].end) {
        require(strands_[strand].thread, taken);
    } else if (clock(node)[strand] < taken) {
        clock(node)[strand] = taken;
        changed_ = true;
    }
    if (clock(node)[nodes_[node].strand] > nodes_[node].index) contradiction_ = true;
}

void ForcedOrder::order_violation() {
    if (!is_violation_) return;
    const NodeNumber remote = node_at(remote_.thread, remote_.index);
    const NodeNumber second = node_at(second_.thread, second_.index);
    if (remote == kNone || second == kNone) return;
    put_before(strand_of_[first_.thread.value], first_.index + 1, remote);
    put_before(strand_of_[remote_.thread.value], remote_.index + 1, second);
}

void ForcedOrder::order_sections() {
    for (const auto& [lock, all] : sections_)
        for (const Section& one : all)
            for (const Section& other : all)
                if (one.strand != other.strand && (one.exclusive || other.exclusive))
                    order_sections(one, other);
}

/// One is left before the other is entered if it is entered before the other is left; and a section that is
/// never left comes last.
void ForcedOrder::order_sections(const Section& one, const Section& other) {
    const bool first =
        (other.acquire_node != kNone && comes_before(one.strand, one.acquire, other.acquire_node)) ||
        (other.release_node != kNone && comes_before(one.strand, one.acquire, other.release_node));
    const auto stays = [&](const Section& section) {
        return section.release == kNone || section.release >= caps_[strands_[section.strand].thread.value];
    };
    if (first && stays(one)) contradiction_ = true;
    if (stays(one) && stays(other)) contradiction_ = true;
    if (contradiction_) return;
    if (first && other.acquire_node != kNone) put_before(one.strand, one.release + 1, other.acquire_node);
    if (stays(one) && one.acquire_node != kNone)
        put_before(other.strand, other.release + 1, one.acquire_node);
}

void ForcedOrder::order_accesses() {
    for (const auto& [id, variable] : variables_)
        for (const Sight& sight : variable.sights)
            for (const NodeNumber write : variable.writes)
                if (write != sight.read && write != sight.write_node &&
                    (mask_of(trace_[nodes_[write].event].bytes()) & sight.bytes) != 0)
                    order_accesses(sight, write);
}

/// Another write comes before the one that is seen, or after the read.
void ForcedOrder::order_accesses(const Sight& sight, NodeNumber write) {
    const Node& other = nodes_[write];
    const Node& read = nodes_[sight.read];
    bool after = !sight.write.valid(); // the write that is seen, if any
    if (sight.write.valid()) {
        const StrandNumber writer = strand_of_[sight.writer.value];
        after = writer != kNone ? comes_before(writer, sight.write_index, write)
                                : needed(strands_[other.strand].thread, other.index + 1, sight.writer) >
                                      sight.write_index;
    }
    if (after) put_before(read.strand, read.index + 1, write);
    if (sight.write_node != kNone && comes_before(other.strand, other.index, sight.read))
        put_before(other.strand, other.index + 1, sight.write_node);
}

} // namespace heddle
