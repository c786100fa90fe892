// Where recorded places are in the texts that one editor has now, and whether what surrounds them is still
// what ran. Edits are followed as they come; of changes that nobody saw, the texts before and after tell.
//
// Every answer is for the text as SourceTexts has it at that moment. O(log edits) for a place, but for the
// first one after a change that was not an edit.
#pragma once

#include "analysis/source/position_map.h"
#include "daemon/present/source_texts.h"
#include "daemon/report/report.h"
#include "lsp/line_index.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace heddle::present {

/// A recorded place in the text as it is now.
struct PlaceNow {
    std::uint32_t line = 0;       ///< from 1; 0 when not known
    std::uint32_t column = 0;     ///< in bytes, from 1; 0 when not known
    std::uint32_t end_line = 0;   ///< where the expression ends; 0 when it is not known
    std::uint32_t end_column = 0; ///< excluded
    bool aged = false;            ///< the function around it, or the place itself, is not what ran
    bool kept = false;            ///< it is known to be there still, whatever is around it
};

class Drift {
  public:
    /// `file`: the absolute path of the place's.
    [[nodiscard]] PlaceNow now(const report::TraceReport& report, const report::SourcePlace& place,
                               const std::string& file, SourceTexts& texts);

    /// The bytes of a version, where all of them are still there with nothing between them. Of no bytes,
    /// where text can be put in front of the next one, or, `behind`, behind the one before.
    [[nodiscard]] std::optional<source::ByteRange> range(const report::SourceVersion& version,
                                                         source::ByteRange bytes, bool behind,
                                                         const std::string& file, SourceTexts& texts);

    /// The edits led from the text of the revision before to the one that the file has now.
    void edited(const std::string& file, std::span<const source::TextEdit> edits, SourceTexts& texts);

  private:
    /// What became of one version of a file.
    struct Followed {
        std::shared_ptr<const std::string> text;
        lsp::LineIndex lines; ///< of that version
        source::PositionMap map;
        std::uint64_t revision = 0; ///< of the text that the map leads to
    };
    [[nodiscard]] Followed& follow(const report::SourceVersion& version, const std::string& file,
                                   const SourceTexts::Current& current);

    std::map<std::pair<std::string, std::string>, Followed> followed_; ///< by path and hash
};

} // namespace heddle::present
