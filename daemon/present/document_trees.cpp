#include "daemon/present/document_trees.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace heddle::present {

namespace {
constexpr std::size_t kMaxTrees = 8;
} // namespace

DocumentTrees::Documents::iterator DocumentTrees::find(const std::string& path) {
    const auto known = std::ranges::find(known_, path, &Known::path);
    if (known != known_.end()) known_.splice(known_.begin(), known_, known);
    return known;
}

bool DocumentTrees::edited(const std::string& path, std::span<const source::TextEdit> edits,
                           const lsp::TextDocument& document) {
    const auto known = find(path);
    if (known == known_.end() || edits.empty()) return true;
    known->text_number = ++text_numbers_;
    if (!known->tree) {
        known->text = document.text(); // parsed() will see that what is being parsed is an older one
        return false;
    }
    source::TextEdit all = edits.front();
    for (const source::TextEdit& edit : edits.subspan(1)) all = combined(all, edit);
    const bool current = known->tree->edit_within(all, document.text(), kMostOnLoop);
    free_elsewhere(known->tree->take_waste());
    return current;
}

void DocumentTrees::free_elsewhere(source::SyntaxTree::Waste waste) {
    if (waste.empty() || !elsewhere_) return;
    const auto all = std::make_shared<source::SyntaxTree::Waste>(std::move(waste));
    elsewhere_([all]() -> std::function<void()> {
        all->clear();
        return [] {};
    });
}

void DocumentTrees::free_elsewhere(Known& known) {
    if (!known.tree) return;
    free_elsewhere({std::make_shared<const source::SyntaxTree>(std::move(*known.tree))});
    known.tree.reset();
}

void DocumentTrees::closed(const std::string& path) {
    const auto known = find(path);
    if (known == known_.end()) return;
    const std::vector<Then> waiting = std::move(known->waiting);
    free_elsewhere(*known);
    known_.erase(known);
    for (const Then& then : waiting) then(nullptr);
}

bool DocumentTrees::with_tree(const std::string& path, const lsp::TextDocument& document, Then then) {
    const auto language = language_of(path);
    if (!language) return false;
    auto known = find(path);
    if (known == known_.end()) {
        known_.push_front({.path = path,
                           .text_number = ++text_numbers_,
                           .tree = {},
                           .text = document.text(),
                           .waiting = {}});
        known = known_.begin();
        if (known_.size() > kMaxTrees && known_.back().waiting.empty()) {
            free_elsewhere(known_.back());
            known_.pop_back();
        }
    }
    if (known->tree && known->tree->current()) {
        then(&*known->tree);
        return true;
    }
    known->waiting.push_back(std::move(then));
    if (!known->busy) parse_elsewhere(*known);
    return true;
}

void DocumentTrees::parse_elsewhere(Known& known) {
    known.busy = true;
    auto tree = std::make_shared<std::optional<source::SyntaxTree>>(known.tree);
    const std::function<std::function<void()>()> work =
        [this, path = known.path, number = known.text_number, tree, text = known.text,
         language = *language_of(known.path)]() -> std::function<void()> {
        if (*tree) {
            (*tree)->catch_up();
        } else {
            *tree = source::SyntaxTree::parse(text, language);
        }
        return [this, path, number, tree] { parsed(path, number, std::move(**tree)); };
    };
    if (elsewhere_) {
        elsewhere_(work);
    } else {
        work()();
    }
}

void DocumentTrees::parsed(const std::string& path, std::uint64_t text_number, source::SyntaxTree tree) {
    const auto known = find(path);
    if (known == known_.end()) return;
    known->busy = false;
    if (known->text_number != text_number) return parse_elsewhere(*known); // the text went on
    free_elsewhere(*known);
    known->tree = std::move(tree);
    known->text.clear();
    for (const Then& then : std::exchange(known->waiting, {})) then(&*known->tree);
}

} // namespace heddle::present
