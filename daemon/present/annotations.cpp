#include "daemon/present/annotations.h"

#include "analysis/source/functions.h"
#include "analysis/source/member_path.h"
#include "daemon/report/expression_text.h"
#include "daemon/report/number_words.h"
#include "daemon/service/commands.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace heddle::present {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

lsp::DocumentHighlightKind kind_of(const Mark& mark) {
    switch (mark.bug->best()->accesses[mark.access].act) {
    case source::Operation::read: return lsp::DocumentHighlightKind::read;
    case source::Operation::write:
    case source::Operation::update: return lsp::DocumentHighlightKind::write;
    default: return lsp::DocumentHighlightKind::text;
    }
}

/// "14:02", with the day unless it is today.
std::string time_words(std::int64_t unix_ns, std::time_t now) {
    const std::tm then = fmt::localtime(static_cast<std::time_t>(unix_ns / kSecond));
    const std::tm today = fmt::localtime(now);
    const bool same = then.tm_year == today.tm_year && then.tm_yday == today.tm_yday;
    return same ? fmt::format("{:%H:%M}", then) : fmt::format("{:%Y-%m-%d %H:%M}", then);
}

/// What one lens tells.
class Sum {
  public:
    void add(const service::Bug& bug) {
        if (!keys_.insert(bug.key).second) return;
        ++counts_[static_cast<std::size_t>(bug.best()->kind)];
        if (witness_ == nullptr && !bug.best()->schedule.empty()) witness_ = &bug;
        ran(bug.best().report->recorded_unix_ns);
    }
    void ran(std::optional<std::int64_t> unix_ns) { last_ = std::max(last_, unix_ns); }

    [[nodiscard]] bool empty() const { return keys_.empty(); }

    /// A click shows the first witness.
    [[nodiscard]] lsp::Command command(std::time_t now) const {
        static constexpr std::array<std::string_view, kFindingKinds> kNames = {"race", "atomicity violation",
                                                                               "deadlock"};
        std::vector<std::string> words;
        for (std::size_t kind = 0; kind < kFindingKinds; ++kind) {
            if (counts_[kind] != 0) words.push_back(report::counted(counts_[kind], kNames[kind]));
        }
        if (words.empty()) words.emplace_back("no findings");
        if (last_) words.push_back("last run " + time_words(*last_, now));
        lsp::Command result{
            .title = fmt::format("{}", fmt::join(words, " · ")), .command = {}, .arguments = {}};
        if (witness_ != nullptr) {
            result.command = service::kShowWitness;
            result.arguments = {lsp::Json{{"bug", witness_->key}}};
        }
        return result;
    }

  private:
    std::set<std::string> keys_;
    std::array<std::uint64_t, kFindingKinds> counts_{};
    std::optional<std::int64_t> last_;
    const service::Bug* witness_ = nullptr;
};

/// Runners put the name of a suite's file or folder before that of the test.
bool is_run_of(const TestRun& run, const source::Function& test) {
    if (!run.test.ends_with(test.name)) return false;
    const std::size_t before = run.test.size() - test.name.size();
    return before == 0 || run.test[before - 1] == '.' || run.test[before - 1] == '/';
}

/// "mutex" of "account.mutex" for a variable "account.balance".
struct ShortGuard {
    std::string_view name;
    bool own = false; ///< in the same object

    auto operator<=>(const ShortGuard&) const = default;
};

ShortGuard short_guard(const report::ReportedVariable& variable) {
    const std::string_view guard = variable.guard;
    const std::string_view object = source::member_path(guard).object;
    const bool own = !object.empty() && std::string_view(variable.name).starts_with(object);
    return {own ? guard.substr(object.size()) : guard, own};
}

/// What is known of a declaration: of one variable, or of a member of several objects.
class Guarding {
  public:
    void add(const report::ReportedVariable& variable) {
        names_.insert(fmt::format("'{}'", variable.name));
        accesses_ += variable.accesses;
        if (variable.guard.empty()) return;
        Lock& lock = locks_[short_guard(variable)];
        lock.accesses += variable.guarded;
        lock.names.insert(fmt::format("'{}'", variable.guard));
    }

