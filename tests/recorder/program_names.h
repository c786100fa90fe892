// Names that do not change from run to run for what is in a trace of a test program: threads by the order in
// which they are forked, memory by the global variables of the program.
#pragma once

#include "debug_info.h"
#include "traces/trace.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace heddle::test {

class ProgramNames {
  public:
    static constexpr const char* kUnnamed = "unnamed";

    /// The trace must outlive the names.
    ProgramNames(const Trace& trace, const std::string& program);

    /// T0 is the thread of the first event; the others are numbered as they come up.
    [[nodiscard]] std::string thread(ThreadId thread);
    /// Of the bytes that an access touches: "x", "x+4"; "heap1" and so on for what no global variable holds.
    [[nodiscard]] std::string variable(const EventView& event);
    /// Of what another event refers to; "m#2" for the second object at the same address, and kUnnamed for
    /// what is in libraries and elsewhere.
    [[nodiscard]] std::string target(const EventView& event);

    /// Whether a place is in the program itself, not in a library.
    [[nodiscard]] bool in_program(const Place& place) const;
    [[nodiscard]] bool knows_program() const { return module_ != kNone; }
    [[nodiscard]] const DebugInfo& info() const { return info_; }

  private:
    static constexpr std::size_t kNone = ~std::size_t{0};

    [[nodiscard]] std::string global_at(std::uint64_t address) const;

    const Trace& trace_;
    DebugInfo info_;
    std::size_t module_ = kNone;
    std::map<std::uint32_t, std::size_t> threads_;
    std::map<std::uint32_t, std::size_t> heap_;
    std::map<std::pair<ObjectKind, std::uint64_t>, std::map<std::uint32_t, std::size_t>> same_address_;
};

} // namespace heddle::test
