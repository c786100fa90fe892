#include "daemon/service/log_file.h"

#include "lsp/json.h"

#include <cstdlib>
#include <exception>
#include <memory>

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/rotating_file_sink.h>

namespace heddle::service {

namespace {

constexpr std::size_t kMaxBytes = std::size_t{4} << 20U;
constexpr std::size_t kFiles = 3;

spdlog::level::level_enum level_of(lsp::LogLevel level) {
    switch (level) {
    case lsp::LogLevel::debug: return spdlog::level::debug;
    case lsp::LogLevel::info: return spdlog::level::info;
    case lsp::LogLevel::warning: return spdlog::level::warn;
    case lsp::LogLevel::error: return spdlog::level::err;
    }
    return spdlog::level::info;
}

/// Whatever a message quotes (bytes of a damaged trace, the name of a file), it is one line of text: control
/// characters as JSON escapes them, bytes that are no UTF-8 as U+FFFD.
std::string one_line(std::string_view message) {
    const std::string quoted = lsp::to_text(lsp::Json(message));
    std::string line;
    for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
        if (quoted[i] == '\\' && (quoted[i + 1] == '"' || quoted[i + 1] == '\\')) ++i;
        line += quoted[i];
    }
    return line;
}

} // namespace

std::string default_log_file() {
    const char* state = std::getenv("XDG_STATE_HOME");
    if (state != nullptr && *state == '/') return std::string(state) + "/heddle/heddle.log";
    const char* home = std::getenv("HOME");
    return home != nullptr && *home == '/' ? std::string(home) + "/.local/state/heddle/heddle.log"
                                           : std::string();
}

Result<lsp::Log> open_log(const std::string& path) {
    try {
        auto sink = std::make_shared<spdlog::sinks::rotating_file_sink_st>(path, kMaxBytes, kFiles);
        auto logger = std::make_shared<spdlog::logger>("heddle", std::move(sink));
        logger->set_level(spdlog::level::trace); // who calls chooses
        logger->flush_on(spdlog::level::info);
        logger->set_pattern("%Y-%m-%d %H:%M:%S.%e %P %l %v");
        // A disk that is full must not end the daemon, nor fill its error output.
        logger->set_error_handler([](const std::string&) {});
        return [logger](lsp::LogLevel at, std::string_view message) {
            logger->log(level_of(at), one_line(message));
        };
    } catch (const std::exception& error) {
        return fail(fmt::format("no log is written: {}", error.what()));
    }
}

} // namespace heddle::service
