#include "daemon/symbols/dwarf_index.h"

#include "daemon/symbols/dwarf_tree.h"
#include "daemon/symbols/interval_map.h"
#include "daemon/symbols/line_rows.h"
#include "daemon/symbols/scopes.h"
#include "daemon/symbols/unit_files.h"

#include <span>
#include <unordered_map>

namespace heddle::symbols {

namespace {

struct EndDwarf {
    void operator()(Dwarf* dwarf) const { dwarf_end(dwarf); }
};

/// After libdw has opened the image: it decompresses sections.
std::span<const std::uint8_t> line_programs_of(const ElfImage& image) {
    const auto programs = image.section(".debug_line");
    return programs.empty() ? image.section(".zdebug_line") : programs;
}

/// What is known of a unit once one of its addresses was asked for.
struct UnitTables {
    LineRows rows;
    Scopes scopes;
};

} // namespace

class DwarfIndex::Units {
  public:
    Units(const ElfImage& image, const SymbolTable& symbols, const SourcePaths& paths, StringTable& strings)
        : symbols_(symbols), paths_(paths), strings_(strings), code_(image.code()),
          dwarf_(dwarf_begin_elf(image.elf(), DWARF_C_READ, nullptr)),
          line_programs_(line_programs_of(image)) {
        if (dwarf_ != nullptr) read_units();
    }

    [[nodiscard]] bool usable() const { return !units_.empty(); }
    [[nodiscard]] std::size_t elsewhere() const { return elsewhere_; }

    void find(std::uint64_t address, std::vector<SourceFrame>& frames) {
        if (const UnitTables* tables = tables_at(address)) add_frames(*tables, address, frames);
    }

    std::optional<NamedBytes> static_variable(ByteSpan bytes) {
        if (!static_variables_) {
            std::vector<Dwarf_Die> units = partial_units_;
            for (const Unit& unit : units_) units.push_back(whole_unit(unit.entry));
            static_variables_.emplace(units);
        }
        return static_variables_->find(bytes);
    }

    std::optional<NamedBytes> frame_variable(std::uint64_t code, const CallFrame& frame, ByteSpan bytes) {
        const UnitTables* tables = tables_at(code);
        std::uint32_t scope = tables == nullptr ? Scope::kNone : tables->scopes.find(code);
        if (scope == Scope::kNone) return std::nullopt;
        while (tables->scopes[scope].caller != Scope::kNone) scope = tables->scopes[scope].caller;
        Dwarf_Die function = tables->scopes[scope].entry;
        const auto known = frame_variables_.try_emplace(function.addr, function).first;
        return known->second.find(frame, bytes);
    }

  private:
    struct Unit {
        Dwarf_Die entry;
        std::unique_ptr<UnitTables> tables;
    };

    void read_units() {
        std::vector<Interval> ranges;
        Dwarf_CU* unit = nullptr;
        Dwarf_Die entry;
        std::uint8_t type = 0;
        while (units_.size() < kLimits.units && ranges.size() < kLimits.ranges &&
               dwarf_get_units(dwarf_.get(), unit, &unit, nullptr, &type, &entry, nullptr) == 0) {
            if (type == DW_UT_partial) partial_units_.push_back(entry);
            if (type != DW_UT_compile && type != DW_UT_skeleton) continue;
            const auto number = static_cast<std::uint32_t>(units_.size());
            // A function that several units have is there once: that of the first unit.
            const std::uint32_t rank = IntervalMap::kNothing - number;
            for_each_range(entry, [&](std::uint64_t begin, std::uint64_t end) {
                if (code_.contains(begin)) ranges.push_back({begin, end, number, rank});
            });
            units_.push_back({entry, nullptr});
            if (type == DW_UT_skeleton && whole_unit(entry).addr == entry.addr) ++elsewhere_;
        }
        by_address_ = IntervalMap(std::move(ranges));
    }

    /// The tables of the unit that covers an address, or null.
    const UnitTables* tables_at(std::uint64_t address) {
        const std::uint32_t number = by_address_.find(address);
        if (number == IntervalMap::kNothing) return nullptr;
        Unit& unit = units_[number];
        if (unit.tables == nullptr) unit.tables = tables_of(unit.entry);
        return unit.tables.get();
    }

    /// The tree of a split unit is in another file, which libdw finds if it is where it was made.
    static Dwarf_Die whole_unit(const Dwarf_Die& entry) {
        Dwarf_Die split{};
        std::uint8_t type = 0;
        const bool is_split =
            dwarf_cu_info(entry.cu, nullptr, &type, nullptr, &split, nullptr, nullptr, nullptr) == 0 &&
            type == DW_UT_skeleton && dwarf_tag(&split) != DW_TAG_invalid;
        return is_split ? split : entry;
    }

    std::unique_ptr<UnitTables> tables_of(Dwarf_Die entry) {
        const Dwarf_Die functions = whole_unit(entry);
        UnitFiles files(entry, paths_, strings_);
        UnitFiles call_files(functions, paths_, strings_);
        auto tables = std::make_unique<UnitTables>();
        tables->rows = LineRows(entry, line_programs_, files, code_);
        tables->scopes = read_scopes(functions, call_files, symbols_, code_, strings_);
        return tables;
    }

    static void add_frames(const UnitTables& tables, std::uint64_t address,
                           std::vector<SourceFrame>& frames) {
        SourceFrame frame;
        if (const LineRows::Row* row = tables.rows.find(address)) {
            frame.file = row->file;
            frame.line = row->line;
            frame.column = row->column;
        }
        std::uint32_t scope = tables.scopes.find(address);
        for (std::size_t depth = 0; scope != Scope::kNone && depth < kLimits.inlined; ++depth) {
            const Scope& in = tables.scopes[scope];
            frame.function = in.function;
            frames.push_back(frame);
            frame = {.file = in.call_file, .line = in.call_line, .column = in.call_column};
            scope = in.caller;
        }
        if (frames.empty() && frame.file.value != 0) frames.push_back(frame);
    }

    const SymbolTable& symbols_;
    const SourcePaths& paths_;
    StringTable& strings_;
    AddressRange code_;
    std::unique_ptr<Dwarf, EndDwarf> dwarf_;
    std::span<const std::uint8_t> line_programs_;
    std::vector<Unit> units_;
    std::vector<Dwarf_Die> partial_units_; ///< what several units have in common: no code
    IntervalMap by_address_;
    std::size_t elsewhere_ = 0;
    std::optional<StaticVariables> static_variables_;                 ///< once asked for
    std::unordered_map<const void*, FrameVariables> frame_variables_; ///< by the function's entry
};

DwarfIndex::DwarfIndex(const ElfImage& image, const SymbolTable& symbols, const SourcePaths& paths,
                       StringTable& strings)
    : units_(std::make_unique<Units>(image, symbols, paths, strings)) {}
DwarfIndex::~DwarfIndex() = default;

bool DwarfIndex::usable() const {
    return units_->usable();
}
std::size_t DwarfIndex::units_elsewhere() const {
    return units_->elsewhere();
}
void DwarfIndex::find(std::uint64_t address, std::vector<SourceFrame>& frames) {
    units_->find(address, frames);
}

std::optional<NamedBytes> DwarfIndex::static_variable(ByteSpan bytes) {
    return units_->static_variable(bytes);
}
std::optional<NamedBytes> DwarfIndex::frame_variable(std::uint64_t code, const CallFrame& frame,
                                                     ByteSpan bytes) {
    return units_->frame_variable(code, frame, bytes);
}

} // namespace heddle::symbols
