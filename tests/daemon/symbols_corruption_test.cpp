// Debug information that is damaged in any way: no crash, no hang, no memory that the file does not justify.
#include "subject_program.h"

#include <chrono>
#include <random>

#include <gmock/gmock.h>

namespace heddle::symbols {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Changes a few bytes, a few words, or cuts the file off.
void damage(Bytes& bytes, std::mt19937_64& random) {
    const std::size_t changes = 1 + random() % 20;
    for (std::size_t i = 0; i < changes; ++i) {
        const std::size_t at = random() % bytes.size();
        switch (random() % 4) {
        case 0: bytes[at] = static_cast<std::uint8_t>(random()); break;
        case 1: bytes[at] ^= static_cast<std::uint8_t>(1U << (random() % 8)); break;
        case 2: bytes[at] = 0xFF; break;
        default:
            for (std::size_t k = at; k < std::min(at + 8, bytes.size()); ++k)
                bytes[k] = static_cast<std::uint8_t>(random());
        }
    }
    if (random() % 50 == 0) bytes.resize(random() % bytes.size());
}

/// Asks for everything that debug information is read for.
void ask_everything(const std::string& path, const std::string& build_id, std::mt19937_64& random) {
    Symboliser symboliser;
    const ModuleNumber module = symboliser.module({.path = path, .build_id = build_id, .recorded_ns = {}});
    const auto address = [&] { return 0x1000 + random() % 0x7000; };
    for (int i = 0; i < 300; ++i) static_cast<void>(symboliser.locate(module, address()));
    for (int i = 0; i < 50; ++i) {
        const std::uint64_t data = address();
        static_cast<void>(symboliser[module].static_variable({data, data + 4}));
        const CallFrame frame{.stack_pointer = 0x7000'0000, .cfa = 0x7000'0100};
        const std::uint64_t local = frame.stack_pointer + random() % 0x100;
        static_cast<void>(symboliser[module].frame_variable(address(), frame, {local, local + 4}));
    }
}

class SymbolsCorruption : public testing::TestWithParam<const char*> {};

TEST_P(SymbolsCorruption, is_survived_a_thousand_times) {
    const test::SubjectProgram program(GetParam());
    const Bytes original = test::read_bytes(program.path());
    const auto started = std::chrono::steady_clock::now();
    for (unsigned seed = 0; seed < 1000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937_64 random(seed);
        Bytes bytes = original;
        damage(bytes, random);
        const std::string path = program.file("damaged");
        test::write_bytes(path, bytes);
        const auto image = ElfImage::open(path);
        ask_everything(path, image ? image->build_id() : "", random);
    }
    // A thousand take a few seconds; a list that leads back to itself would take for ever.
    EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::minutes(4));
}

INSTANTIATE_TEST_SUITE_P(Of, SymbolsCorruption, testing::Values("g++", "clang++"), [](const auto& compiler) {
    return std::string(compiler.param).substr(0, std::string(compiler.param).find('+'));
});

} // namespace
} // namespace heddle::symbols
