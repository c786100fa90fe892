// Reads the sources of a run's places and tells the analysis what belongs together there (source_blocks.h).
//
// Only texts that are those that were compiled count, as far as ages tell: a file that was changed after the
// binary was built, or after the run began, says nothing, and neither does one whose age proves nothing.
// Files are only ever read, each once. For workers: one thread at a time.
#pragma once

#include "analysis/source/intents.h"
#include "analysis/source/marks.h"
#include "analysis/source_blocks.h"
#include "daemon/report/source_memo.h"
#include "traces/trace.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

class SourceTransactions {
  public:
    /// Where a file is now that was compiled under this path.
    using Local = std::function<std::string(std::string_view path)>;

    /// Relative paths begin at `root`. What texts say is kept in `memo`, if there is one, and taken from it.
    /// Without `infer`: only what is marked.
    SourceTransactions(std::string root, Local local, bool infer, std::shared_ptr<SourceMemo> memo = nullptr)
        : root_(std::move(root)), local_(std::move(local)), infer_(infer), memo_(std::move(memo)) {}

    /// Takes the stacks that the run has more than at the last call, whose trace this one extends.
    void extend(const Trace& trace);
    /// Grows with each call of extend().
    [[nodiscard]] std::shared_ptr<const SourceBlocks> blocks() const { return blocks_; }

  private:
    /// A file's pieces by line.
    struct File {
        struct Part {
            source::Region where;
            SourceBlocks::Role role;
        };
        std::multimap<std::uint32_t, Part> parts;
        std::shared_ptr<const SourcePieces> pieces; ///< null when nothing is known of it
        std::uint32_t first_mark = 0;               ///< number of the first marked piece
    };
    struct Known {
        std::vector<SourceBlocks::Role> roles;
        std::vector<SourceBlocks::Mark> marks; ///< without a caller
        bool of_system = false;
    };

    [[nodiscard]] const Known& at(const Trace& trace, PlaceId place);
    [[nodiscard]] Known look_up(const Trace& trace, const Place& place);
    [[nodiscard]] SourceBlocks::Stack stack(const Trace& trace, StackId id);
    [[nodiscard]] const File& file(const Trace& trace, const Place& place);
    [[nodiscard]] std::shared_ptr<const SourcePieces> read(const std::string& path, const Trace& trace,
                                                           const Place& place);

    std::string root_;
    Local local_;
    bool infer_;
    std::shared_ptr<SourceMemo> memo_;
    std::shared_ptr<SourceBlocks> blocks_ = std::make_shared<SourceBlocks>();
    std::map<std::string, File, std::less<>> files_; ///< by the trace's name for them
    std::vector<std::optional<Known>> places_;
    std::uint32_t marks_ = 0; ///< marked pieces so far
    std::uint64_t bytes_ = 0; ///< of the texts that were parsed
};

} // namespace heddle::report
