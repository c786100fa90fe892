#include "analysis/source/lock_name.h"

#include "analysis/source/functions.h"
#include "analysis/source/member_path.h"
#include "analysis/source/same_meaning.h"
#include "analysis/source/variable_declarations.h"
#include "analysis/source/visible_names.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::source {

namespace {

using Kind = Meaning::Kind;

constexpr std::string_view kThis = "this->";
constexpr int kMaxReferences = 4; ///< to a reference to a reference

ByteRange without_this(const SyntaxTree& tree, ByteRange range) {
    if (tree.text(range).starts_with(kThis)) range.first += static_cast<std::uint32_t>(kThis.size());
    return range;
}

/// "bank::mu" of `bank::mu`, "state" of `state.mu`.
std::string_view first_qualified(std::string_view expression) {
    std::size_t end = 0;
    for (;;) {
        end += first_name(expression.substr(end)).size();
        if (!expression.substr(end).starts_with("::")) return expression.substr(0, end);
        end += 2;
    }
}

/// Only names, members and numbers in brackets: it means the same wherever its first name does.
bool is_path(std::string_view expression) {
    for (std::size_t at = first_qualified(expression).size(); at < expression.size();) {
        const std::string_view rest = expression.substr(at);
        const std::size_t dot = rest.starts_with('.') ? 1 : rest.starts_with("->") ? 2 : 0;
        if (dot > 0) {
            const std::size_t name = first_name(rest.substr(dot)).size();
            if (name == 0) return false;
            at += dot + name;
            continue;
        }
        const std::size_t close = rest.find(']');
        if (!rest.starts_with('[') || close == std::string_view::npos) return false;
        if (rest.substr(1, close - 1).find_first_not_of("0123456789") != std::string_view::npos) return false;
        at += close + 1;
    }
    return !first_qualified(expression).empty();
}

bool is_const_function(const Node& definition) {
    Node declarator = definition.field("declarator");
    while (declarator && !declarator.is("function_declarator")) {
        const std::vector<Node> parts = declarator.named_children();
        declarator = parts.empty() ? Node() : parts.back(); // of a pointer or reference that is returned
    }
    return std::ranges::any_of(declarator.named_children(),
                               [](const Node& part) { return part.is("type_qualifier"); });
}

class Naming {
  public:
    Naming(const SyntaxTree& tree, ByteRange access, ByteRange over, const LockHabit& habit,
           std::span<const SyntaxTree* const> headers)
        : tree_(tree), habit_(habit), over_(over), access_(without_this(tree, access)), here_(tree, headers),
          there_(habit.tree, habit.headers), lock_(habit.tree.text(without_this(habit.tree, habit.lock))),
          cpp_(tree.language() == Language::cpp) {
        if (habit.access) guarded_ = habit.tree.text(without_this(habit.tree, *habit.access));
    }

    [[nodiscard]] std::optional<LockName> run() const {
        const MemberPath path = member_path(lock_);
        if (!path.object.empty()) {
            if (const auto object = object_here(path.object)) return of_the_object(*object, path.member, {});
        }
        if (!is_path(lock_)) return std::nullopt;
        const Meaning first = there_.meaning(first_qualified(lock_), habit_.lock.first);
        if (first.kind == Kind::global) return global(first);
        if (first.kind == Kind::local) return local(first);
        if (first.kind != Kind::member || !first.tree || !path.object.empty()) return std::nullopt;
        const ClassDefinition owner{first.tree, first.owner};
        const auto object = object_here({});
        if (object) return of_the_object(*object, lock_, owner);
        return is_in_the_same_member(owner) ? of_the_object({}, lock_, owner) : std::nullopt;
    }

  private:
    /// What takes the place here of the object that has the lock there: `other.` of `other.in.count`, if it
    /// is `acct->` of `acct->in.count`. Nothing: no such object is seen.
    [[nodiscard]] std::optional<std::string_view> object_here(std::string_view object) const {
        const std::string_view here = tree_.text(access_);
        if (!habit_.access || !guarded_.starts_with(object)) return std::nullopt;
        if (member_path(guarded_).object == object) return member_path(here).object;
        const std::string_view member = guarded_.substr(object.size());
        if (!here.ends_with(member)) return std::nullopt;
        const std::string_view rest = here.substr(0, here.size() - member.size());
        const bool whole = rest.empty() || rest.ends_with('.') || rest.ends_with("->");
        return whole ? std::optional(rest) : std::nullopt;
    }

