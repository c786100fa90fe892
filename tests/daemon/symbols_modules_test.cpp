// Binaries that are not as they were when they were recorded: the best true answer, and what to do about it.
#include "daemon/symbols/readable_name.h"
#include "subject_program.h"

#include <filesystem>
#include <fstream>
#include <optional>

#include <gmock/gmock.h>

namespace heddle::symbols {
namespace {

using test::SubjectProgram;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kPriceOf = "_ZN12_GLOBAL__N_18price_ofEi";

/// What Heddle knows of a program, some time after it was recorded.
struct Asked {
    ModuleState state = ModuleState::gone;
    std::string note;
    std::string function;
    std::string file; ///< without folders
    unsigned line = 0;
};

class Recorded {
  public:
    explicit Recorded(const SubjectProgram& program)
        : path_(program.path()), at_(program.address_of(kPriceOf)) {
        const auto image = ElfImage::open(path_);
        if (image) build_id_ = image->build_id();
    }

    [[nodiscard]] const std::string& build_id() const { return build_id_; }
    void set_time(std::int64_t when) { when_ = when; }

    [[nodiscard]] Asked ask(const std::vector<std::string>& folders = {}) const {
        return ask(DebugFolders{.roots = folders});
    }
    [[nodiscard]] Asked ask(const DebugFolders& folders) const {
        Symboliser symboliser({.shown_from = {}, .debug_folders = folders});
        const ModuleNumber module =
            symboliser.module({.path = path_, .build_id = build_id_, .recorded_ns = when_});
        Asked asked{.state = symboliser[module].state(),
                    .note = symboliser[module].note(),
                    .function = {},
                    .file = {}};
        const LocationId location = symboliser.locate(module, at_);
        if (!location.valid()) return asked;
        const SourceFrame& frame = symboliser[location].frame;
        asked.function = short_function_name(symboliser.text(frame.function));
        asked.file = std::filesystem::path(symboliser.text(frame.file)).filename().string();
        asked.line = frame.line;
        return asked;
    }

