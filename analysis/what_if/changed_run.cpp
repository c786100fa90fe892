#include "analysis/what_if/changed_run.h"

#include "analysis/what_if/lock_edits.h"
#include "analysis/what_if/retaking.h"

#include <algorithm>
#include <utility>

namespace heddle {

namespace {

/// Which events decide about the variables.
class Relevant {
  public:
    Relevant(const Trace& trace, const std::vector<VarId>& variables)
        : asked_(trace.objects(ObjectKind::variable).size()), atomic_(asked_.size()) {
        for (const VarId variable : variables) asked_[variable.value] = true;
        for (const EventView event : trace.events()) {
            if (is_access(event.kind()) && !is_plain_access(event.kind())) atomic_[event.target()] = true;
        }
    }

    /// A plain write ends what a release to the same variable began; a plain read does nothing.
    [[nodiscard]] bool operator()(const EventView& event) const {
        if (!is_access(event.kind()) || asked_[event.target()]) return true;
        return event.kind() != EventKind::read && atomic_[event.target()];
    }
    /// By variable: those whose accesses say who synchronised with whom.
    [[nodiscard]] const std::vector<bool>& atomic() const { return atomic_; }

  private:
    std::vector<bool> asked_;
    std::vector<bool> atomic_;
};

} // namespace

Result<ChangedRun> changed_run(const Trace& trace, const Change& change,
                               const std::vector<VarId>& variables) {
    const auto edits = lock_edits(trace, change);
    if (!edits) return tl::make_unexpected(edits.error());
    const Relevant relevant(trace, variables);
    std::vector<bool> made_atomic(trace.objects(ObjectKind::variable).size());
    for (const VarId variable : change.atomic) made_atomic[variable.value] = true;

    Retaking run(trace, relevant.atomic());
    auto edit = edits->begin();
    for (const EventView event : trace.events()) {
        bool dropped = false;
        std::vector<LockId> released;
        for (; edit != edits->end() && edit->event == event.id(); ++edit) {
            if (edit->kind == LockEditKind::acquire_before) {
                run.take_added(EventKind::acquire, event.thread(), edit->lock, event.stack());
            } else if (edit->kind == LockEditKind::drop) {
                dropped = true;
            } else {
                released.push_back(edit->lock);
            }
        }
        if (!dropped && relevant(event)) {
            const bool atomic = is_access(event.kind()) && made_atomic[event.target()];
            run.take(event, atomic);
            if (std::ranges::binary_search(change.repeated, event.id())) run.take(event, atomic);
        }
        for (const LockId lock : released)
            run.take_added(EventKind::release, event.thread(), lock, event.stack());
    }
    if (!run.complete())
        return fail("with this lock held, threads of the recorded run would have waited for each other");
    return ChangedRun{run.trace(), run.recorded()};
}

Trace reduced_run(const Trace& trace, const std::vector<EventId>& repeated,
                  const std::vector<VarId>& variables) {
    const Relevant relevant(trace, variables);
    RunWriter writer(trace);
    for (const EventView event : trace.events()) {
        if (!relevant(event)) continue;
        writer.keep(event, false);
        if (std::ranges::binary_search(repeated, event.id())) writer.keep(event, false);
    }
    return writer.trace();
}

} // namespace heddle
