// The syntax of documents that an editor has open. Parsed behind the loop's back when it is first asked for,
// then kept current edit by edit on the loop, if that takes no more than two milliseconds. What takes longer
// (an edit of a very long function, or one that makes a comment of much code) is parsed behind the loop's
// back when it is asked for next; whoever asks is answered then. Large trees that are no longer of use are
// freed there as well: that takes as long as parsing did.
//
// All calls are on the loop.
#pragma once

#include "analysis/source/syntax_tree.h"
#include "lsp/text_document.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::present {

class DocumentTrees {
  public:
    /// Runs work elsewhere and then calls the function it gave on the loop. Without: everything is done at
    /// once.
    using Elsewhere = std::function<void(std::function<std::function<void()>()> work)>;
    /// Null: the document was closed.
    using Then = std::function<void(const source::SyntaxTree*)>;

    explicit DocumentTrees(Elsewhere elsewhere = {}) : elsewhere_(std::move(elsewhere)) {}

    /// How long one edit may take on the loop.
    static constexpr std::chrono::microseconds kMostOnLoop{2'000};

    /// The document's text was made by these edits from the one before. True: its tree is current, or nobody
    /// has asked for it.
    bool edited(const std::string& path, std::span<const source::TextEdit> edits,
                const lsp::TextDocument& document);
    void closed(const std::string& path);

    /// Calls `then` with the tree of the document's text, now or when there is one. If the text changes
    /// meanwhile, with that of the later text. False, and it is not called: the file is neither C nor C++.
    bool with_tree(const std::string& path, const lsp::TextDocument& document, Then then);

  private:
    struct Known {
        std::string path;
        std::uint64_t text_number = 0;          ///< of its text; no two have the same
        std::optional<source::SyntaxTree> tree; ///< none as long as it was not parsed,
        std::string text;                       ///< which this is for
        bool busy = false;                      ///< it is being parsed elsewhere
        std::vector<Then> waiting;
    };
    using Documents = std::list<Known>;

    [[nodiscard]] Documents::iterator find(const std::string& path);
    void parse_elsewhere(Known& known);
    void free_elsewhere(source::SyntaxTree::Waste waste);
    void free_elsewhere(Known& known);
    void parsed(const std::string& path, std::uint64_t text_number, source::SyntaxTree tree);

    Elsewhere elsewhere_;
    std::uint64_t text_numbers_ = 0;
    Documents known_; ///< the last few, most recent first
};

} // namespace heddle::present
