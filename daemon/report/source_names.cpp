#include "daemon/report/source_names.h"

#include "daemon/report/expression_text.h"
#include "daemon/report/report_places.h"
#include "daemon/report/taken_locks.h"
#include "traces/describe.h"
#include "traces/retelling.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace heddle::report {

namespace {

constexpr std::size_t kMaxOfSchedule = 1'000; ///< events of a schedule that are looked at for names

/// Descriptions have spaces, names of the program do not.
bool has_name(std::string_view name) {
    return !name.empty() && name.find(' ') == std::string_view::npos;
}

class Namer {
  public:
    Namer(const Trace& trace, SourceExpressions& expressions)
        : trace_(trace), expressions_(expressions), told_(trace) {}

    void name(const Finding& finding) {
        if (finding.kind() != FindingKind::deadlock) name_variable(finding);
        for (const FindingAccess& access : finding.accesses) {
            const EventView event = trace_[access.event];
            if (traits(event.kind()).target == ObjectKind::lock) saw_lock(event);
            for (const LockUse& use : access.locks) look_for_lock(use.lock, event);
        }
        if (const auto* witness = std::get_if<Witnessed>(&finding.verdict)) name_locks_of(witness->schedule);
        together_.push_back(std::exchange(told_of_, {}));
    }

    Trace told() {
        for (const auto& [lock, name] : lock_names()) told_.name(ObjectKind::lock, lock, told_.string(name));
        std::vector<VariablePart> parts;
        for (const auto& [bytes, name] : parts_) {
            const auto& [variable, offset, size] = bytes;
            parts.push_back({VarId{variable}, {offset, size}, told_.string(name)});
        }
        told_.add_parts(parts);
        return told_.trace();
    }

  private:
    [[nodiscard]] std::optional<std::string> expression_at(const EventView& event) {
        SourcePlace place = source_place(trace_, trace_.place_for_people(event.stack()), expressions_);
        return expressions_.find(place, operation_at(event), object_at(trace_, event));
    }

    void name_variable(const Finding& finding) {
        std::vector<std::string> texts;
        for (const FindingAccess& access : finding.accesses) {
            const EventView event = trace_[access.event];
            const std::string_view name = trace_.name(ObjectKind::variable, event.variable().value);
            if (has_name(name) || has_name(trace_.accessed_name(event))) return;
            auto text = expression_at(event);
            if (!text || last_word(*text).empty()) return;
            texts.push_back(std::move(*text));
        }
        const bool agree = std::ranges::all_of(
            texts, [&](const std::string& text) { return last_word(text) == last_word(texts.front()); });
        if (!agree) return;
        for (const FindingAccess& access : finding.accesses) {
            const EventView event = trace_[access.event];
            parts_.try_emplace({event.variable().value, event.bytes().offset, event.bytes().size},
                               texts.front());
        }
    }

    /// A lock that was taken here, by a macro or a reference perhaps, which tell nothing of its name.
    void saw_lock(const EventView& event) {
        const std::uint32_t lock = event.lock().value;
        if (has_name(trace_.name(ObjectKind::lock, lock))) return;
        told_of_.insert(lock);
        const auto text = expression_at(event);
        if (!text || last_word(*text).empty()) return;
        const std::string& name = locks_.try_emplace(lock, *text).first->second;
        if (last_word(name) != last_word(*text)) refused_.insert(lock);
    }

    /// What a schedule shows besides.
    void name_locks_of(const Schedule& schedule) {
        std::size_t looked = 0;
        for (const EventId id : schedule.steps) {
            const EventView event = trace_[id];
            if (traits(event.kind()).target != ObjectKind::lock) continue;
            if (locks_.contains(event.lock().value)) {
                told_of_.insert(event.lock().value);
            } else if (++looked <= kMaxOfSchedule) {
                saw_lock(event);
            }
        }
    }

    /// Where a finding tells of several locks that are called the same, each gets a number: they are not one.
    [[nodiscard]] std::map<std::uint32_t, std::string> lock_names() const {
        std::map<std::uint32_t, std::string> names = locks_;
        for (const std::uint32_t lock : refused_) names.erase(lock);
        std::set<std::uint32_t> numbered;
        for (const std::set<std::uint32_t>& locks : together_) {
            std::map<std::string_view, std::vector<std::uint32_t>> called;
            for (const std::uint32_t lock : locks) {
                if (names.contains(lock)) called[names.at(lock)].push_back(lock);
            }
            for (const auto& [name, same] : called) {
                if (same.size() > 1) numbered.insert(same.begin(), same.end());
            }
        }
        std::map<std::string, std::uint32_t> numbers;
        for (const std::uint32_t lock : numbered) {
            std::string& name = names.at(lock);
            name = fmt::format("{} ({})", name, ++numbers[name]);
        }
        return names;
    }

    /// Where the thread took a lock that it holds at an event.
    void look_for_lock(LockId lock, const EventView& event) {
        if (has_name(trace_.name(ObjectKind::lock, lock.value))) return;
        if (const auto taken = taken_before(trace_, lock, event)) saw_lock(*taken);
    }

    const Trace& trace_;
    SourceExpressions& expressions_;
    Retelling told_;
    std::map<std::tuple<std::uint32_t, std::uint8_t, std::uint8_t>, std::string> parts_;
    std::map<std::uint32_t, std::string> locks_;    ///< what they were taken as first
    std::set<std::uint32_t> refused_;               ///< locks that have several names
    std::set<std::uint32_t> told_of_;               ///< locks, in the finding that is looked at
    std::vector<std::set<std::uint32_t>> together_; ///< those of each finding
};

bool lacks_name(const Trace& trace, const Finding& finding) {
    return std::ranges::any_of(finding.accesses, [&](const FindingAccess& access) {
        return !has_name(object_at(trace, trace[access.event])) ||
               std::ranges::any_of(access.locks, [&](const LockUse& use) {
                   return !has_name(trace.name(ObjectKind::lock, use.lock.value));
               });
    });
}

} // namespace

Trace with_source_names(const Trace& trace, const std::vector<const Finding*>& findings,
                        SourceExpressions& expressions) {
    if (std::ranges::none_of(findings, [&](const Finding* one) { return lacks_name(trace, *one); }))
        return trace;
    Namer namer(trace, expressions);
    for (const Finding* finding : findings) namer.name(*finding);
    return namer.told();
}

} // namespace heddle::report
