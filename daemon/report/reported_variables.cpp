#include "daemon/report/reported_variables.h"

#include "analysis/shared_accesses.h"
#include "analysis/source/member_path.h"
#include "daemon/report/expression_text.h"
#include "daemon/report/finding_words.h"
#include "daemon/report/report_places.h"
#include "daemon/report/taken_locks.h"
#include "traces/describe.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace heddle::report {

namespace {

constexpr std::size_t kMaxVariables = 500; ///< told of one run
constexpr std::size_t kMaxUses = 64;       ///< of one variable
constexpr std::size_t kMaxOnHeap = 2'000;  ///< members of heap blocks that are looked at, and
constexpr std::size_t kMaxOnHeapTold = 200;

bool is_name(std::string_view name) {
    return !name.empty() && name.find(' ') == std::string_view::npos && !name.starts_with("0x") &&
           name.find('#') == std::string_view::npos;
}

/// Memory of the heap is called by where it was allocated, and the distance from its start.
bool is_on_heap(std::string_view name) {
    return name.starts_with(kHeapBlock);
}

struct Gathered {
    ReportedVariable variable;
    std::map<std::string, std::uint64_t> locks; ///< accesses that hold them
};

class Gathering {
  public:
    Gathering(const Trace& trace, SourceExpressions& expressions)
        : trace_(trace), expressions_(expressions) {}

    /// Before any is added: what locks are called is known of all their accesses then.
    void look_for_locks(const SharedAccess& access) {
        for (const LockUse& use : access.locks) name_of(use.lock, trace_[access.example]);
    }

    void add(const SharedAccess& access) {
        const EventView event = trace_[access.example];
        std::string name = declared_name(trace_.accessed_name(event));
        if (!is_name(name)) {
            name = trace_.accessed_name(event);
            if (!is_on_heap(name)) return;
            if (!variables_.contains(name) && on_heap_++ >= kMaxOnHeap) return;
        }
        Gathered& gathered = variables_[name];
        gathered.variable.name = name;
        std::set<ReportedLock> locks;
        for (const LockUse& use : access.locks)
            locks.insert({name_of(use.lock, event), use.mode == LockMode::shared});
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

    std::vector<ReportedVariable> take() {
        for (const auto& [use, count] : uses_) {
            const auto& [name, place, act, locks] = use;
            std::vector<ReportedUse>& told = variables_[name].variable.uses;
            if (told.size() == kMaxUses) continue;
            told.push_back({.place = source_place(trace_, place, expressions_),
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
        std::size_t on_heap = 0;
        std::erase_if(result, [&](const ReportedVariable& one) {
            return is_on_heap(one.name) && ++on_heap > kMaxOnHeapTold;
        });
        if (result.size() > kMaxVariables) result.resize(kMaxVariables);
        for (ReportedVariable& variable : result) find_expressions(variable);
        return result;
    }

  private:
    /// A lock in the heap block of what is accessed is called by its own name behind a dot.
    std::string name_of(LockId lock, const EventView& access) {
        const std::string shown = trace_.display_name(ObjectKind::lock, lock.value);
        if (!is_on_heap(shown)) return without_indices(shown);
        const auto known = locks_on_heap_.try_emplace(shown).first;
        // Of `std::lock(a, b)` the source does not tell which it is: another place does, perhaps.
        if (known->second.empty()) {
            if (const auto taken = taken_before(trace_, lock, access)) {
                SourcePlace place =
                    source_place(trace_, trace_.place_for_people(taken->stack()), expressions_);
                known->second = expressions_.find(place, operation_at(*taken), shown).value_or("");
            }
        }
        const std::string_view word = last_word(known->second);
        if (word.empty()) return shown;
        const BlockId block = trace_.objects(ObjectKind::lock)[lock.value].block;
        const bool own =
            block.valid() && block == trace_.objects(ObjectKind::variable)[access.variable().value].block;
        return own ? fmt::format(".{}", word) : known->second;
    }

    /// Where its uses are, exactly; what the source calls it, if it is on the heap.
    void find_expressions(ReportedVariable& variable) {
        struct Called {
            std::string text;
            std::string owner;
            std::uint64_t count = 0;
        };
        std::map<std::string, Called, std::less<>> called; // by the last word
        for (ReportedUse& use : variable.uses) {
            std::string owner =
                is_on_heap(variable.name) ? expressions_.owner(use.place, use.act, variable.name) : "";
            const auto found = expressions_.find(use.place, use.act, variable.name);
            if (!found || last_word(*found).empty()) continue;
            Called& so = called[std::string(last_word(*found))];
            if (so.text.empty()) so.text = *found;
            if (so.owner.empty()) so.owner = std::move(owner);
            so.count += use.count;
        }
        if (!is_on_heap(variable.name)) return;
        // What makes the object may be about all of it.
        std::string text;
        const auto most =
            std::ranges::max_element(called, {}, [](const auto& one) { return one.second.count; });
        if (most != called.end() && most->second.count * 2 > variable.accesses) {
            text = std::move(most->second.text);
            variable.owner = std::move(most->second.owner);
        }
        const auto name_own_lock = [&](std::string& lock) {
            if (lock.starts_with('.')) lock.replace(0, 1, source::member_path(text).object);
        };
        name_own_lock(variable.guard);
        for (ReportedUse& use : variable.uses) {
            for (ReportedLock& lock : use.locks) name_own_lock(lock.name);
        }
        if (!text.empty()) variable.name.replace(0, kHeapBlock.size(), text.append(kInHeapBlock));
    }

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
    SourceExpressions& expressions_;
    std::map<std::string, Gathered> variables_; ///< by name
    std::size_t on_heap_ = 0;
    std::map<std::string, std::string> locks_on_heap_; ///< what they are taken as
    std::map<Use, std::uint64_t> uses_;
};

} // namespace

std::vector<ReportedVariable> reported_variables(const Trace& trace, SourceExpressions& expressions) {
    Gathering gathering(trace, expressions);
    const std::vector<SharedVariable> shared = shared_accesses(trace);
    for (const SharedVariable& variable : shared) {
        for (const SharedAccess& access : variable.accesses) gathering.look_for_locks(access);
    }
    for (const SharedVariable& variable : shared) {
        for (const SharedAccess& access : variable.accesses) gathering.add(access);
    }
    return gathering.take();
}

} // namespace heddle::report
