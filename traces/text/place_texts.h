// The place field of written events: frames joined by ` < `. Places whose text would not be read as the
// same place have a word of their own, `place#7`, which a directive declares.
#pragma once

#include "traces/text/frame.h"
#include "traces/trace.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::text {

class PlaceTexts {
  public:
    explicit PlaceTexts(const Trace& trace);

    [[nodiscard]] bool needs_declaring(std::uint32_t place) const { return declared_[place]; }
    [[nodiscard]] static std::string word(std::uint32_t place);

    /// Appends the place field of an event on a valid stack, escaped.
    void append(std::string& out, StackId stack) {
        const Span& known = known_[stack.value];
        if (known.length != 0) {
            out.append(texts_, known.offset, known.length);
        } else {
            append_new(out, stack);
        }
    }

  private:
    struct Span {
        std::uint32_t offset = 0;
        std::uint32_t length = 0;
    };

    void append_new(std::string& out, StackId stack);
    void append_place(std::string& out, PlaceId id);

    const Trace& trace_;
    std::vector<bool> declared_; ///< by place
    std::vector<Span> known_;    ///< by stack
    std::string texts_;          ///< of the stacks seen so far, up to a limit
    std::string frame_;          ///< reused from call to call
};

} // namespace heddle::text
