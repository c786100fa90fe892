#include "analysis/source/widen_section.h"

#include "analysis/source/certain_object.h"
#include "analysis/source/functions.h"
#include "analysis/source/guards.h"
#include "analysis/source/member_path.h"
#include "analysis/source/same_meaning.h"
#include "analysis/source/waiting.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace heddle::source {

namespace {

/// The innermost block around both, and the statement of it that has the first.
std::optional<Placed> common_block(const SyntaxTree& tree, std::uint32_t first, std::uint32_t second) {
    const std::vector<Node> one = tree.path_to(first);
    const std::vector<Node> other = tree.path_to(second);
    std::optional<Placed> found;
    std::size_t below = 0;
    for (std::size_t i = 0; i + 1 < one.size() && i < other.size() && one[i] == other[i]; ++i) {
        if (!one[i].is("compound_statement")) continue;
        found = Placed{one[i + 1], one[i]};
        below = i + 1;
    }
    // What is in a lambda happens at another time.
    for (const auto* path : {&one, &other}) {
        for (std::size_t i = below; i < path->size(); ++i) {
            if ((*path)[i].is("lambda_expression")) return std::nullopt;
        }
    }
    return found;
}

std::optional<WidenedSection> by_guards(const SyntaxTree& tree, const TwoSections& sections,
                                        const Node& second) {
    const auto guard = guard_of(tree, second);
    const auto function = enclosing_function(tree, second.range().first);
    if (!guard || !function) return std::nullopt;
    std::vector<Node> going = {second};
    std::uint32_t first = sections.first_access.first;
    if (sections.first_lock) {
        const auto taken = statement_at(tree, sections.first_lock->first);
        const auto other = taken ? guard_of(tree, taken->statement) : std::nullopt;
        if (!other || tree.text(other->lock) != tree.text(guard->lock)) return std::nullopt;
        going.push_back(taken->statement);
        first = taken->statement.range().first;
    }
    const auto place = common_block(tree, first, second.range().first);
    if (!place || place->statement == going.back() || place->statement.is("case_statement") ||
        place->statement.is("labeled_statement"))
        return std::nullopt;
    const std::uint32_t at = place->statement.range().first;
    if (at >= second.range().first || !function->body.contains(place->block.range())) return std::nullopt;
    if (has_label_behind(place->block, at)) return std::nullopt;
    if (!means_the_same(tree, guard->lock, {at, guard->lock.first})) return std::nullopt;
    if (!is_certain_before(tree, place->statement, tree.text(guard->lock))) return std::nullopt;
    // Guards that are spoken of are unlocked, or waited with.
    std::string rest(tree.text(function->range));
    for (const Node& one : going) {
        const ByteRange range = one.range();
        std::fill_n(rest.begin() + (range.first - function->range.first), range.end - range.first, ' ');
    }
    for (const Node& one : going) {
        if (has_name(rest, tree.text(guard_of(tree, one)->name))) return std::nullopt;
    }
    const std::string_view text = tree.text();
    WidenedSection result{.lock = std::string(tree.text(guard->lock)),
                          .edits = {{{at, at},
                                     std::string(tree.text(second)) + std::string(line_end_of(text)) +
                                         std::string(indentation_at(text, at))}},
                          .held = {at, place->block.range().end},
                          .taken = {}};
    for (const Node& one : going) {
        result.edits.push_back({whole_lines(text, one.range()), ""});
        result.taken.push_back(one.range());
    }
    return result;
}

/// The unlock goes, and the lock that follows it.
std::optional<WidenedSection> by_calls(const SyntaxTree& tree, const TwoSections& sections,
                                       const Placed& second) {
    const auto call = lock_call(tree, second.statement);
    if (!call || !call->locks || !sections.first_lock) return std::nullopt;
    const std::vector<Node> statements = second.block.named_children();
    std::optional<Node> unlock;
    for (auto one = statements.rbegin(); one != statements.rend(); ++one) {
        if (one->range().first >= second.statement.range().first) continue;
        if (one->range().first <= sections.first_access.first) return std::nullopt;
        const auto other = lock_call(tree, *one);
        if (other && tree.text(other->lock) == tree.text(call->lock)) {
            if (other->locks || other->call.unlock != call->call.unlock) return std::nullopt;
            unlock = *one;
            break;
        }
        // Every way from the unlock leads to the lock, and none comes from elsewhere.
        if (has_way_out(tree.text(*one)) || one->is("labeled_statement") || one->is("case_statement") ||
            one->error())
            return std::nullopt;
    }
    if (!unlock) return std::nullopt;
    if (!means_the_same(tree, call->lock, {unlock->range().first, call->lock.first})) return std::nullopt;
    const std::string_view text = tree.text();
    return WidenedSection{.lock = std::string(tree.text(call->lock)),
                          .edits = {{whole_lines(text, unlock->range()), ""},
                                    {whole_lines(text, second.statement.range()), ""}},
                          .held = {unlock->range().first, second.statement.range().end},
                          .taken = {second.statement.range()}};
}

} // namespace

std::optional<WidenedSection> widen_section(const SyntaxTree& tree, const TwoSections& sections) {
    const auto second = statement_at(tree, sections.second_lock.first);
    if (!second || second->statement.error()) return std::nullopt;
    auto widened = is_guard(tree, second->statement) ? by_guards(tree, sections, second->statement)
                                                     : by_calls(tree, sections, *second);
    if (!widened || may_wait(tree, widened->held) ||
        may_take(tree, widened->held, widened->lock, {}, widened->taken))
        return std::nullopt;
    return widened;
}

} // namespace heddle::source
