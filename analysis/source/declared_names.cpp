#include "analysis/source/declared_names.h"

#include "analysis/source/member_path.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace heddle::source {

namespace {

constexpr std::array<std::string_view, 8> kIntegerWords = {"char",   "short",    "int",    "long",
                                                           "signed", "unsigned", "size_t", "ssize_t"};
constexpr std::array<std::string_view, 24> kIntegers = {
    "int8_t",         "int16_t",        "int32_t",       "int64_t",       "uint8_t",       "uint16_t",
    "uint32_t",       "uint64_t",       "intptr_t",      "uintptr_t",     "ptrdiff_t",     "time_t",
    "int_fast32_t",   "int_fast64_t",   "uint_fast32_t", "uint_fast64_t", "int_least32_t", "int_least64_t",
    "uint_least32_t", "uint_least64_t", "intmax_t",      "uintmax_t",     "off_t",         "pid_t"};

template<std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& list) {
    return std::ranges::find(list, word) != list.end();
}

bool is_declaration(const Node& node) {
    return node.is("declaration") || node.is("field_declaration") || node.is("parameter_declaration") ||
           node.is("optional_parameter_declaration") || node.is("for_range_loop") ||
           node.is("function_definition");
}

/// What stands around a declared name.
struct Shape {
    bool pointer = false;
    bool reference = false;
    bool array = false;
    Node function; ///< its declarator
};

Shape shape_of(Node declarator) {
    Shape shape;
    while (declarator) {
        if (declarator.is("pointer_declarator") || declarator.is("abstract_pointer_declarator"))
            shape.pointer = true;
        if (declarator.is("reference_declarator") || declarator.is("abstract_reference_declarator"))
            shape.reference = true;
        if (declarator.is("array_declarator")) shape.array = true;
        if (declarator.is("function_declarator") && !shape.function) shape.function = declarator;
        Node inner = declarator.field("declarator");
        if (!inner && declarator.kind().ends_with("declarator")) {
            for (const Node& child : declarator.named_children()) {
                if (child.kind().ends_with("declarator") || child.kind().ends_with("identifier"))
                    inner = child;
            }
        }
        declarator = inner;
    }
    return shape;
}

std::vector<Node> declarators_of(const Node& declaration) {
    std::vector<Node> result;
    const Node type = declaration.field("type");
    for (const Node& child : declaration.named_children()) {
        const bool named = child.kind().ends_with("declarator") || child.is("identifier") ||
                           child.is("field_identifier") || child.is("qualified_identifier");
        if (named && !(child == type) && !(child == declaration.field("default_value")) &&
            !(child == declaration.field("right")))
            result.push_back(child);
    }
    return result;
}

} // namespace

Scalar scalar_of(std::string_view type) {
    if (type.starts_with("std::")) type.remove_prefix(5);
    if (type == "bool" || type == "_Bool") return Scalar::boolean;
    if (type == "float" || type == "double") return Scalar::floating;
    if (is_one_of(type, kIntegers)) return Scalar::integer;
    bool any = false;
    for (std::size_t at = 0; at < type.size();) { // "unsigned long int"
        const std::size_t end = std::min(type.find(' ', at), type.size());
        const std::string_view word = type.substr(at, end - at);
        if (!word.empty() && !is_one_of(word, kIntegerWords)) return Scalar::none;
        any = any || !word.empty();
        at = end + 1;
    }
    return any ? Scalar::integer : Scalar::none;
}

bool is_shouted(std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char letter) {
        return std::isupper(static_cast<unsigned char>(letter)) != 0 || letter == '_' ||
               std::isdigit(static_cast<unsigned char>(letter)) != 0;
    });
}

std::string_view without_macros(std::string_view type) {
    while (is_shouted(type.substr(0, type.find(' ')))) {
        const std::size_t blank = type.find(' ');
        if (blank == std::string_view::npos) break;
        type.remove_prefix(blank + 1);
    }
    return type;
}

