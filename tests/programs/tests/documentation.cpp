#include "documentation.h"

#include "marked_source.h"
#include "scanner.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>

namespace heddle::test {

namespace {

constexpr std::string_view kIndent = "  ";
constexpr std::array<std::string_view, 5> kPatterns = {"RWR", "RWW", "WRW", "WWR", "WWW"};

[[noreturn]] void refuse(unsigned line, const std::string& reason) {
    throw std::runtime_error(fmt::format("line {}: {}", line, reason));
}

std::vector<DocumentedLock> scan_locks(Scanner& in) {
    std::vector<DocumentedLock> locks;
    if (in.accept("nothing")) return locks;
    do {
        DocumentedLock& lock = locks.emplace_back();
        lock.name = in.name();
        lock.shared = in.accept(" (shared)");
    } while (in.accept(", "));
    return locks;
}

/// Reads the comment line by line, and looks up each mark in the source as it comes.
class Parser {
  public:
    explicit Parser(std::string_view program) : source_(program) {}

    Documentation run() {
        for (const CommentLine& line : source_.comment()) read(line);
        finish_finding();
        if (result_.about.empty()) refuse(1, "the program does not say what it is about");
        if (result_.threads.empty()) refuse(1, "the program does not name its threads");
        if (result_.findings.empty()) refuse(1, "the program documents neither a bug nor the absence of one");
        if (const auto unused = source_.unused_mark())
            refuse(unused->line, fmt::format("nothing is said about the mark [{}]", unused->mark));
        return std::move(result_);
    }

  private:
    void read(const CommentLine& line) {
        line_ = line.number;
        if (line.text.empty()) {
            in_preface_ = false;
        } else if (in_preface_) {
            result_.about += (result_.about.empty() ? "" : " ") + line.text;
        } else if (line.text.starts_with(kIndent)) {
            read_detail(line.text.substr(kIndent.size()));
        } else {
            Scanner in(line.text, line_);
            if (in.accept("threads: ")) {
                do {
                    result_.threads.push_back(in.word());
                } while (in.accept(", "));
            } else {
                finish_finding();
                begin_finding(in);
            }
            in.expect_end();
        }
    }

    void begin_finding(Scanner& in) {
        DocumentedFinding& finding = result_.findings.emplace_back();
        begun_ = line_;
        if (in.accept("not a bug: ")) {
            finding.claim = Claim::not_a_bug;
        } else if (in.accept("no witness: ")) {
            finding.claim = Claim::no_witness;
        } else {
            in.expect("bug: ");
        }
        finding.kind = in.word();
        if (finding.kind == "deadlock") return;
        if (finding.kind == "atomicity") {
            in.expect(" ");
            finding.pattern = in.word();
            if (std::ranges::find(kPatterns, finding.pattern) == kPatterns.end()) in.refuse();
        } else if (finding.kind != "race") {
            in.refuse();
        }
        in.expect(" on ");
        finding.variable = scan_variable(in);
    }

    DocumentedVariable scan_variable(Scanner& in) {
        if (!in.accept("memory of ")) return {.name = in.name(), .allocated = {}};
        const std::string mark = in.mark();
        in.expect(" + ");
        return {.name = "",
                .allocated = {.function = "", .mark = mark, .line = source_.line_of(mark, "alloc(", line_)},
                .offset = static_cast<unsigned>(std::stoul(in.word()))};
    }

    void read_detail(const std::string& text) {
        if (result_.findings.empty()) refuse(line_, "belongs to no bug: " + text);
        DocumentedFinding& finding = result_.findings.back();
        Scanner in(text, line_);
        if (!finding.because.empty()) {
            finding.because += fmt::format(" {}", text);
        } else if (in.accept("because ")) {
            finding.because = text.substr(std::string_view("because ").size());
        } else if (in.accept("asks for ")) {
            finding.steps.push_back(scan_request(in));
        } else {
            finding.steps.push_back(scan_access(in));
        }
    }

    DocumentedStep scan_access(Scanner& in) {
        DocumentedStep step;
        step.operation = in.word();
        if (step.operation != "read" && step.operation != "write" && step.operation != "update") in.refuse();
        in.expect(" ");
        step.expression = in.expression();
        in.expect(" in ");
        step.place = scan_place(in, step.expression);
        for (std::string called = step.place.function; in.accept(" from ");) {
            step.inlined_into.push_back(scan_place(in, unqualified(called) + "("));
            called = step.inlined_into.back().function;
        }
        in.expect(", holding ");
        step.holding = scan_locks(in);
        in.expect_end();
        return step;
    }

    DocumentedStep scan_request(Scanner& in) {
        DocumentedStep step;
        step.operation = "asks";
        step.asks_for = in.name();
        in.expect(" by ");
        step.expression = in.expression();
        in.expect(" in ");
        step.place = scan_place(in, step.expression);
        in.expect(", holding ");
        step.holding = scan_locks(in);
        in.expect(" since ");
        const std::string taken_by = in.expression();
        in.expect(" ");
        step.since = place(step.place.function, in.mark(), taken_by);
        in.expect_end();
        return step;
    }

    /// "function [mark]", on a line with the expression.
    MarkedLine scan_place(Scanner& in, const std::string& expression) {
        const std::string function = in.word();
        in.expect(" ");
        return place(function, in.mark(), expression);
    }

    MarkedLine place(const std::string& function, const std::string& mark, const std::string& expression) {
        const unsigned line = source_.line_of(mark, expression, line_);
        const std::string around = source_.function_around(line);
        if (around != unqualified(function)) {
            refuse(line, fmt::format("[{}] is documented as a line of {}, but is within {}", mark, function,
                                     around.empty() ? "no function" : around));
        }
        return {.function = function, .mark = mark, .line = line};
    }

    void finish_finding() {
        if (result_.findings.empty()) return;
        const DocumentedFinding& finding = result_.findings.back();
        const std::size_t steps = finding.steps.size();
        const bool enough = finding.kind == "race"        ? steps == 2
                            : finding.kind == "atomicity" ? steps == 3
                                                          : steps >= 2;
        if (!enough) refuse(begun_, fmt::format("{} of {} steps", finding.kind, steps));
        for (const DocumentedStep& step : finding.steps) {
            if ((step.operation == "asks") != (finding.kind == "deadlock"))
                refuse(begun_, "deadlocks are made of requests, everything else of accesses");
        }
        if (finding.because.empty()) refuse(begun_, "the reason is missing");
    }

    static std::string unqualified(const std::string& function) {
        const std::size_t colons = function.rfind("::");
        return colons == std::string::npos ? function : function.substr(colons + 2);
    }

    MarkedSource source_;
    Documentation result_;
    bool in_preface_ = true;
    unsigned line_ = 0;
    unsigned begun_ = 0; ///< the line on which the last finding begins
};

} // namespace

Documentation parse_documentation(std::string_view program) {
    return Parser(program).run();
}

bool name_matches(std::string_view documented, std::string_view name) {
    const std::size_t star = documented.find("[*]");
    if (star == std::string_view::npos) return documented == name;
    if (name.substr(0, star + 1) != documented.substr(0, star + 1)) return false;
    const std::size_t end = name.find_first_not_of("0123456789", star + 1);
    if (end == star + 1 || end == std::string_view::npos) return false;
    return name_matches(documented.substr(star + 2), name.substr(end));
}

} // namespace heddle::test
