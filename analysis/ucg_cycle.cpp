// Why a property is refuted: a cycle of the graph, from what the clocks remember (ucg_window.h).
#include "analysis/ucg_window.h"

#include <algorithm>
#include <deque>
#include <variant>

namespace heddle {

namespace {

/// Longer cycles are shown as they were found.
constexpr std::size_t kMaxShortened = 200;

/// The fewest of these edges that still make a cycle together with program order. They must make one.
[[nodiscard]] std::vector<CycleEdge> shortest_cycle(const Trace& trace, const std::vector<CycleEdge>& edges) {
    if (edges.size() > kMaxShortened) return edges;
    const auto leads_to = [&](const CycleEdge& a, const CycleEdge& b) {
        return trace[a.to].thread() == trace[b.from].thread() && a.to <= b.from;
    };
    std::vector<CycleEdge> best = edges;
    for (std::size_t start = 0; start < edges.size(); ++start) {
        std::vector<std::size_t> before(edges.size(), edges.size());
        std::deque<std::size_t> open = {start};
        std::optional<std::size_t> last;
        while (!open.empty() && !last) {
            const std::size_t k = open.front();
            open.pop_front();
            if (leads_to(edges[k], edges[start])) last = k;
            for (std::size_t next = 0; next < edges.size(); ++next) {
                if (next == start || before[next] != edges.size() || !leads_to(edges[k], edges[next]))
                    continue;
                before[next] = k;
                open.push_back(next);
            }
        }
        if (!last) continue;
        std::vector<CycleEdge> found = {edges[*last]};
        for (std::size_t k = *last; k != start; k = before[k]) found.push_back(edges[before[k]]);
        std::ranges::reverse(found);
        if (found.size() < best.size()) best = std::move(found);
    }
    return best;
}

} // namespace

/// Appends links that lead from event `from` of `strand` to a node whose clock says that it comes later.
/// Every growth rests on earlier ones, so the first that covers `from` ends after finitely many steps.
void UcgWindow::add_path(std::vector<Link>& path, NodeIndex to, StrandIndex strand, Bound from) const {
    struct Query {
        NodeIndex to;
        StrandIndex strand;
        Bound from;
    };
    std::vector<std::variant<Query, Link>> open = {Query{to, strand, from}}; // the last one comes first
    while (!open.empty()) {
        const auto next = open.back();
        open.pop_back();
        if (const auto* link = std::get_if<Link>(&next)) {
            path.push_back(*link);
            continue;
        }
        const Query query = std::get<Query>(next);
        const Node& node = nodes_[query.to];
        const Growth* growth = &growths_[node.growths.first];
        while (growth->strand != query.strand || growth->value <= query.from)
            growth = &growths_[growth->next];
        if (growth->how == Growth::How::edge) {
            open.emplace_back(Link{growth->value - 1, node.id, growth->why});
            open.emplace_back(Link{query.from, growth->value - 1, {}});
            continue;
        }
        const Node& via = nodes_[growth->via];
        if (growth->how == Growth::How::inherited) {
            open.emplace_back(Link{via.id, node.id, {}});
        } else if (via.strand == kNone) {
            const SeedKind kind = context_.seeds.into(node.id).front().kind;
            open.emplace_back(Link{via.id, node.id, {.reason = CycleReason::seed, .seed = kind}});
        } else {
            open.emplace_back(Query{query.to, via.strand, via.id});
        }
        open.emplace_back(Query{growth->via, query.strand, query.from});
    }
}

void UcgWindow::refute_by_cycle(NodeIndex node) {
    std::vector<Link> path;
    add_path(path, node, nodes_[node].strand, nodes_[node].id);
    close(std::move(path));
}

/// Something that must run needs an event that lies beyond the point where the property holds its thread.
void UcgWindow::refute_by_stop(StrandIndex stopped, const Need& need) {
    std::vector<Link> path;
    const Need* cause = &need;
    while (cause->target != kNone) {
        NodeIndex at = cause->target;
        path.push_back({cause->source, nodes_[at].id, cause->why});
        while (nodes_[at].strand == kNone) {
            const NodeIndex fed = feeds_[nodes_[at].feeds.first].to;
            const SeedKind kind = context_.seeds.into(nodes_[fed].id).front().kind;
            path.push_back({nodes_[at].id, nodes_[fed].id, {.reason = CycleReason::seed, .seed = kind}});
            at = fed;
        }
        if (nodes_[at].strand == stopped) {
            path.push_back({nodes_[at].id, need.source, {}});
            return close(std::move(path));
        }
        cause = &needs_[strands_[nodes_[at].strand].needs.first];
        while (cause->bound <= nodes_[at].id) cause = &needs_[cause->next];
        path.push_back({nodes_[at].id, cause->source, {}});
    }
    SeedNode asks = cause->source;
    if (cause->stop.valid()) {
        asks = cause->stop.value;
        path.push_back({cause->source, asks, cause->why});
    }
    const SeedNode stop = strands_[stopped].stop.value;
    path.push_back({asks, stop, {.reason = CycleReason::property}});
    path.push_back({stop, need.source, {}});
    close(std::move(path));
}

/// Both threads hold the lock at the end: each would have to be first to let go.
void UcgWindow::refute_by_holds(const LockSection& a, const LockSection& b) {
    const auto end_of = [&](const LockSection& section) {
        const Strand& strand = strands_[strand_of(section.thread)];
        return strand.stop.valid() ? strand.stop.value : section.acquire.value;
    };
    const auto excludes = [](const LockSection& s) {
        return Why{.reason = CycleReason::lock, .lock = s.lock, .section = s.acquire};
    };
    close({{a.acquire.value, end_of(a), {}},
           {end_of(a), b.acquire.value, excludes(a)},
           {b.acquire.value, end_of(b), {}},
           {end_of(b), a.acquire.value, excludes(b)}});
}

/// No thread can give what the wait lacks: it comes only after itself.
void UcgWindow::refute_by_count(NodeIndex wait) {
    close({{nodes_[wait].id, nodes_[wait].id, {.reason = CycleReason::semaphore}}});
}

/// Joints disappear, and what program order makes a detour. Starts with the earliest event.
void UcgWindow::close(std::vector<Link> path) {
    const auto is_event = [&](const Link& link) { return !SeedEdges::is_joint(link.from); };
    std::rotate(path.begin(), std::ranges::find_if(path, is_event), path.end());
    std::vector<CycleEdge> jumps;
    for (const Link& link : path) {
        if (SeedEdges::is_joint(link.from))
            jumps.back().to = EventId{link.to};
        else if (link.why.reason != CycleReason::program_order)
            jumps.push_back({.from = EventId{link.from},
                             .to = EventId{link.to},
                             .reason = link.why.reason,
                             .seed = link.why.seed,
                             .lock = link.why.lock,
                             .section = link.why.section});
    }
    jumps = shortest_cycle(context_.trace, jumps);
    std::vector<CycleEdge> cycle;
    for (std::size_t k = 0; k < jumps.size(); ++k) {
        cycle.push_back(jumps[k]);
        const EventId next = jumps[(k + 1) % jumps.size()].from;
        if (jumps[k].to != next) cycle.push_back({.from = jumps[k].to, .to = next});
    }
    std::rotate(cycle.begin(), std::ranges::min_element(cycle, {}, &CycleEdge::from), cycle.end());
    refuted_ = std::move(cycle);
}

} // namespace heddle
