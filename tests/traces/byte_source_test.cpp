#include "test_files.h"
#include "text_of.h"
#include "traces/io/byte_source.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include <zlib.h>
#include <zstd.h>

namespace heddle {
namespace {

using testing::HasSubstr;

/// Everything a source delivers, and the error it ends with, if any.
struct Delivered {
    std::string bytes;
    std::string error;
};

Delivered drain(ByteSource& source, std::size_t piece = 1000) {
    Delivered result;
    std::vector<char> buffer(piece);
    for (;;) {
        const Result<std::size_t> count = source.read(buffer);
        if (!count) {
            result.error = count.error().message;
            return result;
        }
        if (*count == 0) return result;
        result.bytes.append(buffer.data(), *count);
    }
}

Delivered drain_memory(std::string_view bytes, std::size_t piece = 1000) {
    const auto source = bytes_in_memory(bytes, "t");
    return drain(*source, piece);
}

std::string gzip(const std::string& text) {
    z_stream stream{};
    EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    std::string out(deflateBound(&stream, text.size()) + 64, '\0');
    std::string in = text;
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

std::string zstd(const std::string& text) {
    std::string out(ZSTD_compressBound(text.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
    return out;
}

/// Text that does not compress to nothing.
std::string sample(std::size_t bytes) {
    std::mt19937 random(7);
    std::string text;
    while (text.size() < bytes)
        text.append("T").append(std::to_string(random() % 100'000)).append("|w(x)|1\n");
    return text;
}

TEST(ByteSource, gives_plain_bytes_as_they_are) {
    for (const std::string text : {"", "a", "abc", "abcd", "T|w(x)\n"}) {
        for (const std::size_t piece : {1U, 3U, 1000U}) {
            const Delivered got = drain_memory(text, piece);
            EXPECT_EQ(got.bytes, text);
            EXPECT_EQ(got.error, "");
        }
    }
}

TEST(ByteSource, tells_compression_by_content) {
    const std::string text = sample(500'000);
    for (const std::size_t piece : {7U, 4096U, 1'000'000U}) {
        EXPECT_EQ(drain_memory(gzip(text), piece).bytes, text);
        EXPECT_EQ(drain_memory(zstd(text), piece).bytes, text);
    }
}

TEST(ByteSource, reads_several_members_and_frames) {
    const std::string text = sample(300'000);
    const Delivered members = drain_memory(gzip(text) + gzip("") + gzip("more"));
    EXPECT_EQ(members.bytes, text + "more");
    EXPECT_EQ(members.error, "");
    const std::string skippable("\x50\x2a\x4d\x18\x03\x00\x00\x00xyz", 11);
    const Delivered frames = drain_memory(skippable + zstd(text) + zstd("") + skippable + zstd("more"));
    EXPECT_EQ(frames.bytes, text + "more");
    EXPECT_EQ(frames.error, "");
}

TEST(ByteSource, delivers_what_precedes_a_cut_at_any_byte) {
    const std::string text = sample(3'000);
    for (const std::string& whole : {gzip(text), zstd(text), zstd(text) + zstd(text)}) {
        for (std::size_t length = 4; length < whole.size(); ++length) {
            const Delivered got = drain_memory(std::string_view(whole).substr(0, length));
            EXPECT_EQ((text + text).substr(0, got.bytes.size()), got.bytes);
            const bool whole_frame = got.bytes == text && got.error.empty();
            EXPECT_TRUE(whole_frame || got.error.find("data is cut off after") != std::string::npos)
                << length;
        }
    }
    const std::string long_text = sample(2'000'000);
    for (const std::string& whole : {gzip(long_text), zstd(long_text)}) {
        const Delivered got = drain_memory(std::string_view(whole).substr(0, whole.size() / 2));
        EXPECT_GT(got.bytes.size(), long_text.size() / 4);
    }
}

TEST(ByteSource, delivers_what_precedes_damage) {
    const std::string text = sample(2'000'000);
    for (std::string whole : {gzip(text), zstd(text)}) {
        for (std::size_t at = whole.size() / 2; at < whole.size() / 2 + 1000; ++at) whole[at] = '\x5a';
        const Delivered got = drain_memory(whole);
        EXPECT_GT(got.bytes.size(), text.size() / 4);
        EXPECT_THAT(got.error, HasSubstr("data is damaged near byte"));
    }
    EXPECT_THAT(drain_memory(gzip("x") + "garbage").error, HasSubstr("data is damaged near byte"));
    EXPECT_EQ(drain_memory(gzip("x") + "garbage").bytes, "x");
    EXPECT_THAT(drain_memory(zstd("x") + "garbage").error, HasSubstr("data is damaged near byte"));
}

TEST(ByteSource, an_error_is_told_again_when_read_again) {
    const std::string whole = gzip(sample(1000));
    const auto source = bytes_in_memory(std::string_view(whole).substr(0, 50), "t");
    EXPECT_NE(drain(*source).error, "");
    EXPECT_NE(drain(*source).error, "");
}

TEST(ByteSource, a_zstd_window_beyond_the_limit_is_refused) {
    ZSTD_CCtx* const context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 28);
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
    std::string text = "small";
    std::string out(1000, '\0');
    ZSTD_inBuffer from{text.data(), text.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    ZSTD_compressStream2(context, &to, &from, ZSTD_e_flush);
    ASSERT_EQ(ZSTD_compressStream2(context, &to, &from, ZSTD_e_end), 0U);
    ZSTD_freeCCtx(context);
    out.resize(to.pos);
    EXPECT_THAT(drain_memory(out).error, HasSubstr("too much memory"));
}

class ByteSourceFile : public testing::Test {
  protected:
    std::string file(const std::string& bytes) {
        std::ofstream(folder_ / "t.std", std::ios::binary) << bytes;
        return folder_ / "t.std";
    }

    test::TemporaryFolder temporary_;
    std::filesystem::path folder_{temporary_.file("")};
};

TEST_F(ByteSourceFile, knows_how_far_it_is_in_the_file_itself) {
    const std::string compressed = gzip(sample(1'000'000));
    auto source = open_bytes(file(compressed));
    ASSERT_TRUE(source.has_value());
    EXPECT_EQ((*source)->total(), compressed.size());
    std::vector<char> buffer(1000);
    ASSERT_TRUE((*source)->read(buffer).has_value());
    EXPECT_GT((*source)->consumed(), 0U);
    EXPECT_LT((*source)->consumed(), compressed.size());
    drain(**source);
    EXPECT_EQ((*source)->consumed(), compressed.size());
}

TEST_F(ByteSourceFile, says_why_a_file_cannot_be_read) {
    EXPECT_THAT(open_bytes(folder_ / "none").error().message,
                HasSubstr("none: cannot open: No such file or directory"));
    EXPECT_THAT(open_bytes(folder_).error().message, HasSubstr("cannot read: Is a directory"));
}

TEST_F(ByteSourceFile, text_traces_keep_the_lines_before_the_cut) {
    const std::string text = sample(2'000'000);
    const std::string whole = zstd(text);
    const std::string path = file(whole.substr(0, whole.size() / 2));
    auto source = open_bytes(path);
    ASSERT_TRUE(source.has_value());
    const auto result = read_text(**source, "t.std");
    ASSERT_TRUE(result.has_value());
    EXPECT_GT(result->trace.size(), 10'000U);
    ASSERT_EQ(result->damage.total(), 1U);
    EXPECT_EQ(result->damage.kept()[0].kind, DamageKind::corrupt);
    EXPECT_THAT(result->damage.kept()[0].what, HasSubstr("the lines before were kept"));
    EXPECT_EQ(text_of(result->trace), text.substr(0, text_of(result->trace).size()));
}

} // namespace
} // namespace heddle
