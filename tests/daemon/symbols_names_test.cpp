// Names as people write them, and which of overlapping ranges an address belongs to.
#include "daemon/symbols/interval_map.h"
#include "daemon/symbols/readable_name.h"

#include <random>

#include <gmock/gmock.h>

namespace heddle::symbols {
namespace {

std::string short_of(const char* linkage_name) {
    return short_function_name(demangled(linkage_name));
}

TEST(SymbolsNames, functions_have_no_parameters) {
    EXPECT_EQ(demangled("_ZN7Account7depositEi"), "Account::deposit(int)");
    EXPECT_EQ(short_of("_ZN7Account7depositEi"), "Account::deposit");
    EXPECT_EQ(short_of("_ZNK7Account7balanceEv"), "Account::balance");
    EXPECT_EQ(short_of("_ZN12_GLOBAL__N_18price_ofEi"), "price_of");
    EXPECT_EQ(short_of("_ZN12_GLOBAL__N_18price_ofEi.cold"), "price_of");
    EXPECT_EQ(short_of("main"), "main");
    EXPECT_EQ(short_of("next_number.part.0"), "next_number");
}

TEST(SymbolsNames, templates_have_no_return_type) {
    EXPECT_EQ(short_function_name("void std::sort<int*>(int*, int*)"), "std::sort<int*>");
    EXPECT_EQ(short_function_name("std::vector<int, std::allocator<int> >& f<int>(int)"), "f<int>");
    EXPECT_EQ(short_function_name("decltype (g(0)) f<int>(int)"), "f<int>");
}

TEST(SymbolsNames, operators_keep_their_brackets) {
    EXPECT_EQ(short_function_name("operator<<(std::ostream&, Account const&)"), "operator<<");
    EXPECT_EQ(short_function_name("Less::operator()(int, int) const"), "Less::operator()");
    EXPECT_EQ(short_function_name("bool operator< <int>(Box<int> const&)"), "operator<<int>");
    EXPECT_EQ(short_function_name("Box::operator bool() const"), "Box::operator bool");
    EXPECT_EQ(short_function_name("Box::operator->() const"), "Box::operator->");
    EXPECT_EQ(short_function_name("operator new(unsigned long)"), "operator new");
}

TEST(SymbolsNames, lambdas_are_called_the_same_by_all_compilers) {
    EXPECT_EQ(short_function_name("main::{lambda()#1}::operator()() const"), "main::{lambda}");
    EXPECT_EQ(short_function_name("main::$_0::operator()() const"), "main::{lambda}");
    EXPECT_EQ(short_function_name("main::{lambda}::operator()"), "main::{lambda}");
    EXPECT_EQ(short_function_name("Bank::run(int)::{lambda(auto:1)#2}::operator()<int>(int) const"),
              "Bank::run::{lambda}");
    EXPECT_EQ(short_function_name("both<main()::<lambda()> >"), "both<main::{lambda} >");
    EXPECT_EQ(short_function_name("void both<main::{lambda()#1}>(main::{lambda()#1})"),
              "both<main::{lambda}>");
}

TEST(SymbolsNames, names_that_make_no_sense_are_kept) {
    for (const char* name : {"", "(", "<<<", "_Z", "_Z1", "a(b", "x<y", "{", "operator", "::"}) {
        EXPECT_NO_THROW(static_cast<void>(short_of(name)));
    }
    EXPECT_EQ(short_of("_Z"), "_Z");
}

TEST(SymbolsNames, variables) {
    EXPECT_EQ(short_variable_name(demangled("_ZN4shop4Till5totalE")), "shop::Till::total");
    EXPECT_EQ(short_variable_name(demangled("_ZZ11next_numberiE7counter")), "next_number::counter");
    EXPECT_EQ(short_variable_name(demangled("_ZGVZ11next_numberiE7counter")), "next_number::counter");
    EXPECT_EQ(short_variable_name("vtable for Shape"), "vtable for Shape");
}

TEST(SymbolsNames, of_overlapping_ranges_the_highest_rank_wins) {
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        std::vector<Interval> intervals(random() % 12);
        for (std::uint32_t i = 0; i < intervals.size(); ++i) {
            const std::uint64_t begin = random() % 40;
            intervals[i] = {.begin = begin, .end = begin + random() % 20, .value = i, .rank = i};
        }
        const IntervalMap map(intervals);
        for (std::uint64_t address = 0; address < 64; ++address) {
            std::uint32_t expected = IntervalMap::kNothing;
            for (const Interval& one : intervals) {
                if (one.begin <= address && address < one.end) expected = one.value;
            }
            ASSERT_EQ(map.find(address), expected) << "round " << round << ", address " << address;
        }
    }
}

} // namespace
} // namespace heddle::symbols
