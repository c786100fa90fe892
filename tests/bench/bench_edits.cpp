// What an edit costs the daemon, and what trying a fix costs:
//   heddle_bench_edits typing LINES FINDINGS EDITS   milliseconds, the 99th percentile of one didChange in a
//                                                    file of so many lines on the loop: the text, its syntax
//                                                    as far as that takes its time, and where so many
//                                                    findings are now; how many in a hundred left the syntax
//                                                    to a worker, and how long that took then
//   heddle_bench_edits fix EVENTS                    seconds, best of three: an analysis of one variable of
//                                                    a run alone, and trying a lock at its accesses
#include "analysis/what_if/changed_run.h"
#include "analysis/what_if/check_fix.h"
#include "analysis/what_if/guards.h"
#include "daemon/present/document_trees.h"
#include "daemon/present/drift.h"
#include "traces/generator.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle {
namespace {

template<typename Work>
double seconds(Work work) {
    const auto started = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

constexpr const char* kFile = "/project/large.cpp";
constexpr std::uint32_t kFunctionLines = 10;

std::string large_source(std::uint32_t lines) {
    std::string text;
    for (std::uint32_t i = 0; i < lines / kFunctionLines; ++i) {
        text += "long f" + std::to_string(i) + "(Account* acct, const std::vector<long>& amounts) {\n";
        for (std::uint32_t line = 0; line < kFunctionLines - 3; ++line)
            text += "    if (amounts[" + std::to_string(line) + "] > 0) acct->balance += 1; // some words\n";
        text += "    return acct->balance;\n}\n";
    }
    return text;
}

report::SourcePlace place_of(std::uint32_t line) {
    return {.file = kFile, .line = line, .column = 28, .end_line = line, .end_column = 41, .function = {}};
}

double percentile_99(std::vector<double> times) {
    std::ranges::sort(times);
    return times[times.size() * 99 / 100];
}

/// What somebody types, letter by letter: every prefix of it is a text that has to be parsed.
constexpr std::array<std::string_view, 6> kTyped = {"if (acct->balance < 0) {\n    log(\"overdrawn\");\n}\n",
                                                    "acct->balance -= amounts[0]; // fees\n",
                                                    "for (long one : amounts) acct->total += one;\n",
                                                    "\n",
                                                    "const std::lock_guard lock(acct->mu);\n",
                                                    "/* why: see below */\n"};

/// Letters one after the other, each an edit of its own, at random lines.
class Typist {
  public:
    explicit Typist(std::uint32_t lines) : lines_(lines) {}

    lsp::TextDocumentContentChangeEvent next() {
        if (at_ == kTyped[what_].size()) {
            what_ = random_() % kTyped.size();
            at_ = 0;
            // Within a function, before its first statement: that is where people type.
            place_ = {static_cast<std::uint32_t>(random_() % (lines_ / kFunctionLines) * kFunctionLines + 1),
                      0};
        }
        const char letter = kTyped[what_][at_++];
        const lsp::TextDocumentContentChangeEvent change{lsp::Range{place_, place_}, std::string(1, letter)};
        place_ = letter == '\n' ? lsp::Position{place_.line + 1, 0}
                                : lsp::Position{place_.line, place_.character + 1};
        return change;
    }

  private:
    std::uint32_t lines_;
    std::mt19937_64 random_{1};
    std::size_t what_ = 0;
    std::size_t at_ = 0;
    lsp::Position place_{1, 0};
};

int typing(std::uint32_t lines, std::uint32_t findings, int edits) {
    const auto text = std::make_shared<const std::string>(large_source(lines));
    report::TraceReport report;
    report.sources.push_back(
        {.file = kFile, .hash = "recorded", .changed = false, .functions = {}, .text = text});
    present::SourceTexts texts;
    present::Drift drift;
    // What is handed to workers is done after the clock has stopped.
    std::vector<std::function<std::function<void()>()>> elsewhere;
    present::DocumentTrees trees(
        [&](const std::function<std::function<void()>()>& work) { elsewhere.push_back(work); });
    const auto workers = [&] {
        while (!elsewhere.empty()) std::exchange(elsewhere, {}).front()()();
    };
    texts.open(kFile, *text, 1);
    trees.with_tree(kFile, *texts.find_open(kFile), [](const source::SyntaxTree*) {});
    workers();
    Typist typist(lines);
    std::vector<double> on_loop;
    std::vector<double> by_workers;
    for (int i = 0; i < edits; ++i) {
        const std::vector<lsp::TextDocumentContentChangeEvent> change = {typist.next()};
        std::uint64_t moved = 0;
        on_loop.push_back(seconds([&] {
            const auto changes = texts.edit(kFile, change, i + 2);
            drift.edited(kFile, *changes, texts);
            static_cast<void>(trees.edited(kFile, *changes, *texts.find_open(kFile)));
            for (std::uint32_t finding = 0; finding < findings; ++finding)
                moved += drift.now(report, place_of(finding * (lines / findings) + 2), kFile, texts).line;
        }));
        if (!elsewhere.empty()) by_workers.push_back(seconds(workers));
        if (moved == 0) return 1;
    }
    // The first edit follows a text that was just opened: it compares all of it once.
    on_loop.erase(on_loop.begin());
    std::printf("%.3f %.1f %.3f\n", percentile_99(on_loop) * 1000,
                100.0 * static_cast<double>(by_workers.size()) / edits,
                by_workers.empty() ? 0 : percentile_99(by_workers) * 1000);
    return 0;
}

/// A race, and the lock that its variable's other accesses hold, held at those that do not.
struct Trial {
    Property race;
    VarId variable;
    Change change;
};

Change held_everywhere(const Trace& trace, VarId variable, LockId lock) {
    Change change;
    std::vector<std::vector<LockId>> held(trace.thread_count());
    for (const EventView event : trace.events()) {
        std::vector<LockId>& own = held[event.thread().value];
        if (event.kind() == EventKind::acquire || event.kind() == EventKind::acquire_shared)
            own.push_back(event.lock());
        if (event.kind() == EventKind::release || event.kind() == EventKind::release_shared)
            std::erase(own, event.lock());
        const bool asked = is_access(event.kind()) && event.variable() == variable;
        if (asked && std::ranges::find(own, lock) == own.end())
            change.held.push_back({event.thread(), event.id(), event.id(), lock});
    }
    return change;
}

/// Of those that can be tried, the one whose variable is accessed most.
std::optional<Trial> a_trial(const Trace& trace) {
    std::map<VarId, Property> races;
    const AnalyzeOptions options{.atomicity = false, .deadlocks = false, .refuted = false};
    for (const Finding& finding : analyze(trace, options).findings)
        races.emplace(VarId{finding.key.parts.front()}, finding.property);
    std::vector<VarId> variables;
    for (const auto& [variable, race] : races) variables.push_back(variable);
    std::vector<std::pair<std::uint64_t, VarId>> by_accesses;
    const std::map<VarId, Guard> locks = guards(trace, variables, std::vector<bool>(trace.places().size()));
    for (const auto& [variable, guard] : locks) by_accesses.emplace_back(guard.accesses, variable);
    std::ranges::sort(by_accesses, std::greater{});
    for (const auto& [accesses, variable] : by_accesses) {
        Trial trial{races.at(variable), variable, held_everywhere(trace, variable, locks.at(variable).lock)};
        if (check_fix(trace, trial.race, trial.change)) return trial;
    }
    return std::nullopt;
}

int fix(std::uint64_t events) {
    GeneratorSettings settings = realistic();
    settings.seed = 7;
    settings.events = events;
    const Trace trace = generate(settings);
    const auto trial = a_trial(trace);
    if (!trial) return 1;
    double alone = 1e9;
    double tried = 1e9;
    for (int run = 0; run < 3; ++run) {
        alone = std::min(alone, seconds([&] {
                             const Trace reduced = reduced_run(trace, {trial->variable});
                             static_cast<void>(analyze(reduced, {.refuted = false}));
                         }));
        tried = std::min(tried,
                         seconds([&] { static_cast<void>(check_fix(trace, trial->race, trial->change)); }));
    }
    std::printf("%.6f %.6f\n", alone, tried);
    return 0;
}

} // namespace
} // namespace heddle

int main(int argc, char** argv) {
    const auto number = [&](int at) { return argc > at ? std::atoi(argv[at]) : 0; };
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "typing")
        return heddle::typing(static_cast<std::uint32_t>(number(2)), static_cast<std::uint32_t>(number(3)),
                              number(4));
    if (what == "fix") return heddle::fix(static_cast<std::uint64_t>(number(2)));
    return 2;
}
