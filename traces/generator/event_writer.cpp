#include "traces/generator/event_writer.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace heddle::generator {

namespace {

constexpr std::array<std::string_view, kObjectKinds> kPrefixes = {"T", "l",    "v", "c",  "bar",
                                                                  "s", "once", "b", "tag"};

} // namespace

Trace EventWriter::take(Metadata metadata) {
    builder_.metadata() = std::move(metadata);
    return builder_.snapshot();
}

std::uint32_t EventWriter::object(ObjectKind kind, std::uint32_t number) {
    auto& rows = rows_[static_cast<std::size_t>(kind)];
    if (number >= rows.size()) rows.resize(number + 1, kNoTarget);
    if (rows[number] == kNoTarget) {
        const std::string name = fmt::format("{}{}", kPrefixes[static_cast<std::size_t>(kind)], number);
        rows[number] = builder_.object_named(kind, name);
    }
    return rows[number];
}

std::uint32_t EventWriter::variable(std::string_view name, BlockId block) {
    const std::uint32_t row = builder_.object_named(ObjectKind::variable, name);
    if (block.valid()) {
        Object object = builder_.object(ObjectKind::variable, row);
        object.block = block;
        builder_.redefine(ObjectKind::variable, row, object);
    }
    return row;
}

} // namespace heddle::generator
