// Decodes a trace file and does nothing with it, for timing.
//   heddle_bench_decode FILE                     .htr or text
//   heddle_bench_decode --extract FILE.htr OUT   the zstd frames of its chunks, one after the other
#include "traces/htr/chunk_scanner.h"
#include "traces/htr/reader.h"
#include "traces/io/byte_source.h"
#include "traces/text/reader.h"

#include <fstream>
#include <string>

#include <fmt/format.h>

namespace {

namespace htr = heddle::htr;

int extract(const std::string& path, const std::string& out_path) {
    auto file = heddle::open_file(path);
    if (!file) return 1;
    htr::ChunkScanner scanner(std::move(*file), {}, true);
    if (!scanner.start()) return 1;
    std::ofstream out(out_path, std::ios::binary);
    while (scanner.next() == htr::ChunkScanner::Step::chunk) {
        const htr::StoredChunk& chunk = scanner.chunk();
        if (chunk.header.compression != htr::Compression::zstd) continue;
        out.write(reinterpret_cast<const char*>(chunk.payload.data()),
                  static_cast<std::streamsize>(chunk.payload.size()));
    }
    return out.flush() ? 0 : 1;
}

int decode(const std::string& path) {
    if (path.ends_with(".htr")) {
        const auto read = htr::read_trace(path);
        return read && read->damage.empty() ? 0 : 1;
    }
    auto source = heddle::open_bytes(path);
    if (!source) return 1;
    const auto read = heddle::read_text(**source, path);
    return read && read->damage.empty() ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    if (argc == 2) return decode(argv[1]);
    if (argc == 4 && std::string(argv[1]) == "--extract") return extract(argv[2], argv[3]);
    return 2;
}
