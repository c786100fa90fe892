// The syntax of documents that an editor has open, parsed when it is first asked for after a change. O(text)
// then, and nothing while the text stays.
#pragma once

#include "analysis/source/syntax_tree.h"
#include "lsp/text_document.h"

#include <cstdint>
#include <list>
#include <string>

namespace heddle::present {

class DocumentTrees {
  public:
    /// Null when the file is neither C nor C++. Valid until the next call.
    [[nodiscard]] const source::SyntaxTree* tree(const std::string& path, const lsp::TextDocument& document);

  private:
    struct Known {
        std::string path;
        std::int32_t version = 0;
        source::SyntaxTree tree;
    };
    std::list<Known> known_; ///< the last few, most recent first
};

} // namespace heddle::present