  private:
    std::string path_;
    std::uint64_t at_;
    std::string build_id_;
    std::optional<std::int64_t> when_;
};

/// Of the program's source.
unsigned line_of(const std::string& text) {
    std::ifstream source(HEDDLE_SUBJECTS "/shop.cpp");
    std::string line;
    for (unsigned number = 1; std::getline(source, line); ++number) {
        if (line.find(text) != std::string::npos) return number;
    }
    return 0;
}

void expect_known(const Asked& asked) {
    EXPECT_EQ(asked.state, ModuleState::known);
    EXPECT_THAT(asked.note, IsEmpty());
    EXPECT_EQ(asked.function, "price_of");
    EXPECT_EQ(asked.file, "shop.cpp");
    EXPECT_EQ(asked.line, line_of("hidden += apples;"));
}

void expect_only_the_address(const Asked& asked, ModuleState state, const char* advice) {
    EXPECT_EQ(asked.state, state);
    EXPECT_THAT(asked.note, HasSubstr(advice));
    EXPECT_EQ(asked.function, "");
    EXPECT_EQ(asked.line, 0U);
}

TEST(SymbolsModules, a_program_with_debug_information_is_known) {
    for (const char* flags :
         {"-O1 -g", "-O1 -g -no-pie", "-O1 -gdwarf-4", "-O1 -g -flto", "-O1 -g -gsplit-dwarf"}) {
        SCOPED_TRACE(flags);
        const SubjectProgram program("g++", flags);
        expect_known(Recorded(program).ask());
    }
}

TEST(SymbolsModules, without_debug_information_functions_are_known) {
    const SubjectProgram program("g++", "-O1");
    const Asked asked = Recorded(program).ask();
    EXPECT_EQ(asked.state, ModuleState::symbols_only);
    EXPECT_THAT(asked.note, HasSubstr("build it with -g"));
    EXPECT_EQ(asked.function, "price_of");
    EXPECT_EQ(asked.line, 0U);
}

TEST(SymbolsModules, of_the_recorder_nothing_is_said) {
    const SubjectProgram program("g++", "-O1");
    program.run("mkdir -p heddle/recorder && cp shop heddle/recorder/libtsan.so.2");
    for (const std::string path : {"shop", "heddle/recorder/libtsan.so.2"}) {
        const auto image = ElfImage::open(program.file(path));
        Symboliser symboliser;
        const ModuleNumber module =
            symboliser.module({.path = program.file(path), .build_id = image->build_id(), .recorded_ns = {}});
        EXPECT_EQ(symboliser[module].worth_telling(), path == "shop");
    }
}

TEST(SymbolsModules, a_stripped_program_is_said_to_be) {
    const SubjectProgram program;
    const Recorded recorded(program);
    program.run("strip shop");
    expect_only_the_address(recorded.ask(), ModuleState::stripped, "do not strip it");
}

TEST(SymbolsModules, a_debug_file_is_found_by_its_link) {
    for (const std::string folder : {"", ".debug/"}) {
        const SubjectProgram program;
        const Recorded recorded(program);
        program.run("objcopy --only-keep-debug shop shop.debug && strip shop && "
                    "objcopy --add-gnu-debuglink=shop.debug shop");
        if (!folder.empty()) program.run("mkdir " + folder + " && mv shop.debug " + folder);
        expect_known(recorded.ask());
    }
}

TEST(SymbolsModules, a_debug_file_that_was_changed_is_not_taken) {
    const SubjectProgram program;
    const Recorded recorded(program);
    program.run("objcopy --only-keep-debug shop shop.debug && strip shop && "
                "objcopy --add-gnu-debuglink=shop.debug shop && printf x >> shop.debug");
    expect_only_the_address(recorded.ask(), ModuleState::stripped, "stripped");
}

TEST(SymbolsModules, a_debug_file_of_another_build_is_not_taken) {
    const SubjectProgram program;
    const Recorded recorded(program);
    const SubjectProgram other("g++", "-O2 -g");
    other.run("objcopy --only-keep-debug shop shop.debug && cp shop.debug '" + program.folder() + "'");
    program.run("strip shop && objcopy --add-gnu-debuglink=shop.debug shop");
    expect_only_the_address(recorded.ask(), ModuleState::stripped, "stripped");
}

/// Puts the program's debug information where distributions do, below `root`.
void keep_by_build_id(const SubjectProgram& program, const std::string& build_id) {
    const std::string folder = "root/.build-id/" + build_id.substr(0, 2);
    program.run("mkdir -p " + folder + " && objcopy --only-keep-debug shop " + folder + "/" +
                build_id.substr(2) + ".debug");
}

TEST(SymbolsModules, a_debug_file_is_found_by_build_id) {
    const SubjectProgram program;
    const Recorded recorded(program);
    keep_by_build_id(program, recorded.build_id());
    program.run("strip shop");
    expect_known(recorded.ask({program.file("root")}));
    program.run("rm shop");
    expect_known(recorded.ask({program.file("root")}));
}

TEST(SymbolsModules, of_what_is_the_systems_lines_are_told_when_asked_for) {
    const SubjectProgram program;
    const Recorded recorded(program);
    keep_by_build_id(program, recorded.build_id());
    program.run("strip shop");
    DebugFolders folders{.roots = {program.file("root")}, .system = {program.folder()}};
    const Asked asked = recorded.ask(folders);
    EXPECT_EQ(asked.state, ModuleState::symbols_only);
    EXPECT_THAT(asked.note, HasSubstr("--system-lines"));
    EXPECT_EQ(asked.function, "price_of");
    EXPECT_EQ(asked.line, 0U);
    folders.system_lines = true;
    expect_known(recorded.ask(folders));
}

TEST(SymbolsModules, a_program_that_was_rebuilt_is_not_guessed_at) {
    const SubjectProgram program;
    const Recorded recorded(program);
    program.run("g++ -std=c++17 -O2 -g " HEDDLE_SUBJECTS "/shop.cpp -o shop");
    expect_only_the_address(recorded.ask(), ModuleState::rebuilt, "was rebuilt since the recording");
    EXPECT_THAT(recorded.ask().note, HasSubstr(recorded.build_id()));
}

TEST(SymbolsModules, a_program_that_is_gone_is_said_to_be) {
    const SubjectProgram program;
    const Recorded recorded(program);
    program.run("mkdir elsewhere && mv shop elsewhere");
    expect_only_the_address(recorded.ask(), ModuleState::gone, "--debug-dir");
    expect_known(recorded.ask({program.file("elsewhere")}));
}

TEST(SymbolsModules, without_a_build_id_time_decides) {
    const SubjectProgram program("g++", "-O1 -g -Wl,--build-id=none");
    Recorded recorded(program);
    ASSERT_THAT(recorded.build_id(), IsEmpty());
    expect_known(recorded.ask());
    const auto image = ElfImage::open(program.path());
    recorded.set_time(image->changed_ns() + 1);
    expect_known(recorded.ask());
    recorded.set_time(image->changed_ns() - 1);
    expect_only_the_address(recorded.ask(), ModuleState::unproven, "-Wl,--build-id");
}

TEST(SymbolsModules, without_a_build_id_an_older_build_that_was_put_in_its_place_is_not_taken) {
    const SubjectProgram program("g++", "-O1 -g -Wl,--build-id=none");
    program.run("g++ -std=c++17 -O2 -g -Wl,--build-id=none " HEDDLE_SUBJECTS "/shop.cpp -o other && "
                "touch -d '2001-01-01' other");
    Recorded recorded(program);
    recorded.set_time(ElfImage::open(program.path())->changed_ns());
    expect_known(recorded.ask());
    program.run("mv other shop");
    expect_only_the_address(recorded.ask(), ModuleState::unproven, "-Wl,--build-id");
}

TEST(SymbolsModules, without_a_build_id_a_path_from_an_unknown_folder_proves_nothing) {
    const SubjectProgram program("g++", "-O1 -g -Wl,--build-id=none");
    const std::string here = std::filesystem::relative(program.path()).string();
    Symboliser symboliser;
    const ModuleNumber module = symboliser.module({.path = here, .build_id = {}, .recorded_ns = {}});
    EXPECT_EQ(symboliser[module].state(), ModuleState::unproven);
    EXPECT_THAT(symboliser[module].note(), HasSubstr("without the folder"));
}

TEST(SymbolsModules, what_is_no_program_is_unreadable) {
    const SubjectProgram program;
    const Recorded recorded(program);
    program.run("echo hello > shop");
    expect_only_the_address(recorded.ask(), ModuleState::unreadable, "not an ELF file");
    const SubjectProgram cut;
    const Recorded recorded_whole(cut);
    cut.run("truncate --size=5000 shop");
    expect_only_the_address(recorded_whole.ask(), ModuleState::unreadable, "cut off");
    program.run("rm shop && mkfifo shop");
    expect_only_the_address(recorded.ask(), ModuleState::unreadable, "not a file");
}

TEST(SymbolsModules, a_function_has_the_name_of_its_source_and_not_of_an_alias) {
    const SubjectProgram program("gcc", "-O0 -g", "aliases.c");
    const auto said = test::heddle_says(program.path(), {program.address_of("a_price")});
    ASSERT_EQ(said.size(), 1U);
    ASSERT_EQ(said[0].size(), 1U);
    EXPECT_EQ(said[0][0].function, "priced");
}

TEST(SymbolsModules, what_belongs_to_no_function_has_no_name) {
    // The linker's table of calls lies between _init, whose size is not told, and the program's own code;
    // nothing lies behind _fini, which does not tell its size either.
    const SubjectProgram program("gcc", "-O0 -g -no-pie", "aliases.c");
    const std::uint64_t table = test::section_of(program.path(), ".plt").first;
    const std::uint64_t end = test::section_of(program.path(), ".fini").second;
    const std::uint64_t init = program.address_of("_init");
    const auto said = test::heddle_says(program.path(), {init, table, table + 16, end, end + 4096});
    ASSERT_EQ(said[0].size(), 1U);
    EXPECT_EQ(said[0][0].function, "_init");
    for (std::size_t i = 1; i < said.size(); ++i) EXPECT_THAT(said[i], IsEmpty());
}

TEST(SymbolsModules, split_units_that_are_missing_are_told_of) {
    const SubjectProgram program("g++", "-O1 -g -gsplit-dwarf");
    program.run("rm -f *.dwo");
    const Asked asked = Recorded(program).ask();
    EXPECT_THAT(asked.note, HasSubstr(".dwo"));
    EXPECT_EQ(asked.function, "price_of") << "the symbol table has it";
    EXPECT_EQ(asked.line, line_of("hidden += apples;"));
}

} // namespace
} // namespace heddle::symbols
