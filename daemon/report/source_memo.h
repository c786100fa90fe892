// What source texts have shown, found by their content: a text is parsed once, however many reports speak of
// it. Forgets everything when it has become too much.
//
// Any thread may call.
#pragma once

#include "analysis/source/intents.h"
#include "analysis/source/marks.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle::report {

/// Where an expression is: lines and columns as in SourcePlace.
struct FoundExpression {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::uint32_t end_line = 0;
    std::uint32_t end_column = 0;
    std::optional<std::string> name;
    std::string owner{}; ///< the class whose member it is, if its function shows that
};

/// What a text says belongs together.
struct SourcePieces {
    std::vector<source::InferredPiece> inferred;
    std::vector<source::MarkedPiece> marked;
};

class SourceMemo {
  public:
    /// Nothing when the text does not tell.
    using Answer = std::optional<FoundExpression>;
    using Functions = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

    /// `question` names the text and what was asked of it.
    [[nodiscard]] std::optional<Answer> answer(const std::string& question) const {
        return look_up(answers_, question);
    }
    void keep(const std::string& question, Answer answer) { store(answers_, question, std::move(answer)); }

    /// The functions that are defined in the text with this hash.
    [[nodiscard]] std::optional<Functions> functions(const std::string& hash) const {
        return look_up(functions_, hash);
    }
    void keep_functions(const std::string& hash, Functions functions) {
        store(functions_, hash, std::move(functions));
    }

    [[nodiscard]] std::optional<std::shared_ptr<const SourcePieces>> pieces(const std::string& text) const {
        return look_up(pieces_, text);
    }
    void keep_pieces(const std::string& text, std::shared_ptr<const SourcePieces> pieces) {
        store(pieces_, text, std::move(pieces));
    }

  private:
    static constexpr std::size_t kMost = 100'000; ///< of a kind

    template<typename Value>
    using Table = std::unordered_map<std::string, Value>;

    template<typename Value>
    std::optional<Value> look_up(const Table<Value>& table, const std::string& key) const {
        const std::lock_guard lock(mutex_);
        const auto found = table.find(key);
        return found == table.end() ? std::nullopt : std::optional<Value>(found->second);
    }
    template<typename Value>
    void store(Table<Value>& table, const std::string& key, Value value) {
        const std::lock_guard lock(mutex_);
        if (table.size() >= kMost) table.clear();
        table.insert_or_assign(key, std::move(value));
    }

    mutable std::mutex mutex_;
    Table<Answer> answers_;
    Table<Functions> functions_;
    Table<std::shared_ptr<const SourcePieces>> pieces_;
};

} // namespace heddle::report
