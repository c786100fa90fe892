#include "analysis/source/member_owner.h"

#include "analysis/source/member_path.h"
#include "analysis/source/variable_declarations.h"

#include <algorithm>
#include <array>

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

} // namespace

std::string_view owner_of_member(const SyntaxTree& tree, ByteRange expression) {
    std::string_view object = member_path(tree.text(expression)).object;
    const bool pointer = object.ends_with("->");
    object.remove_suffix(std::min<std::size_t>(object.size(), pointer ? 2 : 1));
    if (object.empty() || first_name(object) != object) return {};
    const Node declaration = local_declaration(tree, tree.path_to(expression.first), object);
    const Node type = declaration.field("type");
    const std::string_view name =
        tree.text(type.field("name") && !type.is("template_type") ? type.field("name") : type);
    if (name == "auto") return {};
    const std::string_view held = pointed_at_by(name);
    return pointer && !held.empty() ? held : plain_name(name);
}

} // namespace heddle::source
