// Positions that follow edits, against a text whose bytes know where they came from.
#include "analysis/source/position_map.h"
#include "analysis/source/text_diff.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace heddle::source {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Now = PositionMap::Now;

TEST(PositionMap, bytes_move_with_the_text) {
    PositionMap map;
    map.edit({.start = 4, .old_end = 4, .new_end = 7}); // three bytes in front of byte 4
    EXPECT_EQ(map.now(3), (Now{3, true}));
    EXPECT_EQ(map.now(4), (Now{7, true}));
    map.edit({.start = 8, .old_end = 10, .new_end = 8}); // what were bytes 5 and 6 goes
    EXPECT_EQ(map.now(5), (Now{8, false}));
    EXPECT_EQ(map.now(7), (Now{8, true}));
    EXPECT_THAT(map.replaced(), ElementsAre(Replaced{4, 4, 4, 7}, Replaced{5, 7, 8, 8}));
}

TEST(PositionMap, text_beside_a_range_is_not_in_it) {
    PositionMap map;
    map.edit({.start = 10, .old_end = 10, .new_end = 12});
    EXPECT_FALSE(map.changed({.first = 5, .end = 10}));
    EXPECT_FALSE(map.changed({.first = 10, .end = 20}));
    EXPECT_TRUE(map.changed({.first = 5, .end = 11}));
}

TEST(PositionMap, what_was_undone_is_forgotten) {
    PositionMap map;
    map.edit({.start = 2, .old_end = 2, .new_end = 3});
    map.edit({.start = 2, .old_end = 3, .new_end = 2});
    EXPECT_THAT(map.replaced(), IsEmpty());
    map.edit({.start = 0, .old_end = 6, .new_end = 6});
    map.forget_undone("abcdef", "abXdef");
    EXPECT_THAT(map.replaced(), ElementsAre(Replaced{2, 3, 2, 3}));
    map.forget_undone("abcdef", "abcdef");
    EXPECT_THAT(map.replaced(), IsEmpty());
}

TEST(TextDiff, lines_that_stayed_are_found) {
    const std::string before = "a\n{\n1\n}\nb\n{\n2\n}\n";
    const std::string after = "a\n{\n1\n}\nnew\n{\n3\n}\nb\n{\n2\n}\n";
    const PositionMap map = text_diff(before, after);
    ASSERT_EQ(map.replaced().size(), 1U);
    EXPECT_EQ(map.now(static_cast<std::uint32_t>(before.find('b'))),
              (Now{static_cast<std::uint32_t>(after.find('b')), true}));
}

TEST(TextDiff, within_a_line_what_is_around_the_change_stays) {
    const PositionMap map = text_diff("f(a, b);\n", "f(a, x, b);\n");
    ASSERT_EQ(map.replaced().size(), 1U);
    EXPECT_EQ(map.now(0), (Now{0, true}));
    EXPECT_EQ(map.now(6), (Now{9, true})); // )
}

TEST(TextDiff, of_equal_and_of_empty_texts) {
    EXPECT_THAT(text_diff("a\nb", "a\nb").replaced(), IsEmpty());
    EXPECT_THAT(text_diff("", "").replaced(), IsEmpty());
    EXPECT_THAT(text_diff("", "a\n").replaced(), ElementsAre(Replaced{0, 0, 0, 2}));
    EXPECT_THAT(text_diff("a", "").replaced(), ElementsAre(Replaced{0, 1, 0, 0}));
}

/// A text whose bytes know their place in the first version; -1 for those that came later.
class Model {
  public:
    explicit Model(std::size_t size) : first_size_(size) {
        for (std::size_t i = 0; i < size; ++i) origins_.push_back(static_cast<int>(i));
    }

    void edit(const TextEdit& edit) {
        const auto at = [&](std::uint32_t byte) { return origins_.begin() + static_cast<int>(byte); };
        origins_.erase(at(edit.start), at(edit.old_end));
        origins_.insert(at(edit.start), edit.new_end - edit.start, -1);
    }

    /// By byte of the first version: where it is, or nothing.
    [[nodiscard]] std::vector<std::optional<std::uint32_t>> where() const {
        std::vector<std::optional<std::uint32_t>> result(first_size_);
        for (std::size_t i = 0; i < origins_.size(); ++i) {
            if (origins_[i] >= 0)
                result[static_cast<std::size_t>(origins_[i])] = static_cast<std::uint32_t>(i);
        }
        return result;
    }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(origins_.size()); }

  private:
    std::size_t first_size_;
    std::vector<int> origins_;
};

TEST(PositionMap, follows_ten_thousand_edits) {
    std::mt19937_64 random(7);
    const auto below = [&](std::uint32_t n) { return n == 0 ? 0 : static_cast<std::uint32_t>(random() % n); };
    for (int text = 0; text < 20; ++text) {
        Model model(400);
        PositionMap map;
        for (int i = 0; i < 500; ++i) {
            const std::uint32_t start = below(model.size() + 1);
            const std::uint32_t old_end = start + below(std::min(model.size() - start, 6U) + 1);
            const TextEdit edit{start, old_end, start + below(7)};
            model.edit(edit);
            map.edit(edit);
            const auto where = model.where();
            for (std::uint32_t byte = 0; byte < where.size(); ++byte) {
                const Now now = map.now(byte);
                ASSERT_EQ(now.kept, where[byte].has_value()) << "text " << text << " edit " << i;
                if (now.kept) {
                    ASSERT_EQ(now.byte, *where[byte]) << "text " << text << " edit " << i;
                }
                ASSERT_LE(now.byte, model.size());
            }
        }
    }
}

/// Lines from few, so that many occur several times.
std::string random_text(std::mt19937_64& random, std::size_t lines) {
    std::string text;
    for (std::size_t i = 0; i < lines; ++i) {
        text += random() % 3 == 0 ? "}" : "line " + std::to_string(random() % 40);
        text += '\n';
    }
    return text;
}

TEST(TextDiff, what_is_kept_is_the_same_and_in_order) {
    std::mt19937_64 random(11);
    for (int round = 0; round < 500; ++round) {
        const std::string before = random_text(random, random() % 60);
        std::string after = before;
        for (std::uint64_t edits = random() % 6; edits > 0; --edits) {
            const std::size_t at = random() % (after.size() + 1);
            after.replace(at, random() % 20, random() % 2 == 0 ? random_text(random, random() % 3) : "x");
        }
        const PositionMap map = text_diff(before, after);
        std::string rebuilt;
        std::uint32_t at = 0;
        for (const Replaced& one : map.replaced()) {
            rebuilt += before.substr(at, one.old_first - at);
            ASSERT_EQ(rebuilt.size(), one.new_first) << "round " << round;
            rebuilt += after.substr(one.new_first, one.new_end - one.new_first);
            at = one.old_end;
        }
        rebuilt += before.substr(at);
        ASSERT_EQ(rebuilt, after) << "round " << round;
    }
}

} // namespace
} // namespace heddle::source
