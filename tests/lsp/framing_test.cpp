#include "lsp/framing.h"

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>

namespace heddle::lsp {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// What the reader gives out, in order: bodies as they are, errors as "error: …".
std::vector<std::string> drain(FrameReader& reader) {
    std::vector<std::string> results;
    while (const auto result = reader.next())
        results.push_back(result->has_value() ? **result : "error: " + result->error().message);
    return results;
}

std::vector<std::string> read(std::string_view stream, std::size_t piece, FramingLimits limits = {}) {
    FrameReader reader(limits);
    std::vector<std::string> results;
    for (std::size_t at = 0; at < stream.size(); at += piece) {
        reader.feed(stream.substr(at, piece));
        for (std::string& result : drain(reader)) results.push_back(std::move(result));
    }
    if (const auto error = reader.finish()) results.push_back("end: " + error->message);
    return results;
}

/// Reads the stream in pieces of every size; the result may not depend on it.
std::vector<std::string> read(std::string_view stream, FramingLimits limits = {}) {
    auto whole = read(stream, stream.size() + 1, limits);
    for (std::size_t piece = 1; piece <= stream.size() && piece <= 100; ++piece)
        EXPECT_EQ(read(stream, piece, limits), whole) << "in pieces of " << piece;
    return whole;
}

auto error(std::string_view what) {
    return AllOf(StartsWith("error: "), HasSubstr(std::string(what)));
}

const std::string kGood = frame(R"({"id":1})");

TEST(Framing, a_frame_is_read_back) {
    EXPECT_EQ(frame("{}"), "Content-Length: 2\r\n\r\n{}");
    EXPECT_THAT(read(frame(R"({"id":1})")), ElementsAre(R"({"id":1})"));
    EXPECT_THAT(read(frame("")), ElementsAre(""));
    EXPECT_THAT(read(""), IsEmpty());
}

TEST(Framing, several_messages_in_one_piece) {
    EXPECT_THAT(read(frame("one") + frame("") + frame("three")), ElementsAre("one", "", "three"));
}

TEST(Framing, a_length_counts_bytes) {
    EXPECT_EQ(frame("größe"), "Content-Length: 7\r\n\r\ngröße");
    EXPECT_THAT(read(frame("größe") + frame("線")), ElementsAre("größe", "線"));
}

TEST(Framing, a_body_may_hold_any_bytes) {
    std::string body = "\r\n\r\nContent-Length: 3\r\n\r\n";
    body += '\0';
    EXPECT_THAT(read(frame(body) + kGood), ElementsAre(body, R"({"id":1})"));
}

TEST(Framing, header_names_ignore_case_and_unknown_ones_are_passed_over) {
    EXPECT_THAT(read("X-Trace: a:b\r\ncontent-LENGTH:\t 2 \r\nVia:\r\n\r\n{}"), ElementsAre("{}"));
}

TEST(Framing, utf8_is_the_only_charset) {
    for (const char* type :
         {"application/vscode-jsonrpc; charset=utf-8", "application/vscode-jsonrpc;charset=utf8",
          "application/vscode-jsonrpc", "a/b; q=1; Charset=\"UTF-8\"", ""}) {
        EXPECT_THAT(read(std::string("Content-Type: ") + type + "\r\nContent-Length: 2\r\n\r\n{}"),
                    ElementsAre("{}"))
            << type;
    }
    // The body behind such a header is passed over with it.
    EXPECT_THAT(read("Content-Type: a/b; charset=utf-16\r\nContent-Length: 2\r\n\r\n{}" + kGood),
                ElementsAre(error(R"(charset "utf-16" is not supported)"), R"({"id":1})"));
    EXPECT_THAT(read("Content-Length: 2\r\nContent-Type: a/b; charset=\r\n\r\n{}" + kGood),
                ElementsAre(error(R"(charset "" is not supported)"), R"({"id":1})"));
}

TEST(Framing, a_length_must_be_a_number_of_bytes) {
    for (const char* length : {"", "-1", "+1", "0x10", "1 2", "1.0", "two", "\xC2\xB2"}) {
        EXPECT_THAT(read(std::string("Content-Length: ") + length + "\r\n\r\n{}" + kGood),
                    ElementsAre(error("not a number of bytes"), R"({"id":1})"))
            << length;
    }
}

TEST(Framing, a_length_is_missing_or_stated_twice) {
    EXPECT_THAT(read("X-Content-Length: 2\r\n\r\n{}" + kGood),
                ElementsAre(error("without a Content-Length"), R"({"id":1})"));
    EXPECT_THAT(read("\r\n" + kGood), ElementsAre(error("without a Content-Length"), R"({"id":1})"));
    EXPECT_THAT(read("Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}" + kGood),
                ElementsAre(error("more than one Content-Length"), R"({"id":1})"));
}

TEST(Framing, lengths_beyond_the_limit_are_refused_and_nothing_is_allocated_for_them) {
    for (const char* length :
         {"67108865", "2147483648", "18446744073709551615", "99999999999999999999999999"}) {
        EXPECT_THAT(read(std::string("Content-Length: ") + length + "\r\n\r\n{}" + kGood),
                    ElementsAre(error("more than the 67108864"), R"({"id":1})"))
            << length;
    }
    EXPECT_THAT(read("Content-Length: 67108864\r\n\r\n{}"),
                ElementsAre("end: the stream ended inside a message: 2 of 67108864 bytes arrived"));
    EXPECT_THAT(read(frame("1234") + frame("12345"), {.max_body_bytes = 4}),
                ElementsAre("1234", error("more than the 4")));
}

TEST(Framing, a_header_is_limited_too) {
    const std::string header = "Content-Length: 2\r\n\r\n";
    EXPECT_THAT(read(header + "{}", {.max_header_bytes = header.size()}), ElementsAre("{}"));
    EXPECT_THAT(read(header + "{}", {.max_header_bytes = header.size() - 1}),
                ElementsAre(error("header longer than 20 bytes")));
    // A stream of something else is one error, and is not kept.
    FrameReader reader;
    std::vector<std::string> results;
    for (int piece = 0; piece < 1000; ++piece) {
        reader.feed(std::string(1000, 'x'));
        for (std::string& result : drain(reader)) results.push_back(std::move(result));
    }
    EXPECT_THAT(results, ElementsAre(error("header longer than 8192 bytes: \"xxx")));
    EXPECT_GE(reader.skipped_bytes(), 999'000U);
    reader.feed("\n" + kGood);
    EXPECT_THAT(drain(reader), ElementsAre(R"({"id":1})"));
}

TEST(Framing, what_is_not_a_header_is_an_error_and_the_message_behind_it_is_kept) {
    for (const char* garbage :
         {"debug: starting\n", "debug: starting\r\nReady.\r\n", "Ready.\n\n", "\x01\xFF\n",
          "Content-Length: 5\n\n", "Content-Length\r\n", ": 2\r\n", "C Content-Length: 3\n"}) {
        EXPECT_THAT(read(garbage + kGood), ElementsAre(error("not a header line"), R"({"id":1})")) << garbage;
    }
    EXPECT_THAT(read("\x01\x02\r\n\r\n"), ElementsAre(error(R"(not a header line: "\x01\x02")")));
}

TEST(Framing, a_body_longer_than_stated_costs_no_other_message) {
    EXPECT_THAT(read("Content-Length: 5\r\n\r\n{\"größe\":1}" + kGood),
                ElementsAre("{\"gr\xC3", error("not a header line"), R"({"id":1})"));
}

TEST(Framing, a_lost_body_is_passed_over_even_if_it_speaks_of_headers) {
    const std::string body = R"({
  "text": "Content-Length: 5\r\n\r\nhello",
  "Content-Length": 3
})";
    EXPECT_THAT(read("Content-Length: x\r\n\r\n" + body + kGood + frame("{}")),
                ElementsAre(error("not a number of bytes"), R"({"id":1})", "{}"));
}

