#include "analysis/source/make_atomic.h"

#include "analysis/source/atomic_uses.h"
#include "analysis/source/declarations.h"
#include "analysis/source/functions.h"
#include "analysis/source/intents.h"
#include "analysis/source/member_path.h"
#include "analysis/source/tree_walk.h"
#include "analysis/source/variable_declarations.h"
#include "analysis/source/whole_objects.h"

#include <algorithm>
#include <array>
#include <map>

namespace heddle::source {

namespace {

/// A declaration that can be written for an atomic variable.
struct Written {
    Scalar type = Scalar::none;
    std::vector<Replacement> edits;
};

class DeclarationEdit {
  public:
    DeclarationEdit(const SyntaxTree& tree, const VariableDeclaration& declared, Language language)
        : tree_(tree), declared_(declared), cpp_(language == Language::cpp) {}

    [[nodiscard]] std::optional<Written> run() {
        if (!understood()) return std::nullopt;
        Written result{type_, {}};
        const std::string_view type = tree_.text(declared_.declaration.field("type"));
        const std::uint32_t name = name_first();
        const std::uint32_t type_end = declared_.declaration.field("type").range().end;
        if (cpp_) {
            const std::string held = qualifiers_ + std::string(type) + stars_;
            result.edits.push_back({{first_, stars_.empty() ? type_end : name},
                                    "std::atomic<" + held + ">" + (stars_.empty() ? "" : " ")});
            if (auto value = initialised()) {
                if (!value->text.empty()) result.edits.push_back(std::move(*value));
            } else {
                return std::nullopt;
            }
        } else if (!stars_.empty()) {
            result.edits.push_back({{name, name}, "_Atomic "});
        } else {
            result.edits.push_back({{first_, type_end}, "_Atomic " + std::string(type)});
        }
        return result;
    }

  private:
    /// One variable, of a type that is known to be a number or a pointer.
    bool understood() {
        const Node declaration = declared_.declaration;
        const Node type = declaration.field("type");
        first_ = type.range().first;
        std::size_t declarators = 0;
        for (const Node& child : declaration.named_children()) {
            if (child == type || child == declaration.field("default_value") || child.is("comment")) continue;
            if (child.is("type_qualifier") && tree_.text(child) == "mutable") {
                if (child.range().first > first_) return false; // it stays where it is
            } else if (child.is("type_qualifier")) {
                first_ = std::min(first_, child.range().first);
                const std::string_view word = tree_.text(child);
                if (word == "constexpr" || word == "_Atomic" || child.range().first > type.range().first)
                    return false;
                if (word == "const") qualifiers_ = "const ";
                if (word == "volatile") volatile_ = true;
            } else if (child.is("storage_class_specifier")) {
                const std::string_view word = tree_.text(child);
                if (word != "static" && word != "extern" && word != "inline") return false;
                if (child.range().first > first_) return false;
            } else if (child == declared_.declarator) {
                ++declarators;
            } else {
                return false; // another one, a bit-field, an attribute
            }
        }
        stars_ = stars_before(type.range().end, name_first());
        if (stars_ == "?" || declarators != 1 || type.error()) return false;
        type_ = stars_.empty() ? scalar_of(tree_.text(type)) : Scalar::pointer;
        if (stars_.empty() ? !qualifiers_.empty() : volatile_) return false;
        return type_ != Scalar::none && has_plain_end();
    }

    /// With what it is a member of: `Pool::count`.
    [[nodiscard]] std::uint32_t name_first() const {
        Node declarator = declared_.declarator;
        while (declarator.is("init_declarator") || declarator.is("pointer_declarator"))
            declarator = declarator.field("declarator");
        return declarator ? declarator.range().first : declared_.name.range().first;
    }

    /// "**" of ` ** `; "?" when there is something else.
    [[nodiscard]] std::string stars_before(std::uint32_t first, std::uint32_t end) const {
        std::string stars;
        for (const char letter : tree_.text({first, end})) {
            if (letter == '*') stars += letter;
            if (letter != '*' && letter != ' ' && letter != '\t' && letter != '\n' && letter != '\r')
                return "?";
        }
        return stars;
    }

