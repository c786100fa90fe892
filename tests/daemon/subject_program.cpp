#include "subject_program.h"

#include "daemon/symbols/readable_name.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>

namespace heddle::test {

namespace {

namespace fs = std::filesystem;

std::string normal(const std::string& path) {
    return path == "??" ? "" : fs::path(path).lexically_normal().string();
}

/// "path:12", "path:12 (discriminator 3)", "path:?", "path:12:9"
ToolFrame frame_of(const std::string& function, std::string place, bool has_column) {
    place = place.substr(0, place.find(" (discriminator"));
    if (has_column) place = place.substr(0, place.rfind(':'));
    const std::size_t colon = place.rfind(':');
    const std::string line = place.substr(colon + 1);
    return {.function = function == "??" ? "" : function,
            .file = normal(place.substr(0, colon)),
            .line = line == "?" ? 0U : static_cast<unsigned>(std::stoul(line))};
}

std::string hex_lines(const std::vector<std::uint64_t>& addresses) {
    std::string text;
    for (const std::uint64_t address : addresses) text += fmt::format("0x{:x}\n", address);
    return text;
}

std::string ask(const std::string& command, const std::vector<std::uint64_t>& addresses) {
    const TemporaryFolder folder;
    const std::string text = hex_lines(addresses);
    write_bytes(folder.file("addresses"), {text.begin(), text.end()});
    return shell(folder.file(""), command + " < addresses");
}

/// The last word of a name: "_M_manager" of "std::_Function_handler<…>::_M_manager(…)".
std::string last_word(const std::string& function) {
    std::string name;
    int depth = 0;
    for (const char letter : symbols::short_function_name(function)) {
        if (letter == '<') ++depth;
        if (depth == 0) name += letter;
        if (letter == '>') --depth;
    }
    const std::size_t colon = name.rfind(':');
    if (colon != std::string::npos) name.erase(0, colon + 1);
    return name == "{lambda}" ? "operator()" : name;
}

} // namespace

std::string shell(const std::string& folder, const std::string& line) {
    const Ran ran = run_program({"/bin/sh", "-c", "cd '" + folder + "' && " + line});
    EXPECT_EQ(ran.status, 0) << line << "\n" << ran.err;
    return ran.out;
}

SubjectProgram::SubjectProgram(const std::string& compiler, const std::string& flags,
                               const std::string& source) {
    const char* standard = source.ends_with(".cpp") ? "-std=c++17" : "-x c -std=c11";
    run(fmt::format("{} {} {} {}/{} -o shop", compiler, standard, flags, HEDDLE_SUBJECTS, source));
}

std::uint64_t SubjectProgram::address_of(const std::string& symbol) const {
    if (addresses_.empty()) {
        std::istringstream lines(run("nm --defined-only shop"));
        std::string address;
        std::string kind;
        std::string name;
        while (lines >> address >> kind >> name) addresses_.emplace(name, std::stoull(address, nullptr, 16));
    }
    if (const auto found = addresses_.find(symbol); found != addresses_.end()) return found->second;
    ADD_FAILURE() << "no symbol " << symbol;
    return 0;
}

std::vector<ToolFrames> addr2line(const std::string& binary, const std::vector<std::uint64_t>& addresses) {
    std::istringstream lines(ask("addr2line -a -i -f -C -e '" + binary + "'", addresses));
    std::vector<ToolFrames> all;
    std::string function;
    std::string place;
    while (std::getline(lines, function)) {
        if (function.starts_with("0x")) {
            all.emplace_back();
        } else if (std::getline(lines, place)) {
            all.back().push_back(frame_of(function, place, false));
        }
    }
    return all;
}

std::vector<ToolFrames> llvm_symbolizer(const std::string& binary,
                                        const std::vector<std::uint64_t>& addresses) {
    std::istringstream lines(ask(std::string(HEDDLE_LLVM_SYMBOLIZER) + " --obj='" + binary + "'", addresses));
    std::vector<ToolFrames> all(1);
    std::string function;
    std::string place;
    while (std::getline(lines, function)) {
        if (function.empty()) { // ends an address
            all.emplace_back();
        } else if (std::getline(lines, place)) {
            const ToolFrame frame = frame_of(function, place, true);
            if (frame != ToolFrame{}) all.back().push_back(frame);
        }
    }
    all.pop_back();
    return all;
}

std::vector<ToolFrames> heddle_says(const std::string& binary, const std::vector<std::uint64_t>& addresses) {
    symbols::Symboliser symboliser;
    const auto image = symbols::ElfImage::open(binary);
    if (!image) {
        ADD_FAILURE() << image.error().message;
        return {};
    }
    const auto module = symboliser.module({.path = binary, .build_id = image->build_id(), .recorded_ns = {}});
    std::vector<ToolFrames> all;
    for (const std::uint64_t address : addresses) {
        all.emplace_back();
        for (auto at = symboliser.locate(module, address); at.valid(); at = symboliser[at].inlined_into) {
            const symbols::SourceFrame& frame = symboliser[at].frame;
            all.back().push_back({.function = std::string(symboliser.text(frame.function)),
                                  .file = std::string(symboliser.text(frame.file)),
                                  .line = frame.line});
        }
    }
    return all;
}

std::pair<std::uint64_t, std::uint64_t> section_of(const std::string& binary, const std::string& name) {
    std::istringstream lines(shell("/", "readelf -SW '" + binary + "'"));
    std::string word;
    while (lines >> word) {
        if (word != name) continue;
        std::string type;
        std::string address;
        std::string offset;
        std::string size;
        lines >> type >> address >> offset >> size;
        const std::uint64_t begin = std::stoull(address, nullptr, 16);
        return {begin, begin + std::stoull(size, nullptr, 16)};
    }
    ADD_FAILURE() << binary << " has no section " << name;
    return {0, 0};
}

bool same_function(const std::string& heddle, const std::string& other) {
    const auto bare = [](std::string name) {
        std::erase_if(name, [](char letter) { return letter == '(' || letter == ')' || letter == ' '; });
        return name.substr(0, name.find("[clone"));
    };
    return bare(heddle) == bare(other) ||
           last_word(heddle) == last_word(other.substr(0, other.find(" (."))); // LLVM's "f(int) (.cold)"
}

} // namespace heddle::test
