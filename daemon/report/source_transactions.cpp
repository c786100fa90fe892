#include "daemon/report/source_transactions.h"

#include "analysis/source/grammar.h"
#include "daemon/report/source_text.h"
#include "daemon/service/content_hash.h"
#include "daemon/settings/text_file.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

namespace heddle::report {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxFile = std::size_t{8} << 20U;       ///< of a file somebody wrote
constexpr std::uint64_t kMaxTexts = std::uint64_t{64} << 20U; ///< of one run; what is beyond says nothing
constexpr std::uint32_t kMaxLines = 100;                      ///< of a condition or an assignment

std::optional<std::int64_t> changed_unix_ns(const fs::path& path) {
    std::error_code error;
    const auto changed = fs::last_write_time(path, error);
    if (error) return std::nullopt;
    const auto unix_time = std::chrono::file_clock::to_sys(changed).time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(unix_time).count();
}

/// Until when a text must not have changed to be the one that the place was compiled from.
std::optional<std::int64_t> compiled_before(const Trace& trace, const Place& place) {
    std::optional<std::int64_t> limit = trace.metadata().start_time_unix_ns;
    if (!limit || !place.module.valid()) return limit;
    const std::string module(trace.string(trace.modules()[place.module.value].path));
    if (const auto built = changed_unix_ns(module)) limit = std::min(*limit, *built);
    return limit;
}

} // namespace

void SourceTransactions::extend(const Trace& trace) {
    places_.resize(trace.places().size());
    for (std::size_t id = blocks_->stacks(); id < trace.stacks().size(); ++id)
        blocks_->add_stack(stack(trace, StackId{id}));
}

SourceBlocks::Stack SourceTransactions::stack(const Trace& trace, StackId id) {
    SourceBlocks::Stack result;
    // The innermost frame that is not the system's has done it: `n.load()`, whatever the library makes of it.
    StackId frame = id;
    while (frame.valid() && at(trace, trace.stacks()[frame.value].place).of_system)
        frame = trace.stacks()[frame.value].caller;
    if (!frame.valid()) return result;
    const Known& own = at(trace, trace.stacks()[frame.value].place);
    result.call = trace.stacks()[frame.value].caller;
    result.roles = own.roles;
    bool itself = true;
    for (StackId outer = frame; outer.valid(); outer = trace.stacks()[outer.value].caller) {
        for (SourceBlocks::Mark mark : at(trace, trace.stacks()[outer.value].place).marks) {
            // Of code that calls itself the outermost call counts.
            std::erase_if(result.marks,
                          [&](const SourceBlocks::Mark& inner) { return inner.block == mark.block; });
            mark.call = trace.stacks()[outer.value].caller;
            mark.itself = itself;
            result.marks.push_back(mark);
        }
        if (marks_ == 0 && blocks_->stacks() > outer.value) break; // its callers were looked at with it
        itself = false;
    }
    return result;
}

const SourceTransactions::Known& SourceTransactions::at(const Trace& trace, PlaceId place) {
    static const Known kNothing;
    if (!place.valid()) return kNothing;
    std::optional<Known>& known = places_[place.value];
    if (!known) known = look_up(trace, trace.places()[place.value]);
    return *known;
}

SourceTransactions::Known SourceTransactions::look_up(const Trace& trace, const Place& place) {
    Known result;
    const std::string_view name = trace.string(place.file);
    result.of_system = !is_for_people(name);
    if (result.of_system || place.line == 0 || place.column == 0) return result;
    const File& in = file(trace, place);
    if (!in.pieces) return result;
    const source::LineColumn here{place.line, place.column};
    const auto [first, end] = in.parts.equal_range(place.line);
    for (auto part = first; part != end; ++part) {
        if (part->second.where.contains(here)) result.roles.push_back(part->second.role);
    }
    for (std::size_t i = 0; i < in.pieces->marked.size(); ++i) {
        const source::MarkedPiece& piece = in.pieces->marked[i];
        if (const auto step = piece.statement_at(here))
            result.marks.push_back({.block = SourceBlockId{in.first_mark + i},
                                    .call = {},
                                    .step = *step,
                                    .in_loop = piece.statements[*step].in_loop});
    }
    return result;
}

const SourceTransactions::File& SourceTransactions::file(const Trace& trace, const Place& place) {
    const std::string_view name = trace.string(place.file);
    if (const auto known = files_.find(name); known != files_.end()) return known->second;
    File& added = files_[std::string(name)];
    const std::string local = local_ ? local_(name) : std::string(name);
    added.pieces = read((fs::path(root_) / local).string(), trace, place);
    if (!added.pieces) return added;
    for (const source::InferredPiece& piece : added.pieces->inferred) {
        if (!infer_) break;
        const SourceBlockId block = blocks_->add_inferred(piece.inference);
        const bool at_once = piece.reads == piece.writes;
        const auto add = [&](const source::Region& where, SourceBlocks::Role role) {
            const std::uint32_t last = std::min(where.end.line, where.first.line + kMaxLines);
            for (std::uint32_t line = where.first.line; line <= last; ++line)
                added.parts.emplace(line, File::Part{where, role});
        };
        add(piece.reads, {block, true, at_once});
        if (!at_once) add(piece.writes, {block, false, true});
    }
    added.first_mark = marks_;
    marks_ += static_cast<std::uint32_t>(added.pieces->marked.size());
    return added;
}

std::shared_ptr<const SourcePieces> SourceTransactions::read(const std::string& path, const Trace& trace,
                                                             const Place& place) {
    const auto language = language_of(path);
    const auto limit = compiled_before(trace, place);
    const auto changed = changed_unix_ns(path);
    if (!language || !limit || !changed || *changed > *limit || bytes_ > kMaxTexts) return nullptr;
    auto text = settings::read_text_file(path, kMaxFile);
    if (!text || !*text || !could_be_source(**text)) return nullptr;
    const std::string hash = service::hash_name(**text) + std::to_string(static_cast<int>(*language));
    if (auto known = memo_ ? memo_->pieces(hash) : std::nullopt) return *known;
    bytes_ += (*text)->size();
    const source::SyntaxTree tree = source::SyntaxTree::parse(std::move(**text), *language);
    auto pieces = std::make_shared<const SourcePieces>(
        SourcePieces{source::inferred_pieces(tree), source::marked_pieces(tree)});
    if (memo_) memo_->keep_pieces(hash, pieces);
    return pieces;
}

} // namespace heddle::report
