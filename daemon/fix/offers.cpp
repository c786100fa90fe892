#include "daemon/fix/offers.h"

#include "analysis/source/place_map.h"
#include "analysis/what_if/check_fix.h"
#include "analysis/what_if/executions.h"
#include "analysis/what_if/guards.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace heddle::fix {

namespace {

/// The recorded events of the finding; nothing when the trace does not have them.
std::optional<Property> property_of(const Trace& trace, const report::ReportedFinding& finding) {
    const std::vector<report::ReportedAccess>& accesses = finding.accesses;
    for (const report::ReportedAccess& access : accesses) {
        if (access.event >= trace.size() || !is_access(trace[EventId{access.event}].kind()))
            return std::nullopt;
    }
    if (finding.kind != FindingKind::race || accesses.size() != 2) return std::nullopt;
    return Race{EventId{accesses[0].event}, EventId{accesses[1].event}};
}

/// How a lock would be held at an access, and by whom in the recorded run.
class LockSearch {
  public:
    LockSearch(const Trace& trace, const report::SourceVersion& version, Language language, EventId access)
        : trace_(trace), version_(version), access_(access),
          tree_(source::SyntaxTree::parse(*version.text, language)), map_(tree_) {}

    struct Found {
        source::HeldLock edit;
        Change change;
    };
    [[nodiscard]] std::optional<Found> run() {
        find_variables();
        const std::map<VarId, Guard> locks = guards(trace_, variables_, here_);
        const auto guard = locks.find(trace_[access_].variable());
        if (guard == locks.end()) return std::nullopt;
        const auto here = locate(access_, source_operation(access_));
        const auto lock = locate(guard->second.acquired, source::Operation::lock);
        const auto guarded = locate(guard->second.access, source_operation(guard->second.access));
        if (!here || !lock || !guarded) return std::nullopt;
        auto edit = source::hold_lock(tree_, {.lock = *lock, .access = *guarded}, *here);
        if (!edit) return std::nullopt;
        auto change = held_in(edit->held, locks);
        if (!change) return std::nullopt;
        return Found{std::move(*edit), std::move(*change)};
    }

  private:
    /// All that is accessed at the place: each account has a balance, and a lock of its own.
    void find_variables() {
        here_.assign(trace_.places().size(), false);
        const PlaceId place = trace_.place_of(trace_[access_].stack());
        if (place.valid()) here_[place.value] = true;
        std::set<VarId> variables;
        for (const EventView event : trace_.events()) {
            if (is_access(event.kind()) && is_here(event)) variables.insert(event.variable());
        }
        variables_.assign(variables.begin(), variables.end());
    }
    [[nodiscard]] bool is_here(const EventView& event) const {
        const PlaceId place = trace_.place_of(event.stack());
        return place.valid() && here_[place.value];
    }

    [[nodiscard]] source::Operation source_operation(EventId access) const {
        const EventKind kind = trace_[access].kind();
        if (kind == EventKind::atomic_rmw) return source::Operation::update;
        return writes_memory(kind) ? source::Operation::write : source::Operation::read;
    }

    /// The expression that an event is about, in the innermost call of the file.
    [[nodiscard]] std::optional<source::ByteRange> locate(EventId id, source::Operation operation) const {
        const EventView event = trace_[id];
        const std::string name = operation != source::Operation::lock
                                     ? trace_.accessed_name(event)
                                     : trace_.display_name(ObjectKind::lock, event.target());
        for (StackId frame = event.stack(); frame.valid(); frame = trace_.stacks()[frame.value].caller) {
            const Place& place = trace_.places()[trace_.stacks()[frame.value].place.value];
            if (trace_.string(place.file) != version_.file) continue;
            const auto found = map_.locate(
                {.line = place.line, .column = place.column, .operation = operation, .name = name});
            if (!found || !found->exact) return std::nullopt;
            return found->range;
        }
        return std::nullopt;
    }

