// Sessions: code actions. What is known is offered at once; fixes are looked for behind the loop's back, for
// as long as a person waits for a menu, and are there the next time if that was not long enough.
#include "daemon/service/commands.h"
#include "daemon/service/request_parts.h"
#include "daemon/service/session.h"
#include "daemon/settings/ignore_comment.h"
#include "lsp/uri.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <boost/asio/steady_timer.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::service {

namespace {

constexpr std::chrono::milliseconds kPatience{1500}; ///< of a person who opens a menu

bool writes_the_same(const fix::Offer& one, const fix::Offer& other) {
    return std::ranges::equal(one.files, other.files, [](const fix::FileEdits& mine, const auto& theirs) {
        return mine.path == theirs.path && mine.edits == theirs.edits;
    });
}

} // namespace

/// An answer that waits for fixes. Sent once, whoever comes first.
struct Session::PendingActions {
    PendingActions(boost::asio::io_context& loop, lsp::Json known, lsp::Reply owed)
        : actions(std::move(known)), reply(std::move(owed)), patience(loop) {}

    /// One fix may be good for several findings: it is in the menu once.
    void add(const fix::Offer& offer, lsp::CodeAction action) {
        for (const auto& [earlier, index] : fixes) {
            if (earlier.title != offer.title || !writes_the_same(earlier, offer)) continue;
            for (const lsp::Diagnostic& one : action.diagnostics)
                actions[index]["diagnostics"].push_back(one);
            return;
        }
        fixes.emplace_back(offer, actions.size());
        actions.push_back(std::move(action));
    }

    void send() {
        if (std::exchange(sent, true)) return;
        patience.cancel();
        reply.answer(std::move(actions));
    }

    lsp::Json actions;
    std::vector<std::pair<fix::Offer, std::size_t>> fixes; ///< and where they are among the actions
    lsp::Reply reply;
    boost::asio::steady_timer patience;
    std::size_t awaited = 0;
    bool sent = false;
};

namespace {

/// Of edits that begin at one place, the protocol wants what only puts something in first.
bool is_applied_before(const lsp::TextEdit& one, const lsp::TextEdit& other) {
    return std::pair(one.range.start, one.range.end) < std::pair(other.range.start, other.range.end);
}

} // namespace

lsp::CodeAction Session::action_for(const Bug& bug, std::string title,
                                    const lsp::CodeActionParams& params) const {
    lsp::CodeAction action;
    action.title = std::move(title);
    action.kind = "quickfix";
    for (const lsp::Diagnostic& diagnostic : params.context.diagnostics) {
        if (diagnostic.data && lsp::text_member(*diagnostic.data, "bug") == bug.key)
            action.diagnostics.push_back(diagnostic);
    }
    return action;
}

/// The root of the innermost workspace that has the file; empty when none has.
std::string Session::root_of(const std::string& file) const {
    std::string root;
    for (const auto& [candidate, workspace] : workspaces_) {
        if (file.starts_with(candidate + "/") && candidate.size() > root.size()) root = candidate;
    }
    return root;
}

/// What ran is what is there, and it is the workspace's own.
bool Session::may_edit(const present::Mark& mark, const std::string& file) const {
    return !mark.aged && !root_of(file).empty();
}

fix::Question Session::question_for(const present::Mark& mark, const std::string& file) const {
    const Sighting& sighting = mark.bug->best();
    return {sighting.trace, root_of(file), sighting.report, sighting.finding, mark.access};
}

void Session::code_actions(const lsp::CodeActionParams& params, lsp::Reply reply) {
    const auto path = lsp::path_of_uri(params.textDocument.uri);
    lsp::Json actions = lsp::Json::array();
    if (!path || !lsp::wants_kind(params.context, "quickfix")) return reply.answer(std::move(actions));
    const auto offer = [&](std::string title, const char* command, const Bug& bug) {
        const lsp::Command call{std::move(title), command, {lsp::Json{{"bug", bug.key}}}};
        if (!client_.codeActionLiterals) return actions.push_back(call);
        lsp::CodeAction action = action_for(bug, call.title, params);
        action.command = call;
        actions.push_back(action);
    };
    std::set<std::string> offered;
    std::vector<present::Mark> fixable;
    for (const present::Mark& mark : marks_of(*path)) {
        if (!touches(mark.range, params.range) || !offered.insert(mark.bug->key).second) continue;
        const std::string what = mark.bug->best()->headline;
        if (!mark.bug->best()->schedule.empty())
            offer("Show witness schedule: " + what, kShowWitness, *mark.bug);
        if (const std::string& command = mark.bug->best().report->command;
            !mark.bug->best()->schedule.empty() && !command.empty())
            offer(fmt::format("Replay witness, running {}: {}", command, what), kReplay, *mark.bug);
        offer("Suppress in the suppressions file: " + what, kSuppress, *mark.bug);
        if (!client_.codeActionLiterals || !may_edit(mark, *path)) continue;
        if (auto edit = comment_edit(mark, *path)) {
            lsp::CodeAction action = action_for(*mark.bug, "Suppress here, by a comment: " + what, params);
            action.edit = std::move(edit);
            actions.push_back(action);
        }
        if (mark.bug->best()->kind != FindingKind::deadlock) fixable.push_back(mark);
    }
    offer_fixes(params, *path, fixable, std::move(actions), std::move(reply));
}

