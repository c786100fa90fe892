// Somebody who edits a text at random, and takes edits back, so that it is whole again every now and then.
#pragma once

#include "analysis/source/text_edit.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::source {

/// A text whose bytes know where they come from.
struct Model {
    std::string text;
    std::vector<std::int64_t> origins; ///< by byte: its number in the first text, or -1

    explicit Model(const std::string& first) : text(first) {
        for (std::size_t i = 0; i < first.size(); ++i) origins.push_back(static_cast<std::int64_t>(i));
    }
    TextEdit replace(std::size_t from, std::size_t count, std::string_view put) {
        text.replace(from, count, put);
        const auto at = origins.begin() + static_cast<std::ptrdiff_t>(from);
        origins.insert(origins.erase(at, at + static_cast<std::ptrdiff_t>(count)), put.size(), -1);
        return {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(from + count),
                static_cast<std::uint32_t>(from + put.size())};
    }
};

inline bool inside_character(const std::string& text, std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

/// What people type, delete and paste, and what breaks a text the most.
inline std::string_view something(std::mt19937_64& random) {
    static constexpr std::array<std::string_view, 24> kPut = {"x",
                                                              " ",
                                                              "\n",
                                                              "\r\n",
                                                              "{",
                                                              "}",
                                                              "(",
                                                              ")",
                                                              ";",
                                                              "\"",
                                                              "/*",
                                                              "*/",
                                                              "//",
                                                              "ü",
                                                              "数",
                                                              "🧵",
                                                              "if (x > 0) x--;\n",
                                                              "acct->balance",
                                                              "#if 0\n",
                                                              "#endif\n",
                                                              "'",
                                                              "<T>",
                                                              "std::lock_guard g(mu);\r\n",
                                                              ""};
    return kPut[random() % kPut.size()];
}

/// Edits a text and takes edits back, so that it is whole again every now and then.
class Editor {
  public:
    Editor(const std::string& first, std::uint64_t seed) : model(first), random_(seed) {}

    TextEdit next() {
        if (undo_.size() >= 6 || (!undo_.empty() && random_() % 2 == 0)) return take_back();
        std::size_t from = random_() % (model.text.size() + 1);
        std::size_t end =
            from + std::min<std::size_t>(random_() % (random_() % 4 == 0 ? 30 : 3), model.text.size() - from);
        while (inside_character(model.text, from)) --from;
        while (inside_character(model.text, end)) ++end;
        return put(from, end - from, std::string(something(random_)));
    }

    Model model;

  private:
    TextEdit put(std::size_t from, std::size_t count, const std::string& text) {
        undo_.push_back({from, text.size(), model.text.substr(from, count)});
        return model.replace(from, count, text);
    }
    TextEdit take_back() {
        const Undo last = undo_.back();
        undo_.pop_back();
        return model.replace(last.from, last.count, last.text);
    }

    struct Undo {
        std::size_t from;
        std::size_t count;
        std::string text;
    };
    std::mt19937_64 random_;
    std::vector<Undo> undo_;
};

} // namespace heddle::source
