#include "daemon/cli/output.h"

#include "daemon/report/number_words.h"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include <fmt/format.h>

namespace heddle::cli {

namespace {
constexpr std::size_t kPiece = std::size_t{256} << 10U;
}

Output::~Output() {
    flush();
}

void Output::put(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= kPiece) flush();
}

void Output::flush() {
    if (std::fwrite(buffer_.data(), 1, buffer_.size(), stdout) != buffer_.size()) failed_ = true;
    buffer_.clear();
}

bool Output::finish() {
    flush();
    if (std::fflush(stdout) != 0) failed_ = true;
    if (failed_) print_error(fmt::format("standard output: {}", std::generic_category().message(errno)));
    return !failed_;
}

void print_error(std::string_view message) {
    fmt::print(stderr, "heddle: {}\n", message);
}

void print_note(std::string_view note) {
    fmt::print(stderr, "heddle: note: {}\n", note);
}

void print_notes(const std::vector<std::string>& notes) {
    for (const std::string& note : notes) print_note(note);
}

void print_damage(const DamageLog& damage) {
    for (const Damage& one : damage.kept()) fmt::print(stderr, "{}\n", one.text());
    const std::uint64_t more = damage.total() - damage.kept().size();
    if (more > 0) fmt::print(stderr, "… and {} more\n", report::grouped(more));
}

std::string_view damage_kind_name(DamageKind kind) {
    switch (kind) {
    case DamageKind::syntax: return "syntax";
    case DamageKind::corrupt: return "corrupt";
    case DamageKind::incomplete: return "incomplete";
    case DamageKind::rule: return "rule";
    case DamageKind::limit: return "limit";
    }
    return "";
}

} // namespace heddle::cli
