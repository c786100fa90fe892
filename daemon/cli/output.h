// Words on standard output and standard error, the same way in every command.
#pragma once

#include "daemon/cli/command.h"
#include "traces/damage.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::cli {

/// Collects text for standard output and writes it in large pieces.
class Output {
  public:
    Output() = default;
    ~Output();
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    Output(Output&&) = delete;
    Output& operator=(Output&&) = delete;

    void put(std::string_view text);
    void line(std::string_view text) {
        put(text);
        put("\n");
    }
    /// Writes the rest. False, after saying so, when standard output did not take everything.
    [[nodiscard]] bool finish();

  private:
    void flush();

    std::string buffer_;
    bool failed_ = false;
};

void print_error(std::string_view message);
void print_note(std::string_view note);
void print_notes(const std::vector<std::string>& notes);
/// One line for each damage that was kept, and how many more there were.
void print_damage(const DamageLog& damage);

[[nodiscard]] std::string_view damage_kind_name(DamageKind kind);

} // namespace heddle::cli
