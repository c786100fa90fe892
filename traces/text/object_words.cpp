#include "traces/text/object_words.h"

#include "traces/hash.h"
#include "traces/io/byte_source.h"
#include "traces/text/notation.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

namespace heddle::text {

namespace {

bool fits_plain(char c) {
    return static_cast<unsigned char>(c) > 0x20U && c != 0x7F && c != '|' && c != '\\' && c != '(' &&
           c != ')';
}

/// Whether a line, or a file, that starts with this thread would be taken for something else.
bool starts_like_no_event(std::string_view thread) {
    return thread.starts_with('#') || thread.starts_with("//") || thread.starts_with("\xEF\xBB\xBF") ||
           starts_like_compressed(thread);
}

std::string fallback_word(const Object& object, ObjectKind kind, std::uint32_t id) {
    if (kind == ObjectKind::thread) return fmt::format("T{}", id);
    if (object.address != 0) return fmt::format("0x{:x}", object.address);
    return fmt::format("{}#{}", kObjectKindNames[static_cast<std::size_t>(kind)], id);
}

} // namespace

ObjectWords::ObjectWords(const Trace& trace, bool plain) {
    for (std::size_t kind = 0; kind < kObjectKinds; ++kind)
        choose(trace, static_cast<ObjectKind>(kind), plain);
}

void ObjectWords::choose(const Trace& trace, ObjectKind kind, bool plain) {
    const ObjectTable& objects = trace.objects(kind);
    Table& table = tables_[static_cast<std::size_t>(kind)];
    table.words.resize(objects.size());
    const auto will_do = [&](std::string_view name) {
        return !name.empty() && (kind != ObjectKind::thread || !starts_like_no_event(name)) &&
               (!plain || std::all_of(name.begin(), name.end(), fits_plain));
    };
    // Names first, so that no made-up word takes one.
    std::vector<std::uint32_t> nameless;
    for (std::uint32_t id = 0; id < objects.size(); ++id) {
        const std::string_view name = trace.name(kind, id);
        if (!will_do(name) || !take(table, id, name)) nameless.push_back(id);
    }
    table.renamed = nameless.size();
    std::unordered_map<std::string, std::uint32_t> last_number;
    for (const std::uint32_t id : nameless) {
        std::string base(trace.name(kind, id));
        if (plain) std::replace_if(base.begin(), base.end(), std::not_fn(fits_plain), '_');
        if (!will_do(base)) base = fallback_word(objects[id], kind, id);
        take_numbered(table, id, base, last_number);
    }
    for (Word& word : table.words) {
        std::string escaped;
        append_escaped(escaped, word.word, Within::field);
        word.field = escaped == word.word ? word.word : keep(std::move(escaped));
    }
}

bool ObjectWords::take(Table& table, std::uint32_t id, std::string_view word) {
    const std::uint64_t hash = hash_of(word);
    const auto same = [&](std::uint32_t other) { return table.words[other].word == word; };
    if (table.taken.find(hash, same) != HashIndex::kAbsent) return false;
    table.taken.insert(hash, id);
    table.words[id].word = word;
    return true;
}

void ObjectWords::take_numbered(Table& table, std::uint32_t id, std::string_view base,
                                std::unordered_map<std::string, std::uint32_t>& last_number) {
    std::uint32_t& number = last_number.try_emplace(std::string(base), 0U).first->second;
    for (;;) {
        ++number;
        const std::string_view word =
            keep(number == 1 ? std::string(base) : fmt::format("{}~{}", base, number));
        if (take(table, id, word)) return;
        kept_.pop_back();
    }
}

} // namespace heddle::text
