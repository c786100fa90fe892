// The same run, told with more knowledge: the events of a trace with new places, stacks and names.
//
// Ids keep their meaning: event, object, stack and place N of the result is event, object, stack and place N
// of the original. The columns of events are shared with it, not copied. O(tables), not O(events).
#pragma once

#include "traces/hash_index.h"
#include "traces/string_table.h"
#include "traces/trace.h"

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace heddle {

class Retelling {
  public:
    explicit Retelling(const Trace& trace);

    [[nodiscard]] StringId string(std::string_view text) { return strings_.intern(text); }

    void replace_place(PlaceId id, const Place& place) { places_.replace(id.value, place); }
    [[nodiscard]] PlaceId add_place(const Place& place);

    void replace_stack(StackId id, const Stack& stack) { stacks_.replace(id.value, stack); }
    /// A stack that was not there: the same id for the same content.
    [[nodiscard]] StackId add_stack(const Stack& stack);

    [[nodiscard]] const Place& place(PlaceId id) const { return places_[id.value]; }
    [[nodiscard]] const Stack& stack(StackId id) const { return stacks_[id.value]; }
    [[nodiscard]] std::string_view text(StringId id) const { return strings_[id]; }

    void name(ObjectKind kind, std::uint32_t id, StringId name);
    /// Names a part of a variable. In the order of variables.
    void name_part(const VariablePart& part) { parts_.push_back(part); }
    /// Names more parts, of any variables, where others of them may have names already. O(parts).
    void add_parts(const std::vector<VariablePart>& parts);

    [[nodiscard]] Trace trace() const;

  private:
    [[nodiscard]] AppendVector<PlaceId> places_for_people() const;

    const Trace original_;
    StringTable strings_;
    AppendVector<Place> places_;
    AppendVector<Stack> stacks_;
    HashIndex added_stacks_;
    std::array<std::optional<AppendVector<Object, 4>>, kObjectKinds>
        objects_; ///< of kinds that have new names
    AppendVector<VariablePart> parts_;
};

} // namespace heddle
