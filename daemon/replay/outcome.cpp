#include "daemon/replay/outcome.h"

#include "daemon/report/finding_words.h"
#include "traces/describe.h"
#include "traces/recorder/replay_operations.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

namespace heddle::replay {

namespace {

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    while (!line.empty()) {
        const std::size_t end = std::min(line.find(' '), line.size());
        words.push_back(line.substr(0, end));
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    return words;
}

template<typename Number>
Number number(std::string_view word, int base = 10) {
    Number value{};
    std::from_chars(word.data(), word.data() + word.size(), value, base);
    return value;
}

void read_line(std::string_view line, Outcome& outcome) {
    const std::vector<std::string_view> words = words_of(line);
    if (words.size() < 2) return;
    if (words[0] == "process") {
        outcome.told = Told::began;
        outcome.process = number<pid_t>(words[1]);
    } else if (words[0] == "confirmed") {
        outcome.told = Told::confirmed;
        outcome.address = number<std::uint64_t>(words[1], 16);
        for (std::size_t i = 2; i < words.size(); ++i)
            outcome.standing.push_back(number<std::uint32_t>(words[i]));
    } else if (words[0] == "diverged" && words.size() == 4) {
        outcome.told = Told::diverged;
        outcome.why = words[1];
        outcome.thread = number<std::uint32_t>(words[2]);
        outcome.step = number<std::uint32_t>(words[3]);
    } else if (words[0] == "thread" && words.size() == 4) {
        outcome.threads.push_back(
            {number<std::uint32_t>(words[1]), std::string(words[2]), number<std::uint32_t>(words[3])});
    } else if (words[0] == "exited") {
        outcome.told = Told::exited;
        outcome.status = number<int>(words[1]);
    } else if (words[0] == "refused") {
        outcome.told = Told::refused;
        outcome.why = words[1];
        outcome.about = line.substr(std::min(line.size(), words[0].size() + words[1].size() + 2));
    }
}

class Explainer {
  public:
    Explainer(const Trace& trace, const MadePlan& made) : trace_(trace), made_(made) {}

    [[nodiscard]] std::string thread(std::uint32_t number) const {
        if (number >= made_.threads.size()) return "a thread";
        return "thread " + full_name(trace_, made_.threads[number]);
    }
    /// "'read account.balance' at bank.cpp:28:3"
    [[nodiscard]] std::string step(std::uint32_t number) const {
        if (number >= made_.events.size()) return "its end";
        const EventView event = trace_[made_.events[number]];
        return fmt::format("'{}' at {}", describe(trace_, event), report::place_or_event(trace_, event.id()));
    }
    [[nodiscard]] std::string divergence(const Outcome& outcome) const {
        const std::string who = thread(outcome.thread);
        const std::string what = step(outcome.step);
        if (outcome.why == "passed")
            return fmt::format("{} went on without {}: it took another way than in the recorded run", who,
                               what);
        if (outcome.why == "ended") return fmt::format("{} ended before it came to {}", who, what);
        if (outcome.why == "elsewhere")
            return fmt::format(
                "all threads came to their places, but what they are about to use is not the same ({})",
                what);
        return fmt::format("{}: {}",
                           outcome.why == "stalled"
                               ? "all threads wait, and nobody comes to the next step"
                               : "the time is over before all threads came to their steps",
                           standings(outcome));
    }
    /// Where those are that have not done all they should.
    [[nodiscard]] std::string standings(const Outcome& outcome) const {
        std::vector<std::string> parts;
        for (const ToldThread& one : outcome.threads) {
            if (one.next >= made_.events.size() || made_.plan.steps[one.next].role == Role::hold) continue;
            const std::string_view doing = one.activity == "parked"   ? "waits for its turn at"
                                           : one.activity == "unborn" ? "was not created, and should do"
                                                                      : "has not come to";
            parts.push_back(fmt::format("{} {} {}", thread(one.thread), doing, step(one.next)));
        }
        return parts.empty() ? "nobody is missing" : fmt::format("{}", fmt::join(parts, "; "));
    }

  private:
    const Trace& trace_;
    const MadePlan& made_;
};

std::string input_hint(const AttemptRequest& request) {
    return request.input.empty() ? "; its input was empty (--stdin FILE gives it one)" : "";
}

} // namespace

Outcome read_outcome(std::string_view text) {
    Outcome outcome;
    if (!text.starts_with(kResultHeader)) return outcome;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        read_line(text.substr(0, end), outcome);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return outcome;
}

std::string explain(const Trace& trace, const MadePlan& made, const Outcome& outcome, const Attempt& attempt,
                    const AttemptRequest& request) {
    const Explainer explainer(trace, made);
    if (outcome.told == Told::diverged) return explainer.divergence(outcome);
    if (outcome.told == Told::exited) {
        return fmt::format("the program ended with status {} before all threads came to their steps{}",
                           outcome.status, input_hint(request));
    }
    const bool began = outcome.told != Told::nothing;
    if (attempt.end == AttemptEnd::timed_out) {
        return fmt::format("the program was ended after {:.1f} s{}; --timeout gives it more time",
                           std::chrono::duration<double>(request.limit).count(),
                           began ? ", before all threads came to their steps" + input_hint(request)
                                 : ", and no process of it ran the recorded binary under the recorder");
    }
    if (attempt.signal != 0) {
        return fmt::format("the program was killed by signal {} ({}) before all threads came to their steps",
                           attempt.signal, strsignal(attempt.signal));
    }
    if (began)
        return fmt::format("the program ended with status {} in the middle of the schedule", attempt.status);
    return fmt::format("the program ended with status {}, and no process of it ran {} under the recorder",
                       attempt.status, made.plan.modules[0].path);
}

} // namespace heddle::replay
