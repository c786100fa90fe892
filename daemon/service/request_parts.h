// Small parts that several requests of a session are made of.
#pragma once

#include "lsp/protocol/basic.h"

namespace heddle::service {

[[nodiscard]] inline bool touches(const lsp::Range& mark, const lsp::Range& asked) {
    return mark.start <= asked.end && asked.start <= mark.end;
}

} // namespace heddle::service
