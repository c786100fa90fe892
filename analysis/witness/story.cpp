#include "analysis/witness/story.h"

#include "analysis/witness/essential_steps.h"
#include "analysis/witness/step_words.h"
#include "traces/describe.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace heddle {

namespace {

bool is_begin(const Trace& trace, EventId event) {
    return trace[event].kind() == EventKind::thread_begin;
}

/// Collects rows; what is not shown goes into gaps.
class Rows {
  public:
    explicit Rows(Story& story) : story_(story) {}

    /// Gives a thread its column, unless it has one.
    void add_column(ThreadId thread) {
        if (column_of(thread) < hidden_.size()) return;
        story_.threads.push_back({.thread = thread});
        hidden_.push_back({.thread = thread});
    }
    /// So many events of a thread, and the last of them.
    void hide(ThreadId thread, std::uint64_t events, EventId last) {
        const std::size_t column = column_of(thread);
        if (column == hidden_.size()) return hide_others(events);
        hidden_[column].events += events;
        hidden_[column].last = last;
    }
    void hide_others(std::uint64_t events) { others_ += events; }
    void show(StoryStep step) {
        close_gap();
        story_.rows.emplace_back(std::move(step));
    }

  private:
    [[nodiscard]] std::size_t column_of(ThreadId thread) const {
        const auto found = std::ranges::find(story_.threads, thread, &StoryThread::thread);
        return static_cast<std::size_t>(found - story_.threads.begin());
    }
    void close_gap() {
        StoryGap gap{.parts = {}, .others = std::exchange(others_, 0)};
        for (StoryGap::Part& hidden : hidden_) {
            if (hidden.events > 0) gap.parts.push_back(std::exchange(hidden, {.thread = hidden.thread}));
        }
        if (!gap.parts.empty() || gap.others > 0) story_.rows.emplace_back(std::move(gap));
    }

    Story& story_;
    std::vector<StoryGap::Part> hidden_; ///< by column: events of the gap so far
    std::uint64_t others_ = 0;
};

class Teller {
  public:
    Teller(const ThreadPasts& pasts, const Property& property, const Schedule& schedule)
        : pasts_(pasts), trace_(pasts.trace()), property_(property), own_(events_of(property)),
          base_(schedule.base), steps_(steps_of(schedule)) {}

    Story tell(const StoryOptions& options) {
        if (base_.value <= options.enough) tell_from_the_start();
        if (!options.every_step) leave_out_begins();
        const std::vector<bool> shown = options.every_step
                                            ? std::vector<bool>(steps_.events.size(), true)
                                            : essential_steps(trace_, property_, steps_, options.enough);
        Story story{.base = base_};
        Rows rows(story);
        const std::vector<EventId> early = marked_before_base();
        for (const EventId event : early) rows.add_column(trace_[event].thread());
        for (std::size_t at = 0; at < shown.size(); ++at) {
            if (shown[at]) rows.add_column(trace_[steps_.events[at]].thread());
        }
        for (const EventId event : early) rows.show(step(event, true));
        for (std::size_t at = 0; at < shown.size(); ++at) {
            const EventId event = steps_.events[at];
            if (shown[at]) {
                rows.show(step(event, at < steps_.taken));
            } else {
                rows.hide(trace_[event].thread(), 1, event);
            }
        }
        tell_what_was_before(early, story);
        tell_what_is_held(story);
        return story;
    }

  private:
    [[nodiscard]] ToldSteps steps_of(const Schedule& schedule) const {
        ToldSteps told{.events = schedule.steps, .taken = schedule.steps.size()};
        // The last access of an atomicity violation is the schedule's last step: nothing is left standing.
        if (!std::holds_alternative<AtomicityViolation>(property_)) {
            told.events.insert(told.events.end(), own_.begin(), own_.end());
        }
        return told;
    }

    void tell_from_the_start() {
        std::vector<EventId> before;
        for (const EventView event : trace_.events(EventId{0U}, base_)) before.push_back(event.id());
        steps_.events.insert(steps_.events.begin(), before.begin(), before.end());
        steps_.taken += before.size();
        base_ = EventId{0U};
    }

    /// The fork of a thread, or its first step, tells that it begins.
    void leave_out_begins() {
        const auto end = steps_.events.begin() + static_cast<std::ptrdiff_t>(steps_.taken);
        const auto kept = std::remove_if(steps_.events.begin(), end,
                                         [&](EventId event) { return is_begin(trace_, event); });
        steps_.taken = static_cast<std::size_t>(kept - steps_.events.begin());
        steps_.events.erase(kept, end);
    }

    [[nodiscard]] std::vector<EventId> marked_before_base() const {
        std::vector<EventId> early;
        std::ranges::copy_if(own_, std::back_inserter(early), [&](EventId event) { return event < base_; });
        std::ranges::sort(early);
        return early;
    }

