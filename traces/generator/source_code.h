// The imaginary source of a generated program. Each place does one kind of operation, with one size and
// memory order, and mostly to the same few objects, as places in real programs do. Functions are called
// along a tree, so that stacks share their outer frames.
#pragma once

#include "traces/generator/random.h"
#include "traces/trace_builder.h"

#include <vector>

namespace heddle::generator {

class SourceCode {
  public:
    SourceCode(std::uint32_t places, std::uint32_t stack_depth);

    /// The stack of an operation on an object; interned when first used.
    [[nodiscard]] StackId stack(TraceBuilder& builder, const Event& event, Random& random);

  private:
    static constexpr std::size_t kSizes = 4; ///< 1, 2, 4, 8 bytes
    static constexpr std::uint32_t kWaysToCall = 2;

    /// The places of operations that are alike.
    struct Operation {
        std::uint32_t variants = 0;
        std::uint32_t first_site = 0; ///< valid once variants is not 0
    };

    [[nodiscard]] static std::size_t operation_of(const Event& event);
    [[nodiscard]] std::uint32_t variants_of(EventKind kind) const;
    [[nodiscard]] PlaceId place(TraceBuilder& builder, std::uint32_t site) const;
    [[nodiscard]] StackId callers(TraceBuilder& builder, std::uint32_t function, std::uint32_t way,
                                  bool in_main) const;

    std::uint32_t places_;
    std::uint32_t stack_depth_;
    std::uint32_t sites_ = 0;
    std::vector<Operation> operations_;
    std::vector<StackId> stacks_; ///< by site, way to call it, and whether main did
};

} // namespace heddle::generator
