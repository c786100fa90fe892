#include "daemon/present/document_trees.h"

#include <algorithm>

namespace heddle::present {

namespace {
constexpr std::size_t kMaxTrees = 8;
} // namespace

const source::SyntaxTree* DocumentTrees::tree(const std::string& path, const lsp::TextDocument& document) {
    const auto language = language_of(path);
    if (!language) return nullptr;
    const auto known = std::ranges::find(known_, path, &Known::path);
    if (known != known_.end()) {
        // A document that was closed and opened again may have another text of the same version.
        if (known->version == document.version() && known->tree.text() == document.text()) {
            known_.splice(known_.begin(), known_, known);
            return &known_.front().tree;
        }
        known_.erase(known);
    }
    known_.push_front({path, document.version(), source::SyntaxTree::parse(document.text(), *language)});
    if (known_.size() > kMaxTrees) known_.pop_back();
    return &known_.front().tree;
}

} // namespace heddle::present
