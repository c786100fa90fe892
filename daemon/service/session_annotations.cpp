// Sessions: what is shown beside the text, and the recorded accesses of variables.
#include "daemon/present/annotations.h"
#include "daemon/report/finding_words.h"
#include "daemon/service/session.h"
#include "lsp/protocol/workspace.h"
#include "lsp/uri.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <map>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

namespace heddle::service {

namespace {

constexpr std::array<const char*, source::kOperations> kOperationNames = {
    "read", "write", "update", "lock", "signal", "thread", "other"};

lsp::Json use_json(const report::ReportedUse& use, const std::string& file) {
    return {{"file", file},
            {"line", use.place.line},
            {"column", use.place.column},
            {"endLine", use.place.end_line},
            {"endColumn", use.place.end_column},
            {"function", use.place.function},
            {"operation", kOperationNames[static_cast<std::size_t>(use.act)]},
            {"locks", report::lock_words(use.locks)},
            {"count", use.count}};
}

bool holds(const lsp::Range& range, const lsp::Position& position) {
    return range.start <= position && position <= range.end;
}

} // namespace

void Session::handle_annotations() {
    on_request<lsp::DocumentHighlightParams>("textDocument/documentHighlight", &Session::highlight);
    on_request<lsp::ReferenceParams>("textDocument/references", &Session::references);
    on_request<lsp::CodeLensParams>("textDocument/codeLens", &Session::code_lenses);
    on_request<lsp::InlayHintParams>("textDocument/inlayHint", &Session::inlay_hints);
}

void Session::refresh_annotations() {
    const auto ask = [this](bool can, const char* method) {
        if (can) connection_.request(method, nullptr, [](const lsp::Outcome&) {});
    };
    ask(client_.codeLensRefresh, lsp::kCodeLensRefresh);
    ask(client_.inlayHint && client_.inlayHintRefresh, lsp::kInlayHintRefresh);
}

void Session::highlight(const lsp::DocumentHighlightParams& params, lsp::Reply reply) {
    const auto path = lsp::path_of_uri(params.textDocument.uri);
    if (!path) return reply.answer(lsp::Json::array());
    reply.answer(present::highlights(marks_of(*path), params.position));
}

std::vector<Session::KnownVariable> Session::variables() const {
    std::vector<KnownVariable> result;
    for (const auto& [root, workspace] : workspaces_) {
        // The last run of each test that used a variable tells of it.
        std::map<std::string, std::map<std::string_view, KnownVariable>> latest;
        for (const std::string& trace : workspace->traces().paths()) {
            for (const SharedReport& report : workspace->traces().reports(trace)) {
                auto& of_test = latest[report->test.empty() ? trace : report->test];
                for (const report::ReportedVariable& variable : report->variables) {
                    KnownVariable& known = of_test[variable.name];
                    if (known.report && known.report->recorded_unix_ns > report->recorded_unix_ns) continue;
                    known = {workspace.get(), report, &variable};
                }
            }
        }
        for (const auto& [test, variables] : latest) {
            for (const auto& [name, known] : variables) result.push_back(known);
        }
    }
    return result;
}

/// Those with an access, or their declaration, at the position.
std::vector<Session::KnownVariable> Session::variables_at(const std::string& path,
                                                          const lsp::Position& position,
                                                          const source::SyntaxTree* tree) {
    constexpr std::uint32_t kLongExpression = 20; ///< lines
    const lsp::TextDocument* document = texts_.find_open(path);
    std::optional<source::Declarations> declarations;
    if (tree != nullptr && document != nullptr) declarations.emplace(*tree);
    std::vector<KnownVariable> result = variables();
    std::erase_if(result, [&](const KnownVariable& known) {
        const bool used = std::ranges::any_of(known.variable->uses, [&](const report::ReportedUse& use) {
            const bool near = use.place.line <= position.line + 1 + kLongExpression &&
                              position.line + 1 <= use.place.line + kLongExpression;
            return near && known.workspace->bugs().absolute(use.place) == path &&
                   holds(location_of(known, use.place).range, position);
        });
        if (used) return false;
        const auto declared =
            declarations ? present::declaration_of(*declarations, *known.variable) : std::nullopt;
        return !declared || !holds(document->range_of(declared->first, declared->end), position);
    });
    return result;
}

lsp::Location Session::location_of(const KnownVariable& known, const report::SourcePlace& place) {
    const present::View view{known.workspace->bugs(), client_, texts_, drift_};
    return present::location(view, *known.report, place);
}

/// The tree may have to be parsed first, which is done elsewhere.
void Session::with_tree(const lsp::Result<std::string>& path, lsp::Reply reply, const WithTree& answer) {
    const lsp::TextDocument* document = path ? texts_.find_open(*path) : nullptr;
    const auto owed = std::make_shared<lsp::Reply>(std::move(reply));
    const auto then = [this, path, owed, answer](const source::SyntaxTree* tree) {
        answer(texts_.find_open(*path), tree, *owed);
    };
    if (document == nullptr || !trees_.with_tree(*path, *document, then)) answer(document, nullptr, *owed);
}

void Session::references(const lsp::ReferenceParams& params, lsp::Reply reply) {
    const auto path = lsp::path_of_uri(params.textDocument.uri);
    with_tree(path, std::move(reply),
              [this, path, at = params.position](const lsp::TextDocument*, const source::SyntaxTree* tree,
                                                 lsp::Reply& owed) {
                  std::vector<lsp::Location> result;
                  for (const KnownVariable& known :
                       path ? variables_at(*path, at, tree) : std::vector<KnownVariable>{}) {
                      for (const report::ReportedUse& use : known.variable->uses) {
                          if (use.place.file.empty()) continue;
                          lsp::Location there = location_of(known, use.place);
                          if (std::ranges::find(result, there) == result.end())
                              result.push_back(std::move(there));
                      }
                  }
                  owed.answer(result);
              });
}

/// By {"uri", "position"}, or {"variable"}.
void Session::accesses(const lsp::Json& argument, lsp::Reply reply) {
    if (argument.is_object() && argument.contains("variable")) {
        std::vector<KnownVariable> wanted = variables();
        const lsp::Json& name = argument["variable"];
        const std::string declared = name.is_string() ? report::declared_name(name.get<std::string>()) : "";
        std::erase_if(wanted, [&](const KnownVariable& known) { return declared != known.variable->name; });
        reply.answer(accesses_json(wanted));
    } else if (argument.is_object() && argument.contains("uri") && argument["uri"].is_string()) {
        const auto path = lsp::path_of_uri(argument["uri"].get<std::string>());
        lsp::Position position;
        lsp::Decoding decoding;
        lsp::decode(argument.value("position", lsp::Json()), position, decoding);
        if (!path || decoding.failed())
            return reply.refuse(lsp::ErrorCode::invalid_params, "no position in a file");
        with_tree(path, std::move(reply),
                  [this, path, position](const lsp::TextDocument*, const source::SyntaxTree* tree,
                                         lsp::Reply& owed) {
                      owed.answer(accesses_json(variables_at(*path, position, tree)));
                  });
    } else {
        reply.refuse(lsp::ErrorCode::invalid_params, "neither a variable nor a position is named");
    }
}

lsp::Json Session::accesses_json(const std::vector<KnownVariable>& wanted) const {
    lsp::Json result = lsp::Json::array();
    for (const KnownVariable& known : wanted) {
        lsp::Json uses = lsp::Json::array();
        for (const report::ReportedUse& use : known.variable->uses)
            uses.push_back(use_json(use, known.workspace->bugs().absolute(use.place)));
        result.push_back({{"variable", known.variable->name},
                          {"guard", known.variable->guard},
                          {"guarded", known.variable->guarded},
                          {"accesses", known.variable->accesses},
                          {"test", known.report->test},
                          {"uses", std::move(uses)}});
    }
    return {{"variables", std::move(result)}};
}

std::vector<present::TestRun> Session::test_runs() const {
    std::vector<present::TestRun> result;
    for (const auto& [root, workspace] : workspaces_) {
        std::map<const report::TraceReport*, std::size_t> numbers;
        for (const std::string& trace : workspace->traces().paths()) {
            for (const SharedReport& report : workspace->traces().reports(trace)) {
                numbers[report.get()] = result.size();
                result.push_back({report->test, report->recorded_unix_ns, {}});
            }
        }
        for (const auto& [key, bug] : workspace->bugs().all()) {
            if (!workspace->visible(bug) || ignored_.contains(key)) continue;
            for (const Sighting& sighting : bug.sightings) {
                const auto run = numbers.find(sighting.report.get());
                if (run != numbers.end()) result[run->second].bugs.push_back(&bug);
            }
        }
    }
    return result;
}

void Session::code_lenses(const lsp::CodeLensParams& params, lsp::Reply reply) {
    const auto path = lsp::path_of_uri(params.textDocument.uri);
    with_tree(
        path, std::move(reply),
        [this, path](const lsp::TextDocument* document, const source::SyntaxTree* tree, lsp::Reply& owed) {
            if (document == nullptr || tree == nullptr) return owed.answer(lsp::Json::array());
            owed.answer(present::lenses(*tree, *document, marks_of(*path), test_runs(), std::time(nullptr)));
        });
}

void Session::inlay_hints(const lsp::InlayHintParams& params, lsp::Reply reply) {
    with_tree(lsp::path_of_uri(params.textDocument.uri), std::move(reply),
              [this, range = params.range](const lsp::TextDocument* document, const source::SyntaxTree* tree,
                                           lsp::Reply& owed) {
                  if (document == nullptr || tree == nullptr) return owed.answer(lsp::Json::array());
                  std::vector<const report::ReportedVariable*> known;
                  for (const KnownVariable& one : variables()) known.push_back(one.variable);
                  owed.answer(present::hints(*tree, *document, known, range));
              });
}

} // namespace heddle::service
