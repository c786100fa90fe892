#include "analysis/source/marks.h"

#include <algorithm>
#include <string_view>

namespace heddle::source {

namespace {

constexpr std::string_view kComment = "heddle: atomic";
constexpr std::string_view kAttribute = "heddle::atomic";
constexpr std::size_t kMaxDepth = 400;

bool is_loop(const Node& node) {
    return node.is("for_statement") || node.is("while_statement") || node.is("do_statement") ||
           node.is("for_range_loop");
}

/// "heddle: atomic" as all that a comment says, or with words behind it.
bool says_atomic(std::string_view comment) {
    const std::size_t at = comment.find_first_not_of("/* \t!");
    if (at == std::string_view::npos || !comment.substr(at).starts_with(kComment)) return false;
    const std::string_view rest = comment.substr(at + kComment.size());
    return rest.empty() || std::string_view(" \t\r\n:.,*").find(rest.front()) != std::string_view::npos;
}

/// The statements of one piece.
class Statements {
  public:
    explicit Statements(const LineColumns& places) : places_(places) {}

    std::vector<MarkedPiece::Statement> of(const Node& piece) {
        visit(piece, false);
        std::ranges::sort(found_, {}, &MarkedPiece::Statement::first);
        return std::move(found_);
    }

  private:
    void add(std::uint32_t byte, bool in_loop, bool apart = false) {
        found_.push_back({places_.at(byte), in_loop, apart});
    }

    void visit(const Node& node, bool in_loop) {
        if (depth_ > kMaxDepth) return;
        ++depth_;
        const ByteRange range = node.range();
        if (node.is("lambda_expression")) {
            add(range.first, in_loop, true);
            add(range.end, in_loop);
        } else {
            const bool loop = is_loop(node) || node.is("labeled_statement"); // where a goto may lead back to
            const bool statement = node.kind().ends_with("_statement") || node.is("declaration") || loop;
            if (statement && !in_loop && !node.is("compound_statement")) add(range.first, loop);
            for (const Node& child : node.named_children()) visit(child, in_loop || loop);
            // What follows a branch or a loop on the same line is no part of it.
            if (loop && !in_loop) add(range.end, false);
        }
        --depth_;
    }

    const LineColumns& places_;
    std::vector<MarkedPiece::Statement> found_;
    std::size_t depth_ = 0;
};

class Search {
  public:
    explicit Search(const SyntaxTree& tree) : tree_(tree), places_(tree.text()) {}

    std::vector<MarkedPiece> run() {
        std::vector<Node> open{tree_.root()};
        while (!open.empty()) {
            const Node node = open.back();
            open.pop_back();
            const std::vector<Node> children = node.named_children();
            for (std::size_t i = 0; i < children.size(); ++i) {
                if (children[i].is("comment") && says_atomic(tree_.text(children[i])))
                    marked_by(node, children, i);
                open.push_back(children[i]);
            }
            if (node.is("function_definition")) take_attribute(node);
            if (node.is("attributed_statement") && !children.empty() &&
                tree_.text(children.front()).find(kAttribute) != std::string_view::npos)
                add(children.back());
        }
        std::ranges::sort(found_, {}, [](const MarkedPiece& piece) { return piece.whole.first; });
        const auto same = [](const MarkedPiece& a, const MarkedPiece& b) { return a.whole == b.whole; };
        found_.erase(std::unique(found_.begin(), found_.end(), same), found_.end());
        return std::move(found_);
    }

  private:
    /// What the comment, a child of `parent`, stands before or opens.
    void marked_by(const Node& parent, const std::vector<Node>& siblings, std::size_t comment) {
        const LineColumn at = places_.at(siblings[comment].range().first);
        if (parent.is("compound_statement") && places_.at(parent.range().first).line == at.line)
            return add(parent);
        for (std::size_t next = comment + 1; next < siblings.size(); ++next) {
            Node marked = siblings[next];
            if (marked.is("comment")) continue;
            while (marked.is("template_declaration")) marked = marked.named_children().back();
            const bool statement = marked.kind().ends_with("_statement") || is_loop(marked);
            if (marked.is("function_definition")) add(marked.field("body"));
            if (statement) add(marked);
            return;
        }
    }

    void take_attribute(const Node& function) {
        const Node body = function.field("body");
        if (!body) return;
        const std::string_view head = tree_.text(ByteRange{function.range().first, body.range().first});
        if (head.find(kAttribute) != std::string_view::npos) add(body);
    }

    void add(const Node& piece) {
        if (!piece) return;
        found_.push_back({places_.of(piece.range()), Statements(places_).of(piece)});
    }

    const SyntaxTree& tree_;
    LineColumns places_;
    std::vector<MarkedPiece> found_;
};

} // namespace

std::optional<std::uint32_t> MarkedPiece::statement_at(const LineColumn& place) const {
    if (!whole.contains(place)) return std::nullopt;
    const auto after = std::ranges::upper_bound(statements, place, {}, &Statement::first);
    if (after == statements.begin()) return std::nullopt; // the brace
    const auto at = static_cast<std::uint32_t>(after - statements.begin() - 1);
    return statements[at].apart ? std::nullopt : std::optional(at);
}

std::vector<MarkedPiece> marked_pieces(const SyntaxTree& tree) {
    if (tree.text().find("heddle") == std::string::npos) return {};
    return Search(tree).run();
}

} // namespace heddle::source
