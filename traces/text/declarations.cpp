#include "traces/text/declarations.h"

#include "traces/text/notation.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

namespace heddle::text {

namespace {

using Kinds = std::array<bool, kObjectKinds>;

/// The kinds whose objects are not first used in the order of their ids, or not all used.
Kinds kinds_out_of_order(const Trace& trace) {
    std::array<std::uint32_t, kObjectKinds> next{};
    Kinds result{};
    const auto use = [&](std::size_t kind, std::uint32_t id) {
        if (id < next[kind]) return;
        result[kind] = result[kind] || id > next[kind];
        next[kind] = id + 1;
    };
    for (const EventView event : trace.events()) {
        use(static_cast<std::size_t>(ObjectKind::thread), event.thread().value);
        if (event.has_target()) use(static_cast<std::size_t>(*traits(event.kind()).target), event.target());
    }
    for (std::size_t kind = 0; kind < kObjectKinds; ++kind) {
        result[kind] = result[kind] || next[kind] != trace.objects(static_cast<ObjectKind>(kind)).size();
    }
    return result;
}

class Declarations {
  public:
    Declarations(const Trace& trace, const ObjectWords& words, const PlaceTexts& places, TextOutput& out)
        : trace_(trace), words_(words), places_(places), out_(out) {}

    void write() {
        write_metadata();
        write_modules();
        write_places();
        write_objects();
    }

  private:
    void start(std::string_view directive) { out_.buffer().append("#! ").append(directive); }
    void word(std::string_view text) {
        out_.buffer() += ' ';
        append_escaped(out_.buffer(), text, Within::word);
    }
    void rest(std::string_view text) {
        out_.buffer() += ' ';
        append_escaped(out_.buffer(), text, Within::field);
    }
    void attribute(std::string_view key, std::string_view text) {
        if (text.empty()) return;
        out_.buffer().append(" ").append(key).append("=");
        append_escaped(out_.buffer(), text, Within::word);
    }
    void decimal(std::string_view key, std::uint64_t number) {
        if (number != 0) fmt::format_to(std::back_inserter(out_.buffer()), " {}={}", key, number);
    }
    void hexadecimal(std::string_view key, std::uint64_t number) {
        if (number != 0) fmt::format_to(std::back_inserter(out_.buffer()), " {}=0x{:x}", key, number);
    }
    template<typename Number>
    void meta_number(std::string_view key, const std::optional<Number>& number) {
        if (!number) return;
        fmt::format_to(std::back_inserter(out_.buffer()), "#! meta {} {}", key, *number);
        out_.line_done();
    }

    void write_metadata();
    void write_modules();
    void write_places();
    void write_objects();
    void write_objects_of(ObjectKind kind);
    [[nodiscard]] bool has_more_than_names(ObjectKind kind) const;
    [[nodiscard]] bool has_blocks(ObjectKind kind) const;

    const Trace& trace_;
    const ObjectWords& words_;
    const PlaceTexts& places_;
    TextOutput& out_;
};

void Declarations::write_metadata() {
    const Metadata& meta = trace_.metadata();
    for (const std::string& argument : meta.command) {
        start("meta command");
        rest(argument);
        out_.line_done();
    }
    if (!meta.test.empty()) {
        start("meta test");
        rest(meta.test);
        out_.line_done();
    }
    meta_number("start_time_unix_ns", meta.start_time_unix_ns);
    meta_number("duration_ns", meta.duration_ns);
    meta_number("exit_status", meta.exit_status);
    for (const auto& [name, value] : meta.settings) {
        start("meta setting");
        word(name);
        rest(value);
        out_.line_done();
    }
}

void Declarations::write_modules() {
    for (const Module& module : trace_.modules()) {
        start("module");
        word(trace_.string(module.path));
        attribute("build-id", trace_.string(module.build_id));
        hexadecimal("base", module.base);
        decimal("size", module.size);
        out_.line_done();
    }
}

void Declarations::write_places() {
    for (std::uint32_t id = 0; id < trace_.places().size(); ++id) {
        if (!places_.needs_declaring(id)) continue;
        const Frame frame = frame_of(trace_, trace_.places()[id]);
        start("place");
        word(PlaceTexts::word(id));
        attribute("label", frame.label);
        attribute("function", frame.function);
        attribute("file", frame.file);
        decimal("line", frame.line);
        decimal("column", frame.column);
        if (frame.module.valid()) {
            fmt::format_to(std::back_inserter(out_.buffer()), " module={}", frame.module.value);
        }
        hexadecimal("offset", frame.offset);
        out_.line_done();
    }
}

bool Declarations::has_more_than_names(ObjectKind kind) const {
    if (words_.renamed(kind) > 0) return true;
    for (const Object& object : trace_.objects(kind)) {
        if (object.address != 0 || object.size != 0 || object.block.valid()) return true;
    }
    return false;
}

bool Declarations::has_blocks(ObjectKind kind) const {
    const ObjectTable& objects = trace_.objects(kind);
    return std::any_of(objects.begin(), objects.end(),
                       [](const Object& object) { return object.block.valid(); });
}

void Declarations::write_objects() {
    Kinds declare = kinds_out_of_order(trace_);
    for (std::size_t kind = 0; kind < kObjectKinds; ++kind) {
        declare[kind] = declare[kind] || has_more_than_names(static_cast<ObjectKind>(kind));
    }
    // Others may name the block they lie in, which would number the blocks in that order.
    bool lie_in_blocks = false;
    for (std::size_t kind = 0; kind < kObjectKinds; ++kind)
        lie_in_blocks = lie_in_blocks || (declare[kind] && has_blocks(static_cast<ObjectKind>(kind)));
    if (lie_in_blocks || declare[static_cast<std::size_t>(ObjectKind::block)])
        write_objects_of(ObjectKind::block);
    for (std::size_t i = 0; i < kObjectKinds; ++i) {
        const auto kind = static_cast<ObjectKind>(i);
        if (declare[i] && kind != ObjectKind::block) write_objects_of(kind);
    }
}

void Declarations::write_objects_of(ObjectKind kind) {
    const ObjectTable& objects = trace_.objects(kind);
    for (std::uint32_t id = 0; id < objects.size(); ++id) {
        const Object& object = objects[id];
        start("object");
        word(kObjectKindNames[static_cast<std::size_t>(kind)]);
        word(words_.word(kind, id));
        if (words_.word(kind, id) != trace_.string(object.name)) {
            out_.buffer() += " name=";
            append_escaped(out_.buffer(), trace_.string(object.name), Within::word);
        }
        hexadecimal("address", object.address);
        decimal("size", object.size);
        if (object.block.valid()) attribute("block", words_.word(ObjectKind::block, object.block.value));
        out_.line_done();
    }
}

} // namespace

void write_declarations(const Trace& trace, const ObjectWords& words, const PlaceTexts& places,
                        TextOutput& out) {
    Declarations(trace, words, places, out).write();
}

} // namespace heddle::text
