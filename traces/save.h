// Writes a trace to a file in any known format. The file appears whole or not at all.
#pragma once

#include "traces/progress.h"
#include "traces/result.h"
#include "traces/trace.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

enum class SaveFormat : std::uint8_t { htr, text, chrome };

/// By the ending of the file's name: .htr, .std (also .txt), .json.
[[nodiscard]] Result<SaveFormat> format_of_path(std::string_view path);
/// "htr", "std" or "chrome".
[[nodiscard]] Result<SaveFormat> format_named(std::string_view name);

struct SaveOptions {
    SaveFormat format = SaveFormat::htr;
    bool plain = false;             ///< text: only what other tools read
    bool stream_per_thread = false; ///< .htr: the way a recorder writes it
};

struct Saved {
    std::vector<std::string> not_held; ///< what the format could not hold, in words
};

[[nodiscard]] Result<Saved> save_trace(const Trace& trace, const std::string& path,
                                       const SaveOptions& options, const Progress& progress = {});

} // namespace heddle
