#include "daemon/service/witness_page.h"

#include "daemon/service/content_hash.h"
#include "daemon/service/runtime_folder.h"
#include "traces/io/file_sink.h"

#include <fmt/format.h>

namespace heddle::service {

Result<std::string> write_witness_page(const std::string& key, const std::string& markdown) {
    const auto folder = runtime_folder();
    if (!folder) return tl::make_unexpected(folder.error());
    const std::string path = fmt::format("{}/witness-{}.md", *folder, hash_name(key));
    FileSink sink(path);
    if (const auto written = sink.write(markdown).and_then([&] { return sink.finish(); }); !written)
        return tl::make_unexpected(written.error());
    return path;
}

} // namespace heddle::service
