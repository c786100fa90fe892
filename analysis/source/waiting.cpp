#include "analysis/source/waiting.h"

#include "analysis/source/accesses.h"
#include "analysis/source/functions.h"
#include "analysis/source/guards.h"
#include "analysis/source/member_path.h"
#include "analysis/source/same_meaning.h"
#include "analysis/source/variable_declarations.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
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

/// "mu" of `this->mu` and `bank::mu`.
std::string_view plain(std::string_view name) {
    if (name.starts_with("this->")) name.remove_prefix(6);
    const std::size_t colons = name.rfind("::");
    return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

/// The functions of some texts, by their own name.
class Callees {
  public:
    struct Body {
        const SyntaxTree* tree = nullptr;
        ByteRange range;
    };

    explicit Callees(std::span<const SyntaxTree* const> texts) {
        for (const SyntaxTree* tree : texts) {
            for (const Function& one : functions(*tree))
                bodies_[std::string(plain(one.name))].push_back({tree, one.body});
        }
    }

    /// Whether `finds(body)` for a function of that name, each asked about once.
    template<typename Finds>
    [[nodiscard]] bool any_of(std::string_view name, Finds finds) {
        const auto found = bodies_.find(plain(name));
        if (found == bodies_.end()) return false;
        const std::vector<Body> bodies = std::exchange(found->second, {});
        return std::ranges::any_of(bodies, finds);
    }
    [[nodiscard]] bool has(std::string_view name) const { return bodies_.contains(plain(name)); }
    void leave_out(std::string_view name) { bodies_.erase(std::string(plain(name))); }

  private:
    std::map<std::string, std::vector<Body>, std::less<>> bodies_;
};

/// Whether a member function is one of the library's: `queue_.pop()`, though the class has a pop(), too.
bool is_of_the_library(const SyntaxTree& tree, const Node& call) {
    if (method_of(tree, call).empty()) return false;
    const std::string_view object = first_name(tree.text(call));
    const auto is_std = [&](const Node& declaration) {
        return has_name(tree.text(declaration.field("type")), "std");
    };
    if (const Node local = local_declaration(tree, tree.path_to(call.range().first), object))
        return is_std(local);
    return std::ranges::any_of(variable_declarations(tree, object),
                               [&](const VariableDeclaration& one) { return is_std(one.declaration); });
}

class Waits {
  public:
    explicit Waits(std::span<const SyntaxTree* const> texts) : callees_(texts) {}

    [[nodiscard]] bool in(const SyntaxTree& tree, ByteRange piece) {
        if (const auto own = enclosing_function(tree, piece.first)) callees_.leave_out(own->name);
        bool found = false;
        std::set<std::string, std::less<>> functions;
        for_each_in(tree, piece, [&](const Node& node) {
            found = found || is_waiting_call(tree, node) || (is_loop(node) && is_waiting_loop(tree, node));
            const std::string_view name = found ? std::string_view() : called(tree, node);
            if (callees_.has(name) && !is_of_the_library(tree, node)) functions.emplace(name);
        });
        return found || std::ranges::any_of(functions, [&](const std::string& name) {
                   return callees_.any_of(
                       name, [&](const Callees::Body& body) { return in(*body.tree, body.range); });
               });
    }

  private:
    Callees callees_;
};

class Takers {
  public:
    /// `any_object`: `lock` is a member, of whichever object.
    Takers(std::string_view lock, std::span<const SyntaxTree* const> texts, bool any_object = false)
        : lock_(plain(lock)), any_object_(any_object), texts_(texts), callees_(texts) {}

    [[nodiscard]] bool take(const SyntaxTree& tree, ByteRange piece, std::span<const ByteRange> except) {
        bool found = false;
        std::set<std::string, std::less<>> functions;
        for_each_in(tree, piece, [&](const Node& node) {
            const auto excepted = [&](const ByteRange& range) { return range.contains(node.range()); };
            if (std::ranges::any_of(except, excepted)) return;
            found = found || takes(tree, node);
            if (is_given_the_lock(tree, node)) functions.emplace(called(tree, node));
        });
        return found || std::ranges::any_of(functions, [&](const std::string& name) {
                   return callees_.any_of(name, [&](const Callees::Body& body) { return taken_in(body); });
               });
    }

  private:
    /// A name that means the same in what is called, as a rule.
    [[nodiscard]] bool is_everywhere() const { return first_name(lock_) == lock_; }

    /// Whether a function is called that may take this lock. Another object's takes that object's.
    [[nodiscard]] bool is_given_the_lock(const SyntaxTree& tree, const Node& node) const {
        if (is_everywhere()) return !function_of(tree, node).empty();
        return !called(tree, node).empty() && has_name(tree.text(node), first_name(lock_));
    }
    /// What is given an object calls it by a name of its own.
    [[nodiscard]] bool taken_in(const Callees::Body& body) {
        if (is_everywhere()) return take(*body.tree, body.range, {});
        return Takers(member_path(lock_).member, texts_, true).take(*body.tree, body.range, {});
    }

    [[nodiscard]] bool takes(const SyntaxTree& tree, const Node& node) const {
        if (is_guard(tree, node)) return has_name(tree.text(node), lock_) && mentions(tree.text(node));
        // Of any type: that of a guard, perhaps.
        if (const auto declared = declared_with_one(tree, node)) return mentions(tree.text(declared->lock));
        if (const auto call = lock_call(tree, node)) {
            const std::string_view taken = tree.text(call->lock);
            return call->locks && (any_object_ ? has_name(taken, lock_) : plain(taken) == lock_);
        }
        if (!node.is("call_expression")) return false;
        const std::string name = in_lower_case(called(tree, node));
        const bool locks = name.find("lock") != std::string::npos && name.find("unlock") == std::string::npos;
        return locks && mentions(tree.text(node));
    }
    [[nodiscard]] bool mentions(std::string_view text) const {
        return is_everywhere() ? has_name(text, lock_) : text.find(lock_) != std::string_view::npos;
    }

    std::string lock_;
    bool any_object_;
    std::span<const SyntaxTree* const> texts_;
    Callees callees_;
};

std::vector<const SyntaxTree*> with(const SyntaxTree& tree, std::span<const SyntaxTree* const> headers) {
    std::vector<const SyntaxTree*> texts = {&tree};
    texts.insert(texts.end(), headers.begin(), headers.end());
    return texts;
}

} // namespace

bool may_wait(const SyntaxTree& tree, ByteRange piece, std::span<const SyntaxTree* const> headers) {
    return Waits(with(tree, headers)).in(tree, piece);
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
    const std::vector<const SyntaxTree*> texts = with(tree, headers);
    return Takers(lock, texts).take(tree, piece, except);
}

} // namespace heddle::source