    /// Nothing if no lock is held at more than half of the accesses.
    [[nodiscard]] std::optional<lsp::InlayHint> hint(const lsp::Position& end) const {
        const auto most =
            std::ranges::max_element(locks_, {}, [](const auto& one) { return one.second.accesses; });
        if (most == locks_.end() || most->second.accesses * 2 <= accesses_) return std::nullopt;
        const auto& [guard, lock] = *most;
        if (guard.name.find(' ') != std::string_view::npos) return std::nullopt; // a description, no name
        return lsp::InlayHint{
            .position = end,
            .label = fmt::format("guarded by {} ({}/{})", guard.name, lock.accesses, accesses_),
            .tooltip =
                fmt::format("{} of {} recorded accesses of {}, made while other threads could make "
                            "some, hold {}.",
                            lock.accesses, accesses_, fmt::join(names_, ", "), fmt::join(lock.names, ", ")),
            .paddingLeft = true};
    }

  private:
    struct Lock {
        std::uint64_t accesses = 0;
        std::set<std::string> names; ///< in full: each object may have its own
    };

    std::set<std::string> names_;
    std::uint64_t accesses_ = 0;
    std::map<ShortGuard, Lock> locks_;
};

} // namespace

std::optional<source::ByteRange> declaration_of(const source::Declarations& declarations,
                                                const report::ReportedVariable& variable) {
    if (const auto declared = declarations.find(variable.name)) return declared;
    // Of an object of another text, of a function or of the heap, this may be the text that defines its
    // class.
    const std::size_t on_heap = variable.name.find(report::kInHeapBlock);
    const std::string_view name = std::string_view(variable.name).substr(0, on_heap);
    if (on_heap == std::string::npos && name.find('.') == std::string_view::npos) return std::nullopt;
    const std::string_view member = source::member_path(name).member;
    if (!variable.owner.empty()) {
        if (const auto declared = declarations.find(source::MemberOf{variable.owner, member}))
            return declared;
    }
    std::string_view last; // many uses are of one function
    for (const report::ReportedUse& use : variable.uses) {
        const report::SourcePlace& place = use.place;
        const bool alone = place.end_line == place.line && place.end_column - place.column == member.size();
        if (!alone || place.function == last) continue;
        last = place.function;
        if (const auto declared = declarations.find(source::OwnMember{place.function, member}))
            return declared;
    }
    return std::nullopt;
}

std::vector<lsp::DocumentHighlight> highlights(const std::vector<Mark>& marks, const lsp::Position& at) {
    std::set<const service::Bug*> meant;
    for (const Mark& mark : marks) {
        if (mark.range.start <= at && at <= mark.range.end) meant.insert(mark.bug);
    }
    std::vector<lsp::DocumentHighlight> result;
    for (const Mark& mark : marks) {
        const lsp::DocumentHighlight one{.range = mark.range, .kind = kind_of(mark)};
        if (meant.contains(mark.bug) && std::ranges::find(result, one) == result.end()) result.push_back(one);
    }
    return result;
}

std::vector<lsp::CodeLens> lenses(const source::SyntaxTree& tree, const lsp::TextDocument& document,
                                  const std::vector<Mark>& marks, const std::vector<TestRun>& runs,
                                  std::time_t now) {
    std::vector<lsp::CodeLens> result;
    for (const source::Function& function : source::functions(tree)) {
        Sum sum;
        bool was_run = false;
        for (const Mark& mark : marks) {
            if (function.range.contains(static_cast<std::uint32_t>(document.byte_at(mark.range.start))))
                sum.add(*mark.bug);
        }
        for (const TestRun& run : runs) {
            if (!function.test || !is_run_of(run, function)) continue;
            was_run = true;
            for (const service::Bug* bug : run.bugs) sum.add(*bug);
            sum.ran(run.recorded_unix_ns);
        }
        if (sum.empty() && !was_run) continue;
        result.push_back({.range = document.range_of(function.name_at.first, function.name_at.end),
                          .command = sum.command(now)});
    }
    return result;
}

std::vector<lsp::InlayHint> hints(const source::SyntaxTree& tree, const lsp::TextDocument& document,
                                  const std::vector<const report::ReportedVariable*>& variables,
                                  const lsp::Range& range) {
    const source::Declarations declarations(tree);
    std::map<std::uint32_t, Guarding> by_end;
    for (const report::ReportedVariable* variable : variables) {
        if (const auto declared = declaration_of(declarations, *variable))
            by_end[declared->end].add(*variable);
    }
    std::vector<lsp::InlayHint> result;
    for (const auto& [byte, guarding] : by_end) {
        const lsp::Position end = document.position_of(byte);
        if (end < range.start || range.end < end) continue;
        if (auto hint = guarding.hint(end)) result.push_back(std::move(*hint));
    }
    return result;
}

} // namespace heddle::present
