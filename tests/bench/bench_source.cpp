// What tests/bench/source measures:
//   heddle_bench_source --parse FILE N     parses the text, and chooses N random places of its code
//   heddle_bench_source FILE N             the same, and finds the expressions that they are about
// The last line of its output is how many were found.
#include "analysis/source/place_map.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace heddle;
using namespace heddle::source;

std::string text_of(const char* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Reads, writes and locks of names that stand there, as debug information would have them.
std::vector<Place> random_places(std::string_view text, std::size_t count) {
    std::vector<Place> all;
    std::uint32_t line = 1;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\n') {
            ++line;
            begin = at + 1;
        } else if (text[at] != ' ') {
            all.push_back({.line = line,
                           .column = static_cast<std::uint32_t>(at - begin + 1),
                           .operation = Operation::read,
                           .name = text.substr(at, text.find_first_of(" ()[];,.\n", at) - at)});
        }
    }
    std::mt19937_64 random(1);
    std::vector<Place> places;
    constexpr Operation kOperations[] = {Operation::read, Operation::write, Operation::lock};
    while (places.size() < count && !all.empty()) {
        Place place = all[random() % all.size()];
        place.operation = kOperations[random() % 3];
        places.push_back(place);
    }
    return places;
}

} // namespace

int main(int argc, char** argv) {
    const bool only_parse = argc > 1 && std::string_view(argv[1]) == "--parse";
    if (argc != (only_parse ? 4 : 3)) return 2;
    const std::string text = text_of(argv[argc - 2]);
    const std::vector<Place> places = random_places(text, std::strtoull(argv[argc - 1], nullptr, 10));
    const SyntaxTree tree = SyntaxTree::parse(text, Language::cpp);
    const PlaceMap map(tree);
    std::size_t found = 0;
    if (!only_parse) {
        for (const Place& place : places) found += map.locate(place) ? 1U : 0U;
    }
    std::printf("%zu\n", found);
    return 0;
}
