#include "traces/rules/value_rules.h"

#include <fmt/format.h>

namespace heddle::rules {

void ValueRules::read_modify_write(const EventView& event, RuleLog& log) {
    Cell& cell = memory_[event.target()];
    const Bytes bytes(event.bytes());
    if (!event.has_value()) return cell.forget(bytes, event.id());
    const std::uint64_t seen = log.trace().value_read_by(event);
    const std::uint64_t written = log.trace().value_of(event);
    if (bytes.fit(seen) && bytes.fit(written) && !cell.differs(bytes, seen, bytes.bits)) [[likely]] {
        return cell.store(bytes, written, event.id());
    }
    if (!bytes.fit(seen) || !bytes.fit(written)) {
        too_wide(event, bytes.fit(seen) ? written : seen, log);
    } else {
        unexplained(event, seen, cell, log);
    }
    cell.forget(bytes, event.id());
}

void ValueRules::too_wide(const EventView& event, std::uint64_t value, RuleLog& log) {
    log.forget_value(event, Rule::value_fits, [&] {
        return fmt::format("{}: the value 0x{:x} of this {} of {} does not fit in {} byte{}", log.who(event),
                           value, traits(event.kind()).label, log.what(event), event.bytes().size,
                           event.bytes().size == 1 ? "" : "s");
    });
}

void ValueRules::unexplained(const EventView& event, std::uint64_t value, const Cell& cell, RuleLog& log) {
    log.forget_value(event, Rule::value_explained, [&] {
        const Trace& trace = log.trace();
        const Bytes bytes(event.bytes());
        const EventView last = trace[cell.last];
        const std::string held = fmt::format("{}", (cell.content & bytes.bits) >> bytes.shift);
        return fmt::format("{} reads {} from {}, which held {}{} (last {} by {} at {})", log.who(event),
                           value, log.what(event), cell.knows(bytes) ? "" : "in part ", held,
                           writes_memory(last.kind()) ? "written" : "read", log.who(last), log.at(last.id()));
    });
}

} // namespace heddle::rules
