#include "analysis/source/member_owner.h"

#include "analysis/source/accesses.h"
#include "analysis/source/functions.h"
#include "analysis/source/member_path.h"
#include "analysis/source/variable_declarations.h"

#include <algorithm>
#include <array>
#include <vector>

namespace heddle::source {

namespace {

/// "Session" of "app::Session"; empty for what templates are made with.
std::string_view plain_name(std::string_view type) {
    if (type.find_first_of("<>*&, ") != std::string_view::npos) return {};
    return type.substr(type.rfind(':') + 1); // npos + 1 is 0
}

/// "Session" of "std::shared_ptr<Session>".
std::string_view pointed_at_by(std::string_view type) {
    static constexpr std::array<std::string_view, 3> kPointers = {"unique_ptr", "shared_ptr", "weak_ptr"};
    const std::size_t open = type.find('<');
    if (open == std::string_view::npos || !type.ends_with('>')) return {};
    if (std::ranges::find(kPointers, plain_name(type.substr(0, open))) == kPointers.end()) return {};
    std::string_view held = type.substr(open + 1, type.size() - open - 2);
    if (held.starts_with("const ")) held.remove_prefix(6);
    return plain_name(held);
}

/// "Session" of "const app::Session *".
std::string_view without_pointer(std::string_view type) {
    while (type.ends_with('*') || type.ends_with('&') || type.ends_with(' ')) type.remove_suffix(1);
    if (type.starts_with("const ")) type.remove_prefix(6);
    return type;
}

/// `make_shared<Session>` of `std::make_shared<Session>(…)`.
Node template_called(const Node& call) {
    Node called = call.field("function");
    while (called.is("qualified_identifier")) called = called.field("name");
    return called.is("template_function") ? called : Node();
}

/// What they are given is what they return, or what that points to.
bool names_its_result(std::string_view function) {
    static constexpr std::array<std::string_view, 7> kFunctions = {
        "make_unique", "make_shared",      "static_cast",         "dynamic_cast",
        "const_cast",  "reinterpret_cast", "static_pointer_cast",
    };
    return std::ranges::find(kFunctions, function) != kFunctions.end();
}

} // namespace

std::string_view MemberOwners::of(ByteRange expression) const {
    std::string_view object = member_path(tree_.text(expression)).object;
    const bool pointer = object.ends_with("->");
    object.remove_suffix(std::min<std::size_t>(object.size(), pointer ? 2 : 1));
    if (object.empty() || first_name(object) != object) return {};
    const Node declaration = local_declaration(tree_, tree_.path_to(expression.first), object);
    const Node type = declaration.field("type");
    std::string_view name =
        tree_.text(type.field("name") && !type.is("template_type") ? type.field("name") : type);
    if (name == "auto") {
        const Node declarator = declaration.field("declarator");
        if (declarator.is("structured_binding_declarator")) return {};
        const Node value =
            declarator.is("init_declarator") ? declarator.field("value") : declaration.field("value");
        name = type_of_value(value);
    }
    const std::string_view held = pointed_at_by(name);
    return pointer && !held.empty() ? held : plain_name(name);
}

std::string_view MemberOwners::type_of_value(const Node& value) const {
    if (value.is("new_expression")) return tree_.text(value.field("type"));
    if (!value.is("call_expression")) return {};
    if (const Node called = template_called(value)) {
        const std::vector<Node> arguments = called.field("arguments").named_children();
        const bool known = names_its_result(tree_.text(called.field("name"))) && arguments.size() == 1;
        return known ? without_pointer(tree_.text(arguments.front())) : std::string_view();
    }
    const std::string_view function = function_of(tree_, value);
    return returned_by(function.empty() ? method_of(tree_, value) : function);
}

std::string_view MemberOwners::returned_by(std::string_view function) const {
    if (!returned_) {
        returned_.emplace();
        for (const Function& one : functions(tree_)) {
            std::string_view type = without_pointer(tree_.text(one.node.field("type")));
            if (type == "auto") type = {};
            const auto [known, added] =
                returned_->try_emplace(one.name.substr(one.name.rfind(':') + 1), type);
            if (!added && known->second != type) known->second = {};
        }
    }
    const auto found = returned_->find(function);
    return found == returned_->end() ? std::string_view() : found->second;
}

} // namespace heddle::source