    /// Behind the name comes a value or the end: no array, no width.
    [[nodiscard]] bool has_plain_end() const {
        const std::string_view text = tree_.text();
        const std::size_t at = text.find_first_not_of(" \t\r\n", declared_.name.range().end);
        return at != std::string_view::npos &&
               std::string_view(";={(").find(text[at]) != std::string_view::npos;
    }

    [[nodiscard]] Node value() const {
        if (declared_.declaration.is("field_declaration"))
            return declared_.declaration.field("default_value");
        return declared_.declarator.is("init_declarator") ? declared_.declarator.field("value") : Node();
    }

    /// Without `=`, which needs C++17 for an atomic variable. An empty text: there is nothing to change.
    [[nodiscard]] std::optional<Replacement> initialised() const {
        const Node value = this->value();
        if (!value || value.is("initializer_list") || value.is("argument_list")) return Replacement{};
        const ByteRange range{declared_.name.range().end, value.range().end};
        const std::string text(tree_.text(value));
        if (type_ == Scalar::pointer || fits_in_braces(value)) return Replacement{range, "{" + text + "}"};
        if (declared_.member) return std::nullopt;
        return Replacement{range, "(" + text + ")"};
    }

    /// Braces refuse what loses something.
    [[nodiscard]] bool fits_in_braces(const Node& value) const {
        const std::string_view type = tree_.text(declared_.declaration.field("type"));
        if (type_ == Scalar::boolean) return value.is("true") || value.is("false");
        if (value.is("unary_expression"))
            return value.field("argument").is("number_literal") && type.find('u') == std::string_view::npos;
        const bool fraction = tree_.text(value).find_first_of(".fF") != std::string_view::npos &&
                              !tree_.text(value).starts_with("0x");
        return value.is("number_literal") && (type_ == Scalar::floating || !fraction);
    }

    const SyntaxTree& tree_;
    const VariableDeclaration& declared_;
    bool cpp_;
    std::uint32_t first_ = 0; ///< of the type with its qualifiers
    std::string qualifiers_;
    std::string stars_;
    bool volatile_ = false;
    Scalar type_ = Scalar::none;
};

/// Whether the end of the path is the name in a declaration.
bool is_declared(const std::vector<Node>& path) {
    for (std::size_t i = path.size() - 1; i > 0; --i) {
        const Node& whole = path[i - 1];
        if (whole.is("declaration") || whole.is("field_declaration") || whole.is("parameter_declaration") ||
            whole.is("optional_parameter_declaration") || whole.is("function_definition"))
            return !(whole.field("default_value") == path[i]) && !(whole.field("type") == path[i]);
        if (whole.is("for_range_loop")) return whole.field("declarator") == path[i];
        if (whole.is("enumerator")) return true;
        const bool part = whole.kind().ends_with("declarator") || whole.is("qualified_identifier");
        if (!part || whole.field("value") == path[i] || whole.field("size") == path[i]) return false;
    }
    return false;
}

/// "bank" of "bank::total", "next" of "next<int>::count".
std::string scope_of(const SharedVariable& variable) {
    const std::size_t colons = variable.path.rfind("::");
    if (variable.member || colons == std::string::npos) return {};
    const std::string scope = variable.path.substr(0, colons);
    return scope.substr(0, scope.find('<'));
}

/// Those of one text that may be the variable's: of the same kind, in its scope.
std::vector<VariableDeclaration> declarations_of(const SyntaxTree& tree, const SharedVariable& variable) {
    std::vector<VariableDeclaration> all = variable_declarations(tree, variable.name);
    const std::string scope = scope_of(variable);
    std::erase_if(all, [&](const VariableDeclaration& one) {
        return one.member != variable.member || (!variable.member && one.scope != scope);
    });
    return all;
}

/// All texts, and the variable's declarations in them.
class Search {
  public:
    Search(std::span<const SyntaxTree* const> trees, std::size_t own, const SharedVariable& variable,
           std::span<const SyntaxTree* const> headers)
        : trees_(trees.begin(), trees.end()), headers_(headers), own_(own), variable_(variable),
          language_(trees[own]->language()) {}

