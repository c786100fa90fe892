#include "analysis/source/hold_lock.h"

#include "analysis/source/certain_object.h"
#include "analysis/source/declared_names.h"
#include "analysis/source/functions.h"
#include "analysis/source/guards.h"
#include "analysis/source/member_path.h"
#include "analysis/source/own_guards.h"
#include "analysis/source/variable_declarations.h"
#include "analysis/source/waiting.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <string_view>
#include <utility>

namespace heddle::source {

namespace {

/// A name that nothing has yet in the function, or lambda, that is edited.
std::string free_name(const SyntaxTree& tree, std::uint32_t byte, std::string name) {
    const std::vector<Node> path = tree.path_to(byte);
    const auto function = std::ranges::find_if(path.rbegin(), path.rend(), [](const Node& node) {
        return node.is("function_definition") || node.is("lambda_expression");
    });
    const std::string_view text =
        function == path.rend() ? std::string_view(tree.text()) : tree.text(*function);
    while (has_name(text, name) || local_declaration(tree, path, name)) name += '_';
    return name;
}

/// A statement that can have something before it and behind it.
struct Spot {
    Node statement;
    Node block;  ///< that it is directly in; none: it gets brackets of its own
    Node around; ///< the loop or branch whose only statement it is, if it is
};

/// The innermost statement around a byte, for brackets of its own.
std::optional<Spot> own_statement(const SyntaxTree& tree, std::uint32_t byte) {
    const std::vector<Node> path = tree.path_to(byte);
    for (std::size_t i = path.size(); i-- > 1;) {
        if (path[i].is("compound_statement")) return std::nullopt;
        if (!path[i].is("expression_statement")) continue;
        const Node& around = path[i - 1];
        if (around.is("compound_statement") || around.is("case_statement") || around.is("labeled_statement"))
            return Spot{path[i], {}, {}};
        return Spot{path[i], {}, around};
    }
    return std::nullopt;
}

/// Whether a loop around the access, in the statement, asks by a call whether to go on: it may be waiting for
/// an answer that nobody can give while the lock is held.
bool is_asked_by_a_loop(const SyntaxTree& tree, const Node& statement, std::uint32_t access) {
    bool asked = false;
    for (const Node& node : tree.path_to(access)) {
        if (!statement.range().contains(node.range())) continue;
        const Node condition = node.is("if_statement") ? Node() : node.field("condition");
        if (condition.range().contains(access)) asked = true;
        if (asked && node.is("call_expression")) return true;
    }
    return false;
}

class Edit {
  public:
    Edit(const SyntaxTree& tree, const Spot& spot, const Function& function, LockName lock,
         std::span<const SyntaxTree* const> headers)
        : tree_(tree), spot_(spot), function_(function), lock_(std::move(lock)), headers_(headers) {}

    /// A guard before the statement, until the end of its block.
    [[nodiscard]] std::optional<HeldLock> by_guard(std::string_view declaration) const {
        const Node& statement = spot_.statement;
        const std::uint32_t at = statement.range().first;
        // No jump leads past a declaration.
        if (statement.is("case_statement") || statement.is("labeled_statement")) return std::nullopt;
        if (spot_.block && has_label_behind(spot_.block, at)) return std::nullopt;
        return written(std::string(declaration) + separator(), "",
                       {at, spot_.block ? spot_.block.range().end : statement.range().end});
    }

    /// A call before the statement, and one behind it.
    [[nodiscard]] std::optional<HeldLock> by_calls(const LockCall& call) const {
        const Node& statement = spot_.statement;
        if (tree_.language() == Language::cpp && may_throw(statement)) return std::nullopt;
        if (has_hidden_way_out(tree_, statement, headers_)) return std::nullopt;
        const std::string before = call_text(call.lock, lock_.text) + separator();
        const std::string after = separator() + call_text(call.unlock, lock_.text);
        if (statement.is("return_statement")) return returning(before, after);
        if (!statement.is("expression_statement") && !statement.is("declaration")) return std::nullopt;
        if (has_way_out(tree_.text(statement))) return std::nullopt;
        return written(before, after, statement.range());
    }

    /// The declaration of a guard, for a lock that other places take in another way.
    [[nodiscard]] std::string new_guard() const {
        return "const std::lock_guard<" + lock_.type + "> " + free_name("lock") + "(" + lock_.text + ");";
    }

