// The expressions that the places of a run are about, from the texts of its source files.
//
// For workers: reads files, each once, and keeps their syntax until it is destroyed. One thread at a time.
#pragma once

#include "analysis/source/member_owner.h"
#include "analysis/source/place_map.h"
#include "daemon/report/report.h"
#include "daemon/report/source_memo.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::report {

class SourceExpressions {
  public:
    /// The text of a file, by its path as in SourcePlace; nothing when it is not to be had.
    using Read = std::function<std::optional<std::string>(const std::string& file)>;

    /// Where a file is now that was compiled under this path.
    using Local = std::function<std::string(std::string_view path)>;

    /// Knows of no file.
    SourceExpressions() = default;
    /// What is found is kept in `memo`, if there is one, and taken from it.
    SourceExpressions(Local local, Read read, std::shared_ptr<SourceMemo> memo = nullptr)
        : local_(std::move(local)), read_(std::move(read)), memo_(std::move(memo)) {}

    [[nodiscard]] std::string local(std::string_view path) const {
        return local_ && !path.empty() ? local_(path) : std::string(path);
    }

    /// Makes the place the expression, if the source tells which it is. The expression as a person would name
    /// it, if it is one that is accessed itself.
    std::optional<std::string> find(SourcePlace& place, source::Operation operation, std::string_view name);
    /// The class whose member the expression is, if its function shows that; empty otherwise. `place` as
    /// find() is given it.
    [[nodiscard]] std::string owner(const SourcePlace& place, source::Operation operation,
                                    std::string_view name);

  private:
    struct Parsed {
        explicit Parsed(source::SyntaxTree syntax) : tree(std::move(syntax)), map(tree), owners(tree) {}
        source::SyntaxTree tree;
        source::PlaceMap map;
        source::MemberOwners owners;
    };
    struct File {
        Language language = Language::cpp;
        std::string text;
        std::string hash;                     ///< of the text; empty when it is not to be had
        std::unique_ptr<const Parsed> parsed; ///< once something has to be looked for
    };
    [[nodiscard]] SourceMemo::Answer answer(const SourcePlace& place, source::Operation operation,
                                            std::string_view name);
    [[nodiscard]] File& file(const std::string& path);
    [[nodiscard]] static SourceMemo::Answer locate(File& file, const SourcePlace& place,
                                                   source::Operation operation, std::string_view name);

    Local local_;
    Read read_;
    std::shared_ptr<SourceMemo> memo_;
    std::map<std::string, File> files_; ///< by path
};

} // namespace heddle::report
