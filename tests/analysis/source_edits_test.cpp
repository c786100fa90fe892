// Ten thousand random edits of source texts against a model: positions are where the model says, and the tree
// that is kept current edit by edit is the tree of the text parsed anew.
#include "analysis/source/position_map.h"
#include "analysis/source/syntax_tree.h"

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>

namespace heddle::source {
namespace {

constexpr std::string_view kUnix = R"(struct Account {
    std::mutex mu; // guards what follows: größer, 数, 🧵
    long balance = 0;
};
#define LOCKED(a) std::lock_guard guard((a).mu)
template<typename T>
T deposit(Account* acct, T amount) {
    LOCKED(*acct);
    if (amount > 0) acct->balance += amount; /* "§" */
    return acct->balance;
}
)";

std::string with_crlf(std::string_view text) {
    std::string result;
    for (const char letter : text) {
        if (letter == '\n') result += '\r';
        result += letter;
    }
    return result;
}

bool same(const Node& a, const Node& b) {
    if (a.kind() != b.kind() || a.range() != b.range() || a.named() != b.named() || a.error() != b.error())
        return false;
    const std::vector<Node> left = a.children();
    const std::vector<Node> right = b.children();
    return std::equal(left.begin(), left.end(), right.begin(), right.end(), same);
}

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

bool inside_character(const std::string& text, std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

/// What people type, delete and paste, and what breaks a text the most.
std::string_view something(std::mt19937_64& random) {
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

void expect_positions(const Model& model, const PositionMap& map, std::size_t first_size) {
    std::vector<std::int64_t> now(first_size, -1);
    for (std::size_t byte = 0; byte < model.origins.size(); ++byte) {
        if (model.origins[byte] >= 0)
            now[static_cast<std::size_t>(model.origins[byte])] = static_cast<std::int64_t>(byte);
    }
    for (std::uint32_t byte = 0; byte < first_size; ++byte) {
        const PositionMap::Now told = map.now(byte);
        ASSERT_EQ(told.kept, now[byte] >= 0) << "byte " << byte;
        ASSERT_TRUE(!told.kept || told.byte == now[byte]) << "byte " << byte;
    }
}

TEST(SourceEdits, ten_thousand_edits_keep_positions_and_trees) {
    constexpr int kEdits = 10'000;
    constexpr int kOfOneText = 100;
    int whole = 0;
    int different = 0;
    for (int edits = 0; edits < kEdits; edits += kOfOneText) {
        const auto seed = static_cast<std::uint64_t>(edits);
        const std::string text = edits / kOfOneText % 2 == 0 ? std::string(kUnix) : with_crlf(kUnix);
        const Language language = edits / kOfOneText % 4 < 3 ? Language::cpp : Language::c;
        Editor editor(text, seed);
        PositionMap map;
        SyntaxTree tree = SyntaxTree::parse(text, language);
        for (int i = 0; i < kOfOneText; ++i) {
            const TextEdit edit = editor.next();
            map.edit(edit);
            tree.edit(edit, editor.model.text);
            SCOPED_TRACE("edit " + std::to_string(edits + i));
            ASSERT_NO_FATAL_FAILURE(expect_positions(editor.model, map, text.size()));
            const SyntaxTree fresh = SyntaxTree::parse(editor.model.text, language);
            const bool equal = same(tree.root(), fresh.root());
            if (!fresh.root().error()) {
                ++whole;
                ASSERT_TRUE(equal) << editor.model.text;
            }
            different += equal ? 0 : 1;
        }
    }
    EXPECT_GT(whole, kEdits / 20);
    // Where an error is said to be may depend on how one came there: rarely.
    EXPECT_LE(different, kEdits / 1000);
}

} // namespace
} // namespace heddle::source
