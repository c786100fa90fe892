#include "daemon/symbols/line_rows.h"

#include "daemon/symbols/unit_files.h"

#include <algorithm>

namespace heddle::symbols {

LineRows::LineRows(Dwarf_Die unit, UnitFiles& files, std::uint64_t code_begin) {
    Dwarf_Lines* lines = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrclines(&unit, &lines, &count) != 0) return;
    for (std::size_t i = 0; i < count; ++i) {
        Dwarf_Line* line = dwarf_onesrcline(lines, i);
        Dwarf_Addr address = 0;
        bool ends = false;
        if (dwarf_lineaddr(line, &address) != 0 || dwarf_lineendsequence(line, &ends) != 0) continue;
        if (address < code_begin) continue;
        if (ends) {
            add({.address = address});
            continue;
        }
        int number = 0;
        int column = 0;
        Dwarf_Files* of = nullptr;
        std::size_t file = 0;
        if (dwarf_lineno(line, &number) != 0 || dwarf_linecol(line, &column) != 0 ||
            dwarf_line_file(line, &of, &file) != 0) {
            continue;
        }
        add({.address = address,
             .file = files.path(file),
             .line = static_cast<std::uint32_t>(number),
             .column = static_cast<std::uint32_t>(column)});
    }
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
