#include "daemon/symbols/object_names.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace heddle::symbols {

namespace {

/// What the events say of memory.
struct MemoryUse {
    std::vector<std::uint64_t>
        ranges;                     ///< by variable: which ranges of its bytes were accessed, a bit for each
    std::vector<StackId> allocated; ///< by block: where
};

unsigned bit_of(ByteRange bytes) {
    return bytes.offset * 8U + bytes.size - 1U;
}
ByteRange range_of(unsigned bit) {
    return {static_cast<std::uint8_t>(bit / 8), static_cast<std::uint8_t>(bit % 8 + 1)};
}

MemoryUse memory_use(const Trace& trace) {
    MemoryUse use{.ranges = std::vector<std::uint64_t>(trace.objects(ObjectKind::variable).size()),
                  .allocated = std::vector<StackId>(trace.objects(ObjectKind::block).size())};
    for (const EventView event : trace.events()) {
        if (is_access(event.kind())) {
            use.ranges[event.variable().value] |= std::uint64_t{1} << bit_of(event.bytes());
        } else if (event.kind() == EventKind::alloc && event.has_target()) {
            use.allocated[event.target()] = event.stack();
        }
    }
    return use;
}

/// What a recorder calls blocks that are the memory of one call of a function.
constexpr std::string_view kFrame = "frame";

/// What threads synchronise with has at least as many bytes; fewer could be taken for the first of an array
/// that shares a union with it.
constexpr std::uint64_t kSmallestSize = 4;

class ObjectNamer {
  public:
    ObjectNamer(const Trace& trace, const std::vector<ModuleNumber>& modules, Symboliser& symboliser,
                Retelling& told)
        : trace_(trace), modules_(modules), symboliser_(symboliser), told_(told), use_(memory_use(trace)) {}

    void name_all() {
        name_blocks();
        for (const ObjectKind kind : {ObjectKind::lock, ObjectKind::condition, ObjectKind::barrier,
                                      ObjectKind::semaphore, ObjectKind::once}) {
            for_each_unnamed(kind, [&](std::uint32_t id, const Object& object) {
                const auto named = find(object, {object.address, object.address + kSmallestSize});
                if (named) told_.name(kind, id, told_.string(name_from(*named, object.address)));
            });
        }
        for_each_unnamed(ObjectKind::variable,
                         [&](std::uint32_t id, const Object& object) { name_variable(VarId{id}, object); });
    }

  private:
    template<typename Visit>
    void for_each_unnamed(ObjectKind kind, Visit&& visit) {
        const ObjectTable& objects = trace_.objects(kind);
        for (std::size_t i = 0; i < objects.size(); ++i) {
            if (objects[i].name.value == 0 && objects[i].address != 0)
                visit(static_cast<std::uint32_t>(i), objects[i]);
        }
    }

    static std::string name_from(const NamedBytes& named, std::uint64_t address) {
        if (address == named.bytes.begin) return named.name;
        return fmt::format("{}+{}", named.name, address - named.bytes.begin);
    }

    /// Objects of a block that has a name are called by their distance from its start; they need no own
    /// names.
    void name_blocks() {
        const ObjectTable& blocks = trace_.objects(ObjectKind::block);
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            if (trace_.string(blocks[i].name) != kFrame) continue;
            const std::string_view function = function_of(BlockId{i});
            if (function.empty()) continue;
            told_.name(ObjectKind::block, static_cast<std::uint32_t>(i),
                       told_.string(fmt::format("frame of {}", function)));
        }
        for_each_unnamed(ObjectKind::block, [&](std::uint32_t id, const Object& block) {
            std::string text = "heap block";
            if (block.size != 0) text += fmt::format(" of {} byte{}", block.size, block.size == 1 ? "" : "s");
            if (const auto site = allocation_site(use_.allocated[id])) text += " allocated in " + *site;
            told_.name(ObjectKind::block, id, told_.string(text));
        });
    }

    /// "make_account (bank.cpp:20)": the innermost function that is not the library's.
    [[nodiscard]] std::optional<std::string> allocation_site(StackId stack) const {
        const Place* best = nullptr;
        for (StackId at = stack; at.valid(); at = told_.stack(at).caller) {
            const Place& place = told_.place(told_.stack(at).place);
            if (place.function.value == 0) continue;
            if (best == nullptr) best = &place;
            if (!is_for_people(told_.text(place.file))) continue;
            best = &place;
            break;
        }
        if (best == nullptr) return std::nullopt;
        std::string text(told_.text(best->function));
        // Without its folders: the name stands where there is little room, and is the same in any checkout.
        const std::string file = std::filesystem::path(told_.text(best->file)).filename();
        if (best->line != 0) text += fmt::format(" ({}:{})", file, best->line);
        return text;
    }

