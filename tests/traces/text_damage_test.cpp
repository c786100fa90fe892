// What the reader says about text that is not the notation.
#include "text_of.h"

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct BadLine {
    std::string line;
    std::string complaint; ///< after "t.std:2:"
};

class TextDamage : public testing::TestWithParam<BadLine> {};

TEST_P(TextDamage, names_the_spot_and_what_was_expected) {
    const TextTrace read = heddle::read("T0 w(a)\n" + GetParam().line + "\nT0 w(b)\n");
    EXPECT_EQ(read.trace.size(), 2U);
    EXPECT_EQ(read.trace.thread_count(), 1U) << "a bad line left a thread behind";
    ASSERT_EQ(read.damage.total(), 1U);
    EXPECT_EQ(read.damage.kept()[0].kind, DamageKind::syntax);
    EXPECT_EQ(read.damage.kept()[0].text(), "t.std:2:" + GetParam().complaint);
}

constexpr const char* kAttributes =
    "an attribute such as =5, relaxed, bytes=0+4, ticket=1, spurious, tried, round=1 or count=1";

INSTANTIATE_TEST_SUITE_P(
    All, TextDamage,
    testing::Values(
        BadLine{"T1|foo(x)|3", "4: expected an operation such as r, w, acq, found 'foo'"},
        BadLine{"  T1 foo(x)", "6: expected an operation such as r, w, acq, found 'foo'"},
        BadLine{"T1|R(x)|3", "4: expected an operation such as r, w, acq, found 'R'"},
        BadLine{"T1", "3: expected an operation such as r, w, acq, found the end of the line"},
        BadLine{"T1|", "4: expected an operation such as r, w, acq, found the end of the line"},
        BadLine{"T1||3", "4: expected an operation such as r, w, acq, found '|3'"},
        BadLine{"|w(x)|3", "1: expected the name of a thread, found '|w(x)|3'"},
        BadLine{"T1|w|3", "5: expected the name of a variable in parentheses, as in r(x), found '|3'"},
        BadLine{"T1 acq",
                "7: expected the name of a lock in parentheses, as in acq(m), found the end of the line"},
        BadLine{"T1|fork()|3",
                "10: expected the name of a thread in parentheses, as in fork(T1), found '|3'"},
        BadLine{"T1|w(x|3", "6: expected a closing ) after the target, found 'x'"},
        BadLine{"T1|fence(x)|3", "10: expected no target for this operation, found 'x'"},
        BadLine{"T1|w(x)|3|five", "11: expected " + std::string(kAttributes) + ", found 'five'"},
        BadLine{"T1|w(x)|3|color=red", "11: expected " + std::string(kAttributes) + ", found 'color=red'"},
        BadLine{"T1 w(x) @a b", "12: expected " + std::string(kAttributes) + ", found 'b'"},
        BadLine{"T1|w(x)|3|=",
                "12: expected a number of at most 64 bits, decimal or 0x hexadecimal, found the end of "
                "the line"},
        BadLine{"T1|w(x)|3|=12z",
                "12: expected a number of at most 64 bits, decimal or 0x hexadecimal, found '12z'"},
        BadLine{"T1|w(x)|3|=18446744073709551616", "12: expected a number of at most 64 bits, decimal or 0x "
                                                   "hexadecimal, found '18446744073709551616'"},
        BadLine{"T1|w(x)|3|=256 bytes=0+1",
                "12: expected a value that fits the bytes of the access, found '256'"},
        BadLine{"T1|w(x)|3|=-129 bytes=0+1",
                "12: expected a value that fits the bytes of the access, found '-129'"},
        BadLine{"T1|w(x)|3|=1->2", "11: expected =VALUE, as in =5 or =0x1f, found '=1->2'"},
        BadLine{"T1|atomic_rmw(x)|3|=1", "20: expected =READ->WRITTEN, as in =0->1, found '=1'"},
        BadLine{"T1|acq(m)|3|=1",
                "13: expected a value only with reads, writes and atomic accesses, found '=1'"},
        BadLine{"T1|w(x)|3|=1 =2", "14: expected one value, found '=2'"},
        BadLine{"T1|w(x)|3|relaxed",
                "11: expected a memory order only with atomic operations and fences, found "
                "'relaxed'"},
        BadLine{"T1|fence|3|acquire release", "20: expected one memory order, found 'release'"},
        BadLine{"T1|w(x)|3|bytes=4+5",
                "11: expected bytes=OFFSET+SIZE within the 8 bytes of a variable, as in "
                "bytes=4+2, found 'bytes=4+5'"},
        BadLine{"T1|acq(m)|3|bytes=0+1",
                "13: expected bytes=… only with reads, writes and atomic accesses, found "
                "'bytes=0+1'"},
        BadLine{"T1|w(x)|3|ticket=1",
                "11: expected ticket=… only with notify, notify_all, wait_post, found 'ticket=1'"},
        BadLine{"T1|w(x)|3|round=1",
                "11: expected round=… only with barrier_enter, barrier_leave, found 'round=1'"},
        BadLine{"T1|w(x)|3|count=1", "11: expected count=… only with sem_init, found 'count=1'"},
        BadLine{"T1|notify(c)|3|spurious", "16: expected spurious only with wait_post, found 'spurious'"},
        BadLine{"T1|notify(c)|3|ticket=x",
                "16: expected a number of at most 64 bits after the =, found 'ticket=x'"},
        BadLine{"T1|wait_post(c)||ticket=1 spurious",
                "27: expected one ticket, round or count, found 'spurious'"},
        BadLine{"T1|w(x)|a <  < b", "9: expected a frame on both sides of each <, found 'a <  < b'"},
        BadLine{"#! frob x", "4: expected a directive: meta, module, object or place, found 'frob'"},
        BadLine{"#! meta colour x", "9: expected command, test, start_time_unix_ns, duration_ns, exit_status "
                                    "or setting, found 'colour'"},
        BadLine{"#! meta exit_status 99999999999",
                "21: expected a number that fits, decimal or 0x hexadecimal, found '99999999999'"},
        BadLine{"#! module", "10: expected the path of a module, found the end of the line"},
        BadLine{"#! module a.so big", "16: expected an attribute of the form key=value, found 'big'"},
        BadLine{"#! module a.so big=1", "16: expected build-id=…, base=… or size=…, found 'big=1'"},
        BadLine{"#! object mutex m", "11: expected a kind: thread, lock, variable, condition, barrier, "
                                     "semaphore, once, block, tag, found "
                                     "'mutex'"},
        BadLine{"#! object lock", "15: expected what the lines call the object, found the end of the line"},
        BadLine{"#! object block m block=b",
                "19: expected name=…, address=…, size=… or, of what lies in a block, block=…, found 'block=b'"},
        BadLine{"#! place p module=0",
                "19: expected the number of a module declared before, counted from 0, found '0'"},
        BadLine{std::string("T1|w(\0)|3", 9), "6: expected text, found a NUL byte"},
        BadLine{"T1|\x01\x7f(x)|3", "4: expected an operation such as r, w, acq, found '\\x01\\x7f'"},
        BadLine{"T1|" + std::string(50, 'z') + "(x)",
                "4: expected an operation such as r, w, acq, found '" + std::string(40, 'z') + "…'"}));

