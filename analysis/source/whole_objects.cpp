#include "analysis/source/whole_objects.h"

#include "analysis/source/accesses.h"
#include "analysis/source/declared_names.h"
#include "analysis/source/member_path.h"
#include "analysis/source/tree_walk.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::source {

namespace {

/// Members of these types keep an object from being copied; in C, from being copied in earnest.
constexpr std::array<std::string_view, 13> kUncopyable = {"mutex",
                                                          "recursive_mutex",
                                                          "shared_mutex",
                                                          "timed_mutex",
                                                          "condition_variable",
                                                          "atomic",
                                                          "once_flag",
                                                          "pthread_mutex_t",
                                                          "pthread_cond_t",
                                                          "pthread_rwlock_t",
                                                          "mtx_t",
                                                          "cnd_t",
                                                          "sem_t"};
constexpr std::array<std::string_view, 7> kOfBytes = {"memcpy", "memmove", "memset", "bzero",
                                                      "fread",  "fwrite",  "qsort"};
constexpr std::array<std::string_view, 4> kPointerTemplates = {"unique_ptr", "shared_ptr", "make_unique",
                                                               "make_shared"};

template<std::size_t N>
bool is_one_of(std::string_view text, const std::array<std::string_view, N>& list) {
    return std::ranges::find(list, text) != list.end();
}

class Objects {
  public:
    Objects(std::span<const SyntaxTree* const> trees, const SyntaxTree& defined_in, const Node& type,
            Language language)
        : trees_(trees), home_(defined_in), type_(type), cpp_(language == Language::cpp),
          name_(home_.text(type.field("name"))) {}

    [[nodiscard]] std::vector<std::string> names() {
        return find_names() ? std::vector<std::string>(names_.begin(), names_.end())
                            : std::vector<std::string>();
    }

    [[nodiscard]] bool run() {
        if (!find_names()) return false;
        const bool uncopyable = has_uncopyable_member();
        for (const SyntaxTree* tree : trees_) {
            const bool fine = for_each_path(*tree, [&](const auto& path) {
                return mention_is_fine(*tree, path, uncopyable) && bytes_are_fine(*tree, path.back());
            });
            if (!fine) return false;
        }
        if (uncopyable) return true;
        for (const SyntaxTree* tree : trees_) {
            const bool fine =
                for_each_path(*tree, [&](const auto& path) { return object_is_fine(*tree, path); });
            if (!fine) return false;
        }
        return true;
    }

  private:
    [[nodiscard]] bool find_names() {
        if (!name_.empty()) names_.insert(name_);
        std::size_t known = 0;
        do { // an alias may have one itself
            known = names_.size();
            if (!find_aliases()) return false;
        } while (names_.size() > known);
        return true;
    }

    /// What else the type is called: `typedef struct { … } name;`, `using name = tag;`. False when something
    /// that is made of it gets a name, a pointer perhaps.
    [[nodiscard]] bool find_aliases() {
        return std::ranges::all_of(trees_, [&](const SyntaxTree* tree) {
            return for_each_path(*tree, [&](const auto& path) {
                const Node& node = path.back();
                if (!node.is("type_definition") && !node.is("alias_declaration")) return true;
                const Node type = node.field("type");
                const bool here = tree == &home_ && type == type_;
                if (!here && !has_any_name(tree->text(type))) return true;
                if (!here && !is_named(type))
                    return type.is("struct_specifier") || type.is("class_specifier");
                for (const Node& part : node.named_children()) {
                    if (part == type || part.is("comment") || part.is("type_qualifier")) continue;
                    if (!part.is("type_identifier")) return false;
                    names_.emplace(tree->text(part));
                    if (name_.empty()) name_ = tree->text(part);
                }
                return true;
            });
        });
    }

    /// Whether a type that mentions one of its names is written as that alone: `tag`, `struct tag`.
    [[nodiscard]] static bool is_named(Node type) {
        if (type.is("type_descriptor"))
            type = type.named_children().size() == 1 ? type.named_children().front() : Node();
        if (type.is("struct_specifier") || type.is("class_specifier")) return !type.field("body");
        return type.is("type_identifier") || type.is("qualified_identifier");
    }

    [[nodiscard]] bool has_any_name(std::string_view text) const {
        return std::ranges::any_of(names_, [&](const std::string& name) { return has_name(text, name); });
    }

    [[nodiscard]] bool has_uncopyable_member() const {
        return std::ranges::any_of(type_.field("body").named_children(), [&](const Node& member) {
            if (!member.is("field_declaration") || !member.field("declarator").is("field_identifier"))
                return false;
            std::string_view type = home_.text(member.field("type"));
            type = type.substr(0, type.find('<'));
            return is_one_of(type.substr(type.rfind(':') + 1), kUncopyable); // npos + 1 is 0
        });
    }

    [[nodiscard]] bool has_constructor() const {
        return std::ranges::any_of(type_.field("body").named_children(), [&](const Node& member) {
            return !member.is("field_declaration") && !name_.empty() &&
                   home_.text(declared_name(member.field("declarator"))) == name_;
        });
    }

