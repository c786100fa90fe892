#include "analysis/source/atomic_calls.h"

#include "analysis/source/accesses.h"

#include <string_view>

namespace heddle::source {

namespace {

bool compares(std::string_view name) {
    return name.find("compare_") != std::string_view::npos ||
           name.find("test_and_set") != std::string_view::npos;
}

bool writes(std::string_view name) {
    return name.starts_with("store") || name.starts_with("exchange") || name.starts_with("fetch_") ||
           compares(name);
}

/// "store_n" of "__atomic_store_n", "fetch_add_explicit" of "atomic_fetch_add_explicit".
std::string_view operation_of(std::string_view function) {
    for (const std::string_view prefix : {"__atomic_", "__sync_", "atomic_", "__c11_atomic_"}) {
        if (function.starts_with(prefix)) return function.substr(prefix.size());
    }
    return {};
}

} // namespace

AtomicCall atomic_write(const SyntaxTree& tree, const Node& call) {
    std::vector<Node> arguments = call.field("arguments").named_children();
    const std::string_view method = method_of(tree, call);
    if (!method.empty()) {
        if (!writes(method)) return {};
        return {unwrapped(call.field("function").field("argument")), std::move(arguments), compares(method)};
    }
    const std::string_view operation = operation_of(function_of(tree, call));
    const bool known =
        writes(operation) || operation.starts_with("add_and") || operation.starts_with("sub_and");
    if (!known || arguments.empty()) return {};
    const Node first = unwrapped(arguments.front());
    const Node target = referred(tree, first);
    if (target == first) return {}; // a pointer, whose name is not that of the memory
    arguments.erase(arguments.begin());
    return {target, std::move(arguments), compares(operation)};
}

} // namespace heddle::source
