#include "traces/generator/source_code.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include <fmt/format.h>

namespace heddle::generator {

namespace {

constexpr std::uint32_t kSitesPerFunction = 5;
constexpr std::uint32_t kFunctionsPerFile = 8;
constexpr std::uint32_t kCalleesPerFunction = 3;
constexpr std::uint32_t kLinesPerFunction = 40;
constexpr std::array<std::string_view, 6> kVerbs = {"update", "load", "work", "flush", "visit", "apply"};

} // namespace

SourceCode::SourceCode(std::uint32_t places, std::uint32_t stack_depth)
    : places_(places), stack_depth_(stack_depth), operations_(kEventKinds * kMemoryOrders * kSizes) {}

std::size_t SourceCode::operation_of(const Event& event) {
    const auto size =
        is_access(event.kind) ? static_cast<std::size_t>(std::bit_width(event.bytes.size) - 1) : 0;
    return (static_cast<std::size_t>(event.kind) * kMemoryOrders + static_cast<std::size_t>(event.order)) *
               kSizes +
           size;
}

std::uint32_t SourceCode::variants_of(EventKind kind) const {
    // Out of 1000 places, for one size and order.
    const auto share = [&]() -> std::uint64_t {
        switch (kind) {
        case EventKind::read:
        case EventKind::write: return 90;
        case EventKind::acquire:
        case EventKind::release: return 60;
        case EventKind::acquire_shared:
        case EventKind::release_shared: return 30;
        default: return 3;
        }
    }();
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, places_ * share / 1000));
}

StackId SourceCode::stack(TraceBuilder& builder, const Event& event, Random& random) {
    if (stack_depth_ == 0) return {};
    Operation& operation = operations_[operation_of(event)];
    if (operation.variants == 0) {
        operation = {variants_of(event.kind), sites_};
        sites_ += operation.variants;
        stacks_.resize(std::size_t{sites_} * kWaysToCall * 2);
    }
    const auto luck = static_cast<std::uint32_t>(random.next() >> 60U);
    const std::uint32_t object = event.target == kNoTarget ? 0 : event.target;
    const std::uint32_t site = operation.first_site + (object * 2 + (luck & 1U)) % operation.variants;
    const bool in_main = event.thread.value == 0;
    const std::uint32_t way = luck < 4 ? 1 : 0;
    StackId& stack = stacks_[(std::size_t{site} * kWaysToCall + way) * 2 + (in_main ? 1 : 0)];
    if (!stack.valid()) {
        const StackId caller = callers(builder, site / kSitesPerFunction, way, in_main);
        stack = builder.stack({.place = place(builder, site), .caller = caller});
    }
    return stack;
}

PlaceId SourceCode::place(TraceBuilder& builder, std::uint32_t site) const {
    const std::uint32_t function = site / kSitesPerFunction;
    const std::uint32_t line =
        10 + function % kFunctionsPerFile * kLinesPerFunction + site % kSitesPerFunction * 7;
    const StringId name = builder.string(fmt::format("{}{}", kVerbs[function % kVerbs.size()], function));
    const StringId file = builder.string(fmt::format("src{}.cpp", function / kFunctionsPerFile));
    return builder.place({.function = name, .file = file, .line = line, .column = site % 3 == 0 ? 5U : 9U});
}

StackId SourceCode::callers(TraceBuilder& builder, std::uint32_t function, std::uint32_t way,
                            bool in_main) const {
    // From the outermost frame inwards; `function` of each level is a third of its callee's.
    StackId stack;
    for (std::uint32_t level = 1; level < stack_depth_; ++level) {
        std::uint32_t callee = function;
        for (std::uint32_t up = level + 1; up < stack_depth_ && callee != 0; ++up)
            callee /= kCalleesPerFunction;
        const std::uint32_t caller = callee / kCalleesPerFunction;
        const bool outermost = level == 1;
        const bool innermost = level + 1 == stack_depth_;
        const std::string name =
            outermost ? (in_main ? "main" : "thread_main") : fmt::format("call{}_{}", level, caller);
        const std::string file =
            outermost ? (in_main ? "main.cpp" : "worker.cpp") : fmt::format("calls{}.cpp", level);
        const std::uint32_t line =
            10 + (outermost ? callee : callee % kCalleesPerFunction + caller * 9) * 2 + (innermost ? way : 0);
        const StringId name_id = builder.string(name);
        const StringId file_id = builder.string(file);
        const PlaceId place =
            builder.place({.function = name_id, .file = file_id, .line = line, .column = 5});
        stack = builder.stack({.place = place, .caller = stack});
    }
    return stack;
}

} // namespace heddle::generator
