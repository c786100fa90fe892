#include "analysis/source/syntax_tree.h"

#include "analysis/source/forest.h"

#include <utility>

namespace heddle::source {

SyntaxTree::SyntaxTree(std::string text, Language language)
    : text_(std::move(text)), language_(language), forest_(std::make_unique<Forest>(language)) {}

SyntaxTree::SyntaxTree(const SyntaxTree& other)
    : text_(other.text_), language_(other.language_), forest_(std::make_unique<Forest>(*other.forest_)) {}

SyntaxTree& SyntaxTree::operator=(const SyntaxTree& other) {
    if (this != &other) *this = SyntaxTree(other);
    return *this;
}

SyntaxTree::SyntaxTree(SyntaxTree&&) noexcept = default;
SyntaxTree& SyntaxTree::operator=(SyntaxTree&&) noexcept = default;
SyntaxTree::~SyntaxTree() = default;

SyntaxTree SyntaxTree::parse(std::string text, Language language) {
    SyntaxTree tree(std::move(text), language);
    tree.forest_->divide(tree.text_);
    tree.catch_up();
    return tree;
}

void SyntaxTree::replace(const TextEdit& edit, std::string text) {
    std::string before = std::exchange(text_, std::move(text));
    forest_->divide_again(edit, std::move(before), text_);
}

void SyntaxTree::edit(const TextEdit& edit, std::string text) {
    replace(edit, std::move(text));
    catch_up();
}

bool SyntaxTree::edit_within(const TextEdit& edit, std::string text, std::chrono::microseconds most) {
    const bool was_current = current();
    replace(edit, std::move(text));
    // One that was not done in time before would not be now.
    if (was_current) forest_->parse(text_, most);
    return current();
}

void SyntaxTree::catch_up() {
    forest_->parse(text_, {});
    take_waste().clear();
}

SyntaxTree::Waste SyntaxTree::take_waste() {
    return forest_->take_waste();
}

bool SyntaxTree::current() const {
    return forest_->current();
}

std::string_view SyntaxTree::text(ByteRange range) const {
    if (range.end > text_.size() || range.first > range.end) return {};
    return std::string_view(text_).substr(range.first, range.size());
}

Node SyntaxTree::root() const {
    return forest_->root();
}

std::vector<Node> SyntaxTree::path_to(std::uint32_t byte) const {
    std::vector<Node> path = forest_->path_to(byte, root());
    path.insert(path.begin(), root());
    return path;
}

std::vector<Node> SyntaxTree::path_to(std::uint32_t byte, const Node& top) {
    return top.path_to(byte);
}

} // namespace heddle::source
