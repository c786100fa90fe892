// Files that earlier versions wrote. They pin the formats: whatever changes, these must be read as before.
// v1.htr is v1.std converted when version 1.0 was made, v2.htr when it was 2.0, v1.2.htr is v1.2.std when it
// was 1.2; none is ever written again.
#include "test_files.h"
#include "traces/hash.h"
#include "traces/htr/chunk_encoder.h"
#include "traces/htr/trace_chunker.h"
#include "traces/load.h"
#include "traces/text/writer.h"
#include "traces/tried.h"

#include <gmock/gmock.h>

namespace heddle {
namespace {

std::string path_of(const std::string& name) {
    return std::string(HEDDLE_GOLDEN) + "/" + name;
}

Trace golden(const std::string& name) {
    auto loaded = load_trace(path_of(name));
    if (!loaded) {
        ADD_FAILURE() << loaded.error().message;
        return {};
    }
    EXPECT_TRUE(loaded->damage.empty()) << loaded->damage.kept()[0].text();
    return loaded->trace;
}

TEST(Golden, version_1_is_read_as_it_was_written) {
    const Trace text = golden("v1.std");
    EXPECT_EQ(text.size(), 400U);
    EXPECT_EQ(golden("v1.htr"), text);
    EXPECT_EQ(golden("v1.streams.htr"), text);
}

TEST(Golden, version_2_is_read_as_it_was_written) {
    const Trace text = golden("v1.std");
    EXPECT_EQ(golden("v2.htr"), text);
    EXPECT_EQ(golden("v2.streams.htr"), text);
}

TEST(Golden, version_1_2_tells_which_locks_were_tried) {
    const Trace trace = golden("v1.2.htr");
    EXPECT_EQ(trace, golden("v1.2.std"));
    std::vector<std::uint64_t> tried;
    for (const EventView event : trace.events()) {
        if (was_tried(event)) tried.push_back(event.id().value);
    }
    EXPECT_THAT(tried, testing::ElementsAre(2, 5));
}

TEST(Golden, the_text_is_written_as_it_was) {
    MemorySink sink;
    ASSERT_TRUE(write_text(golden("v1.htr"), sink));
    const std::vector<std::uint8_t> expected = test::read_bytes(path_of("v1.std"));
    EXPECT_EQ(sink.bytes(), std::string(expected.begin(), expected.end()));
}

// The payload before compression, which may differ between versions of zstd. A change here is a change of the
// format, and needs a new version.
TEST(Golden, the_payload_of_a_chunk_is_encoded_as_it_was) {
    const Trace trace = golden("v1.std");
    htr::Contents contents(trace.objects(ObjectKind::variable).size());
    htr::TraceChunker chunker(trace, &contents);
    htr::ChunkEncoder encoder;
    chunker.start_chunk(encoder);
    for (const EventView event : trace.events()) chunker.event(event, event.id().value);
    htr::Bytes payload;
    encoder.finish(payload);
    EXPECT_EQ(hash_bytes(payload.data(), payload.size()), 11379782962089514488U);
}

} // namespace
} // namespace heddle