    /// Whether both accesses are of what belongs to one member of the class: `units[i].health` there, and
    /// here `unit.health` with `auto& unit = *units[k]`. Whoever guards that has one lock for all of it.
    [[nodiscard]] bool is_in_the_same_member(const ClassDefinition& owner) const {
        if (!habit_.access) return false;
        const Meaning there = root_of(there_, guarded_, habit_.access->first, kMaxReferences);
        const Meaning here = root_of(here_, tree_.text(access_), access_.first, kMaxReferences);
        return there.kind == Kind::member && here.kind == Kind::member && there.owner == owner.node &&
               there.declaration == here.declaration;
    }

    /// What an expression begins with, through local references, pointers and iterators.
    [[nodiscard]] static Meaning root_of(const VisibleNames& names, std::string_view expression,
                                         std::uint32_t byte, int references) {
        while (!expression.empty() &&
               std::string_view("*&( ").find(expression.front()) != std::string_view::npos)
            expression.remove_prefix(1);
        if (expression.starts_with(kThis)) expression.remove_prefix(kThis.size());
        const Meaning meaning = names.meaning(first_name(expression), byte);
        if (meaning.kind != Kind::local || references == 0) return meaning;
        const Node from = initialiser(meaning.declaration);
        if (!from) return {};
        return root_of(names, meaning.tree->text(from), from.range().first, references - 1);
    }

    /// What a local name was made of: the container that a loop goes over, a value.
    [[nodiscard]] static Node initialiser(const Node& declaration) {
        Node from = declaration.field("right");
        if (!from) from = declaration.field("value");
        if (!from) from = declaration.field("declarator").field("value");
        return from;
    }

    /// The member of an object that is named here. `owner`: its class, where that is known.
    [[nodiscard]] std::optional<LockName> of_the_object(std::string_view object, std::string_view member,
                                                        std::optional<ClassDefinition> owner) const {
        if (object.empty()) {
            const Meaning own = here_.meaning(member, access_.first);
            if (own.kind != Kind::member || !own.tree) return std::nullopt;
            if (owner && !(owner->node == own.owner)) return std::nullopt;
            return member_of({{own.tree, own.owner}}, member, std::string(member), false);
        }
        const ByteRange range{access_.first, static_cast<std::uint32_t>(access_.first + object.size())};
        if (!means_the_same(tree_, range, over_)) return std::nullopt;
        const std::string_view there = member_path(lock_).object;
        const std::vector<std::string_view> both = {member, first_name(guarded_.substr(there.size()))};
        std::vector<std::string_view> all = both;
        all.push_back(first_name(tree_.text(access_).substr(object.size())));
        std::vector<ClassDefinition> classes = here_.classes_with(all);
        // An object of another class, which that with the lock has, perhaps, somewhere in it.
        if (classes.empty() && !here_.classes_with(both).empty()) return std::nullopt;
        if (owner)
            std::erase_if(classes, [&](const ClassDefinition& one) { return !(one.node == owner->node); });
        return member_of(classes, member, std::string(object) + std::string(member), false);
    }

    [[nodiscard]] std::optional<LockName> global(const Meaning& first) const {
        // Of what a header keeps for each text that includes it, every one has its own.
        if (first.hidden && &habit_.tree != &tree_) return std::nullopt;
        const std::string_view name = first_qualified(lock_);
        const std::string rest(lock_.substr(name.size()));
        std::string text(lock_);
        if (!here_.meaning(name, over_.first).same_global(first)) {
            const std::string_view last = name.substr(name.rfind(':') + 1); // npos + 1 is 0
            if (!here_.global(first.scope, last, over_.first).same_global(first) || !cpp_)
                return std::nullopt;
            if (!first.scope.empty() &&
                here_.meaning(first_name(first.scope), over_.first).kind != Kind::unknown)
                return std::nullopt;
            text = first.scope + "::" + std::string(last) + rest;
        }
        return reached(first, std::move(text), true);
    }

    /// One of the function that both are in, if that is an object and every lambda on the way has it.
    [[nodiscard]] std::optional<LockName> local(const Meaning& first) const {
        const std::string_view name = first_name(lock_);
        const Meaning own = here_.meaning(name, access_.first);
        if (own.kind != Kind::local || !(own.declaration == first.declaration)) return std::nullopt;
        const Node& declared = own.declaration;
        if (!declared.is("declaration") || declared.range().first >= over_.first) return std::nullopt;
        const std::string_view written = tree_.text(declared);
        if (written.substr(0, written.find('=')).find_first_of("*&") != std::string_view::npos)
            return std::nullopt; // to another object each time, perhaps
        if (!has_specifier(tree_, declared, "static") && !is_captured(declared, name)) return std::nullopt;
        const Meaning accessed = here_.meaning(first_name(tree_.text(access_)), access_.first);
        return reached(own, std::string(lock_), accessed.kind != Kind::local);
    }

