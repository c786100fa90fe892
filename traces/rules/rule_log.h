// Where the rules put what they find: which events go, which values are forgotten, and why. Words are
// made only for breaks that are kept, so that a trace full of them costs no more than counting.
#pragma once

#include "traces/rules.h"

#include <map>
#include <string>
#include <tuple>

namespace heddle::rules {

class RuleLog {
  public:
    RuleLog(const Trace& trace, const Limits& limits)
        : trace_(&trace), max_kept_(limits.max_damage_reported) {}

    [[nodiscard]] const Trace& trace() const { return *trace_; }
    [[nodiscard]] RuleReport take() { return std::move(report_); }

    /// `say()` gives the sentence.
    template<typename Say>
    void leave_out(const EventView& event, Rule rule, Say&& say) {
        report_.left_out.push_back(event.id());
        add(event, rule, say);
    }
    template<typename Say>
    void forget_value(const EventView& event, Rule rule, Say&& say) {
        report_.forgotten.push_back(event.id());
        add(event, rule, say);
    }

    /// An event that would have been ended by another one: when that one comes, it goes silently.
    template<typename Say>
    void leave_out_opening(const EventView& event, Rule rule, Say&& say) {
        ++openings_left_out_[key(event.kind(), event)];
        leave_out(event, rule, say);
    }
    template<typename Say>
    void leave_out_closing(const EventView& event, EventKind opening, Rule rule, Say&& say) {
        const auto found = openings_left_out_.find(key(opening, event));
        if (found == openings_left_out_.end()) return leave_out(event, rule, say);
        if (--found->second == 0) openings_left_out_.erase(found);
        report_.left_out.push_back(event.id());
        ++report_.consequences;
    }

    void collapse_acquire(const EventView& event) {
        report_.left_out.push_back(event.id());
        ++report_.recursive_acquisitions;
    }
    void collapse_release(const EventView& event) { report_.left_out.push_back(event.id()); }

    // --- words --------------------------------------------------------------------------------------

    [[nodiscard]] std::string thread(ThreadId id) const {
        return trace_->display_name(ObjectKind::thread, id.value);
    }
    [[nodiscard]] std::string who(const EventView& event) const { return thread(event.thread()); }
    /// The event's target in quotes.
    [[nodiscard]] std::string what(const EventView& event) const;
    [[nodiscard]] std::string quoted(ObjectKind kind, std::uint32_t id) const;
    /// The place of an event, or its number when it has none: "bank.cpp:41:9", "event 12".
    [[nodiscard]] std::string at(EventId event) const;

  private:
    using OpeningKey = std::tuple<EventKind, std::uint32_t, std::uint32_t>;

    static OpeningKey key(EventKind opening, const EventView& event) {
        return {opening, event.target(), event.thread().value};
    }
    template<typename Say>
    void add(const EventView& event, Rule rule, Say&& say) {
        ++report_.total;
        ++report_.count[static_cast<std::size_t>(rule)];
        if (report_.kept.size() < max_kept_) report_.kept.push_back({rule, event.id(), say()});
    }

    const Trace* trace_;
    std::size_t max_kept_;
    RuleReport report_;
    std::map<OpeningKey, std::uint64_t> openings_left_out_;
};

} // namespace heddle::rules
