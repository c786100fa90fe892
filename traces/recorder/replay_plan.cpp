#include "traces/recorder/replay_plan.h"

#include "traces/recorder/replay_violation.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace heddle::replay {

namespace {

/// The words of one line.
class Line {
  public:
    explicit Line(std::string_view text) : rest_(text) {}

    [[nodiscard]] std::string_view word() {
        const std::size_t end = std::min(rest_.find(' '), rest_.size());
        const std::string_view word = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        return word;
    }
    [[nodiscard]] std::string_view rest() const { return rest_; }
    [[nodiscard]] bool empty() const { return rest_.empty(); }

  private:
    std::string_view rest_;
};

template<typename Number>
std::optional<Number> number(std::string_view word, int base = 10) {
    Number value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
    if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return value;
}

template<typename Names>
std::optional<std::size_t> name_in(const Names& names, std::string_view word) {
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names.begin());
}

class Parser {
  public:
    /// Nothing, or what is wrong with the line.
    const char* take(std::string_view text) {
        Line line(text);
        const std::string_view about = line.word();
        if (about == "violation") return violation(line);
        if (about == "limits") return limits(line);
        if (about == "stay") return plan_.stay = true, nullptr;
        if (about == "module") return module(line);
        if (about == "thread") return thread(line);
        if (about == "step") return step(line);
        if (about == "end") return end(line);
        return "it begins with no word that a plan has";
    }
    [[nodiscard]] bool ended() const { return ended_; }
    [[nodiscard]] Plan& plan() { return plan_; }

  private:
    const char* violation(Line& line) {
        const auto which = name_in(kViolationNames, line.rest());
        if (!which) return "it names no violation";
        plan_.violation = static_cast<Violation>(*which);
        return nullptr;
    }
    const char* limits(Line& line) {
        const auto stall = number<std::uint32_t>(line.word());
        const auto limit = number<std::uint32_t>(line.word());
        if (!stall || !limit) return "two times in milliseconds are expected";
        plan_.stall_ms = *stall;
        plan_.limit_ms = *limit;
        return nullptr;
    }
    const char* module(Line& line) {
        if (plan_.modules.size() == kMaxPlanModules) return "there are too many modules";
        const std::string_view build_id = line.word();
        if (line.empty()) return "the module has no path";
        plan_.modules.push_back(
            {build_id == "-" ? std::string() : std::string(build_id), std::string(line.rest())});
        return nullptr;
    }
    const char* thread(Line& line) {
        if (plan_.threads.size() == kMaxPlanThreads) return "there are too many threads";
        const auto parent = number<std::uint32_t>(line.word());
        const auto fork = number<std::uint32_t>(line.word());
        if (!parent || !fork) return "a parent and a number are expected";
        const bool first = plan_.threads.empty();
        if (first != (*fork == 0) || (!first && *parent >= plan_.threads.size()))
            return "the thread's parent is not before it";
        plan_.threads.push_back({*parent, *fork});
        return nullptr;
    }
    /// "2+1a40"
    bool located(std::string_view word, std::uint32_t& module, std::uint64_t& offset) const {
        const std::size_t plus = word.find('+');
        if (plus == std::string_view::npos) return false;
        const auto which = number<std::uint32_t>(word.substr(0, plus));
        const auto where = number<std::uint64_t>(word.substr(plus + 1), 16);
        if (!which || !where || *which >= plan_.modules.size()) return false;
        module = *which;
        offset = *where;
        return true;
    }
    bool address(std::string_view word, PlanStep& step) const {
        if (word == "-") return true;
        if (word.starts_with('~')) {
            const auto low = number<std::uint64_t>(word.substr(1), 16);
            if (!low || *low > kLowMask) return false;
            step.rule = AddressRule::low;
            step.address = *low;
            return true;
        }
        step.rule = AddressRule::exact;
        return located(word, step.address_module, step.address);
    }
    const char* step(Line& line) {
        if (plan_.steps.size() == kMaxSteps) return "there are too many steps";
        PlanStep step;
        const auto owner = number<std::uint32_t>(line.word());
        if (!owner || *owner >= plan_.threads.size()) return "the step's thread is not in the plan";
        step.thread = *owner;
        const auto operation = name_in(kOperationNames, line.word());
        const auto role = name_in(kRoleNames, line.word());
        const auto part = number<std::uint32_t>(line.word());
        const auto count = number<std::uint32_t>(line.word());
        if (!operation || !role) return "its operation or its role is unknown";
        if (!part || *part >= kMaxParts || !count || *count == 0) return "its part or its count is wrong";
        step.operation = static_cast<Operation>(*operation);
        step.role = static_cast<Role>(*role);
        step.part = *part;
        step.count = *count;
        if (!located(line.word(), step.place_module, step.place_offset)) return "its place is wrong";
        if (!address(line.word(), step)) return "its address is wrong";
        return needs(line, step);
    }
    const char* needs(Line& line, PlanStep& step) {
        step.first_need = static_cast<std::uint32_t>(plan_.needs.size());
        while (!line.empty()) {
            const auto need = number<std::uint32_t>(line.word());
            if (!need) return "what it needs is no step";
            if (plan_.needs.size() == kMaxNeeds) return "its steps need too much";
            plan_.needs.push_back(*need);
            ++step.needs;
        }
        plan_.steps.push_back(step);
        return nullptr;
    }
    const char* end(Line& line) {
        const auto steps = number<std::size_t>(line.rest());
        if (!steps || *steps != plan_.steps.size()) return "it has not as many steps as it says";
        if (plan_.steps.empty() || plan_.modules.empty()) return "it has no steps";
        for (const std::uint32_t need : plan_.needs) {
            if (need >= plan_.steps.size()) return "a step needs one that is not there";
        }
        ended_ = true;
        return problem_of_violation(plan_);
    }

    Plan plan_;
    bool ended_ = false;
};

} // namespace

Result<Plan> parse_plan(std::string_view text) {
    Parser parser;
    std::size_t number = 1;
    while (!text.empty() && !parser.ended()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (number == 1) {
            if (line != kPlanHeader) return fail("it is no replay plan of this version");
        } else if (const char* problem = parser.take(line); problem != nullptr) {
            return fail(fmt::format("line {}: {}", number, problem));
        }
        ++number;
    }
    if (!parser.ended()) return fail("it is cut off");
    return std::move(parser.plan());
}

Result<Plan> read_plan(const char* path) {
    const int file = ::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return fail(std::strerror(errno));
    std::string text;
    char part[65536];
    ssize_t size = 0;
    while ((size = ::read(file, part, sizeof(part))) > 0 && text.size() <= kMaxPlanBytes)
        text.append(part, static_cast<std::size_t>(size));
    ::close(file);
    if (text.size() > kMaxPlanBytes) return fail("it is too large");
    return parse_plan(text);
}

} // namespace heddle::replay