void Session::offer_fixes(const lsp::CodeActionParams& params, const std::string& file,
                          const std::vector<present::Mark>& marks, lsp::Json known, lsp::Reply reply) {
    const auto pending = std::make_shared<PendingActions>(hub_.loop(), std::move(known), std::move(reply));
    pending->awaited = marks.size();
    if (marks.empty()) return pending->send();
    // Workers that are busy with a large trace would not be in time anyway.
    const bool busy = std::ranges::any_of(
        workspaces_, [](const auto& one) { return one.second->traces().activity().waiting > 0; });
    pending->patience.expires_after(busy ? std::chrono::milliseconds{0} : kPatience);
    pending->patience.async_wait([pending](const boost::system::error_code& error) {
        if (!error) pending->send();
    });
    for (const present::Mark& mark : marks) {
        hub_.fixes().find(question_for(mark, file),
                          [this, alive = alive_, pending, params, file, key = mark.bug->key,
                           access = mark.access](const auto& offers) {
                              if (*alive) add_fixes(params, file, key, access, offers, *pending);
                              if (--pending->awaited == 0) pending->send();
                          });
    }
}

void Session::add_fixes(const lsp::CodeActionParams& params, const std::string& file, const std::string& key,
                        std::size_t access, const std::vector<fix::Offer>& offers, PendingActions& pending) {
    const auto mark = mark_of(file, key, access);
    if (!mark || !may_edit(*mark, file)) return;
    const bool resolves = client_.codeActionData && std::ranges::find(client_.codeActionResolve, "edit") !=
                                                        client_.codeActionResolve.end();
    for (const fix::Offer& offer : offers) {
        lsp::CodeAction action = action_for(*mark->bug, offer.title, params);
        action.isPreferred = client_.codeActionPreferred && offer.safe;
        if (resolves) {
            action.data = {{"file", file}, {"bug", key}, {"access", access}};
        } else {
            action.edit = fix_edit(*mark, file, offer);
            if (!action.edit) continue;
        }
        pending.add(offer, std::move(action));
    }
}

/// What an action was made of may have been told anew by now, so the fix is looked for again, as a rule where
/// it is known already; its title says which it is.
void Session::resolve_action(const lsp::CodeAction& action, lsp::Reply reply) {
    if (!action.data || action.edit) return reply.answer(action);
    const std::string file = lsp::text_member(*action.data, "file");
    const std::string key = lsp::text_member(*action.data, "bug");
    const auto access = action.data->find("access");
    const std::size_t which =
        access != action.data->end() && access->is_number_unsigned() ? access->get<std::size_t>() : 0;
    const auto shared = std::make_shared<lsp::Reply>(std::move(reply));
    const auto resolve = [this, alive = alive_, action, file, key, which, shared](const auto& offers) {
        const auto offer = std::ranges::find(offers, action.title, &fix::Offer::title);
        const auto mark = *alive && offer != offers.end() ? mark_of(file, key, which) : std::nullopt;
        lsp::CodeAction resolved = action;
        if (mark && may_edit(*mark, file)) resolved.edit = fix_edit(*mark, file, *offer);
        if (resolved.edit) return shared->answer(resolved);
        shared->refuse(lsp::ErrorCode::content_modified,
                       "the code has changed since this fix was tried; ask for actions again");
    };
    const auto mark = mark_of(file, key, which);
    if (!mark) return resolve(std::vector<fix::Offer>());
    hub_.fixes().find(question_for(*mark, file), resolve);
}

std::optional<present::Mark> Session::mark_of(const std::string& file, const std::string& key,
                                              std::size_t access) {
    for (const present::Mark& mark : marks_of(file)) {
        if (mark.bug->key == key && mark.access == access) return mark;
    }
    return std::nullopt;
}

std::optional<lsp::WorkspaceEdit> Session::fix_edit(const present::Mark& mark, const std::string& file,
                                                    const fix::Offer& offer) {
    const std::string& marked = mark.bug->best()->accesses[mark.access].place.file;
    std::map<std::string, std::vector<lsp::TextEdit>> edits;
    for (const fix::FileEdits& one : offer.files) {
        const std::string& path = one.version.file == marked ? file : one.path;
        if (root_of(path).empty()) return std::nullopt;
        for (const source::Replacement& replacement : one.edits) {
            const bool behind = replacement.text.starts_with('\n') || replacement.text.starts_with('\r');
            const auto range = drift_.range(one.version, replacement.range, behind, path, texts_);
            if (!range) return std::nullopt;
            edits[path].push_back({texts_.text(path)->range_of(range->first, range->end), replacement.text});
        }
    }
    for (auto& [path, of_file] : edits) std::ranges::stable_sort(of_file, is_applied_before);
    return edit_of(std::move(edits));
}

std::optional<lsp::WorkspaceEdit> Session::comment_edit(const present::Mark& mark, const std::string& file) {
    const lsp::TextDocument* text = texts_.text(file);
    if (text == nullptr) return std::nullopt;
    const std::string_view line = text->line(mark.range.start.line);
    if (line.ends_with('\\')) return std::nullopt; // a comment would end what goes on in the next line
    const std::size_t end = text->start_of(mark.range.start.line) + line.size();
    return edit_of(
        {{file, {{text->range_of(end, end), " " + settings::ignore_comment(mark.bug->best()->kind)}}}});
}

/// For the texts as they are now: an editor that has others refuses it.
lsp::WorkspaceEdit Session::edit_of(std::map<std::string, std::vector<lsp::TextEdit>> edits) const {
    lsp::WorkspaceEdit result;
    for (auto& [file, of_file] : edits) {
        if (!client_.documentChanges) {
            result.changes[uri_of(file)] = std::move(of_file);
            continue;
        }
        std::optional<std::int32_t> version;
        if (const lsp::TextDocument* open = texts_.find_open(file)) version = open->version();
        result.documentChanges.emplace_back(
            lsp::TextDocumentEdit{{uri_of(file), version}, std::move(of_file)});
    }
    return result;
}

} // namespace heddle::service
