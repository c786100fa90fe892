#include "analysis/source/waiting.h"

#include "analysis/source/accesses.h"
#include "analysis/source/functions.h"
#include "analysis/source/guards.h"
#include "analysis/source/member_path.h"
#include "analysis/source/same_meaning.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

namespace heddle::source {

namespace {

/// Every named node of a piece, those that are only partly in it aside.
template<typename Visit>
void for_each_in(const SyntaxTree& tree, ByteRange piece, Visit visit) {
    std::vector<Node> open = {tree.root()};
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        if (node.range().end <= piece.first || node.range().first >= piece.end) continue;
        if (piece.contains(node.range())) visit(node);
        for (const Node& child : node.named_children()) open.push_back(child);
    }
}

std::string_view called(const SyntaxTree& tree, const Node& call) {
    const std::string_view function = function_of(tree, call);
    return function.empty() ? method_of(tree, call) : function;
}

bool is_waiting_call(const SyntaxTree& tree, const Node& node) {
    static constexpr std::array<std::string_view, 13> kWaits = {"wait",
                                                                "wait_for",
                                                                "wait_until",
                                                                "join",
                                                                "arrive_and_wait",
                                                                "pthread_join",
                                                                "pthread_cond_wait",
                                                                "pthread_cond_timedwait",
                                                                "sem_wait",
                                                                "pthread_barrier_wait",
                                                                "thrd_join",
                                                                "cnd_wait",
                                                                "cnd_timedwait"};
    if (!node.is("call_expression")) return false;
    const std::string_view name = called(tree, node);
    return std::ranges::find(kWaits, name.substr(name.rfind(':') + 1)) != kWaits.end(); // npos + 1 is 0
}

bool is_loop(const Node& node) {
    return node.is("while_statement") || node.is("do_statement") || node.is("for_statement");
}

/// A loop that goes on until somebody else changes something: its own code changes nothing that it looks at.
bool is_waiting_loop(const SyntaxTree& tree, const Node& loop) {
    const Node condition = loop.field("condition");
    bool progress = false;
    bool names = false;
    if (condition) {
        for_each_in(tree, condition.range(), [&](const Node& node) {
            if (node.is("call_expression")) {
                // What is called may well bring it on; not what only looks.
                const std::string_view name = called(tree, node);
                progress = progress || name.find("load") == std::string_view::npos;
            }
            if (!node.is("identifier")) return;
            names = true;
            progress = progress || is_changed(tree, loop.range(), tree.text(node), false);
        });
    }
    return names ? !progress : !loop.is("do_statement") || !tree.text(condition).ends_with("(0)");
}

std::string in_lower_case(std::string_view name) {
    std::string result(name);
    for (char& letter : result) {
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    }
    return result;
}

class Takers {
  public:
    Takers(std::string_view lock, std::span<const SyntaxTree* const> texts)
        : lock_(plain(lock)), texts_(texts) {}

    [[nodiscard]] bool take(const SyntaxTree& tree, ByteRange piece, std::span<const ByteRange> except) {
        bool found = false;
        std::set<std::string, std::less<>> functions;
        for_each_in(tree, piece, [&](const Node& node) {
            const auto excepted = [&](const ByteRange& range) { return range.contains(node.range()); };
            if (std::ranges::any_of(except, excepted)) return;
            found = found || takes(tree, node);
            // Another object's function takes that object's lock.
            if (node.is("call_expression") && is_everywhere()) {
                const std::string_view function = function_of(tree, node);
                if (!function.empty()) functions.emplace(function);
            }
        });
        return found ||
               std::ranges::any_of(functions, [&](const std::string& one) { return in_function(one); });
    }

  private:
    /// "mu" of `this->mu` and `bank::mu`.
    static std::string_view plain(std::string_view lock) {
        if (lock.starts_with("this->")) lock.remove_prefix(6);
        const std::size_t colons = lock.rfind("::");
        return colons == std::string_view::npos ? lock : lock.substr(colons + 2);
    }
    /// A name that means the same in what is called, as a rule.
    [[nodiscard]] bool is_everywhere() const { return first_name(lock_) == lock_; }

    [[nodiscard]] bool takes(const SyntaxTree& tree, const Node& node) const {
        if (is_guard(tree, node)) return has_name(tree.text(node), lock_) && mentions(tree.text(node));
        // Of any type: that of a guard, perhaps.
        if (const auto declared = declared_with_one(tree, node)) return mentions(tree.text(declared->lock));
        if (const auto call = lock_call(tree, node))
            return call->locks && plain(tree.text(call->lock)) == lock_;
        if (!node.is("call_expression")) return false;
        const std::string name = in_lower_case(called(tree, node));
        const bool locks = name.find("lock") != std::string::npos && name.find("unlock") == std::string::npos;
        return locks && mentions(tree.text(node));
    }
    [[nodiscard]] bool mentions(std::string_view text) const {
        return is_everywhere() ? has_name(text, lock_) : text.find(lock_) != std::string_view::npos;
    }

    [[nodiscard]] bool in_function(const std::string& name) {
        if (!seen_.insert(name).second) return false;
        for (const SyntaxTree* tree : texts_) {
            for (const Function& one : functions(*tree)) {
                const std::string_view own = std::string_view(one.name).substr(one.name.rfind(':') + 1);
                if (own == plain(name) && take(*tree, one.body, {})) return true;
            }
        }
        return false;
    }

    std::string lock_;
    std::span<const SyntaxTree* const> texts_;
    std::set<std::string> seen_;
};

} // namespace

bool may_wait(const SyntaxTree& tree, ByteRange piece) {
    bool found = false;
    for_each_in(tree, piece, [&](const Node& node) {
        found = found || is_waiting_call(tree, node) || (is_loop(node) && is_waiting_loop(tree, node));
    });
    return found;
}

bool has_loop(const SyntaxTree& tree, ByteRange piece) {
    bool found = false;
    for_each_in(tree, piece, [&](const Node& node) {
        found = found || is_loop(node) || node.is("for_range_loop") || node.is("goto_statement");
    });
    return found;
}

bool may_come_again(const SyntaxTree& tree, ByteRange piece, std::uint32_t byte) {
    return std::ranges::any_of(tree.path_to(byte), [&](const Node& node) {
        if (!piece.contains(node.range())) return false;
        if (node.is("for_range_loop")) return !node.field("right").range().contains(byte);
        return is_loop(node) && !node.field("initializer").range().contains(byte);
    });
}

bool may_take(const SyntaxTree& tree, ByteRange piece, std::string_view lock,
              std::span<const SyntaxTree* const> headers, std::span<const ByteRange> except) {
    std::vector<const SyntaxTree*> texts = {&tree};
    texts.insert(texts.end(), headers.begin(), headers.end());
    return Takers(lock, texts).take(tree, piece, except);
}

} // namespace heddle::source
