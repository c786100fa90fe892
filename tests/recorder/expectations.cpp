#include "expectations.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace heddle::test {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
    return parts;
}

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

/// A number as the steps of a trace are written, whatever base it was given in.
std::string canonical(const std::string& number) {
    return std::to_string(std::stoull(number, nullptr, 0));
}

std::string canonical_value(const std::string& text) {
    const std::size_t arrow = text.find("->");
    if (arrow == std::string::npos) return canonical(text);
    return canonical(text.substr(0, arrow)) + "->" + canonical(text.substr(arrow + 2));
}

struct Placed {
    int part = 0; ///< the number after the slash
    Step step;
};

/// "T1,T2/3 w4(x) =5 relaxed" on a line.
std::vector<Placed> parse_steps(const std::string& text, unsigned line,
                                const std::vector<std::string>& build) {
    std::vector<std::string> words = words_of(text);
    if (!words.empty() && words[0].front() == '[') {
        const std::string wanted = words[0].substr(1, words[0].size() - 2);
        if (std::find(build.begin(), build.end(), wanted) == build.end()) return {};
        words.erase(words.begin());
    }
    if (words.size() < 2) throw std::runtime_error("line " + std::to_string(line) + ": no step: " + text);
    Placed placed{.step = {.what = words[1], .line = line}};
    std::string suffix;
    for (std::size_t i = 2; i < words.size(); ++i) {
        if (words[i].front() == '=') {
            placed.step.value = canonical_value(words[i].substr(1));
        } else if (words[i] == "anywhere") {
            placed.step.line = 0;
        } else {
            suffix += " " + words[i];
        }
    }
    placed.step.what += suffix;
    std::string threads = words[0];
    if (const std::size_t slash = threads.find('/'); slash != std::string::npos) {
        placed.part = std::stoi(threads.substr(slash + 1));
        threads.resize(slash);
    }
    std::vector<Placed> result;
    for (const std::string& thread : split(threads, ',')) {
        placed.step.thread = thread;
        result.push_back(placed);
    }
    return result;
}

std::optional<std::string> after(const std::string& line, std::string_view mark) {
    const std::size_t at = line.find(mark);
    if (at == std::string::npos) return std::nullopt;
    return line.substr(at + mark.size());
}

void read_directive(const std::string& line, Expectations& result) {
    if (after(line, "// ignores: heap")) result.ignores_heap = true;
    if (after(line, "// reduced")) result.reduced = true;
    if (after(line, "// ignores: libraries")) result.ignores_libraries = true;
    if (const auto names = after(line, "// threads:")) {
        for (const std::string& word : words_of(*names)) {
            const std::size_t equals = word.find('=');
            result.thread_names[word.substr(0, equals)] = word.substr(equals + 1);
        }
    }
    if (const auto block = after(line, "// block: ")) {
        const std::size_t equals = block->find(" = ");
        result.blocks[block->substr(0, equals)] = block->substr(equals + 3);
    }
    if (const auto stack = after(line, "// stack:")) {
        const std::size_t equals = stack->find(" = ");
        const auto placed = parse_steps(stack->substr(0, equals), 0, {});
        result.stacks.emplace_back(placed.at(0).step, stack->substr(equals + 3));
    }
}

} // namespace

std::string text_of(const Step& step) {
    return step.thread + " " + step.what + (step.value ? " =" + *step.value : "") +
           (step.line == 0 ? "" : " at line " + std::to_string(step.line));
}

bool matches(const Step& expected, const Step& seen) {
    return expected.thread == seen.thread && expected.what == seen.what &&
           (!expected.value || expected.value == seen.value) &&
           (expected.line == 0 || expected.line == seen.line);
}

Expectations read_expectations(const std::string& source, const std::vector<std::string>& build) {
    Expectations result;
    std::map<std::string, std::vector<Placed>> placed;
    std::ifstream in(source);
    if (!in) throw std::runtime_error(source + " cannot be read");
    unsigned number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        read_directive(line, result);
        const auto comment = after(line, "//: ");
        if (!comment) continue;
        for (const std::string& one : split(*comment, ';')) {
            for (Placed& step : parse_steps(one, number, build)) {
                placed[step.step.thread].push_back(std::move(step));
            }
        }
    }
    for (auto& [thread, list] : placed) {
        std::stable_sort(list.begin(), list.end(),
                         [](const Placed& a, const Placed& b) { return a.part < b.part; });
        for (Placed& one : list) result.steps[thread].push_back(std::move(one.step));
    }
    return result;
}

} // namespace heddle::test
