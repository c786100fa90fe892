// Reports on disk, so that a restart answers at once. A report is found by the content of its trace, what was
// asked for and the version of heddle; a damaged file is noticed, removed and made again. Beside them are the
// source texts that their places count in, found by their own content. The longest unused go when the limit
// is reached. Nothing that goes wrong here is more than a report that is not kept.
//
// Any thread may call; several daemons may share a folder.
#pragma once

#include "daemon/report/report.h"
#include "traces/result.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace heddle::service {

class ReportCache {
  public:
    using Log = std::function<void(const std::string&)>;

    /// No folder: nothing is kept. Each kind of trouble is told once.
    ReportCache(std::string folder, std::uint64_t max_bytes, Log log);

    /// $XDG_CACHE_HOME/heddle, ~/.cache/heddle, or nothing.
    [[nodiscard]] static std::string default_folder();

    /// The key of a file's content for these options; an error when it cannot be read whole, or is not
    /// wanted any more.
    [[nodiscard]] static Result<std::string> key_of(const std::string& path, std::string_view options,
                                                    const std::stop_token& unwanted = {});

    void set_limit(std::uint64_t max_bytes) { max_bytes_ = max_bytes; }

    [[nodiscard]] std::optional<report::TraceReport> find(const std::string& key);
    void keep(const std::string& key, const report::TraceReport& report);

    using Text = std::shared_ptr<const std::string>;
    /// The same object for the same text, as long as somebody has it. `on_disk`: for the next start, too.
    [[nodiscard]] Text keep_text(std::string text, bool on_disk);
    /// Null when it is not there any more.
    [[nodiscard]] Text find_text(const std::string& hash);
    [[nodiscard]] static std::string hash_of_text(std::string_view text);

  private:
    [[nodiscard]] std::string file_of(const std::string& key) const;
    [[nodiscard]] std::string file_of_text(const std::string& hash) const;
    [[nodiscard]] Text shared(std::string hash, std::string text);
    void write(const std::string& path, const std::string& bytes);
    void make_room();
    void tell_once(std::atomic_flag& told, const std::string& what);

    std::string folder_;
    std::atomic<std::uint64_t> max_bytes_;
    Log log_;
    std::atomic<std::uint64_t> kept_bytes_{~std::uint64_t{0}}; ///< since the folder was last looked at
    std::atomic_flag told_damage_;
    std::atomic_flag told_failure_;
    std::mutex mutex_;
    std::map<std::string, std::weak_ptr<const std::string>> texts_; ///< by hash; under the mutex
};

} // namespace heddle::service
