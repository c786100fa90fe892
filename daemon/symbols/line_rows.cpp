#include "daemon/symbols/line_rows.h"

#include "daemon/symbols/dwarf_tree.h"
#include "daemon/symbols/unit_files.h"

#include <algorithm>

namespace heddle::symbols {

namespace {

/// Linkers move the sequences of code that they leave out to 0 or to the highest address, from where they
/// reach into real code.
bool is_in(const LineSequence& sequence, AddressRange code) {
    return !sequence.rows.empty() && code.contains(sequence.rows.front().address) &&
           sequence.rows.front().address < sequence.end && sequence.end <= code.end &&
           std::ranges::is_sorted(sequence.rows, {}, &ProgramRow::address);
}

std::uint64_t begin_of(const LineSequence& sequence) {
    return sequence.rows.front().address;
}

} // namespace

LineRows::LineRows(Dwarf_Die unit, std::span<const std::uint8_t> program, UnitFiles& files,
                   AddressRange code) {
    const auto offset = number_of(unit, DW_AT_stmt_list);
    if (!offset) return;
    std::vector<LineSequence> sequences = run_line_program(program, *offset);
    std::erase_if(sequences, [&](const LineSequence& one) { return !is_in(one, code); });
    std::ranges::stable_sort(sequences, {}, begin_of);
    std::uint64_t end = 0;
    for (const LineSequence& sequence : sequences) {
        if (begin_of(sequence) < end) continue; // no two of them can be true
        add(sequence, files);
        end = sequence.end;
    }
}

void LineRows::add(const LineSequence& sequence, UnitFiles& files) {
    for (const ProgramRow& row : sequence.rows) {
        add({.address = row.address, .file = files.path(row.file), .line = row.line, .column = row.column});
    }
    add({.address = sequence.end});
}

/// Rows come by address; of several at one address the last holds.
void LineRows::add(const Row& row) {
    if (!rows_.empty() && rows_.back().address == row.address) rows_.pop_back();
    const bool same = !rows_.empty() && rows_.back().file == row.file && rows_.back().line == row.line &&
                      rows_.back().column == row.column;
    if (!same) rows_.push_back(row);
}

const LineRows::Row* LineRows::find(std::uint64_t address) const {
    auto after = std::ranges::upper_bound(rows_, address, {}, &Row::address);
    if (after == rows_.begin()) return nullptr;
    --after;
    return after->file.valid() ? &*after : nullptr;
}

} // namespace heddle::symbols