    /// A guard as it is declared elsewhere, with another lock, and a name that is free in the function.
    [[nodiscard]] std::optional<std::string> copied_guard(const SyntaxTree& other,
                                                          const Node& declaration) const {
        const auto guard = declared_with_one(other, declaration);
        if (!guard) return std::nullopt;
        const std::uint32_t end = declaration.range().end;
        return std::string(other.text({declaration.range().first, guard->name.first})) +
               free_name(std::string(other.text(guard->name))) +
               std::string(other.text({guard->name.end, guard->lock.first})) + lock_.text +
               std::string(other.text({guard->lock.end, end}));
    }

  private:
    [[nodiscard]] std::string free_name(std::string name) const {
        return source::free_name(tree_, spot_.statement.range().first, std::move(name));
    }

    /// With text before the statement and behind it, and in brackets where it is to have some.
    [[nodiscard]] std::optional<HeldLock> written(std::string before, std::string after,
                                                  ByteRange held) const {
        const ByteRange range = spot_.statement.range();
        std::uint32_t first = range.first;
        if (!spot_.block) {
            const std::string_view text = tree_.text();
            while (spot_.around &&
                   std::string_view(" \t\r\n").find(text[first - 1]) != std::string_view::npos)
                --first;
            const std::size_t line = text.rfind('\n', first - 1) + 1; // npos + 1 is 0
            if (text.substr(line, first - line).find("//") != std::string_view::npos) return std::nullopt;
            before = std::string(spot_.around ? " {" : "{") + inner_separator() + before;
            after += outer_separator() + "}";
        }
        HeldLock result{.lock = lock_.text, .one_for_all = lock_.one_for_all, .edits = {}, .held = held};
        result.edits.push_back({{first, range.first}, std::move(before)});
        if (!after.empty()) result.edits.push_back({{range.end, range.end}, std::move(after)});
        return result;
    }

    /// Whether nothing is before a node on its line.
    [[nodiscard]] bool begins_line(const Node& node) const {
        const std::uint32_t at = node.range().first;
        const std::string_view indentation = indentation_at(tree_.text(), at);
        return at == indentation.size() || tree_.text()[at - indentation.size() - 1] == '\n';
    }
    /// In front of a bracket, and of what is in brackets: on lines of their own, unless several share one.
    [[nodiscard]] std::string outer_separator() const {
        const Node& outer = spot_.around ? spot_.around : spot_.statement;
        if (!spot_.around && !begins_line(outer)) return " ";
        return std::string(line_end_of(tree_.text())) +
               std::string(indentation_at(tree_.text(), outer.range().first));
    }
    [[nodiscard]] std::string inner_separator() const {
        std::string separator = outer_separator();
        if (separator != " ") separator += indentation_step();
        return separator;
    }
    /// How much further in than the block around it the statement is: what is in it will be that much
    /// further.
    [[nodiscard]] std::string_view indentation_step() const {
        const std::uint32_t at = (spot_.around ? spot_.around : spot_.statement).range().first;
        const std::string_view own = indentation_at(tree_.text(), at);
        for (const std::vector<Node> path = tree_.path_to(at); const Node& node : std::views::reverse(path)) {
            if (!node.is("compound_statement")) continue;
            const std::string_view outer = indentation_at(tree_.text(), node.range().first);
            if (own.starts_with(outer) && own.size() > outer.size()) return own.substr(outer.size());
            break;
        }
        return own.ends_with('\t') ? "\t" : "    ";
    }

    /// To the next statement: on a line of its own, unless several share one.
    [[nodiscard]] std::string separator() const {
        if (!spot_.block) return inner_separator();
        if (!begins_line(spot_.statement)) return " ";
        const std::string_view text = tree_.text();
        return std::string(line_end_of(text)) +
               std::string(indentation_at(text, spot_.statement.range().first));
    }

    /// What is returned is read with the lock, and given back without it.
    [[nodiscard]] std::optional<HeldLock> returning(const std::string& before,
                                                    const std::string& after) const {
        const std::vector<Node> value = spot_.statement.named_children();
        const std::string type(tree_.text(function_.node.field("type")));
        const bool plain = function_.node.field("declarator").is("function_declarator");
        if (value.size() != 1 || !plain || scalar_of(type) == Scalar::none) return std::nullopt;
        const ByteRange range = spot_.statement.range();
        for (const Node& node : tree_.path_to(range.first)) {
            if (node.is("lambda_expression")) return std::nullopt;
        }
        const std::string name = free_name("result");
        return HeldLock{.lock = lock_.text,
                        .one_for_all = lock_.one_for_all,
                        .edits = {{{range.first, value.front().range().first},
                                   before + "const " + type + " " + name + " = "},
                                  {{range.end, range.end}, after + separator() + "return " + name + ";"}},
                        .held = range};
    }