    std::optional<NamedBytes> find(const Object& object, ByteSpan bytes) {
        if (!object.block.valid()) return find_static(bytes);
        const Object& block = trace_.objects(ObjectKind::block)[object.block.value];
        return trace_.string(block.name) == kFrame ? find_local(object.block, block, bytes) : std::nullopt;
    }

    std::optional<NamedBytes> find_static(ByteSpan bytes) {
        std::optional<NamedBytes> found;
        bool first = true;
        for (std::size_t i = 0; i < trace_.modules().size(); ++i) {
            const Module& module = trace_.modules()[i];
            if (bytes.begin < module.base || bytes.begin - module.base >= module.size) continue;
            ModuleSymbols& symbols = symboliser_[modules_[i]];
            if (!symbols.may_have(bytes.begin - module.base)) continue;
            auto named = symbols.static_variable({bytes.begin - module.base, bytes.end - module.base});
            // Of two that were loaded at one address, one after the other, nobody knows whose it was; but it
            // may be the same one again.
            if (!first && (!named || !found || named->name != found->name)) return std::nullopt;
            first = false;
            if (!named) continue;
            found = NamedBytes{std::move(named->name),
                               {named->bytes.begin + module.base, named->bytes.end + module.base}};
        }
        return found;
    }

    std::optional<NamedBytes> find_local(BlockId id, const Object& block, ByteSpan bytes) {
        const PlaceId entry = trace_.place_of(use_.allocated[id.value]);
        if (!entry.valid()) return std::nullopt;
        const Place& code = trace_.places()[entry.value];
        if (code.module.valid()) {
            const CallFrame frame{.stack_pointer = block.address, .cfa = block.address + block.size};
            auto named = symboliser_[modules_[code.module.value]].frame_variable(code.offset, frame, bytes);
            if (named) return named;
        }
        const std::string_view function = function_of(id);
        if (function.empty()) return std::nullopt;
        return NamedBytes{fmt::format("local variable of {}", function), bytes};
    }

    /// That a frame belongs to; empty if it is not known.
    [[nodiscard]] std::string_view function_of(BlockId frame) const {
        const StackId stack = use_.allocated[frame.value];
        return stack.valid() ? told_.text(told_.place(told_.stack(stack).place).function)
                             : std::string_view{};
    }

    void name_variable(VarId id, const Object& variable) {
        parts_.clear();
        for (std::uint64_t left = use_.ranges[id.value]; left != 0; left &= left - 1) {
            const ByteRange range = range_of(static_cast<unsigned>(std::countr_zero(left)));
            const std::uint64_t begin = variable.address + range.offset;
            if (auto named = find(variable, {begin, begin + range.size})) add_part(variable, range, *named);
        }
        if (parts_.empty()) return;
        std::string all = parts_[0].second;
        for (std::size_t i = 1; i < parts_.size(); ++i) all += ", " + parts_[i].second;
        told_.name(ObjectKind::variable, id.value, told_.string(all));
        // The narrowest that an access lies in is what it touches.
        std::ranges::stable_sort(parts_, {}, [](const auto& part) { return part.first.size; });
        for (const auto& [bytes, name] : parts_) {
            if (parts_.size() > 1 || !bytes.whole()) told_.name_part({id, bytes, told_.string(name)});
        }
    }

    void add_part(const Object& variable, ByteRange accessed, const NamedBytes& named) {
        const std::uint64_t begin = variable.address + accessed.offset;
        ByteRange bytes = accessed;
        if (begin == named.bytes.begin) {
            bytes.size = static_cast<std::uint8_t>(std::min(named.bytes.end, variable.address + 8) - begin);
        }
        std::string name = name_from(named, begin);
        const bool known = std::ranges::any_of(parts_, [&](const auto& part) { return part.second == name; });
        if (!known) parts_.emplace_back(bytes, std::move(name));
    }

    const Trace& trace_;
    const std::vector<ModuleNumber>& modules_;
    Symboliser& symboliser_;
    Retelling& told_;
    MemoryUse use_;
    std::vector<std::pair<ByteRange, std::string>> parts_; ///< of the variable at hand
};

} // namespace

void name_objects(const Trace& trace, const std::vector<ModuleNumber>& modules, Symboliser& symboliser,
                  Retelling& told) {
    ObjectNamer(trace, modules, symboliser, told).name_all();
}

} // namespace heddle::symbols