TEST(Framing, an_end_inside_a_message_is_told) {
    EXPECT_THAT(read("Content-Len"), ElementsAre(R"(end: the stream ended inside a header: "Content-Len")"));
    EXPECT_THAT(read("Content-Length: 5\r\n\r\n{"),
                ElementsAre("end: the stream ended inside a message: 1 of 5 bytes arrived"));
}

TEST(Framing, whatever_arrives_the_reader_survives_and_finds_the_next_message) {
    std::mt19937 random(7); // NOLINT(bugprone-random-generator-seed, cert-msc51-cpp): the same run every time
    const std::vector<std::string> parts = {"Content-Length: ",
                                            "content-type: ",
                                            "charset=utf-8",
                                            "\r\n",
                                            "\r\n\r\n",
                                            "\n",
                                            "\r",
                                            "3",
                                            "99999999999",
                                            "-",
                                            ":",
                                            "{}",
                                            "\xFF",
                                            "x",
                                            kGood};
    const FramingLimits limits{.max_body_bytes = 3000};
    for (int round = 0; round < 20'000; ++round) {
        std::string stream;
        for (auto count = random() % 12; count > 0; --count) stream += parts[random() % parts.size()];
        // Ends any header, then any message, that the noise may have begun.
        stream += "\r\n\r\n}" + std::string(3333, ' ') + kGood + kGood;
        const auto whole = read(stream, stream.size(), limits);
        ASSERT_THAT(whole, testing::Contains(R"({"id":1})")) << stream;
        ASSERT_EQ(read(stream, 1 + random() % 20, limits), whole) << stream;
    }
}

} // namespace
} // namespace heddle::lsp