    [[nodiscard]] std::optional<AtomicVariable> run() {
        if (!find_declarations()) return std::nullopt;
        AtomicVariable result;
        result.edits.resize(trees_.size());
        Scalar type = Scalar::none;
        for (const auto& [tree, declared] : declared_) {
            auto written = DeclarationEdit(*trees_[tree], declared, language_).run();
            if (!written || (type != Scalar::none && written->type != type)) return std::nullopt;
            type = written->type;
            std::ranges::move(written->edits, std::back_inserter(result.edits[tree]));
            if (language_ != Language::cpp) continue;
            if (result.edits[tree].size() <= 2) {
                for (Replacement& header : including(trees_[tree]->text(), "atomic"))
                    result.edits[tree].push_back(std::move(header));
            }
        }
        const std::vector<const SyntaxTree*> looked = looked_at();
        std::vector<const SyntaxTree*> told = looked;
        told.insert(told.end(), headers_.begin(), headers_.end());
        const DeclaredNames names(told);
        const VariableDeclaration& first = declared_.front().second;
        if (first.member &&
            !is_used_by_parts(looked, *trees_[declared_.front().first], first.owner, language_))
            return std::nullopt;
        for (const SyntaxTree* tree : looked) {
            if (!uses_are_fine(*tree, AtomicUses(names, language_, type, variable_.name)))
                return std::nullopt;
        }
        result.stays_apart = stays_apart_ || std::ranges::any_of(looked, [&](const SyntaxTree* tree) {
                                 return acts_on_a_look(*tree);
                             });
        return result;
    }

    [[nodiscard]] std::vector<std::string> types() {
        if (!find_declarations() || !variable_.member) return {};
        const auto& [tree, declared] = declared_.front();
        return names_of_type(trees_, *trees_[tree], declared.owner, language_);
    }

  private:
    bool find_declarations() {
        std::vector<std::pair<std::size_t, VariableDeclaration>> all;
        for (std::size_t i = 0; i < trees_.size(); ++i) {
            for (const VariableDeclaration& one : declarations_of(*trees_[i], variable_))
                all.emplace_back(i, one);
        }
        const auto is_own = [&](const auto& one) { return one.first == own_ && one.second.internal; };
        hidden_ = std::ranges::any_of(all, is_own);
        if (hidden_) std::erase_if(all, [&](const auto& one) { return !is_own(one); });
        if (variable_.member && all.size() > 1) keep_the_one_named(all);
        const auto definitions =
            std::ranges::count_if(all, [](const auto& one) { return !one.second.external; });
        declared_ = std::move(all);
        // An inline static member is defined where it is declared.
        if (definitions != 0 || declared_.size() != 1) return definitions == 1;
        const auto& [tree, only] = declared_.front();
        return only.owner && has_specifier(*trees_[tree], only.declaration, "inline");
    }

    void keep_the_one_named(std::vector<std::pair<std::size_t, VariableDeclaration>>& all) const {
        const auto range = declaration_of(*trees_[own_], variable_.path);
        std::erase_if(all, [&](const auto& one) {
            return !range || one.first != own_ || !(one.second.name.range() == *range);
        });
    }

    [[nodiscard]] std::vector<const SyntaxTree*> looked_at() const {
        if (hidden_) return {trees_[own_]};
        return trees_;
    }

    bool uses_are_fine(const SyntaxTree& tree, const AtomicUses& uses) {
        return for_each_path(tree, [&](const std::vector<Node>& path) {
            const Node& node = path.back();
            if (node.is("preproc_arg") || node.is("ERROR") || node.is("preproc_call"))
                return !has_name(tree.text(node), variable_.name);
            if (!node.is("identifier") && !node.is("field_identifier")) return true;
            if (tree.text(node) != variable_.name || is_declared(path)) return true;
            return use_is_fine(tree, path, uses);
        });
    }