    [[nodiscard]] bool is_captured(const Node& declared, std::string_view name) const {
        return std::ranges::all_of(tree_.path_to(over_.first), [&](const Node& node) {
            if (!node.is("lambda_expression") || node.range().contains(declared.range())) return true;
            const std::string_view captures = tree_.text(node.field("captures"));
            const std::string reference = "&" + std::string(name);
            return captures.starts_with("[&]") || captures.starts_with("[&,") ||
                   (has_name(captures, name) && captures.find(reference) != std::string_view::npos);
        });
    }

    /// A variable, or a member that a path leads to from it.
    [[nodiscard]] std::optional<LockName> reached(const Meaning& first, std::string text, bool one) const {
        const std::string_view member = member_path(lock_).member;
        if (member != lock_) {
            const std::vector<std::string_view> wanted = {first_name(member)};
            return member_of(here_.classes_with(wanted), member, std::move(text), one);
        }
        if (has_specifier(*first.tree, first.declaration, "const")) return std::nullopt;
        return LockName{std::move(text), one, std::string(first.tree->text(first.declaration.field("type")))};
    }

    [[nodiscard]] std::optional<LockName> member_of(const std::vector<ClassDefinition>& classes,
                                                    std::string_view member, std::string text,
                                                    bool one) const {
        // Nobody but a function of the class itself shows that its members can be named.
        if (cpp_ && classes.empty()) return std::nullopt;
        const auto around = here_.class_at(access_.first);
        LockName result{std::move(text), one, {}};
        bool changeable = !classes.empty();
        for (const ClassDefinition& of : classes) {
            const Node declared = member_declaration(of, first_name(member));
            if (cpp_ && !may_be_named(of, declared, around, result.text == member)) return std::nullopt;
            const std::string type(of.tree->text(declared.field("type")));
            if (!result.type.empty() && result.type != type) return std::nullopt;
            result.type = type;
            changeable = changeable && has_specifier(*of.tree, declared, "mutable");
        }
        if (!changeable && is_const(result.text, kMaxReferences)) return std::nullopt;
        return result;
    }

    /// `own`: without an object, so that it is a member of the class around or of one of its bases.
    [[nodiscard]] static bool may_be_named(const ClassDefinition& of, const Node& member,
                                           const std::optional<ClassDefinition>& around, bool own) {
        const std::string_view access = access_of(of, member);
        return access == "public" || (around && around->node == of.node) || (own && access == "protected");
    }

    /// Whether what an expression names is seen to be const, or refers to something that is.
    [[nodiscard]] bool is_const(std::string_view expression, int references) const {
        const std::string_view name = first_qualified(expression);
        const Meaning meaning = here_.meaning(name, access_.first);
        if (meaning.kind == Kind::member) {
            // What a member of a const object points to is not const.
            return expression.find("->") == std::string_view::npos && is_in_const_function();
        }
        if (meaning.kind == Kind::unknown) return name.empty() || is_in_const_function();
        const std::string_view written = meaning.tree->text(meaning.declaration);
        const std::string_view head = written.substr(0, written.find_first_of("=:{"));
        if (has_name(head, "const")) return true;
        if (meaning.kind != Kind::local || !has_name(head, "auto")) return false;
        // Of `auto& one : all` the type is that of `all`.
        const Node from = initialiser(meaning.declaration);
        return references == 0 || !from || is_const(meaning.tree->text(from), references - 1);
    }

    [[nodiscard]] bool is_in_const_function() const {
        const auto function = enclosing_function(tree_, access_.first);
        return function && is_const_function(function->node);
    }

    const SyntaxTree& tree_;
    const LockHabit& habit_;
    ByteRange over_;
    ByteRange access_;
    VisibleNames here_;
    VisibleNames there_;
    std::string_view lock_;
    std::string_view guarded_;
    bool cpp_;
};

} // namespace

std::optional<LockName> lock_name(const SyntaxTree& tree, ByteRange access, ByteRange over,
                                  const LockHabit& habit, std::span<const SyntaxTree* const> headers) {
    return Naming(tree, access, over, habit, headers).run();
}

} // namespace heddle::source
