#include "analysis/lock_nesting.h"
#include "analysis/source/grammar.h"
#include "lsp/framing.h"
#include "traces/trace_builder.h"

#include <iostream>

int main() {
    heddle::TraceBuilder builder;
    const heddle::ThreadId thread{builder.object_named(heddle::ObjectKind::thread, "T0")};
    const std::uint32_t lock = builder.object_named(heddle::ObjectKind::lock, "m");
    builder.add({.kind = heddle::EventKind::acquire, .thread = thread, .target = lock});
    builder.add({.kind = heddle::EventKind::release, .thread = thread, .target = lock});

    const auto nesting = heddle::lock_nesting(builder.snapshot());
    if (heddle::grammar(heddle::Language::cpp) == nullptr || heddle::lsp::frame("{}").empty()) return 1;
    std::cout << builder.size() << " events by " << nesting.size() << " thread, nested to depth "
              << nesting.at(0).max_depth << '\n';
}
