#include "daemon/symbols/module_symbols.h"

#include "daemon/symbols/readable_name.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

namespace heddle::symbols {

namespace {

constexpr std::array<std::string_view, kModuleStates> kStateNames = {
    "known", "symbols only", "stripped", "rebuilt", "unproven", "gone", "unreadable"};

bool exists(const std::string& path) {
    std::error_code error;
    return std::filesystem::exists(path, error);
}

bool belongs_to_the_system(std::string_view path, const DebugFolders& folders) {
    return path.find('/') == std::string_view::npos ||                 // linux-vdso.so.1
           path.find("/heddle/recorder/") != std::string_view::npos || // wherever that is installed
           std::ranges::any_of(folders.system,
                               [&](const std::string& folder) { return path.starts_with(folder); });
}

} // namespace

std::string_view module_state_name(ModuleState state) {
    return kStateNames[static_cast<std::size_t>(state)];
}

ModuleSymbols::ModuleSymbols(const RecordedModule& recorded, const DebugFolders& folders,
                             const SourcePaths& paths, StringTable& strings)
    : path_(recorded.path), is_of_the_system_(belongs_to_the_system(recorded.path, folders)),
      strings_(strings) {
    open(recorded, folders);
    open_debug_file(recorded, folders, binary_.has_value());
    const ElfImage* debug = debug_ ? &*debug_ : binary_ && binary_->has_debug_info() ? &*binary_ : nullptr;
    if (debug_ && is_of_the_system_ && !folders.system_lines) debug = nullptr;
    if (debug_ && debug_->has_symbols()) {
        symbols_ = SymbolTable(*debug_);
    } else if (binary_) {
        symbols_ = SymbolTable(*binary_);
    }
    if (debug == nullptr) {
        const bool has_symbols = (debug_ && debug_->has_symbols()) || (binary_ && binary_->has_symbols());
        if (binary_ || debug_) state_ = has_symbols ? ModuleState::symbols_only : ModuleState::stripped;
        return;
    }
    index_ = std::make_unique<DwarfIndex>(*debug, symbols_, paths, strings);
    state_ = index_->usable() ? ModuleState::known : ModuleState::unreadable;
    if (!index_->usable()) detail_ = fmt::format("{}: the debug information is damaged", debug->path());
}

/// The file at the path, if it is what was recorded.
void ModuleSymbols::open(const RecordedModule& recorded, const DebugFolders& folders) {
    auto image = ElfImage::open(recorded.path);
    if (image && image->build_id() != recorded.build_id) {
        state_ = ModuleState::rebuilt;
        detail_ =
            fmt::format("build-id {} then, {} now", recorded.build_id.empty() ? "none" : recorded.build_id,
                        image->build_id().empty() ? "none" : image->build_id());
    } else if (image && recorded.build_id.empty() && !recorded.path.starts_with('/')) {
        state_ = ModuleState::unproven;
        detail_ = "was recorded without the folder that it was in";
    } else if (image && recorded.build_id.empty() && recorded.recorded_ns &&
               image->changed_ns() > *recorded.recorded_ns) {
        state_ = ModuleState::unproven;
        detail_ = "was changed after the recording";
    } else if (image) {
        binary_ = std::move(*image);
        return;
    } else if (exists(recorded.path)) {
        state_ = ModuleState::unreadable;
        detail_ = image.error().message;
    }
    binary_ = find_moved(recorded.path, recorded.build_id, folders);
}

void ModuleSymbols::open_debug_file(const RecordedModule& recorded, const DebugFolders& folders,
                                    bool same_build) {
    if (binary_ && binary_->has_debug_info()) return;
    if (same_build) debug_ = find_by_debug_link(*binary_, folders);
    if (!debug_) debug_ = find_by_build_id(recorded.build_id, folders);
}

std::string ModuleSymbols::note() const {
    switch (state_) {
    case ModuleState::known:
        if (index_->units_elsewhere() == 0) return {};
        return fmt::format(
            "{}: functions of {} units are not known: their .dwo files are not where they were made; "
            "keep them, or build without -gsplit-dwarf",
            path_, index_->units_elsewhere());
    case ModuleState::symbols_only:
        if (debug_) {
            return fmt::format("{} is the system's: its functions are known; --system-lines finds lines, too",
                               path_);
        }
        return fmt::format(
            "{} has no debug information: its functions are known, but no lines; build it with -g", path_);
    case ModuleState::stripped:
        return fmt::format(
            "{} is stripped: places in it are addresses; build it with -g and do not strip it, or put "
            "what objcopy --only-keep-debug took from it beside it",
            path_);
    case ModuleState::rebuilt:
        return fmt::format(
            "{} was rebuilt since the recording ({}): places in it are addresses; record again", path_,
            detail_);
    case ModuleState::unproven:
        return fmt::format(
            "{} {}, and has no build-id to tell whether it is the same build: places in it are addresses; "
            "record again, and link with -Wl,--build-id",
            path_, detail_);
    case ModuleState::gone:
        return fmt::format(
            "{} is gone: places in it are addresses; record again, or name the folder that has it now "
            "with --debug-dir",
            path_);
    case ModuleState::unreadable: return fmt::format("{}; places in it are addresses; build again", detail_);
    }
    return {};
}

bool ModuleSymbols::worth_telling() const {
    const bool nothing_new = state_ == ModuleState::symbols_only || state_ == ModuleState::stripped ||
                             (state_ == ModuleState::gone && path_.find('/') == std::string::npos);
    return !note().empty() && !(nothing_new && is_of_the_system_);
}

bool ModuleSymbols::may_have(std::uint64_t address) const {
    const ElfImage* image = binary_ ? &*binary_ : debug_ ? &*debug_ : nullptr;
    return image == nullptr || address >= image->memory_begin();
}

void ModuleSymbols::find(std::uint64_t address, std::vector<SourceFrame>& frames) {
    frames.clear();
    if (index_ != nullptr) index_->find(address, frames);
    if (!frames.empty() && frames.back().function.value != 0) return;
    const SymbolTable::Symbol* symbol = symbols_.function_at(address);
    if (symbol == nullptr) return;
    if (frames.empty()) frames.emplace_back();
    frames.back().function = strings_.intern(demangled(symbol->name));
}

std::optional<NamedBytes> ModuleSymbols::static_variable(ByteSpan bytes) {
    if (index_ != nullptr) {
        if (auto named = index_->static_variable(bytes)) return named;
    }
    const SymbolTable::Symbol* symbol = symbols_.variable_at(bytes.begin);
    if (symbol == nullptr) return std::nullopt;
    return NamedBytes{.name = short_variable_name(demangled(symbol->name)),
                      .bytes = {symbol->address, symbol->address + symbol->size}};
}

std::optional<NamedBytes> ModuleSymbols::frame_variable(std::uint64_t code, const CallFrame& frame,
                                                        ByteSpan bytes) {
    return index_ == nullptr ? std::nullopt : index_->frame_variable(code, frame, bytes);
}

} // namespace heddle::symbols
