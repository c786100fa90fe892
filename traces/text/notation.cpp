#include "traces/text/notation.h"

#include <array>
#include <charconv>
#include <utility>

namespace heddle::text {

namespace {

constexpr std::array<std::pair<std::string_view, EventKind>, 6> kAliases = {{
    {"read", EventKind::read},
    {"write", EventKind::write},
    {"acquire", EventKind::acquire},
    {"release", EventKind::release},
    {"lock", EventKind::acquire},
    {"unlock", EventKind::release},
}};

/// An open-addressing table of all operation names, made by the compiler: one probe for most names.
class OperationTable {
  public:
    constexpr OperationTable() {
        for (std::size_t i = 0; i < kEventKinds; ++i) add(kKindTraits[i].text, {static_cast<EventKind>(i)});
        for (const auto& [name, kind] : kAliases) add(name, {kind});
        for (std::size_t i = 0; i < kSkippedOperations.size(); ++i) {
            add(kSkippedOperations[i], {EventKind::read, static_cast<std::uint8_t>(i)});
        }
    }

    [[nodiscard]] constexpr const Operation* find(std::string_view name) const {
        if (name.empty()) return nullptr;
        for (std::size_t at = slot_of(name);; at = (at + 1) % kSlots) {
            if (names_[at] == name) return &operations_[at];
            if (names_[at].empty()) return nullptr;
        }
    }

  private:
    static constexpr std::size_t kSlots = 128;

    static constexpr std::size_t slot_of(std::string_view name) {
        const auto first = static_cast<unsigned char>(name.front());
        const auto middle = static_cast<unsigned char>(name[name.size() / 2]);
        const auto last = static_cast<unsigned char>(name.back());
        return (first + middle * 5U + last * 11U + name.size() * 17U) % kSlots;
    }

    constexpr void add(std::string_view name, Operation operation) {
        std::size_t at = slot_of(name);
        while (!names_[at].empty()) at = (at + 1) % kSlots;
        names_[at] = name;
        operations_[at] = operation;
    }

    std::array<std::string_view, kSlots> names_{};
    std::array<Operation, kSlots> operations_{};
};

constexpr OperationTable kOperations;

constexpr char escaped_character(char letter) {
    switch (letter) {
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 's': return ' ';
    case '0': return '\0';
    default: return letter;
    }
}

/// The letter that stands for `c` after a backslash; 0 when `c` is written as it is.
constexpr char letter_for(char c) {
    switch (c) {
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    case '\0': return '0';
    case '|':
    case '\\': return c;
    default: return 0;
    }
}

bool blank_needs_escape(std::string_view text, std::size_t at, Within within) {
    if (within == Within::word || at == 0 || at + 1 == text.size()) return true;
    return within == Within::frame && (text[at - 1] == '<' || text[at + 1] == '<');
}

} // namespace

std::optional<Operation> operation_named(std::string_view name) {
    const Operation* found = kOperations.find(name);
    if (found == nullptr) return std::nullopt;
    return *found;
}

MemoryOrder memory_order_named(std::string_view name) {
    for (std::size_t i = 1; i < kMemoryOrders; ++i) {
        if (kMemoryOrderNames[i] == name) return static_cast<MemoryOrder>(i);
    }
    return MemoryOrder::none;
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
    const bool hexadecimal = text.starts_with("0x");
    if (hexadecimal) text.remove_prefix(2);
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, number, hexadecimal ? 16 : 10);
    if (error != std::errc{} || at != end) return std::nullopt;
    return number;
}

std::size_t find_bar(std::string_view text, std::size_t from, bool may_hold_escapes) {
    if (!may_hold_escapes) return text.find('|', from);
    for (std::size_t at = from; at < text.size(); ++at) {
        if (text[at] == '|') return at;
        if (text[at] == '\\' && at + 1 < text.size() && is_escape(text[at + 1])) ++at;
    }
    return std::string_view::npos;
}

std::string_view unescaped(std::string_view text, std::string& storage) {
    if (text.find('\\') == std::string_view::npos) return text;
    storage.clear();
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\\' && at + 1 < text.size() && is_escape(text[at + 1])) {
            ++at;
            if (text[at] != 'e') storage += escaped_character(text[at]);
        } else {
            storage += text[at];
        }
    }
    return storage;
}

void append_escaped(std::string& out, std::string_view text, Within within) {
    if (text.empty() && within == Within::word) out += "\\e";
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        const char letter = c == ' ' && blank_needs_escape(text, at, within) ? 's' : letter_for(c);
        if (letter != 0) out += '\\';
        out += letter != 0 ? letter : c;
    }
}

} // namespace heddle::text
