// Ten thousand random edits of source texts against a model: positions are where the model says, and the tree
// that is kept current edit by edit is the tree of the text parsed anew.
#include "analysis/source/position_map.h"
#include "analysis/source/syntax_tree.h"
#include "random_editor.h"

#include <algorithm>
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

std::size_t functions_in(const SyntaxTree& tree) {
    const std::vector<Node> all = tree.root().children();
    return static_cast<std::size_t>(
        std::ranges::count_if(all, [](const Node& node) { return node.is("function_definition"); }));
}

// Letter by letter: the comment takes a thousand functions away, until it ends. What had a tree has it
// again, whether there is time to parse or not.
TEST(SourceEdits, what_was_made_a_comment_is_not_parsed_again) {
    constexpr std::size_t kFunctions = 1000;
    std::string text;
    for (std::size_t i = 0; i < kFunctions; ++i)
        text += "int f" + std::to_string(i) + "(int a) {\n    return a + 1;\n}\n\n";
    SyntaxTree tree = SyntaxTree::parse(text + "/* the end */\n", Language::cpp);
    text = tree.text();
    std::uint32_t at = 0;
    const auto type = [&](std::string_view letters, std::chrono::microseconds most) {
        for (const char letter : letters) {
            text.insert(at, 1, letter);
            static_cast<void>(tree.edit_within({at, at, at + 1}, text, most));
            ++at;
        }
    };
    using namespace std::chrono_literals;
    type("/* why ", 10s);
    ASSERT_EQ(functions_in(tree), 0U);
    SyntaxTree copy = tree; // as a worker has
    tree = copy;
    type("*", 10s);
    type("/", 1us);
    EXPECT_GE(functions_in(tree), kFunctions - 1);
    EXPECT_FALSE(tree.take_waste().empty());
}

} // namespace
} // namespace heddle::source
