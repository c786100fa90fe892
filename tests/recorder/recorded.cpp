#include "recorded.h"

#include <algorithm>
#include <cstdlib>

namespace heddle::test {

Recorded record_program(const std::vector<std::string>& command, const std::vector<std::string>& options) {
    const TemporaryFolder folder;
    const std::string path = folder.file("trace.htr");
    std::vector<std::string> words = {HEDDLE_PROGRAM, "record", "--quiet", "--output", path};
    words.insert(words.end(), options.begin(), options.end());
    words.push_back("--");
    words.insert(words.end(), command.begin(), command.end());
    Recorded result{.ran = run_program(std::move(words)), .loaded = std::nullopt};
    auto loaded = load_trace(path);
    if (!loaded) {
        ADD_FAILURE() << command[0] << ": " << loaded.error().message << "\n" << result.ran.err;
    } else {
        result.loaded = std::move(*loaded);
    }
    return result;
}

void expect_sound(const LoadedTrace& loaded) {
    for (const Damage& damage : loaded.damage.kept()) ADD_FAILURE() << damage.text();
    EXPECT_EQ(loaded.damage.total(), 0U);
}

int repetitions() {
    const char* asked = std::getenv("HEDDLE_REPEAT");
    return asked == nullptr ? 1 : std::max(1, std::atoi(asked));
}

} // namespace heddle::test