    [[nodiscard]] std::vector<bool> places_in(source::ByteRange range) const {
        std::vector<std::uint32_t> lines = {0};
        for (std::size_t at = version_.text->find('\n'); at != std::string::npos;
             at = version_.text->find('\n', at + 1))
            lines.push_back(static_cast<std::uint32_t>(at + 1));
        std::vector<bool> inside(trace_.places().size());
        for (std::size_t i = 0; i < inside.size(); ++i) {
            const Place& place = trace_.places()[i];
            if (place.line == 0 || place.line > lines.size() || trace_.string(place.file) != version_.file)
                continue;
            const std::uint32_t begin = lines[place.line - 1];
            const std::uint32_t end = place.line < lines.size() ? lines[place.line] : range.end;
            // Without a column, a line counts as soon as part of it is in the range.
            inside[i] = place.column == 0 ? begin < range.end && end > range.first
                                          : range.contains(begin + place.column - 1);
        }
        return inside;
    }

    /// The lock of what an execution accesses at the place; of one that accesses nothing there, the only one
    /// that there is. Nothing: it is not known, or there are several.
    [[nodiscard]] std::optional<LockId> lock_of(const Execution& execution,
                                                const std::map<VarId, Guard>& locks) const {
        std::set<LockId> wanted;
        const ThreadIndex& events = trace_.events_of(execution.thread);
        for (std::size_t i = trace_.index_in_thread(execution.first);
             i < events.size() && events[i] <= execution.last.value; ++i) {
            const EventView event = trace_[EventId{events[i]}];
            if (!heddle::is_access(event.kind()) || !is_here(event)) continue;
            const auto guard = locks.find(event.variable());
            if (guard != locks.end()) wanted.insert(guard->second.lock);
        }
        if (wanted.empty()) {
            for (const auto& [variable, guard] : locks) wanted.insert(guard.lock);
        }
        if (wanted.size() != 1) return std::nullopt;
        return *wanted.begin();
    }

    [[nodiscard]] std::optional<Change> held_in(source::ByteRange range,
                                                const std::map<VarId, Guard>& locks) const {
        const Executions runs = executions(trace_, places_in(range));
        if (runs.recursive || runs.all.empty()) return std::nullopt;
        Change change;
        for (const Execution& execution : runs.all) {
            const auto lock = lock_of(execution, locks);
            if (!lock) return std::nullopt;
            change.held.push_back({execution.thread, execution.first, execution.last, *lock});
        }
        return change;
    }

    const Trace& trace_;
    const report::SourceVersion& version_;
    EventId access_;
    source::SyntaxTree tree_;
    source::PlaceMap map_;
    std::vector<bool> here_; ///< by place
    std::vector<VarId> variables_;
};

std::string consequences(const FixCheck& check) {
    const std::size_t deadlocks = check.fresh[static_cast<std::size_t>(FindingKind::deadlock)];
    const std::size_t violations = check.fresh[static_cast<std::size_t>(FindingKind::atomicity)];
    if (deadlocks > 0) return "removes this race, but a deadlock becomes possible";
    if (!check.complete) return "removes this race; whether it brings a deadlock is not known";
    if (violations > 0) return "removes this race; an atomicity violation becomes possible";
    return "removes this race; no new deadlock";
}

} // namespace

std::vector<Offer> offers(const Trace& trace, const report::TraceReport& report,
                          const report::ReportedFinding& finding, std::size_t access,
                          const Progress& progress) {
    const auto property = property_of(trace, finding);
    if (!property || trace.size() != report.events) return {};
    const report::SourceVersion* version = report.source(finding.accesses[access].place.file);
    if (version == nullptr || !version->text || version->changed) return {};
    const auto language = language_of(version->file);
    if (!language) return {};
    const EventId event{finding.accesses[access].event};
    const auto found = LockSearch(trace, *version, *language, event).run();
    if (!found) return {};
    const auto check = check_fix(trace, *property, found->change, progress);
    if (!check || !check->removed) return {};
    return {{.title = fmt::format("Hold '{}' here: {}", found->edit.lock, consequences(*check)),
             .edits = found->edit.edits,
             .safe = check->safe()}};
}

} // namespace heddle::fix
