#include "lsp/json.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace heddle::lsp {
namespace {

using testing::HasSubstr;

std::string error_of(std::string_view text, JsonLimits limits = {}) {
    const auto json = parse_json(text, limits);
    return json ? "no error" : json.error().message;
}

TEST(Json, reads_and_writes_a_value) {
    const std::string text = R"({"a":[1,-2,3.5,"\u00e9"],"b":null})";
    const auto json = parse_json(" " + text + "\n");
    ASSERT_TRUE(json) << json.error().message;
    EXPECT_EQ(to_text(*json), "{\"a\":[1,-2,3.5,\"\xc3\xa9\"],\"b\":null}");
}

TEST(Json, says_what_is_wrong) {
    EXPECT_THAT(error_of("{\"a\":}"), HasSubstr("parse error at line 1, column 6"));
    EXPECT_THAT(error_of(""), HasSubstr("unexpected end of input"));
    EXPECT_THAT(error_of("1 2"), HasSubstr("parse error"));
    EXPECT_THAT(error_of("1e999"), HasSubstr("number overflow"));
    EXPECT_THAT(error_of("\"\xc3\""), HasSubstr("parse error"));
    EXPECT_THAT(error_of("\"\xed\xa0\x80\""), HasSubstr("parse error")); // a surrogate
    EXPECT_THAT(error_of(R"("\ud800")"), HasSubstr("parse error"));
}

TEST(Json, has_limits_that_are_exact) {
    const JsonLimits limits{.max_bytes = 20, .max_depth = 3, .max_values = 5};
    EXPECT_EQ(error_of("[[[]]]", limits), "no error");
    EXPECT_THAT(error_of("[[[[]]]]", limits), HasSubstr("nested 4 deep"));
    EXPECT_EQ(error_of("[1,2,3,4]", limits), "no error");
    EXPECT_THAT(error_of("[1,2,3,4,5]", limits), HasSubstr("6 JSON values"));
    EXPECT_EQ(error_of(R"("[[[[{{{{,,,,,,,\"")", limits), "no error");
    EXPECT_THAT(error_of(std::string(21, ' '), limits), HasSubstr("21 bytes"));
}

TEST(Json, nesting_without_end_is_refused_before_it_is_built) {
    EXPECT_THAT(error_of(std::string(10'000'000, '[')), HasSubstr("nested"));
    const std::string deep(JsonLimits().max_depth, '[');
    EXPECT_EQ(error_of(deep + std::string(deep.size(), ']')), "no error");
}

TEST(Json, bytes_that_are_no_text_are_replaced_when_written) {
    EXPECT_EQ(to_text(Json("a\xff\x62")), "\"a\xef\xbf\xbd\x62\"");
}

} // namespace
} // namespace heddle::lsp
