// A watcher on a folder of its own, with everything it told, for tests. Nothing sleeps: the loop runs until
// what is expected has happened, or for so long that it never will.
#pragma once

#include "daemon/watch/trace_watcher.h"
#include "test_files.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

namespace heddle::test {

inline void append_text(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

inline void replace_text(const std::string& path, const std::string& text) {
    std::ofstream(path + ".tmp", std::ios::binary) << text;
    std::filesystem::rename(path + ".tmp", path);
}

class Watching {
  public:
    explicit Watching(watch::Options options = {})
        : watcher(io, with_log(std::move(options)),
                  [this](const watch::FileChange& change) { on_change(change); }) {}

    /// The folder in which everything happens.
    [[nodiscard]] std::string at(const std::string& name) const { return root_.file(name); }

    /// Runs the loop until then; false when it does not come to that.
    [[nodiscard]] bool until(const std::function<bool()>& condition) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (!condition()) {
            if (std::chrono::steady_clock::now() > deadline) return false;
            io.restart();
            io.run_one_for(std::chrono::milliseconds(100));
        }
        return true;
    }
    [[nodiscard]] bool until_told(const std::string& path, watch::ChangeKind kind) {
        return until([&] { return told(path, kind) > 0; });
    }
    /// Until what is known is what is there.
    [[nodiscard]] bool until_known_is(const std::vector<std::string>& folders) {
        return until([&] { return !watcher.scanning() && known() == there(folders); });
    }

    [[nodiscard]] std::size_t told(const std::string& path, watch::ChangeKind kind) const {
        std::size_t count = 0;
        for (const watch::FileChange& change : changes)
            count += change.path == path && change.kind == kind ? 1U : 0U;
        return count;
    }
    [[nodiscard]] std::map<std::string, watch::FileStamp> known() const {
        std::map<std::string, watch::FileStamp> files;
        for (const watch::KnownFile& file : watcher.files()) files[file.path] = file.stamp;
        return files;
    }
    [[nodiscard]] static std::map<std::string, watch::FileStamp>
    there(const std::vector<std::string>& folders) {
        std::map<std::string, watch::FileStamp> files;
        for (const std::string& folder : folders) {
            std::error_code none;
            for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
                const std::string path = entry.path().string();
                const auto stamp = watch::glance_at(path).stamp;
                if (stamp && watch::is_trace_name(path)) files[path] = *stamp;
            }
        }
        return files;
    }

    boost::asio::io_context io;
    std::vector<watch::FileChange> changes;
    std::vector<std::string> log;
    std::function<void(const watch::FileChange&)> also; ///< called after a change was noted

  private:
    watch::Options with_log(watch::Options options) {
        options.log = [this](const std::string& sentence) { log.push_back(sentence); };
        return options;
    }
    void on_change(const watch::FileChange& change) {
        changes.push_back(change);
        if (also) also(change);
    }

    TemporaryFolder root_;

  public:
    watch::TraceWatcher watcher;
};

} // namespace heddle::test