    bool use_is_fine(const SyntaxTree& tree, std::vector<Node> path, const AtomicUses& uses) {
        const bool bare = path.back().is("identifier") && !path[path.size() - 2].is("qualified_identifier");
        if (bare) {
            const Node local = local_declaration(tree, path, variable_.name);
            const bool meant = std::ranges::any_of(
                declared_, [&](const auto& one) { return one.second.declaration == local; });
            if (local && has_specifier(tree, local, "extern")) return false; // declared there once more
            if (local && !meant) return true;                                // something else of that name
        }
        const bool of_class = declared_.front().second.owner.valid();
        while (path.size() > 1) {
            const Node& whole = path[path.size() - 2];
            const bool part = whole.is("field_expression") ? whole.field("field") == path.back()
                                                           : whole.is("qualified_identifier");
            if (whole.is("field_expression") && part && !of_class) return true; // a member of that name
            if (whole.is("field_designator") && !variable_.member) return true;
            if (!part && !whole.is("field_designator")) break;
            path.pop_back();
        }
        const Node& around = path[path.size() - 2];
        if (around.is("call_expression") && around.field("function") == path.back())
            return true; // a function
        const auto use = uses.use(tree, path);
        if (!use) return false;
        note(tree, path.back().range().first, *use);
        return true;
    }

    /// `if (seats > 0) --seats;`
    [[nodiscard]] bool acts_on_a_look(const SyntaxTree& tree) const {
        const auto uses = uses_.find(&tree);
        if (uses == uses_.end()) return false;
        const LineColumns lines(tree.text());
        const auto used_in = [&](const Region& region) {
            return std::ranges::any_of(uses->second,
                                       [&](std::uint32_t byte) { return region.contains(lines.at(byte)); });
        };
        return std::ranges::any_of(inferred_pieces(tree), [&](const InferredPiece& piece) {
            return piece.inference != Inference::update && used_in(piece.reads) && used_in(piece.writes);
        });
    }

    /// A function that reads, and writes something that is no constant.
    void note(const SyntaxTree& tree, std::uint32_t byte, AtomicUse use) {
        uses_[&tree].push_back(byte);
        if (use != AtomicUse::read && use != AtomicUse::computed) return;
        const auto function = enclosing_function(tree, byte);
        if (!function) return;
        auto& seen = seen_[{&tree, function->range.first}];
        seen[use == AtomicUse::read ? 0 : 1] = true;
        stays_apart_ = stays_apart_ || (seen[0] && seen[1]);
    }

    std::vector<const SyntaxTree*> trees_;
    std::span<const SyntaxTree* const> headers_;
    std::size_t own_;
    const SharedVariable& variable_;
    Language language_;
    std::vector<std::pair<std::size_t, VariableDeclaration>> declared_;
    bool hidden_ = false; ///< only the own text can name it
    std::map<std::pair<const SyntaxTree*, std::uint32_t>, std::array<bool, 2>> seen_;
    bool stays_apart_ = false;
    std::map<const SyntaxTree*, std::vector<std::uint32_t>> uses_; ///< where they begin
};

} // namespace

std::optional<SharedVariable> shared_variable(std::string_view name) {
    int brackets = 0; // which element it is does not matter
    const bool odd = std::ranges::any_of(name, [&](char letter) {
        brackets += letter == '[' ? 1 : letter == ']' ? -1 : 0;
        return brackets == 0 && std::string_view(" ()+*&{").find(letter) != std::string_view::npos;
    });
    if (name.empty() || odd || name.ends_with(']')) return std::nullopt;
    const MemberPath path = member_path(name);
    const std::string_view last = path.member.substr(path.member.rfind(':') + 1); // npos + 1 is 0
    if (last.empty() || first_name(last) != last) return std::nullopt;
    return SharedVariable{std::string(last), !path.object.empty(), std::string(name)};
}

std::vector<std::string> types_with(std::span<const SyntaxTree* const> trees, std::size_t own,
                                    const SharedVariable& variable) {
    return Search(trees, own, variable, {}).types();
}

bool is_hidden(const SyntaxTree& own, const SharedVariable& variable) {
    return std::ranges::any_of(declarations_of(own, variable), &VariableDeclaration::internal);
}

std::optional<AtomicVariable> make_atomic(std::span<const SyntaxTree* const> trees, std::size_t own,
                                          const SharedVariable& variable,
                                          std::span<const SyntaxTree* const> headers) {
    const bool mixed = std::ranges::any_of(
        trees, [&](const SyntaxTree* tree) { return tree->language() != trees[own]->language(); });
    if (mixed) return std::nullopt; // an atomic variable is not written the same in both
    return Search(trees, own, variable, headers).run();
}

} // namespace heddle::source
