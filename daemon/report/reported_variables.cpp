#include "daemon/report/reported_variables.h"

#include "analysis/shared_accesses.h"
#include "daemon/report/finding_words.h"
#include "daemon/report/report_places.h"
#include "traces/describe.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace heddle::report {

namespace {

constexpr std::size_t kMaxVariables = 500; ///< told of one run
constexpr std::size_t kMaxUses = 64;       ///< of one variable

bool is_name(std::string_view name) {
    return !name.empty() && name.find(' ') == std::string_view::npos && !name.starts_with("0x") &&
           name.find('#') == std::string_view::npos;
}

struct Gathered {
    ReportedVariable variable;
    std::map<std::string, std::uint64_t> locks; ///< accesses that hold them
};

class Gathering {
  public:
    explicit Gathering(const Trace& trace) : trace_(trace) {}

    void add(const SharedAccess& access) {
        const EventView event = trace_[access.example];
        const std::string name = declared_name(trace_.accessed_name(event));
        if (!is_name(name)) return;
        Gathered& gathered = variables_[name];
        gathered.variable.name = name;
        std::set<ReportedLock> locks;
        for (const LockUse& use : access.locks)
            locks.insert({without_indices(trace_.display_name(ObjectKind::lock, use.lock.value)),
                          use.mode == LockMode::shared});
        const std::uint64_t together = access.count - access.alone;
        gathered.variable.accesses += together;
        std::set<std::string> guards; // who writes with a shared one does not keep others out
        for (const ReportedLock& lock : locks) {
            if (!lock.shared || !writes_memory(event.kind())) guards.insert(lock.name);
        }
        for (const std::string& lock : guards) gathered.locks[lock] += together;
        uses_[{name, trace_.place_for_people(event.stack()), operation_at(event), std::move(locks)}] +=
            access.count;
    }

    std::vector<ReportedVariable> take(SourceExpressions& expressions) {
        for (const auto& [use, count] : uses_) {
            const auto& [name, place, act, locks] = use;
            std::vector<ReportedUse>& told = variables_[name].variable.uses;
            if (told.size() == kMaxUses) continue;
            told.push_back({.place = source_place(trace_, place, expressions),
                            .act = act,
                            .locks = {locks.begin(), locks.end()},
                            .count = count});
        }
        std::vector<ReportedVariable> result;
        for (auto& [name, gathered] : variables_) {
            if (gathered.variable.accesses == 0) continue;
            choose_guard(gathered);
            result.push_back(std::move(gathered.variable));
        }
        std::ranges::stable_sort(result, std::greater<>{}, &ReportedVariable::accesses);
        if (result.size() > kMaxVariables) result.resize(kMaxVariables);
        for (ReportedVariable& variable : result) {
            for (ReportedUse& use : variable.uses) expressions.find(use.place, use.act, variable.name);
        }
        return result;
    }

  private:
    /// The lock that is held most often, if that is at more than half of the accesses.
    static void choose_guard(Gathered& gathered) {
        for (const auto& [lock, count] : gathered.locks) {
            if (count <= gathered.variable.guarded || count * 2 <= gathered.variable.accesses) continue;
            gathered.variable.guard = lock;
            gathered.variable.guarded = count;
        }
    }

    using Use = std::tuple<std::string, PlaceId, source::Operation, std::set<ReportedLock>>;

    const Trace& trace_;
    std::map<std::string, Gathered> variables_; ///< by name
    std::map<Use, std::uint64_t> uses_;
};

} // namespace

std::vector<ReportedVariable> reported_variables(const Trace& trace, SourceExpressions& expressions) {
    Gathering gathering(trace);
    for (const SharedVariable& variable : shared_accesses(trace)) {
        for (const SharedAccess& access : variable.accesses) gathering.add(access);
    }
    return gathering.take(expressions);
}

} // namespace heddle::report
