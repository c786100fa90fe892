#include "traces/trace.h"

#include <vector>

namespace heddle {

namespace {

/// Compares rows of two traces by what they say. Stacks are interned, so each stack of one trace has at
/// most one equal in the other; found once, it is remembered.
class Comparison {
  public:
    Comparison(const Trace& a, const Trace& b) : a_(a), b_(b), equal_of_(a.stacks().size()) {}

    [[nodiscard]] bool same_event(const EventView& a, const EventView& b) {
        if (a.kind() != b.kind() || a.thread() != b.thread() || a.target() != b.target() ||
            a.order() != b.order() || a.bytes() != b.bytes() || a.has_value() != b.has_value()) {
            return false;
        }
        if (a.has_value() &&
            (a_.value_of(a) != b_.value_of(b) || a_.value_read_by(a) != b_.value_read_by(b))) {
            return false;
        }
        return same_stack(a.stack(), b.stack());
    }

    [[nodiscard]] bool same_objects(ObjectKind kind) const {
        const ObjectTable& a = a_.objects(kind);
        const ObjectTable& b = b_.objects(kind);
        if (a.size() != b.size()) return false;
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (a[i].block != b[i].block || a[i].address != b[i].address || a[i].size != b[i].size ||
                !same_text(a[i].name, b[i].name)) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] bool same_modules() const {
        const auto& a = a_.modules();
        const auto& b = b_.modules();
        if (a.size() != b.size()) return false;
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (a[i].base != b[i].base || a[i].size != b[i].size || !same_text(a[i].path, b[i].path) ||
                !same_text(a[i].build_id, b[i].build_id)) {
                return false;
            }
        }
        return true;
    }

  private:
    [[nodiscard]] bool same_text(StringId a, StringId b) const { return a_.string(a) == b_.string(b); }

    [[nodiscard]] bool same_place(PlaceId a_id, PlaceId b_id) const {
        if (!a_id.valid() || !b_id.valid()) return a_id == b_id;
        const Place& a = a_.places()[a_id.value];
        const Place& b = b_.places()[b_id.value];
        return a.line == b.line && a.column == b.column && a.module == b.module && a.offset == b.offset &&
               same_text(a.label, b.label) && same_text(a.function, b.function) && same_text(a.file, b.file);
    }

    [[nodiscard]] bool same_stack(StackId a, StackId b) {
        while (a.valid() && b.valid()) {
            if (equal_of_[a.value].valid()) return equal_of_[a.value] == b;
            const Stack& a_row = a_.stacks()[a.value];
            const Stack& b_row = b_.stacks()[b.value];
            if (!same_place(a_row.place, b_row.place)) return false;
            // Noted before the callers were compared: should they differ, the traces differ anyway.
            equal_of_[a.value] = b;
            a = a_row.caller;
            b = b_row.caller;
        }
        return a == b;
    }

    const Trace& a_;
    const Trace& b_;
    std::vector<StackId> equal_of_;
};

} // namespace

bool operator==(const Trace& a, const Trace& b) {
    if (a.size() != b.size() || a.metadata() != b.metadata()) return false;
    Comparison comparison(a, b);
    if (!comparison.same_modules()) return false;
    for (std::size_t kind = 0; kind < kObjectKinds; ++kind) {
        if (!comparison.same_objects(static_cast<ObjectKind>(kind))) return false;
    }
    auto other = b.events().begin();
    for (const EventView event : a.events()) {
        if (!comparison.same_event(event, *other)) return false;
        ++other;
    }
    return true;
}

} // namespace heddle
