#include "daemon/service/report_cache.h"

#include "daemon/report/report_bytes.h"
#include "daemon/service/content_hash.h"
#include "traces/io/file_sink.h"
#include "traces/io/random_access.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include <fmt/format.h>

namespace heddle::service {

namespace fs = std::filesystem;

namespace {

/// A kept report: this, the checksum of what follows, what follows.
constexpr std::string_view kMagic = "heddle report\n";
constexpr std::uint64_t kMaxReport = std::uint64_t{256} << 20U;
constexpr std::uint64_t kUnknown = ~std::uint64_t{0};

std::string with_checksum(std::string_view bytes) {
    const std::uint64_t sum = hash_of(bytes);
    std::string result(kMagic);
    result.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    return result.append(bytes);
}

Result<std::string> checked(std::string bytes) {
    std::uint64_t sum = 0;
    const std::size_t head = kMagic.size() + sizeof sum;
    if (bytes.size() < head || !bytes.starts_with(kMagic)) return fail("is no report");
    std::memcpy(&sum, bytes.data() + kMagic.size(), sizeof sum);
    bytes.erase(0, head);
    if (hash_of(bytes) != sum) return fail("is damaged");
    return bytes;
}

Result<std::string> whole_file(const RandomAccess& file) {
    const auto size = file.size();
    if (!size) return tl::make_unexpected(size.error());
    if (*size > kMaxReport) return fail("is too large");
    std::string bytes(*size, '\0');
    const auto got = file.read_at(0, {reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()});
    if (!got) return tl::make_unexpected(got.error());
    bytes.resize(*got);
    return bytes;
}

} // namespace

ReportCache::ReportCache(std::string folder, std::uint64_t max_bytes, Log log)
    : folder_(std::move(folder)), max_bytes_(max_bytes), log_(std::move(log)) {}

std::string ReportCache::default_folder() {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    if (cache != nullptr && *cache == '/') return std::string(cache) + "/heddle";
    const char* home = std::getenv("HOME");
    return home != nullptr && *home == '/' ? std::string(home) + "/.cache/heddle" : std::string();
}

Result<std::string> ReportCache::key_of(const std::string& path, std::string_view options,
                                        const std::stop_token& unwanted) {
    const auto file = open_file(path);
    if (!file) return tl::make_unexpected(file.error());
    ContentHash hash;
    std::vector<std::uint8_t> buffer(std::size_t{1} << 20U);
    for (std::uint64_t offset = 0;;) {
        const auto got = (*file)->read_at(offset, buffer);
        if (!got) return tl::make_unexpected(got.error());
        if (*got == 0) break;
        if (unwanted.stop_requested()) return fail(fmt::format("{}: not read to its end", path));
        hash.add({reinterpret_cast<const char*>(buffer.data()), *got});
        offset += *got;
    }
    hash.add(fmt::format("{}|{}|{}", HEDDLE_VERSION, report::kReportVersion, options));
    return hash.name();
}

std::string ReportCache::file_of(const std::string& key) const {
    return folder_ + "/" + key + ".report";
}

std::string ReportCache::file_of_text(const std::string& hash) const {
    return folder_ + "/" + hash + ".text";
}

std::optional<report::TraceReport> ReportCache::find(const std::string& key) {
    if (folder_.empty()) return std::nullopt;
    const std::string path = file_of(key);
    const auto file = open_file(path);
    if (!file) return std::nullopt;
    auto report = whole_file(**file).and_then(checked).and_then(
        [](const std::string& bytes) { return report::restored(bytes); });
    std::error_code ignored;
    if (report) {
        // The file's time says when it was last of use.
        fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
        return std::move(*report);
    }
    tell_once(told_damage_, fmt::format("{}: {}; the trace is analysed again", path, report.error().message));
    fs::remove(path, ignored);
    return std::nullopt;
}

void ReportCache::keep(const std::string& key, const report::TraceReport& report) {
    if (folder_.empty()) return;
    write(file_of(key), with_checksum(report::stored(report)));
}

void ReportCache::write(const std::string& path, const std::string& bytes) {
    if (bytes.size() > max_bytes_) return;
    std::error_code ignored;
    fs::create_directories(folder_, ignored);
    FileSink sink(path);
    const auto written = sink.write(bytes).and_then([&] { return sink.finish(); });
    if (!written) {
        tell_once(told_failure_,
                  fmt::format("reports are not kept for the next start: {}", written.error().message));
        return;
    }
    const std::uint64_t before = kept_bytes_.load();
    if (before == kUnknown || before + bytes.size() > max_bytes_) {
        make_room();
    } else {
        kept_bytes_ += bytes.size();
    }
}

std::string ReportCache::hash_of_text(std::string_view text) {
    ContentHash hash;
    hash.add(text);
    return hash.name();
}

ReportCache::Text ReportCache::shared(std::string hash, std::string text) {
    const std::lock_guard lock(mutex_);
    std::weak_ptr<const std::string>& known = texts_[std::move(hash)];
    if (Text there = known.lock()) return there;
    const auto kept = std::make_shared<const std::string>(std::move(text));
    known = kept;
    std::erase_if(texts_, [](const auto& one) { return one.second.expired(); });
    return kept;
}

ReportCache::Text ReportCache::keep_text(std::string text, bool on_disk) {
    std::string hash = hash_of_text(text);
    std::error_code ignored;
    if (on_disk && !folder_.empty() && !fs::exists(file_of_text(hash), ignored))
        write(file_of_text(hash), text);
    return shared(std::move(hash), std::move(text));
}

ReportCache::Text ReportCache::find_text(const std::string& hash) {
    if (folder_.empty()) return nullptr;
    const std::string path = file_of_text(hash);
    const auto file = open_file(path);
    if (!file) return nullptr;
    auto text = whole_file(**file);
    std::error_code ignored;
    if (!text || hash_of_text(*text) != hash) {
        fs::remove(path, ignored);
        return nullptr;
    }
    fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
    return shared(hash, std::move(*text));
}

void ReportCache::make_room() {
    struct Kept {
        fs::file_time_type used;
        std::uint64_t bytes;
        fs::path path;
    };
    std::vector<Kept> files;
    std::error_code error;
    std::uint64_t total = 0;
    for (fs::directory_iterator i(folder_, error), end; !error && i != end; i.increment(error)) {
        if (i->path().extension() != ".report" && i->path().extension() != ".text") continue;
        std::error_code gone; // another daemon may have removed it
        const Kept file{i->last_write_time(gone), i->file_size(gone), i->path()};
        if (gone) continue;
        total += file.bytes;
        files.push_back(file);
    }
    std::sort(files.begin(), files.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
    for (const Kept& file : files) {
        if (total <= max_bytes_) break;
        std::error_code gone;
        fs::remove(file.path, gone);
        total -= file.bytes;
    }
    kept_bytes_ = total;
}

void ReportCache::tell_once(std::atomic_flag& told, const std::string& what) {
    if (!told.test_and_set() && log_) log_(what);
}

} // namespace heddle::service
