// A trace told in the program's own words: the same events, with functions, lines and names.
#include "daemon/symbols/symbolised.h"
#include "subject_program.h"
#include "traces/describe.h"
#include "traces/trace_builder.h"

#include <map>

#include <gmock/gmock.h>

namespace heddle::symbols {
namespace {

using test::SubjectProgram;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// A run of the program that never was: events at addresses of its code and data.
class ShopRun {
  public:
    explicit ShopRun(const SubjectProgram& program, std::uint64_t base = 0x5555'0000'0000) : base_(base) {
        const auto image = ElfImage::open(program.path());
        module_ = builder_.module({.path = builder_.string(program.path()),
                                   .build_id = builder_.string(image->build_id()),
                                   .base = base,
                                   .size = 0x100'0000});
        thread_ = ThreadId{builder_.add_object(ObjectKind::thread, {})};
    }

    StackId stack(std::uint64_t offset, StackId caller = {}) {
        return builder_.stack({builder_.place({.module = module_, .offset = offset}), caller});
    }
    /// An access of `size` bytes at an address of the binary.
    EventId access(EventKind kind, std::uint64_t address, std::uint8_t size, StackId stack = {}) {
        const std::uint64_t granule = (base_ + address) & ~std::uint64_t{7};
        const auto [known, added] = variables_.try_emplace(granule);
        if (added) known->second = builder_.add_object(ObjectKind::variable, {.address = granule});
        const auto offset = static_cast<std::uint8_t>(base_ + address - granule);
        return builder_.add({.kind = kind,
                             .thread = thread_,
                             .target = known->second,
                             .stack = stack,
                             .bytes = {offset, size}});
    }
    /// A lock at an address of the binary.
    std::uint32_t lock(std::uint64_t address) {
        return builder_.add_object(ObjectKind::lock, {.address = base_ + address});
    }
    /// Another binary, where this one is, at another time.
    void load(const std::string& path) {
        static_cast<void>(builder_.module({.path = builder_.string(path),
                                           .build_id = builder_.string(ElfImage::open(path)->build_id()),
                                           .base = base_,
                                           .size = 0x200'0000}));
    }
    TraceBuilder& builder() { return builder_; }
    [[nodiscard]] ThreadId thread() const { return thread_; }
    Trace told(Symboliser& symboliser) { return symbolised(builder_.snapshot(), symboliser).trace; }

  private:
    std::uint64_t base_;
    TraceBuilder builder_;
    ModuleId module_;
    ThreadId thread_;
    std::map<std::uint64_t, std::uint32_t> variables_;
};

std::string name_at(const SubjectProgram& program, std::uint64_t address, std::uint8_t size) {
    ShopRun run(program);
    const EventId event = run.access(EventKind::read, address, size, run.stack(program.address_of("main")));
    Symboliser symboliser;
    const Trace told = run.told(symboliser);
    return told.accessed_name(told[event]);
}

TEST(SymbolsTrace, globals_are_named_down_to_their_members) {
    for (const char* compiler : {"g++", "clang++"}) {
        for (const char* flags : {"-O0 -g", "-O2 -g", "-O1 -gdwarf-4 -no-pie"}) {
            SCOPED_TRACE(std::string(compiler) + " " + flags);
            const SubjectProgram program(compiler, flags);
            const std::uint64_t stock = program.address_of("_ZN4shop5stockE");
            EXPECT_EQ(name_at(program, stock, 4), "shop::stock.apples");
            EXPECT_EQ(name_at(program, stock + 4, 4), "shop::stock.pears");
            EXPECT_EQ(name_at(program, stock, 8), "shop::stock") << "both at once";
            EXPECT_EQ(name_at(program, stock + 8 + 2 * 2, 2), "shop::stock.config.limit[2]");
            EXPECT_EQ(name_at(program, stock + 16, 4), "shop::stock.price.whole");
            EXPECT_EQ(name_at(program, program.address_of("_ZN4shop4Till5totalE"), 8), "shop::Till::total");
            EXPECT_EQ(name_at(program, program.address_of("_ZN12_GLOBAL__N_16hiddenE"), 4), "hidden");
            EXPECT_EQ(name_at(program, program.address_of("_ZN12_GLOBAL__N_16countsE") + 12, 4), "counts[3]");
        }
    }
}

TEST(SymbolsTrace, members_of_all_kinds) {
    for (const char* compiler : {"g++", "clang++"}) {
        for (const char* flags : {"-O0 -gdwarf-5", "-O0 -gdwarf-4", "-O0 -g -flto"}) {
            if (compiler == std::string("clang++") && std::string(flags).ends_with("lto")) continue;
            SCOPED_TRACE(std::string(compiler) + " " + flags);
            const SubjectProgram program(compiler, flags, "members.cpp");
            const auto name = [&](const char* symbol, std::uint64_t offset, std::uint8_t size) {
                return name_at(program, program.address_of(symbol) + offset, size);
            };
            EXPECT_EQ(name("flags", 0, 1), "flags.{open,late}") << "bit-fields that share a byte";
            EXPECT_EQ(name("flags", 1, 1), "flags.{kind,count}");
            EXPECT_EQ(name("flags", 3, 1), "flags.last");
            EXPECT_EQ(name("flags", 0, 4), "flags") << "all of them";
            EXPECT_EQ(name("flags", 4, 4), "flags.plain");
            EXPECT_EQ(name("value", 0, 4), "value") << "whole or real";
            EXPECT_EQ(name("value", 2, 2), "value.half[1]");
            EXPECT_EQ(name("value", 1, 1), "value.bytes.high");
            EXPECT_EQ(name("lettered", 0, 1), "lettered.letter");
            EXPECT_EQ(name("derived", 8, 4), "derived[1].number");
            EXPECT_EQ(name("derived", 13, 1), "derived[1].next");
            EXPECT_EQ(name("unnamed", 4, 4), "unnamed.whole");
            EXPECT_EQ(name("unnamed", 5, 1), "unnamed.parts[1]");
            EXPECT_EQ(name("_ZN6SharedIiE5totalE", 0, 4), "Shared<int>::total");
            EXPECT_EQ(name("_ZZ11next_numbervE7counter", 0, 4), "next_number::counter");
        }
    }
}

TEST(SymbolsTrace, variables_that_the_compiler_took_apart_have_their_own_names) {
    const SubjectProgram program("clang", "-O1 -g", "in_parts.c");
    EXPECT_EQ(name_at(program, program.address_of("parts.0"), 8), "parts[0]");
    EXPECT_EQ(name_at(program, program.address_of("parts.1"), 8), "parts[1]");
    EXPECT_EQ(name_at(program, program.address_of("pair.0"), 4), "pair.first");
    EXPECT_EQ(name_at(program, program.address_of("pair.1"), 8), "pair.second");
    EXPECT_EQ(name_at(program, program.address_of("pair.1") + 4, 4), "pair.second+4");
    EXPECT_EQ(name_at(program, program.address_of("level"), 1), "level");
}

TEST(SymbolsTrace, locks_are_the_members_that_are_locks) {
    const SubjectProgram program("g++", "-O0 -g", "members.cpp");
    ShopRun run(program);
    const std::uint32_t guarded = run.lock(program.address_of("guarded"));
    const std::uint32_t padded = run.lock(program.address_of("padded"));
    run.access(EventKind::read, program.address_of("flags"), 4, run.stack(program.address_of("main")));
    Symboliser symboliser;
    const Trace told = run.told(symboliser);
    EXPECT_EQ(told.display_name(ObjectKind::lock, guarded), "guarded.mutex");
    EXPECT_EQ(told.display_name(ObjectKind::lock, padded), "padded") << "not its first letter";
}

TEST(SymbolsTrace, memory_where_two_modules_have_been_belongs_to_neither) {
    const SubjectProgram program;
    const SubjectProgram stripped("g++", "-O1 -s");
    const std::uint64_t stock = program.address_of("_ZN4shop5stockE");
    const auto name_with = [&](const std::string& other) {
        ShopRun run(program);
        if (!other.empty()) run.load(other);
        const EventId event = run.access(EventKind::read, stock, 4, run.stack(program.address_of("main")));
        Symboliser symboliser;
        const Trace told = run.told(symboliser);
        return told.accessed_name(told[event]);
    };
    EXPECT_EQ(name_with(""), "shop::stock.apples");
    EXPECT_EQ(name_with(program.path()), "shop::stock.apples") << "unloaded, and loaded again";
    EXPECT_THAT(name_with(stripped.path()), StartsWith("0x")) << "nobody knows what the other has there";
}

TEST(SymbolsTrace, names_survive_without_debug_information) {
    const SubjectProgram program("g++", "-O1");
    const std::uint64_t stock = program.address_of("_ZN4shop5stockE");
    EXPECT_EQ(name_at(program, stock, 4), "shop::stock");
    EXPECT_EQ(name_at(program, stock + 4, 4), "shop::stock+4");
}

TEST(SymbolsTrace, small_variables_that_share_eight_bytes_are_told_apart) {
    const SubjectProgram program;
    const std::uint64_t stock = program.address_of("_ZN4shop5stockE");
    ShopRun run(program);
    const StackId at = run.stack(program.address_of("main"));
    const EventId apples = run.access(EventKind::read, stock, 4, at);
    const EventId pears = run.access(EventKind::write, stock + 4, 4, at);
    Symboliser symboliser;
    const Trace told = run.told(symboliser);
    ASSERT_EQ(told[apples].variable(), told[pears].variable());
    EXPECT_EQ(describe(told, told[apples]), "read shop::stock.apples");
    EXPECT_EQ(describe(told, told[pears]), "write shop::stock.pears");
    EXPECT_EQ(told.display_name(ObjectKind::variable, 0), "shop::stock.apples, shop::stock.pears");
}

TEST(SymbolsTrace, stacks_go_through_inlined_calls_and_keep_their_numbers) {
    const SubjectProgram program("g++", "-O2 -g");
    const std::uint64_t price_of = program.address_of("_ZN12_GLOBAL__N_18price_ofEi");
    ShopRun run(program);
    const StackId outer = run.stack(program.address_of("main"));
    std::vector<StackId> stacks;
    for (std::uint64_t i = 0; i < 40; ++i) stacks.push_back(run.stack(price_of + i, outer));
    const EventId event = run.access(EventKind::read, program.address_of("_ZN4shop5stockE"), 4, stacks[0]);
    const Trace before = run.builder().snapshot();
    Symboliser symboliser;
    const Trace told = symbolised(before, symboliser).trace;
    ASSERT_EQ(told.size(), before.size());
    EXPECT_EQ(told[event].stack(), before[event].stack());
    EXPECT_THAT(stack_text(told, outer), HasSubstr("main@"));
    bool inlined = false;
    for (const StackId stack : stacks) {
        const std::string text = stack_text(told, stack);
        if (text.starts_with("twice@")) {
            inlined = true;
            EXPECT_THAT(text, HasSubstr(" < four_times@"));
            EXPECT_THAT(text, HasSubstr(" < price_of@"));
        }
        EXPECT_THAT(text, EndsWith(stack_text(told, outer)));
    }
    EXPECT_TRUE(inlined);
}

TEST(SymbolsTrace, instructions_of_one_source_place_are_one_place) {
    const SubjectProgram program("g++", "-O0 -g");
    const std::uint64_t price_of = program.address_of("_ZN12_GLOBAL__N_18price_ofEi");
    ShopRun run(program);
    std::vector<StackId> stacks;
    for (std::uint64_t i = 0; i < 60; ++i) stacks.push_back(run.stack(price_of + i));
    run.access(EventKind::read, program.address_of("_ZN4shop5stockE"), 4, stacks[0]);
    Symboliser symboliser;
    const Trace told = run.told(symboliser);
    std::map<std::string, PlaceId> place_of;
    for (const StackId stack : stacks) {
        const PlaceId place = told.place_of(stack);
        const auto [known, added] = place_of.try_emplace(told.place_text(place), place);
        EXPECT_EQ(known->second, place) << known->first;
    }
    EXPECT_LT(place_of.size(), stacks.size());
    EXPECT_GT(place_of.size(), 3U);
}

TEST(SymbolsTrace, heap_blocks_are_named_by_where_they_come_from) {
    const SubjectProgram program;
    ShopRun run(program);
    TraceBuilder& builder = run.builder();
    const BlockId block{builder.add_object(ObjectKind::block, {.address = 0x9000, .size = 64})};
    const std::uint32_t inside =
        builder.add_object(ObjectKind::variable, {.block = block, .address = 0x9010});
    const std::uint32_t lock = builder.add_object(ObjectKind::lock, {.block = block, .address = 0x9000});
    builder.add({.kind = EventKind::alloc,
                 .thread = run.thread(),
                 .target = block.value,
                 .stack = run.stack(program.address_of("next_number"))});
    const EventId read =
        builder.add({.kind = EventKind::read, .thread = run.thread(), .target = inside, .bytes = {4, 4}});
    Symboliser symboliser;
    const Trace told = run.told(symboliser);
    const std::string name = told.display_name(ObjectKind::lock, lock);
    EXPECT_THAT(name, StartsWith("heap block of 64 bytes allocated in next_number (shop.cpp:"));
    EXPECT_THAT(told.accessed_name(told[read]), EndsWith(" + 20"));
    EXPECT_THAT(told.display_name(ObjectKind::variable, inside), EndsWith(" + 16"));
}

TEST(SymbolsTrace, what_is_told_by_its_source_is_left_alone) {
    TraceBuilder builder;
    const ThreadId thread{builder.add_object(ObjectKind::thread, {})};
    const PlaceId place = builder.place(
        {.function = builder.string("deposit"), .file = builder.string("bank.cpp"), .line = 41});
    builder.add({.kind = EventKind::thread_begin, .thread = thread, .stack = builder.stack({place, {}})});
    const Trace trace = builder.snapshot();
    Symboliser symboliser;
    EXPECT_EQ(symbolised(trace, symboliser).trace, trace);
}

} // namespace
} // namespace heddle::symbols