    [[nodiscard]] StoryStep step(EventId id, bool taken) const {
        const EventView event = trace_[id];
        StoryStep step{.event = id,
                       .thread = event.thread(),
                       .words = step_words(trace_, event),
                       .value = {},
                       .place = trace_.place_for_people(event.stack()),
                       .marked = false,
                       .taken = taken};
        const auto own = static_cast<std::size_t>(std::ranges::find(own_, id) - own_.begin());
        step.marked = own < own_.size();
        // Of the property's own events only the first of an atomicity violation sees what it saw.
        const bool faithful =
            !step.marked || (std::holds_alternative<AtomicityViolation>(property_) && own == 0);
        if (faithful) step.value = value_words(trace_, event);
        if (step.marked && std::holds_alternative<Deadlock>(property_)) {
            const EventId holder = own_[(own + 1) % own_.size()];
            step.words += ", held by " + short_name(trace_, trace_[holder].thread());
        }
        return step;
    }

    void tell_what_was_before(std::span<const EventId> early, Story& story) const {
        story.others_before = base_.value - early.size();
        for (StoryThread& thread : story.threads) {
            thread.forked_by = pasts_.forked_by(thread.thread);
            thread.before = pasts_.taken(thread.thread, base_);
            thread.held_before = pasts_.held(thread.thread, base_);
            thread.before -= static_cast<std::uint64_t>(std::ranges::count_if(
                early, [&](EventId event) { return trace_[event].thread() == thread.thread; }));
            story.others_before -= thread.before;
        }
    }

    void tell_what_is_held(Story& story) const {
        for (StoryThread& thread : story.threads) thread.held_at_end = thread.held_before;
        for (const EventId id : std::span(steps_.events).first(steps_.taken)) {
            const EventView event = trace_[id];
            if (!is_lock_event(event.kind())) continue;
            const auto thread = std::ranges::find(story.threads, event.thread(), &StoryThread::thread);
            if (thread != story.threads.end()) take_lock_event(event, thread->held_at_end);
        }
    }

    const ThreadPasts& pasts_;
    const Trace& trace_;
    const Property& property_;
    std::vector<EventId> own_;
    EventId base_;
    ToldSteps steps_;
};

/// The events [from, to) of the recorded run, as part of a gap.
void hide_recorded(const ThreadPasts& pasts, const Story& story, EventId from, EventId to, Rows& rows) {
    const Trace& trace = pasts.trace();
    std::uint64_t others = to.value - from.value;
    for (const StoryThread& thread : story.threads) {
        const std::uint64_t taken = pasts.taken(thread.thread, to);
        const std::uint64_t events = taken - pasts.taken(thread.thread, from);
        if (events == 0) continue;
        const auto own = trace.events_of(thread.thread);
        const EventId first{own[0]};
        const bool begins = first >= from && is_begin(trace, first);
        rows.hide(thread.thread, events - (begins ? 1 : 0), EventId{own[taken - 1]});
        others -= events;
    }
    rows.hide_others(others);
}

} // namespace

std::size_t Story::shown() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        rows, [](const StoryRow& row) { return std::holds_alternative<StoryStep>(row); }));
}

Story tell(const ThreadPasts& pasts, const Property& property, const Schedule& schedule,
           const StoryOptions& options) {
    return Teller(pasts, property, schedule).tell(options);
}

Story as_recorded(const ThreadPasts& pasts, const Story& story) {
    std::vector<StoryStep> steps;
    for (const StoryRow& row : story.rows) {
        if (const auto* step = std::get_if<StoryStep>(&row)) steps.push_back(*step);
    }
    std::ranges::sort(steps, {}, &StoryStep::event);
    const Trace& trace = pasts.trace();
    Story recorded{.base = steps.empty() ? story.base : std::min(story.base, steps.front().event)};
    Rows rows(recorded);
    for (const StoryStep& step : steps) rows.add_column(step.thread);
    EventId next = recorded.base;
    for (StoryStep& step : steps) {
        hide_recorded(pasts, recorded, next, step.event, rows);
        next = EventId{step.event.value + 1};
        step.words = step_words(trace, trace[step.event]);
        step.value = value_words(trace, trace[step.event]);
        step.taken = true;
        rows.show(std::move(step));
    }
    recorded.others_before = recorded.base.value;
    for (StoryThread& thread : recorded.threads) {
        thread.forked_by = pasts.forked_by(thread.thread);
        thread.before = pasts.taken(thread.thread, recorded.base);
        thread.held_before = pasts.held(thread.thread, recorded.base);
        thread.held_at_end = pasts.held(thread.thread, next);
        recorded.others_before -= thread.before;
    }
    return recorded;
}

std::size_t context_switches(const Trace& trace, const Schedule& schedule) {
    std::size_t switches = 0;
    for (std::size_t at = 1; at < schedule.steps.size(); ++at) {
        switches += trace[schedule.steps[at]].thread() != trace[schedule.steps[at - 1]].thread() ? 1U : 0U;
    }
    return switches;
}

} // namespace heddle