    const SyntaxTree& tree_;
    const Spot& spot_;
    const Function& function_;
    LockName lock_;
    std::span<const SyntaxTree* const> headers_;
};

/// Whether a guard can be written with this type anywhere in the text: no name in it is one of a class or
/// function, such as `decltype(mu)`.
bool is_known_everywhere(std::string_view guard_type) {
    static constexpr std::array<std::string_view, 9> kWords = {
        "std",         "lock_guard",   "scoped_lock",     "unique_lock", "mutex",
        "timed_mutex", "shared_mutex", "recursive_mutex", "const"};
    for (std::size_t at = 0; at < guard_type.size();) {
        const std::string_view name = first_name(guard_type.substr(at));
        at += std::max<std::size_t>(name.size(), 1);
        if (!name.empty() && std::ranges::find(kWords, name) == kWords.end()) return false;
    }
    return true;
}

bool is_standard_mutex(std::string_view type) {
    static constexpr std::array<std::string_view, 4> kTypes = {"std::mutex", "std::recursive_mutex",
                                                               "std::timed_mutex", "std::shared_mutex"};
    return std::ranges::find(kTypes, type) != kTypes.end();
}

/// `#include <mutex>`, unless somebody has it already. Only <shared_mutex> comes without guards.
std::vector<Replacement> including_mutex(const SyntaxTree& tree, std::string_view type,
                                         std::span<const SyntaxTree* const> headers) {
    if (type != "std::shared_mutex") return {};
    const auto has_it = [](const SyntaxTree* text) { return including(text->text(), "mutex").empty(); };
    if (std::ranges::any_of(headers, has_it)) return {};
    return including(tree.text(), "mutex");
}

std::optional<HeldLock> write(const SyntaxTree& tree, std::uint32_t at, const Edit& edit,
                              const LockName& lock, const LockHabit& habit,
                              std::span<const SyntaxTree* const> headers) {
    const auto taken = statement_at(habit.tree, habit.lock.first);
    if (!taken) return std::nullopt;
    if (is_guard(habit.tree, taken->statement)) {
        const auto copied = edit.copied_guard(habit.tree, taken->statement);
        // What another text may leave out, `using namespace std`, this one may not.
        const bool same = &habit.tree == &tree || (copied && copied->find("std::") != std::string::npos);
        if (copied && same && is_known_everywhere(habit.tree.text(taken->statement.field("type"))))
            return edit.by_guard(*copied);
    }
    if (habit.own_guard && &habit.tree == &tree && can_be_declared_at(tree, taken->statement, at, headers)) {
        if (const auto copied = edit.copied_guard(tree, taken->statement)) return edit.by_guard(*copied);
    }
    if (tree.language() == Language::cpp && is_standard_mutex(lock.type)) {
        auto held = edit.by_guard(edit.new_guard());
        if (held)
            std::ranges::copy(including_mutex(tree, lock.type, headers), std::back_inserter(held->edits));
        return held;
    }
    const auto call = lock_call_around(habit.tree, habit.lock);
    if (call && call->locks) return edit.by_calls(call->call);
    // By a function or macro that leaves it open who lets the lock go.
    const auto calls = lock_calls_for(lock.type);
    return calls ? edit.by_calls(*calls) : std::nullopt;
}

} // namespace

std::optional<HeldLock> hold_lock(const SyntaxTree& tree, ByteRange access, const LockHabit& habit,
                                  std::span<const SyntaxTree* const> headers) {
    const auto function = enclosing_function(tree, access.first);
    const auto place = statement_at(tree, access.first);
    if (!function || !place || place->statement.error()) return std::nullopt;
    std::vector<Spot> spots = {{place->statement, place->block, {}}};
    if (auto own = own_statement(tree, access.first)) spots.push_back(*own);
    // Not over all rounds of a loop: others could no longer come in between, and the run need not tell each.
    if (has_loop(tree, place->statement.range())) std::ranges::reverse(spots);
    for (const Spot& spot : spots) {
        auto lock = lock_name(tree, access, spot.statement.range(), habit, headers);
        if (!lock || is_asked_by_a_loop(tree, spot.statement, access.first)) continue;
        if (!lock->one_for_all && !is_certain_before(tree, spot.statement, lock->text)) continue;
        auto held = write(tree, spot.statement.range().first, Edit(tree, spot, *function, *lock, headers),
                          *lock, habit, headers);
        if (held && !may_wait(tree, held->held, headers) && !may_take(tree, held->held, lock->text, headers))
            return held;
    }
    return std::nullopt;
}

} // namespace heddle::source
