// What is left of a .htr file that was cut off, corrupted, or comes from a newer version.
#include "test_files.h"
#include "traces/generator.h"
#include "traces/hash.h"
#include "traces/htr/layout.h"
#include "traces/htr/reader.h"
#include "traces/htr/write_trace.h"

#include <cstring>
#include <random>

#include <gmock/gmock.h>

namespace heddle {
namespace {

using htr::Reader;
using test::TemporaryFolder;
using testing::HasSubstr;
using Bytes = std::vector<std::uint8_t>;

struct Sample {
    Trace trace;
    Bytes bytes;
};

Sample sample(bool stream_per_thread) {
    const TemporaryFolder folder;
    GeneratorSettings settings = every_kind(11);
    settings.events = 400;
    Sample result{generate(settings), {}};
    const auto written =
        htr::write_trace(result.trace, folder.file("t.htr"),
                         {.events_per_chunk = 32, .file_id = 1, .stream_per_thread = stream_per_thread});
    EXPECT_TRUE(written.has_value());
    result.bytes = test::read_bytes(folder.file("t.htr"));
    return result;
}

struct ReadBack {
    bool opened = false;
    std::string error;
    Trace trace;
    DamageLog damage;
};

ReadBack read(const Bytes& bytes) {
    auto reader = Reader::open(open_memory(bytes), "t.htr", {});
    if (!reader) return {.error = reader.error().message};
    (*reader)->poll();
    (*reader)->finish();
    return {.opened = true, .trace = (*reader)->trace(), .damage = (*reader)->damage()};
}

/// Both traces come from one file, so ids are the same: packed events can be compared as they are.
bool is_prefix(const Trace& part, const Trace& whole) {
    if (part.size() > whole.size()) return false;
    auto expected = whole.events().begin();
    for (const EventView event : part.events()) {
        if (part.spelled_out(event) != whole.spelled_out(*expected)) return false;
        ++expected;
    }
    return true;
}

/// Events in the chunks that lie whole within the first `size` bytes.
std::size_t events_in_whole_chunks(const Bytes& bytes, std::size_t size) {
    std::size_t events = 0;
    for (std::size_t at = htr::kFileHeaderBytes; at + htr::kChunkHeaderBytes <= size;) {
        htr::ChunkHeaderBytes header_bytes{};
        std::memcpy(header_bytes.data(), bytes.data() + at, header_bytes.size());
        const htr::ChunkHeader header = htr::decode_chunk_header(header_bytes, true).header;
        at += htr::kChunkHeaderBytes + header.stored_bytes;
        if (at <= size) events += header.events;
    }
    return events;
}

TEST(HtrDamage, cut_off_at_any_byte_everything_before_is_kept) {
    const Sample whole = sample(false);
    for (std::size_t size = 0; size < whole.bytes.size(); ++size) {
        const ReadBack back =
            read(Bytes(whole.bytes.begin(), whole.bytes.begin() + static_cast<std::ptrdiff_t>(size)));
        ASSERT_EQ(back.opened, size >= htr::kFileHeaderBytes) << size;
        if (!back.opened) {
            ASSERT_THAT(back.error, HasSubstr("t.htr: too short for a trace")) << size;
            continue;
        }
        ASSERT_EQ(back.damage.total(), 1U) << size;
        ASSERT_EQ(back.damage.kept()[0].kind, DamageKind::incomplete) << size;
        ASSERT_TRUE(is_prefix(back.trace, whole.trace)) << size;
        ASSERT_EQ(back.trace.size(), events_in_whole_chunks(whole.bytes, size)) << size;
    }
    EXPECT_TRUE(read(whole.bytes).damage.empty());
}

TEST(HtrDamage, with_a_stream_per_thread_a_cut_leaves_a_prefix_of_the_order_and_counts_the_rest) {
    const Sample whole = sample(true);
    std::size_t most = 0;
    for (std::size_t size = htr::kFileHeaderBytes; size < whole.bytes.size(); ++size) {
        const ReadBack back =
            read(Bytes(whole.bytes.begin(), whole.bytes.begin() + static_cast<std::ptrdiff_t>(size)));
        ASSERT_TRUE(back.opened);
        ASSERT_FALSE(back.damage.empty());
        ASSERT_TRUE(is_prefix(back.trace, whole.trace)) << size;
        const std::size_t left_out = events_in_whole_chunks(whole.bytes, size) - back.trace.size();
        if (left_out > 0) {
            ASSERT_THAT(back.damage.kept()[0].what, HasSubstr(std::to_string(left_out) + " events beyond"))
                << size;
        }
        most = std::max(most, back.trace.size());
    }
    EXPECT_GT(most, 0U);
    EXPECT_EQ(read(whole.bytes).trace, whole.trace);
}

TEST(HtrDamage, ten_thousand_random_corruptions_are_all_noticed) {
    for (const bool stream_per_thread : {false, true}) {
        const Sample whole = sample(stream_per_thread);
        std::mt19937_64 random(stream_per_thread ? 2 : 1);
        for (int round = 0; round < 5000; ++round) {
            Bytes bytes = whole.bytes;
            const std::size_t at = random() % bytes.size();
            const std::size_t length = std::min<std::size_t>(1 + random() % 64, bytes.size() - at);
            const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(at);
            const auto last = first + static_cast<std::ptrdiff_t>(length);
            switch (random() % 5) {
            case 0: *first = static_cast<std::uint8_t>(*first ^ (1U << random() % 8)); break;
            case 1: std::generate(first, last, [&] { return static_cast<std::uint8_t>(random()); }); break;
            case 2: std::fill(first, last, std::uint8_t{0}); break;
            case 3: bytes.erase(first, last); break;
            default: bytes.insert(first, length, static_cast<std::uint8_t>(random())); break;
            }
            const ReadBack back = read(bytes);
            if (!back.opened) continue; // the file header was hit, and that was said
            ASSERT_TRUE(is_prefix(back.trace, whole.trace)) << round;
            // Bytes added after the end chunk are the one change that hurts nothing.
            const bool only_appended = bytes.size() >= whole.bytes.size() &&
                                       std::equal(whole.bytes.begin(), whole.bytes.end(), bytes.begin());
            ASSERT_EQ(back.damage.empty(), only_appended) << round;
        }
    }
}

TEST(HtrDamage, messages_name_file_chunk_and_byte) {
    Sample whole = sample(false);
    const std::size_t second = htr::kFileHeaderBytes + htr::kChunkHeaderBytes +
                               static_cast<std::size_t>(whole.bytes[htr::kFileHeaderBytes + 8]) +
                               static_cast<std::size_t>(whole.bytes[htr::kFileHeaderBytes + 9]) * 256;
    whole.bytes[second + htr::kChunkHeaderBytes] ^= 0xFF;
    const ReadBack back = read(whole.bytes);
    ASSERT_EQ(back.damage.total(), 1U);
    EXPECT_EQ(back.damage.kept()[0].text(), "t.htr: chunk 1 at byte " + std::to_string(second) +
                                                ": checksum differs; events before it were kept");
}

TEST(HtrDamage, a_newer_major_version_is_refused_with_advice) {
    Sample whole = sample(false);
    whole.bytes[8] = htr::kMajorVersion + 1;
    EXPECT_THAT(read(whole.bytes).error, HasSubstr("newer than this program"));
}

TEST(HtrDamage, another_file_is_not_taken_for_a_trace) {
    EXPECT_THAT(read(Bytes(100, 'x')).error, HasSubstr("t.htr: not a Heddle trace"));
}

Bytes chunk_of_type(std::uint8_t type) {
    const htr::ChunkHeaderBytes header =
        htr::encode(htr::ChunkHeader{.type = type, .payload_hash = hash_bytes(nullptr, 0)});
    return {header.begin(), header.end()};
}

TEST(HtrDamage, unknown_optional_chunks_are_skipped_and_others_are_not) {
    const Sample whole = sample(false);
    const auto with = [&](const Bytes& chunk) {
        Bytes bytes = whole.bytes;
        bytes.insert(bytes.begin() + htr::kFileHeaderBytes, chunk.begin(), chunk.end());
        return read(bytes);
    };
    const ReadBack skipped = with(chunk_of_type(200));
    EXPECT_TRUE(skipped.damage.empty());
    EXPECT_EQ(skipped.trace, whole.trace);
    const ReadBack refused = with(chunk_of_type(100));
    ASSERT_FALSE(refused.damage.empty());
    EXPECT_THAT(refused.damage.kept()[0].what, HasSubstr("from a newer heddle"));
}

TEST(HtrDamage, a_later_minor_version_with_a_longer_header_is_read) {
    const Sample whole = sample(false);
    const htr::FileHeaderBytes header =
        htr::encode(htr::FileHeader{.minor = htr::kMinorVersion + 1, .header_bytes = 40, .file_id = 1});
    Bytes bytes(header.begin(), header.end());
    bytes.resize(40);
    bytes.insert(bytes.end(), whole.bytes.begin() + htr::kFileHeaderBytes, whole.bytes.end());
    EXPECT_EQ(read(bytes).trace, whole.trace);
}

} // namespace
} // namespace heddle
