// Bugs as diagnostics of one document. Every access of a bug in the document has one, so both ends of a race
// do.
#pragma once

#include "daemon/present/drift.h"
#include "daemon/present/source_texts.h"
#include "daemon/service/bug_index.h"
#include "lsp/protocol/client_capabilities.h"
#include "lsp/protocol/diagnostics.h"

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::present {

/// Where a bug shows in a document.
struct Mark {
    const service::Bug* bug = nullptr;
    std::size_t access = 0; ///< of the bug's best sighting
    lsp::Range range;
    bool aged = false; ///< the function it is in is not what ran
};

/// What one editor needs to see a workspace's bugs.
struct View {
    const service::BugIndex& bugs;
    const lsp::ClientCapabilities& client;
    SourceTexts& texts;
    Drift& drift;
};

/// Whether a comment at one of its places asks not to show it.
[[nodiscard]] bool is_ignored(const View& view, const service::Bug& bug);

/// The marks of a document, by place. None when the file has no bugs, or its text does not have the lines.
[[nodiscard]] std::vector<Mark> marks(const View& view, const std::vector<const service::Bug*>& bugs,
                                      const std::string& file);

[[nodiscard]] lsp::Diagnostic diagnostic(const View& view, const Mark& mark);

/// Where a place of a report is now, in the document's own encoding; the beginning of the file when that is
/// all that is known.
[[nodiscard]] lsp::Location location(const View& view, const report::TraceReport& report,
                                     const report::SourcePlace& place);

} // namespace heddle::present
