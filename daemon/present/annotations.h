// What is shown beside the text of a document: the other accesses of a bug, what is known of functions and
// tests, and what guards a variable.
#pragma once

#include "analysis/source/declarations.h"
#include "analysis/source/syntax_tree.h"
#include "daemon/present/diagnostics.h"
#include "daemon/report/report.h"
#include "lsp/protocol/code_lens.h"
#include "lsp/protocol/document_highlight.h"
#include "lsp/protocol/inlay_hint.h"
#include "lsp/text_document.h"

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

namespace heddle::present {

/// A run of a test, and what it showed.
struct TestRun {
    std::string test;
    std::optional<std::int64_t> recorded_unix_ns;
    std::vector<const service::Bug*> bugs;
};

/// All accesses, in the document, of the bugs that have one at the position.
[[nodiscard]] std::vector<lsp::DocumentHighlight> highlights(const std::vector<Mark>& marks,
                                                             const lsp::Position& at);

/// "2 races · 1 atomicity violation · last run 14:02" over each function that has some, and over each test
/// that was run. `now` tells which runs were today.
[[nodiscard]] std::vector<lsp::CodeLens> lenses(const source::SyntaxTree& tree,
                                                const lsp::TextDocument& document,
                                                const std::vector<Mark>& marks,
                                                const std::vector<TestRun>& runs, std::time_t now);

/// Where a text declares a variable, or the member that it is.
[[nodiscard]] std::optional<source::ByteRange> declaration_of(const source::Declarations& declarations,
                                                              const report::ReportedVariable& variable);

/// "guarded by mu (41/42)" behind the declarations, within the range, of variables that have a guard; one for
/// a member of several objects.
[[nodiscard]] std::vector<lsp::InlayHint> hints(const source::SyntaxTree& tree,
                                                const lsp::TextDocument& document,
                                                const std::vector<const report::ReportedVariable*>& variables,
                                                const lsp::Range& range);

} // namespace heddle::present
