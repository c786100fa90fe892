#include "traces/text/places.h"

#include "traces/hash.h"
#include "traces/text/notation.h"

namespace heddle::text {

namespace {

constexpr std::size_t kMaxKnown = std::size_t{1} << 18U;

/// Splits at each `<` that stands between blanks.
void split_frames(std::string_view field, std::vector<std::string_view>& out) {
    out.clear();
    std::size_t start = 0;
    for (std::size_t at = field.find('<'); at != std::string_view::npos; at = field.find('<', at + 1)) {
        const bool joint =
            at > 0 && is_blank(field[at - 1]) && at + 1 < field.size() && is_blank(field[at + 1]);
        if (!joint) continue;
        out.push_back(trimmed(field.substr(start, at - start)));
        start = at + 1;
    }
    out.push_back(trimmed(field.substr(start)));
}

} // namespace

void PlaceTable::declare_module(std::string_view path, ModuleId id) {
    modules_.add(path, id);
    forget();
}

void PlaceTable::declare_place(std::string_view word, PlaceId id) {
    declared_.insert_or_assign(std::string(word), id);
    forget();
}

void PlaceTable::forget() {
    if (known_.empty()) return;
    index_ = {};
    known_.clear();
    fields_ = {};
}

StackId PlaceTable::add(std::string_view field, std::uint64_t hash) {
    if (known_.size() == kMaxKnown) forget();
    const StackId stack = parse(field);
    if (!stack.valid()) return stack;
    index_.insert(hash, static_cast<std::uint32_t>(known_.size()));
    known_.push_back({fields_[fields_.intern(field)], stack});
    return stack;
}

StackId PlaceTable::parse(std::string_view field) {
    split_frames(field, frames_);
    for (const std::string_view frame : frames_) {
        if (frame.empty()) return {};
    }
    StackId stack;
    for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
        stack = builder_.stack({.place = place(*frame), .caller = stack});
    }
    return stack;
}

PlaceId PlaceTable::place(std::string_view escaped) {
    const std::string_view text = unescaped(escaped, unescaped_);
    if (!declared_.empty()) {
        const auto found = declared_.find(std::string(text));
        if (found != declared_.end()) return found->second;
    }
    const Frame frame = parse_frame(text, modules_);
    return builder_.place({.label = builder_.string(frame.label),
                           .function = builder_.string(frame.function),
                           .file = builder_.string(frame.file),
                           .line = frame.line,
                           .column = frame.column,
                           .module = frame.module,
                           .offset = frame.offset});
}

} // namespace heddle::text
