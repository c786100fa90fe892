#include "traces/htr/metadata_chunk.h"

#include <charconv>
#include <string>
#include <string_view>

namespace heddle::htr {

namespace {

constexpr std::string_view kSettingPrefix = "setting.";

template<typename Number>
bool parse(std::string_view text, std::optional<Number>& to) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return false;
    to = number;
    return true;
}

} // namespace

Bytes encode_metadata(const Metadata& metadata) {
    Bytes out;
    const auto put = [&](std::string_view key, std::string_view value) {
        put_text(out, key);
        put_text(out, value);
    };
    for (const std::string& argument : metadata.command) put("command", argument);
    if (!metadata.test.empty()) put("test", metadata.test);
    if (metadata.start_time_unix_ns) put("start_time_unix_ns", std::to_string(*metadata.start_time_unix_ns));
    if (metadata.duration_ns) put("duration_ns", std::to_string(*metadata.duration_ns));
    if (metadata.exit_status) put("exit_status", std::to_string(*metadata.exit_status));
    for (const auto& [name, value] : metadata.settings) put(std::string(kSettingPrefix) + name, value);
    return out;
}

bool decode_metadata(std::span<const std::uint8_t> payload, Metadata& metadata) {
    ByteReader reader(payload);
    bool command_seen = false;
    bool good = true;
    while (reader.ok() && reader.left() > 0) {
        const std::string_view key = reader.text();
        const std::string_view value = reader.text();
        if (!reader.ok()) break;
        if (key == "command") {
            if (!command_seen)
                metadata.command.clear(); // a later chunk's command line replaces an earlier one
            command_seen = true;
            metadata.command.emplace_back(value);
        } else if (key == "test") {
            metadata.test = value;
        } else if (key == "start_time_unix_ns") {
            good = parse(value, metadata.start_time_unix_ns) && good;
        } else if (key == "duration_ns") {
            good = parse(value, metadata.duration_ns) && good;
        } else if (key == "exit_status") {
            good = parse(value, metadata.exit_status) && good;
        } else if (key.starts_with(kSettingPrefix)) {
            metadata.settings[std::string(key.substr(kSettingPrefix.size()))] = value;
        }
    }
    return good && reader.ok();
}

} // namespace heddle::htr