    /// A place that names the type, or defines it.
    [[nodiscard]] bool mention_is_fine(const SyntaxTree& tree, const std::vector<Node>& path,
                                       bool uncopyable) {
        const Node& node = path.back();
        const bool definition = &tree == &home_ && node == type_;
        const bool named = node.is("type_identifier") && names_.contains(tree.text(node));
        if (!definition && !named) return true;
        std::size_t at = path.size() - 1;
        if (at > 0 && path[at - 1].field("name") == node &&
            (path[at - 1].is("struct_specifier") || path[at - 1].is("class_specifier") ||
             path[at - 1].is("qualified_identifier"))) {
            --at;
            if (path[at].field("body")) return true; // where it is defined: seen there
        }
        if (at == 0) return true;
        const Node& whole = path[at - 1];
        if (whole.field("type") == path[at] &&
            (whole.is("declaration") || whole.is("field_declaration") || whole.is("parameter_declaration") ||
             whole.is("optional_parameter_declaration") || whole.is("function_definition") ||
             whole.is("for_range_loop")))
            return declaration_is_fine(tree, whole, uncopyable);
        if (whole.is("type_definition") || whole.is("alias_declaration")) return true; // seen already
        if (definition) return true;
        if (whole.is("compound_literal_expression") || whole.is("new_expression")) return may_be_made(whole);
        if (whole.is("base_class_clause")) return false;
        if (uncopyable) return true;
        if (!whole.is("type_descriptor") || at < 2) return whole.is("function_declarator");
        if (path[at - 2].is("alias_declaration")) return true;
        if (tree.text(whole).ends_with('*') || path[at - 2].is("sizeof_expression")) return true;
        const Node& list = path[at - 2];
        return list.is("template_argument_list") && at > 2 &&
               is_one_of(tree.text(path[at - 3].field("name")), kPointerTemplates);
    }

    /// `S{1, 2}`, `new S{1}`: values for members, unless it has a constructor for them.
    [[nodiscard]] bool may_be_made(const Node& expression) const {
        const Node values = expression.field(expression.is("new_expression") ? "arguments" : "value");
        return !cpp_ || values.named_children().empty() || has_constructor();
    }

    bool declaration_is_fine(const SyntaxTree& tree, const Node& declaration, bool uncopyable) {
        const Node type = declaration.field("type");
        for (const Node& child : declaration.named_children()) {
            if (child == type || child == declaration.field("default_value")) continue;
            const Node name = declared_name(child);
            if (!name) continue;
            const Node value = child.field("value");
            const bool braces = value.is("initializer_list");
            if (braces && cpp_ && !value.named_children().empty() && !has_constructor()) return false;
            if (uncopyable) continue;
            const std::string_view before = tree.text({type.range().end, name.range().first});
            if (before.find_first_of("*&") != std::string_view::npos) {
                if (before.find('*') != std::string_view::npos) pointers_.emplace(tree.text(name));
                continue;
            }
            if (!declaration.is("declaration") || child.field("declarator").is("function_declarator") ||
                child.is("function_declarator"))
                return false; // by value, into a function, out of it, or into another object
            if (value && !braces) return false;
            objects_.emplace(tree.text(name));
        }
        return true;
    }

    [[nodiscard]] bool bytes_are_fine(const SyntaxTree& tree, const Node& node) const {
        if (!node.is("call_expression") || !is_one_of(function_of(tree, node), kOfBytes)) return true;
        const std::string_view text = tree.text(node);
        const auto mentioned = [&](const std::string& name) { return has_name(text, name); };
        return !has_any_name(text) && std::ranges::none_of(objects_, mentioned) &&
               std::ranges::none_of(pointers_, mentioned);
    }

    /// An object is only looked into, its address or size taken; what a pointer points to likewise.
    [[nodiscard]] bool object_is_fine(const SyntaxTree& tree, const std::vector<Node>& path) const {
        const Node& node = path.back();
        if (!bytes_are_fine(tree, node)) return false;
        if (!node.is("identifier") || path.size() < 2) return true;
        const bool object = objects_.contains(tree.text(node));
        if (!object && !pointers_.contains(tree.text(node))) return true;
        std::size_t at = path.size() - 1;
        const auto above = [&] {
            while (at > 1 && path[at - 1].is("parenthesized_expression")) --at;
            return path[at - 1];
        };
        Node whole = above();
        if (whole.kind().ends_with("declarator") || whole.is("declaration") ||
            whole.is("parameter_declaration"))
            return true;
        const bool fetched = (whole.is("subscript_expression") && whole.field("argument") == path[at]) ||
                             (whole.is("pointer_expression") && tree.text(whole).starts_with('*'));
        if (!object && !fetched) return true;
        if (fetched) {
            --at;
            whole = above();
        }
        return (whole.is("field_expression") && whole.field("argument") == path[at]) ||
               whole.is("sizeof_expression") ||
               (whole.is("pointer_expression") && tree.text(whole).starts_with('&'));
    }

    std::span<const SyntaxTree* const> trees_;
    const SyntaxTree& home_;
    Node type_;
    bool cpp_;
    std::string name_;                         ///< of its constructors
    std::set<std::string, std::less<>> names_; ///< and other names for it
    std::set<std::string, std::less<>> objects_;
    std::set<std::string, std::less<>> pointers_;
};

} // namespace

std::vector<std::string> names_of_type(std::span<const SyntaxTree* const> trees, const SyntaxTree& defined_in,
                                       const Node& type, Language language) {
    return Objects(trees, defined_in, type, language).names();
}

bool is_used_by_parts(std::span<const SyntaxTree* const> trees, const SyntaxTree& defined_in,
                      const Node& type, Language language) {
    return Objects(trees, defined_in, type, language).run();
}

} // namespace heddle::source
