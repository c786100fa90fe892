#include "samples.h"

#include "test_files.h"

#include <algorithm>
#include <filesystem>

namespace heddle::test {

namespace {

const std::filesystem::path kFolder = HEDDLE_SAMPLE_SOURCES;

} // namespace

std::vector<std::string> sample_names() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
        const std::string extension = entry.path().extension().string();
        if (extension == ".c" || extension == ".cpp") names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
}

std::string sample_stem(const std::string& name) {
    return std::filesystem::path(name).stem().string();
}

std::string sample_text(const std::string& name) {
    const std::vector<std::uint8_t> bytes = read_bytes(kFolder / name);
    return {bytes.begin(), bytes.end()};
}

} // namespace heddle::test
