// Heddle and the tools of others say the same of an address.
#include "subject_program.h"

#include <numeric>
#include <random>

#include <gmock/gmock.h>

namespace heddle::test {
namespace {

std::string text(const ToolFrames& frames) {
    std::string all;
    for (const ToolFrame& frame : frames) {
        all += "  " + frame.function + "  " + frame.file + ":" + std::to_string(frame.line) + "\n";
    }
    return all;
}

/// The same functions, files and lines, from the innermost inlined function to the outermost.
bool same(const ToolFrames& ours, const ToolFrames& theirs) {
    if (ours.size() != theirs.size()) return false;
    // What pads the space after a function belongs to it for the others, and to none for Heddle.
    const bool padding = ours.size() == 1 && ours[0].function.empty();
    for (std::size_t i = 0; i < ours.size(); ++i) {
        if (ours[i].file != theirs[i].file || ours[i].line != theirs[i].line) return false;
        if (!padding && !same_function(ours[i].function, theirs[i].function)) return false;
    }
    return true;
}

struct Agreement {
    std::size_t compared = 0; ///< addresses that addr2line knows a line of
    std::size_t outvoted = 0; ///< of them, where it is wrong
};

/// Compares what Heddle says with addr2line. Where they differ, llvm-symbolizer must agree with Heddle:
/// binutils 2.40 do not see functions that Clang inlined in several pieces, take the file of a sequence's
/// first line for the unit's own, and call what is inlined at the start of a function by that function's
/// name.
Agreement compare(const std::string& binary, const std::vector<std::uint64_t>& addresses) {
    Agreement result;
    const auto ours = heddle_says(binary, addresses);
    const auto theirs = addr2line(binary, addresses);
    EXPECT_EQ(ours.size(), theirs.size());
    std::vector<std::uint64_t> disputed;
    std::vector<std::size_t> at;
    for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
        if (theirs[i].empty() || theirs[i][0].file.empty() || theirs[i][0].line == 0) continue;
        ++result.compared;
        if (same(ours[i], theirs[i])) continue;
        disputed.push_back(addresses[i]);
        at.push_back(i);
    }
    if (disputed.empty()) return result;
    result.outvoted = disputed.size();
    const auto judge = llvm_symbolizer(binary, disputed);
    EXPECT_EQ(judge.size(), disputed.size());
    for (std::size_t i = 0; i < std::min(judge.size(), disputed.size()); ++i) {
        EXPECT_TRUE(same(ours[at[i]], judge[i])) << std::hex << "0x" << disputed[i] << "\nHeddle:\n"
                                                 << text(ours[at[i]]) << "addr2line:\n"
                                                 << text(theirs[at[i]]) << "llvm-symbolizer:\n"
                                                 << text(judge[i]);
        if (testing::Test::HasFailure()) break; // one is enough to read
    }
    return result;
}

std::vector<std::uint64_t> every_address(const std::string& binary) {
    const auto [begin, end] = section_of(binary, ".text");
    std::vector<std::uint64_t> addresses;
    for (std::uint64_t at = begin; at < end; ++at) addresses.push_back(at);
    return addresses;
}

TEST(SymbolsAgreement, ten_thousand_addresses_of_a_large_program) {
    // This very program: it has the debug information of many templates, and is optimised.
    const std::string binary = std::filesystem::read_symlink("/proc/self/exe").string();
    const auto [begin, end] = section_of(binary, ".text");
    std::mt19937_64 random(20261116);
    std::size_t compared = 0;
    std::size_t outvoted = 0;
    while (compared < 10'000 && !HasFailure()) {
        std::vector<std::uint64_t> addresses(10'000);
        for (std::uint64_t& address : addresses) address = begin + random() % (end - begin);
        const Agreement agreement = compare(binary, addresses);
        ASSERT_GT(agreement.compared, 0U) << "no debug information";
        compared += agreement.compared;
        outvoted += agreement.outvoted;
    }
    EXPECT_LT(outvoted, compared / 20);
    RecordProperty("compared", std::to_string(compared));
    RecordProperty("outvoted", std::to_string(outvoted));
}

TEST(SymbolsAgreement, every_address_of_a_program_with_split_units) {
    const SubjectProgram program("g++", "-O1 -g -gsplit-dwarf"); // of which addr2line knows nothing
    const std::vector<std::uint64_t> addresses = every_address(program.path());
    const auto ours = heddle_says(program.path(), addresses);
    const auto theirs = llvm_symbolizer(program.path(), addresses);
    ASSERT_EQ(ours.size(), theirs.size());
    std::size_t compared = 0;
    for (std::size_t i = 0; i < ours.size() && !HasFailure(); ++i) {
        if (theirs[i].empty() || theirs[i][0].file.empty() || theirs[i][0].line == 0) continue;
        EXPECT_TRUE(same(ours[i], theirs[i])) << text(ours[i]) << text(theirs[i]);
        ++compared;
    }
    EXPECT_GT(compared, 100U);
}

/// Debug information of code that the linker left out is not taken for that of code which is there. (Of code
/// without any, which comes first, the others say that it is in the function that was left out.)
TEST(SymbolsAgreement, every_address_of_a_function_before_which_much_was_left_out) {
    constexpr std::uint64_t kSize = 1500; // or more
    for (const char* compiler : {"gcc", "clang"}) {
        for (const char* flags : {"-O0 -gdwarf-5", "-O2 -gdwarf-5", "-O2 -gdwarf-4 -gz"}) {
            SCOPED_TRACE(std::string(compiler) + " " + flags);
            const SubjectProgram program(
                compiler, std::string(flags) + " -ffunction-sections -Wl,--gc-sections", "left_out.c");
            std::vector<std::uint64_t> addresses(kSize);
            std::iota(addresses.begin(), addresses.end(), program.address_of("kept"));
            EXPECT_GT(compare(program.path(), addresses).compared, kSize / 2);
            for (const ToolFrames& frames : heddle_says(program.path(), addresses))
                ASSERT_EQ(frames.back().function, "kept");
        }
    }
}

struct Build {
    std::string compiler;
    std::string flags;
};

class SymbolsAgreementOfBuilds : public testing::TestWithParam<Build> {};

TEST_P(SymbolsAgreementOfBuilds, every_address) {
    const auto& [compiler, flags] = GetParam();
    const SubjectProgram program(compiler, flags);
    const Agreement agreement = compare(program.path(), every_address(program.path()));
    EXPECT_GT(agreement.compared, 100U);
}

INSTANTIATE_TEST_SUITE_P(All, SymbolsAgreementOfBuilds,
                         testing::Values(Build{"g++", "-O0 -g"}, Build{"g++", "-O1 -g"},
                                         Build{"g++", "-O2 -g"}, Build{"g++", "-O2 -gdwarf-4"},
                                         Build{"g++", "-O2 -g -no-pie"}, Build{"g++", "-O2 -g -static"},
                                         Build{"g++", "-O2 -g -gz"},
                                         Build{"g++", "-O2 -g -ffunction-sections -Wl,--gc-sections"},
                                         Build{"clang++", "-O0 -g"}, Build{"clang++", "-O1 -g"},
                                         Build{"clang++", "-O2 -g"}, Build{"clang++", "-O2 -gdwarf-4"},
                                         Build{"clang++", "-O2 -g -no-pie"}),
                         [](const auto& build) {
                             std::string name = build.param.compiler + build.param.flags;
                             std::erase_if(name, [](char letter) { return std::isalnum(letter) == 0; });
                             return name;
                         });

} // namespace
} // namespace heddle::test
