#include "analysis/witness/solver_window.h"

#include <algorithm>
#include <map>
#include <utility>

namespace heddle::solver {

namespace {

constexpr unsigned kBytes = 8; ///< of a variable

bool covers(ByteRange bytes, unsigned byte) {
    return byte >= bytes.offset && byte < unsigned{bytes.offset} + bytes.size;
}

std::uint8_t byte_of(std::uint64_t value, ByteRange bytes, unsigned byte) {
    return static_cast<std::uint8_t>(value >> (8U * (byte - bytes.offset)));
}

} // namespace

SolverWindow::SolverWindow(const CausalityGraph& causality, const RunIndex& index, Window window)
    : run_(causality.context()), index_(index), window_(std::move(window)) {
    events_.resize(trace().thread_count());
    for (std::size_t thread = 0; thread < events_.size(); ++thread) {
        const auto& all = trace().events_of(ThreadId{thread});
        const std::size_t end = std::min<std::size_t>(window_.ends[thread], all.size());
        bounds_.push_back(end == 0 ? EventId{0U} : EventId{all[end - 1] + 1});
        for (std::size_t at = end; at-- > 0 && all[at] >= base().value;) {
            const EventView event = trace()[EventId{all[at]}];
            events_[thread].push_back(event.id());
            if (writes_memory(event.kind())) writes_[event.target()].push_back(event.id());
        }
        std::ranges::reverse(events_[thread]);
        size_ += events_[thread].size();
    }
    for (auto& [variable, writes] : writes_) std::ranges::sort(writes);
}

EventId SolverWindow::previous(EventId event) const {
    const std::uint32_t at = trace().index_in_thread(event);
    return at == 0 ? EventId{} : EventId{trace().events_of(thread_of(event))[at - 1]};
}

EventId SolverWindow::next(EventId event) const {
    const auto& events = trace().events_of(thread_of(event));
    const std::size_t at = trace().index_in_thread(event) + std::size_t{1};
    return at == events.size() ? EventId{} : EventId{events[at]};
}

EventId SolverWindow::last_below(ThreadId thread, EventId bound) const {
    const auto& events = trace().events_of(thread);
    std::size_t low = 0;
    std::size_t high = events.size();
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (events[middle] < bound.value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low == 0 ? EventId{} : EventId{events[low - 1]};
}

EventId SolverWindow::fork_before(EventId first) const {
    for (const SeedEdge& edge : run_->seeds.into(first.value))
        if (edge.kind == SeedKind::fork) return EventId{edge.from};
    return {};
}

// --- forced order ------------------------------------------------------------------------------------

const std::vector<EventId>& SolverWindow::needs(EventId event) {
    const auto [found, fresh] = needs_.try_emplace(event.value);
    if (fresh) {
        gather(event.value, found->second);
        std::erase_if(found->second, [&](EventId need) { return thread_of(need) == thread_of(event); });
    }
    return found->second;
}

/// Joints of a chain hold ever later events: once all events of one lie before the base, so do those of the
/// joints that it follows.
void SolverWindow::gather(SeedNode node, std::vector<EventId>& last) const {
    std::vector<SeedNode> open = {node};
    while (!open.empty()) {
        const auto edges = run_->seeds.into(open.back());
        const bool joint = SeedEdges::is_joint(open.back());
        open.pop_back();
        bool recent = !joint;
        for (const SeedEdge& edge : edges) {
            if (SeedEdges::is_joint(edge.from) || before_base(EventId{edge.from})) continue;
            recent = true;
            const EventId source{edge.from};
            const auto same =
                std::ranges::find(last, thread_of(source), [&](EventId event) { return thread_of(event); });
            if (same == last.end()) {
                last.push_back(source);
            } else {
                *same = std::max(*same, source);
            }
        }
        if (!recent) continue;
        for (const SeedEdge& edge : edges)
            if (SeedEdges::is_joint(edge.from)) open.push_back(edge.from);
    }
}

// --- locks and semaphores ----------------------------------------------------------------------------

const std::vector<LockSection>& SolverWindow::held_at_base(LockId lock) {
    const auto [found, fresh] = held_.try_emplace(lock.value);
    if (fresh) {
        const LockSection any{.lock = lock, .exclusive = true};
        for (std::size_t thread = 0; thread < trace().thread_count(); ++thread) {
            const LockSection* last = run_->locks.last_excluding(any, ThreadId{thread}, base().value);
            if (last != nullptr && last->open_at(base().value)) found->second.push_back(*last);
        }
    }
    return found->second;
}

bool SolverWindow::counted(EventId wait) const {
    const EventView event = trace()[wait];
    return event.kind() == EventKind::sem_wait &&
           run_->seeds.semaphores().number_of(event.semaphore()) != SemaphoreBalances::kNone;
}

const CountRule& SolverWindow::count_rule(EventId wait) {
    const auto [found, fresh] = counts_.try_emplace(wait.value);
    if (fresh) found->second = make_count_rule(wait);
    return found->second;
}

CountRule SolverWindow::make_count_rule(EventId wait) const {
    const SemaphoreBalances& balances = run_->seeds.semaphores();
    const CountedSemaphore& semaphore = balances.all()[balances.number_of(trace()[wait].semaphore())];
    CountRule rule{.wait = wait, .posts = {}, .waits = {}};
    std::int64_t count = semaphore.count;
    for (const SemaphoreColumn& column : semaphore.columns) {
        if (column.thread == thread_of(wait)) {
            count += column.balance[column.operations_before(wait.value)];
            continue;
        }
        std::size_t at = column.operations_before(base().value);
        count += column.balance[at];
        for (; at < column.operations.size() && within(column.operations[at]); ++at) {
            const bool gives = column.balance[at + 1] > column.balance[at];
            (gives ? rule.posts : rule.waits).push_back(column.operations[at]);
        }
    }
    rule.needed = 1 - count + std::ssize(rule.waits);
    return rule;
}

// --- memory ------------------------------------------------------------------------------------------

EventId SolverWindow::recorded_writer(EventId read, std::uint8_t byte) const {
    return index_.write_before(trace()[read].variable(), read, 1U << byte);
}

EventId SolverWindow::writer_at_base(EventId access, std::uint8_t byte) const {
    const VarId variable = trace()[access].variable();
    EventId write = index_.write_before(variable, access, 1U << byte);
    while (write.valid() && !before_base(write)) write = index_.write_before(variable, write, 1U << byte);
    return write;
}

std::optional<std::uint8_t> SolverWindow::written_by(EventId write, std::uint8_t byte) const {
    const EventView event = trace()[write];
    if (!event.has_value()) return std::nullopt;
    return byte_of(trace().value_of(event), event.bytes(), byte);
}

bool SolverWindow::may_see(EventId read, std::uint8_t byte, EventId writer) const {
    if (writer == recorded_writer(read, byte)) return true;
    const EventView event = trace()[read];
    if (!event.has_value()) return false;
    const std::uint8_t saw = byte_of(trace().value_read_by(event), event.bytes(), byte);
    if (writer.valid()) return written_by(writer, byte) == saw;
    return index_.first_content(event.variable(), {byte, 1}) == saw;
}

std::optional<BaseContent> SolverWindow::base_content_for(EventId read, std::uint8_t byte) const {
    const EventView event = trace()[read];
    if (event.has_value())
        return BaseContent{.value = byte_of(trace().value_read_by(event), event.bytes(), byte), .write = {}};
    const EventId writer = recorded_writer(read, byte);
    if (writer.valid() && !before_base(writer)) return std::nullopt;
    return BaseContent{.by_value = false, .write = writer};
}

/// Writes of the window that could come before the read. Of its own thread only the last ones count.
std::vector<EventId> SolverWindow::writes_before(EventId read) const {
    std::vector<EventId> result;
    const auto found = writes_.find(trace()[read].target());
    if (found == writes_.end()) return result;
    for (const EventId write : found->second) {
        const EventView event = trace()[write];
        if (!event.bytes().overlaps(trace()[read].bytes())) continue;
        if (event.thread() != thread_of(read) || write < read) result.push_back(write);
    }
    return result;
}

const ReadRule& SolverWindow::read_rule(EventId read) {
    const auto [found, fresh] = reads_.try_emplace(read.value);
    if (fresh) found->second = make_read_rule(read);
    return found->second;
}

ReadRule SolverWindow::make_read_rule(EventId read) const {
    const std::vector<EventId> writes = writes_before(read);
    // Bytes that the same writes cover are one part.
    std::map<std::vector<EventId>, std::vector<std::uint8_t>> parts;
    for (std::uint8_t byte = 0; byte < kBytes; ++byte) {
        if (!covers(trace()[read].bytes(), byte)) continue;
        std::vector<EventId> covering;
        for (const EventId write : writes)
            if (covers(trace()[write].bytes(), byte)) covering.push_back(write);
        parts[std::move(covering)].push_back(byte);
    }
    ReadRule rule{.read = read, .parts = {}};
    for (const auto& [covering, bytes] : parts) {
        ReadPart part{
            .bytes = bytes, .recorded = recorded_writer(read, bytes.front()), .good = {}, .bad = {}};
        const auto own = std::ranges::find_if(covering.rbegin(), covering.rend(), [&](EventId write) {
            return thread_of(write) == thread_of(read);
        });
        for (const EventId write : covering) {
            if (thread_of(write) == thread_of(read) && write != *own) continue; // overwritten by then
            const bool fits =
                std::ranges::all_of(bytes, [&](std::uint8_t byte) { return may_see(read, byte, write); });
            (fits ? part.good : part.bad).push_back(write);
        }
        part.base_possible = own == covering.rend();
        part.base_fits = std::ranges::all_of(
            bytes, [&](std::uint8_t byte) { return may_see(read, byte, writer_at_base(read, byte)); });
        part.base_certain = std::ranges::none_of(
            bytes, [&](std::uint8_t byte) { return writer_at_base(read, byte).valid(); });
        rule.parts.push_back(std::move(part));
    }
    return rule;
}

} // namespace heddle::solver
