// Any bytes may be a .htr file. Checksums are off, or nothing would get past them; payloads in the corpus
// are not compressed, so that mutations reach the decoder.
#include "traces/htr/reader.h"
#include "traces/io/file_sink.h"
#include "traces/rules.h"
#include "traces/summary.h"
#include "traces/text/writer.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace heddle;
    auto reader = htr::Reader::open(open_memory({data, size}), "fuzz.htr", {.verify_checksums = false});
    if (!reader) return 0;
    (*reader)->poll();
    (*reader)->finish();
    const Trace trace = (*reader)->trace();
    const Trace usable = without_broken(trace, check_rules(trace));
    if (!check_rules(usable).clean()) std::abort();
    if (summarize(usable).by_thread.size() != usable.thread_count()) std::abort();
    MemorySink sink;
    if (!write_text(usable, sink, {})) std::abort();
    return 0;
}