Node declared_name(Node declarator) {
    while (declarator && !declarator.is("identifier") && !declarator.is("field_identifier")) {
        Node inner =
            declarator.is("qualified_identifier") ? declarator.field("name") : declarator.field("declarator");
        if (!inner && declarator.kind().ends_with("declarator")) {
            for (const Node& child : declarator.named_children()) inner = child;
        }
        declarator = inner;
    }
    return declarator;
}

DeclaredNames::DeclaredNames(std::span<const SyntaxTree* const> trees) {
    for (const SyntaxTree* tree : trees) collect(*tree);
}

void DeclaredNames::collect(const SyntaxTree& tree) {
    std::vector<Node> open = {tree.root()};
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        if (is_declaration(node)) add(tree, node);
        if (node.is("enumerator"))
            variables_.try_emplace(std::string(tree.text(node.field("name")))).first->second.array = false;
        if (node.is("preproc_def") || node.is("preproc_function_def"))
            macros_.emplace(tree.text(node.field("name")));
        for (const Node& child : node.named_children()) open.push_back(child);
    }
}

void DeclaredNames::add(const SyntaxTree& tree, const Node& declaration) {
    const Scalar type = scalar_of(without_macros(tree.text(declaration.field("type"))));
    for (const Node& declarator : declarators_of(declaration)) {
        const Shape shape = shape_of(declarator);
        if (shape.function) {
            add_function(tree, declaration, shape.function);
            continue;
        }
        const Node name = declared_name(declarator);
        if (!name) continue;
        Variables& known = variables_.try_emplace(std::string(tree.text(name))).first->second;
        const bool scalar = type != Scalar::none || shape.pointer;
        known.scalar = known.scalar && scalar && !shape.array;
        known.array = known.array && scalar && shape.array;
    }
}

void DeclaredNames::add_function(const SyntaxTree& tree, const Node& declaration, const Node& declarator) {
    const Node name = declared_name(declarator.field("declarator"));
    if (!name) return;
    std::vector<bool> takes;
    bool known = true;
    for (const Node& parameter : declarator.field("parameters").named_children()) {
        if (!parameter.is("parameter_declaration") && !parameter.is("optional_parameter_declaration")) {
            known = known && parameter.is("comment");
            continue;
        }
        const Shape shape = shape_of(parameter.field("declarator"));
        const bool scalar = scalar_of(tree.text(parameter.field("type"))) != Scalar::none || shape.pointer;
        takes.push_back(scalar && !shape.reference);
    }
    const bool pointer = shape_of(declaration.field("declarator")).pointer;
    const bool returns =
        pointer || scalar_of(without_macros(tree.text(declaration.field("type")))) != Scalar::none;
    const auto [found, fresh] = functions_.try_emplace(std::string(tree.text(name)));
    Functions& all = found->second;
    all.known = all.known && known;
    all.scalar = all.scalar && returns;
    if (fresh) {
        all.parameters = std::move(takes);
        return;
    }
    all.parameters.resize(std::min(all.parameters.size(), takes.size()));
    for (std::size_t i = 0; i < all.parameters.size(); ++i) all.parameters[i] = all.parameters[i] && takes[i];
}

bool DeclaredNames::is_scalar(std::string_view name) const {
    const auto found = variables_.find(name);
    return found != variables_.end() && found->second.scalar;
}

bool DeclaredNames::is_array(std::string_view name) const {
    const auto found = variables_.find(name);
    return found != variables_.end() && found->second.array;
}

bool DeclaredNames::takes_scalar(std::string_view function, std::size_t parameter) const {
    const auto found = functions_.find(function);
    return found != functions_.end() && found->second.known && parameter < found->second.parameters.size() &&
           found->second.parameters[parameter];
}

bool DeclaredNames::returns_scalar(std::string_view function) const {
    const auto found = functions_.find(function);
    return found != functions_.end() && found->second.known && found->second.scalar;
}

bool DeclaredNames::is_macro(std::string_view name) const {
    return macros_.contains(name);
}

} // namespace heddle::source
