#include "daemon/service/shared_symbols.h"

#include "daemon/symbols/symbolised.h"

#include <algorithm>
#include <utility>

namespace heddle::service {

namespace {
/// A program and its libraries are some ten; this is many programs, or one that was built many times.
constexpr std::size_t kMaxModules = 200;
} // namespace

SharedSymbols::SharedSymbols(std::vector<std::string> debug_folders) {
    auto& roots = options_.debug_folders.roots;
    roots.insert(roots.begin(), std::make_move_iterator(debug_folders.begin()),
                 std::make_move_iterator(debug_folders.end()));
}

symbols::Symboliser& SharedSymbols::symboliser() {
    if (modules_ > kMaxModules) drop();
    if (!symboliser_) symboliser_.emplace(options_);
    return *symboliser_;
}

SharedSymbols::Told SharedSymbols::tell(const Trace& trace) {
    const std::lock_guard guard(mutex_);
    symbols::Symboliser& symboliser = this->symboliser();
    const symbols::SymbolisedTrace told = symbols::symbolised(trace, symboliser);
    Told result{.trace = told.trace, .notes = {}};
    for (const symbols::ModuleNumber number : told.modules) {
        modules_ = std::max<std::size_t>(modules_, number + 1);
        if (symboliser[number].worth_telling()) result.notes.push_back(symboliser[number].note());
    }
    return result;
}

void SharedSymbols::look_in(const std::vector<std::string>& debug_folders) {
    const std::lock_guard guard(mutex_);
    auto& roots = options_.debug_folders.roots;
    for (const std::string& folder : debug_folders) {
        if (std::ranges::find(roots, folder) != roots.end()) continue;
        roots.insert(roots.begin(), folder);
        drop();
    }
}

void SharedSymbols::forget() {
    const std::lock_guard guard(mutex_);
    drop();
}

void SharedSymbols::drop() {
    symboliser_.reset();
    modules_ = 0;
}

} // namespace heddle::service