TEST(TextDamageLog, lines_over_the_limit_are_passed_over) {
    TextReadOptions options;
    options.limits.max_line_bytes = 100;
    const std::string far_too_long(1'000'000, 'x');
    EXPECT_THAT(damage_of("T w(x)\nT w(" + std::string(200, 'x') + ")\nT w(y)\n" + far_too_long +
                              "\nT w(z)\n" + far_too_long,
                          options),
                ElementsAre("t.std:2: the line is longer than 100 bytes; it was left out",
                            "t.std:4: the line is longer than 100 bytes; it was left out",
                            "t.std:6: the line is longer than 100 bytes; it was left out"));
    EXPECT_EQ(read("T w(x)\n" + far_too_long + "\nT w(y)\n", options).trace.size(), 2U);
}

TEST(TextDamageLog, a_line_may_be_as_long_as_the_limit_and_longer_than_the_buffer) {
    const std::string name((std::size_t{1} << 20U) - 10, 'x');
    EXPECT_EQ(trace_of("T w(" + name + ")\nT r(" + name + ")\n").name(ObjectKind::variable, 0), name);
}

TEST(TextDamageLog, too_many_events_are_cut_off) {
    TextReadOptions options;
    options.limits.max_events = 2;
    const TextTrace result = read("T w(x)\nT w(x)\nT w(x)\nT w(x)\n", options);
    EXPECT_EQ(result.trace.size(), 2U);
    EXPECT_THAT(damage_of("T w(x)\nT w(x)\nT w(x)\nT w(x)\n", options),
                ElementsAre("t.std:3: more than 2 events; the rest was left out"));
}

TEST(TextDamageLog, modules_have_a_limit) {
    TextReadOptions options;
    options.limits.max_modules = 1;
    EXPECT_THAT(damage_of("#! module a\n#! module b\n", options), ElementsAre(HasSubstr("fewer modules")));
}

TEST(TextDamageLog, what_is_no_trace_at_all_is_an_error) {
    const auto result = try_read("#include <vector>\nint main() {\n  return 0;\n}\n");
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().message,
              "t.std: not a trace: t.std:2:5: expected an operation such as r, w, acq, found 'main'");
}

TEST(TextDamageLog, keeps_the_first_complaints_and_counts_the_rest) {
    std::string text = "T w(x)\n";
    for (int i = 0; i < 500; ++i) text += "what is this\n";
    const TextTrace result = read(text);
    EXPECT_EQ(result.damage.total(), 500U);
    EXPECT_EQ(result.damage.kept().size(), 100U);
}

TEST(TextDamageLog, any_prefix_of_a_trace_is_read_without_harm) {
    const std::string text =
        "#! module /a base=0x1\n#! object lock m name=mu\nT1|acq(m)|f@a.c:1:2 < g@/a+0x5|\n"
        "T1|atomic_rmw(x)|a\\|b|=1->2 relaxed bytes=0+4\nT1|wait_post(c)||spurious\r\n";
    for (std::size_t length = 0; length <= text.size(); ++length) {
        const auto result = try_read(text.substr(0, length));
        EXPECT_TRUE(!result || result->damage.total() <= 1) << text.substr(0, length);
    }
}

} // namespace
} // namespace heddle
