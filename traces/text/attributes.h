// The attributes of an event, as words: `=5`, `=0->1`, `relaxed`, `bytes=4+2`, `ticket=3`, `spurious`,
// `round=2`, `count=1`. Which of them an operation takes, and whether a value fits, is checked here.
#pragma once

#include "traces/event.h"

#include <cstdint>
#include <string_view>

namespace heddle::text {

struct Attributes {
    MemoryOrder order = MemoryOrder::none;
    ByteRange bytes;
    bool has_value = false;
    bool unmatched = false; ///< said to have no ticket or round; without this one is derived
    std::uint64_t value = 0;
    std::uint64_t value_read = 0;
};

class AttributeParser {
  public:
    /// What is wrong, and with which part of the words.
    struct Complaint {
        std::string_view at;
        std::string_view expected;
    };

    void start(EventKind kind);
    /// Reads words separated by blanks. May be called again for more words of the same event.
    [[nodiscard]] bool add(std::string_view words);
    /// Applies defaults and checks what depends on several attributes.
    [[nodiscard]] bool finish();

    [[nodiscard]] const Attributes& result() const { return result_; }
    [[nodiscard]] const Complaint& complaint() const { return complaint_; }

  private:
    /// A number as it was written; whether it fits is known once all attributes are.
    struct Written {
        std::string_view text;
        std::uint64_t magnitude = 0;
        bool negative = false;
    };

    [[nodiscard]] bool add_word(std::string_view word);
    [[nodiscard]] bool add_value(std::string_view word);
    [[nodiscard]] bool add_bytes(std::string_view word, std::string_view range);
    [[nodiscard]] bool add_matching(std::string_view word, std::string_view number, bool applies,
                                    std::string_view expected);
    [[nodiscard]] bool parse_written(std::string_view text, Written& out);
    [[nodiscard]] bool fit(const Written& written, std::uint64_t& out);
    bool fail_at(std::string_view at, std::string_view expected) {
        complaint_ = {at, expected};
        return false;
    }

    EventKind kind_ = EventKind::read;
    Attributes result_;
    Written value_;
    Written value_read_;
    bool has_bytes_ = false;
    Complaint complaint_;
};

} // namespace heddle::text
