// What an edit costs the daemon, and what trying a fix costs:
//   heddle_bench_edits typing LINES FINDINGS EDITS [SOURCE…]
//                                                    milliseconds, the 99th percentiles of one didChange in a
//                                                    file of so many lines: until the loop is free again,
//                                                    and until the syntax is that of the new text, which is a
//                                                    worker's task where it takes long; both with where so
//                                                    many findings are now. Then how many edits in a hundred
//                                                    needed a worker. The file is made of these sources, or
//                                                    of functions that are ambiguous to parse
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
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
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

/// The sources one after the other, over and over, up to so many lines.
std::string large_source(std::uint32_t lines, std::span<char* const> sources) {
    std::string text;
    std::uint32_t there = 0;
    while (there < lines) {
        for (const char* path : sources) {
            std::ifstream file(path);
            for (std::string line; there < lines && std::getline(file, line); ++there) text += line + '\n';
            if (there == 0) return text; // nothing to be read
        }
    }
    return text;
}

/// `Account* acct` may be a product, `amounts[0] > 0` the end of a template's arguments: of that little is
/// reused.
std::string ambiguous_source(std::uint32_t lines) {
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

/// The lines before which somebody may type a statement: the first ones of what has a body.
std::vector<std::uint32_t> lines_to_type_at(std::string_view text) {
    std::vector<std::uint32_t> lines;
    std::uint32_t line = 0;
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string_view::npos; ++at) {
        ++line;
        if (text.substr(0, at).ends_with(") {")) lines.push_back(line);
    }
    return lines;
}

/// Letters one after the other, each an edit of its own, at the beginning of random functions.
class Typist {
  public:
    explicit Typist(std::vector<std::uint32_t> lines) : lines_(std::move(lines)) { move(); }

    lsp::TextDocumentContentChangeEvent next() {
        if (at_ == kTyped[what_].size()) {
            what_ = random_() % kTyped.size();
            at_ = 0;
            move();
        }
        const char letter = kTyped[what_][at_++];
        const lsp::TextDocumentContentChangeEvent change{lsp::Range{place_, place_}, std::string(1, letter)};
        place_ = letter == '\n' ? lsp::Position{place_.line + 1, 0}
                                : lsp::Position{place_.line, place_.character + 1};
        return change;
    }

  private:
    /// To where the lines are by now does not matter: it is somewhere in a function, or next to one.
    void move() { place_ = {lines_[random_() % lines_.size()], 0}; }

    std::vector<std::uint32_t> lines_;
    std::mt19937_64 random_{1};
    std::size_t what_ = 0;
    std::size_t at_ = 0;
    lsp::Position place_{1, 0};
};

int typing(std::uint32_t lines, std::uint32_t findings, int edits, std::span<char* const> sources) {
    const auto text = std::make_shared<const std::string>(sources.empty() ? ambiguous_source(lines)
                                                                          : large_source(lines, sources));
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
        while (!elsewhere.empty()) {
            for (const auto& work : std::exchange(elsewhere, {})) work()();
        }
    };
    texts.open(kFile, *text, 1);
    trees.with_tree(kFile, *texts.find_open(kFile), [](const source::SyntaxTree*) {});
    workers();
    Typist typist(lines_to_type_at(*text));
    std::vector<double> on_loop;
    std::vector<double> until_current;
    int handed_over = 0;
    for (int i = 0; i < edits; ++i) {
        const std::vector<lsp::TextDocumentContentChangeEvent> change = {typist.next()};
        std::uint64_t moved = 0;
        bool current = false;
        on_loop.push_back(seconds([&] {
            const auto changes = texts.edit(kFile, change, i + 2);
            drift.edited(kFile, *changes, texts);
            current = trees.edited(kFile, *changes, *texts.find_open(kFile));
            for (std::uint32_t finding = 0; finding < findings; ++finding)
                moved += drift.now(report, place_of(finding * (lines / findings) + 2), kFile, texts).line;
        }));
        if (!current) {
            ++handed_over;
            trees.with_tree(kFile, *texts.find_open(kFile), [](const source::SyntaxTree*) {});
        }
        until_current.push_back(on_loop.back() + seconds(workers));
        if (moved == 0) return 1;
    }
    // The first edit follows a text that was just opened: it compares all of it once.
    on_loop.erase(on_loop.begin());
    until_current.erase(until_current.begin());
    std::printf("%.3f %.3f %.1f\n", percentile_99(on_loop) * 1000, percentile_99(until_current) * 1000,
                100.0 * handed_over / edits);
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
                             const Trace reduced = reduced_run(trace, {}, {trial->variable});
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
    if (what == "typing" && argc > 4)
        return heddle::typing(static_cast<std::uint32_t>(number(2)), static_cast<std::uint32_t>(number(3)),
                              number(4),
                              std::span<char* const>(argv, static_cast<std::size_t>(argc)).subspan(5));
    if (what == "fix") return heddle::fix(static_cast<std::uint64_t>(number(2)));
    return 2;
}
