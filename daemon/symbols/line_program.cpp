#include "daemon/symbols/line_program.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <dwarf.h>

namespace heddle::symbols {

namespace {

/// Reads numbers one after the other; zeros when there are no more bytes.
class Bytes {
  public:
    explicit Bytes(std::span<const std::uint8_t> rest) : rest_(rest) {}

    [[nodiscard]] bool empty() const { return rest_.empty(); }
    [[nodiscard]] std::size_t size() const { return rest_.size(); }
    void skip(std::uint64_t count) {
        rest_ = rest_.subspan(static_cast<std::size_t>(std::min<std::uint64_t>(count, rest_.size())));
    }
    void end_after(std::uint64_t count) {
        rest_ = rest_.first(static_cast<std::size_t>(std::min<std::uint64_t>(count, rest_.size())));
    }

    /// Little-endian, as all binaries that are looked at.
    template<typename Number>
    Number fixed() {
        Number number = 0;
        if (rest_.size() >= sizeof(number)) std::memcpy(&number, rest_.data(), sizeof(number));
        skip(sizeof(number));
        return number;
    }

    std::uint64_t uleb() { return leb().first; }
    std::int64_t sleb() {
        auto [bits, shift] = leb();
        const bool negative = shift > 0 && shift < 64 && (bits >> (shift - 1U) & 1U) != 0;
        if (negative) bits |= ~std::uint64_t{0} << shift;
        return static_cast<std::int64_t>(bits);
    }

  private:
    /// Groups of seven bits, and how many bits they are.
    std::pair<std::uint64_t, unsigned> leb() {
        std::uint64_t bits = 0;
        unsigned shift = 0;
        while (!rest_.empty()) {
            const auto byte = fixed<std::uint8_t>();
            if (shift < 64) bits |= std::uint64_t{byte & 0x7FU} << shift;
            shift += 7;
            if ((byte & 0x80U) == 0) break;
        }
        return {bits, shift};
    }

    std::span<const std::uint8_t> rest_;
};

/// What the header says of the opcodes.
struct Coding {
    std::uint8_t instruction_size = 1;
    std::int8_t line_base = 0;
    std::uint8_t line_range = 0; ///< 0: there is no program
    std::uint8_t opcode_base = 0;
    std::vector<std::uint8_t> operands; ///< of each standard opcode, from 1 on
};

/// Leaves `bytes` at the program. The tables of files are not of interest here.
Coding read_header(Bytes& bytes) {
    constexpr std::uint32_t kSixtyFourBits = 0xFFFF'FFFF;
    std::uint64_t length = bytes.fixed<std::uint32_t>();
    const bool wide = length == kSixtyFourBits;
    if (wide) length = bytes.fixed<std::uint64_t>();
    bytes.end_after(length);
    const auto version = bytes.fixed<std::uint16_t>();
    if (version < 2 || version > 5) return {};
    if (version == 5) bytes.skip(2); // the sizes of addresses and of segment selectors
    const std::uint64_t header = wide ? bytes.fixed<std::uint64_t>() : bytes.fixed<std::uint32_t>();
    Bytes program = bytes;
    program.skip(header);
    Coding coding{.instruction_size = bytes.fixed<std::uint8_t>(), .operands = {}};
    bytes.skip(version >= 4 ? 2 : 1); // operations of an instruction, and whether rows begin statements
    coding.line_base = bytes.fixed<std::int8_t>();
    coding.line_range = bytes.fixed<std::uint8_t>();
    coding.opcode_base = bytes.fixed<std::uint8_t>();
    for (unsigned i = 1; i < coding.opcode_base; ++i) coding.operands.push_back(bytes.fixed<std::uint8_t>());
    bytes = program;
    return coding;
}

/// The state machine of the standard, for machines whose instructions are one operation each.
class Machine {
  public:
    explicit Machine(Coding coding) : coding_(std::move(coding)) {}

    std::vector<LineSequence> run(Bytes program) {
        while (!program.empty()) {
            const auto opcode = program.fixed<std::uint8_t>();
            if (opcode >= coding_.opcode_base) {
                special(opcode);
            } else if (opcode == 0) {
                extended(program);
            } else {
                standard(opcode, program);
            }
        }
        return std::move(sequences_);
    }

  private:
    void special(std::uint8_t opcode) {
        advance(static_cast<unsigned>(opcode - coding_.opcode_base) / coding_.line_range);
        const int lines = coding_.line_base + (opcode - coding_.opcode_base) % coding_.line_range;
        row_.line += static_cast<std::uint32_t>(lines);
        add_row();
    }

    void standard(std::uint8_t opcode, Bytes& program) {
        switch (opcode) {
        case DW_LNS_copy: add_row(); break;
        case DW_LNS_advance_pc: advance(program.uleb()); break;
        case DW_LNS_advance_line: row_.line += static_cast<std::uint32_t>(program.sleb()); break;
        case DW_LNS_set_file: row_.file = program.uleb(); break;
        case DW_LNS_set_column: row_.column = static_cast<std::uint32_t>(program.uleb()); break;
        case DW_LNS_const_add_pc:
            advance(static_cast<unsigned>(255 - coding_.opcode_base) / coding_.line_range);
            break;
        case DW_LNS_fixed_advance_pc: row_.address += program.fixed<std::uint16_t>(); break;
        default:
            for (unsigned i = coding_.operands[opcode - 1U]; i > 0 && !program.empty(); --i) program.uleb();
        }
    }

    void extended(Bytes& program) {
        const std::uint64_t length = program.uleb();
        Bytes operands = program;
        operands.end_after(length);
        program.skip(length);
        switch (operands.fixed<std::uint8_t>()) {
        case DW_LNE_set_address: row_.address = operands.fixed<std::uint64_t>(); break;
        case DW_LNE_end_sequence:
            sequences_.push_back({std::exchange(rows_, {}), row_.address});
            row_ = kFirst;
            break;
        default: break;
        }
    }

    void advance(std::uint64_t instructions) { row_.address += instructions * coding_.instruction_size; }
    void add_row() { rows_.push_back(row_); }

    static constexpr ProgramRow kFirst{.file = 1, .line = 1};

    Coding coding_;
    ProgramRow row_ = kFirst;
    std::vector<ProgramRow> rows_; ///< of the sequence that is running
    std::vector<LineSequence> sequences_;
};

} // namespace

std::vector<LineSequence> run_line_program(std::span<const std::uint8_t> section, std::uint64_t offset) {
    Bytes bytes(section);
    bytes.skip(offset);
    Coding coding = read_header(bytes);
    if (coding.line_range == 0 || coding.opcode_base == 0) return {};
    return Machine(std::move(coding)).run(bytes);
}

} // namespace heddle::symbols
