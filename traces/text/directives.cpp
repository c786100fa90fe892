#include "traces/text/directives.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <type_traits>

namespace heddle::text {

namespace {

std::optional<ObjectKind> object_kind_named(std::string_view name) {
    const auto* const found = std::find(kObjectKindNames.begin(), kObjectKindNames.end(), name);
    if (found == kObjectKindNames.end()) return std::nullopt;
    return static_cast<ObjectKind>(found - kObjectKindNames.begin());
}

} // namespace

bool DirectiveReader::read(std::string_view line) {
    line_ = line;
    at_ = 2;
    bad_attribute_ = false;
    const std::string_view word = next_word();
    if (word == "meta") return read_meta();
    if (word == "module") return read_module();
    if (word == "object") return read_object();
    if (word == "place") return read_place();
    return fail_at(word, "a directive: meta, module, object or place");
}

bool DirectiveReader::read_meta() {
    Metadata& meta = builder_.metadata();
    const std::string_view key = next_word();
    const auto number = [&](auto& field) {
        typename std::remove_reference_t<decltype(field)>::value_type value = 0;
        if (!read_number(rest(), value)) return false;
        field = value;
        return true;
    };
    if (key == "command") {
        meta.command.emplace_back(plain(rest()));
        return true;
    }
    if (key == "test") {
        meta.test = plain(rest());
        return true;
    }
    if (key == "setting") return read_setting();
    if (key == "start_time_unix_ns") return number(meta.start_time_unix_ns);
    if (key == "duration_ns") return number(meta.duration_ns);
    if (key == "exit_status") return number(meta.exit_status);
    return fail_at(key, "command, test, start_time_unix_ns, duration_ns, exit_status or setting");
}

bool DirectiveReader::read_setting() {
    const std::string_view word = next_word();
    if (word.empty()) return fail_at(word, "the name of a setting");
    std::string name(plain(word));
    builder_.metadata().settings.insert_or_assign(std::move(name), std::string(plain(rest())));
    return true;
}

bool DirectiveReader::read_module() {
    const std::string_view path = next_word();
    if (path.empty()) return fail_at(path, "the path of a module");
    if (builder_.module_count() >= limits_.max_modules)
        return fail_at(path, "fewer modules: their limit is reached");
    Module module;
    for (Attribute attribute; next_attribute(attribute);) {
        if (attribute.key == "build-id") {
            module.build_id = builder_.string(plain(attribute.value));
        } else if (attribute.key == "base") {
            if (!read_number(attribute.value, module.base)) return false;
        } else if (attribute.key == "size") {
            if (!read_number(attribute.value, module.size)) return false;
        } else {
            return fail_at(attribute.word, "build-id=…, base=… or size=…");
        }
    }
    if (bad_attribute_) return false;
    module.path = builder_.string(plain(path));
    places_.declare_module(builder_.text(module.path), builder_.module(module));
    return true;
}

bool DirectiveReader::read_object() {
    const std::string_view kind_name = next_word();
    const std::optional<ObjectKind> kind = object_kind_named(kind_name);
    if (!kind) {
        return fail_at(kind_name,
                       "a kind: thread, lock, variable, condition, barrier, semaphore, once, block, tag");
    }
    const std::string_view escaped = next_word();
    if (escaped.empty()) return fail_at(escaped, "what the lines call the object");
    const std::string word(plain(escaped));
    std::uint32_t id = names_.find(*kind, word);
    const bool known = id != HashIndex::kAbsent;
    if (!known && *kind == ObjectKind::thread && builder_.object_count(*kind) >= EventHead::kMaxThreads) {
        return fail_at(escaped, "fewer threads: their limit is reached");
    }
    ObjectDraft draft{.object = known ? builder_.object(*kind, id) : Object{}};
    for (Attribute attribute; next_attribute(attribute);) {
        if (!read_object_attribute(attribute, *kind, draft)) return false;
    }
    if (bad_attribute_) return false;
    if (!known) {
        id = draft.renamed ? names_.add_renamed(*kind, word, builder_.text(draft.object.name))
                           : names_.find_or_add(*kind, word);
        draft.object.name = builder_.object(*kind, id).name;
    }
    if (draft.block) draft.object.block = BlockId{names_.find_or_add(ObjectKind::block, plain(*draft.block))};
    builder_.redefine(*kind, id, draft.object);
    return true;
}

bool DirectiveReader::read_object_attribute(const Attribute& attribute, ObjectKind kind, ObjectDraft& draft) {
    if (attribute.key == "name") {
        draft.object.name = builder_.string(plain(attribute.value));
        draft.renamed = true;
        return true;
    }
    if (attribute.key == "address") return read_number(attribute.value, draft.object.address);
    if (attribute.key == "size") return read_number(attribute.value, draft.object.size);
    if (attribute.key == "block" && kind != ObjectKind::block) {
        draft.block = attribute.value;
        return true;
    }
    return fail_at(attribute.word, "name=…, address=…, size=… or, of what lies in a block, block=…");
}

bool DirectiveReader::read_place() {
    const std::string_view escaped = next_word();
    if (escaped.empty()) return fail_at(escaped, "what the lines call the place");
    const std::string word(plain(escaped));
    Place place;
    for (Attribute attribute; next_attribute(attribute);) {
        if (!read_place_attribute(attribute, place)) return false;
    }
    if (bad_attribute_) return false;
    places_.declare_place(word, builder_.place(place));
    return true;
}

bool DirectiveReader::read_place_attribute(const Attribute& attribute, Place& place) {
    const auto string = [&](StringId& field) {
        field = builder_.string(plain(attribute.value));
        return true;
    };
    if (attribute.key == "label") return string(place.label);
    if (attribute.key == "function") return string(place.function);
    if (attribute.key == "file") return string(place.file);
    if (attribute.key == "line") return read_number(attribute.value, place.line);
    if (attribute.key == "column") return read_number(attribute.value, place.column);
    if (attribute.key == "offset") return read_number(attribute.value, place.offset);
    if (attribute.key == "module") {
        if (!read_number(attribute.value, place.module.value)) return false;
        if (place.module.value < builder_.module_count()) return true;
        return fail_at(attribute.value, "the number of a module declared before, counted from 0");
    }
    return fail_at(attribute.word, "label=…, function=…, file=…, line=…, column=…, module=… or offset=…");
}

std::string_view DirectiveReader::next_word() {
    while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
    const std::string_view word = line_.substr(at_, word_length(line_.substr(at_)));
    at_ += word.size();
    return word;
}

bool DirectiveReader::next_attribute(Attribute& out) {
    out.word = next_word();
    if (out.word.empty()) return false;
    const std::size_t equals = out.word.find('=');
    if (equals == std::string_view::npos) {
        bad_attribute_ = true;
        return fail_at(out.word, "an attribute of the form key=value");
    }
    out.key = out.word.substr(0, equals);
    out.value = out.word.substr(equals + 1);
    return true;
}

template<typename Number>
bool DirectiveReader::read_number(std::string_view text, Number& out) {
    const bool hexadecimal = text.starts_with("0x");
    const std::string_view digits = hexadecimal ? text.substr(2) : text;
    const char* end = digits.data() + digits.size();
    const auto [at, error] = std::from_chars(digits.data(), end, out, hexadecimal ? 16 : 10);
    if (error != std::errc{} || at != end || (hexadecimal && digits.starts_with('-'))) {
        return fail_at(text, "a number that fits, decimal or 0x hexadecimal");
    }
    return true;
}

bool DirectiveReader::fail_at(std::string_view found, std::string_view expected) {
    error_ = {static_cast<std::size_t>(found.data() - line_.data()) + 1, expected, found};
    return false;
}

} // namespace heddle::text
