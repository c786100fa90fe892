#include "daemon/record/trace_check.h"

#include "traces/htr/chunk_scanner.h"
#include "traces/io/random_access.h"

#include <fmt/format.h>

namespace heddle::record {

Result<void> check_trace(const std::string& path) {
    auto file = open_file(path);
    if (!file) return tl::make_unexpected(file.error());
    htr::ChunkScanner scanner(std::move(*file), {}, true);
    if (auto started = scanner.start(); !started)
        return fail(fmt::format("{}: {}", path, started.error().message));
    auto step = htr::ChunkScanner::Step::chunk;
    while (step == htr::ChunkScanner::Step::chunk) step = scanner.next();
    if (step == htr::ChunkScanner::Step::corrupt || step == htr::ChunkScanner::Step::unreadable)
        return fail(fmt::format("{}: chunk {}: {}", path, scanner.number(), scanner.problem()));
    return {};
}

} // namespace heddle::record
