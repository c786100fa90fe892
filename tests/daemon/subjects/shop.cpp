// A program whose debug information the tests ask for: inlined calls, members of globals, static and hidden
// names.
#include <array>
#include <cstdio>
#include <string>
#include <vector>

namespace shop {

struct Stock {
    int apples;
    int pears;
    struct {
        short limit[4];
    } config;
    union {
        int whole;
        short half[2];
    } price;
};
Stock stock;

class Till {
  public:
    static long total;
    [[gnu::noinline]] void pay(int amount) { total += amount; }
};
long Till::total;

} // namespace shop

namespace {

int hidden;
std::array<int, 5> counts;
shop::Stock branches[2][3];

[[gnu::always_inline]] inline int twice(int number) {
    return number + hidden; // twice
}

[[gnu::always_inline]] inline int four_times(int number) {
    return twice(number) + twice(number + 1);
}

[[gnu::noinline]] int price_of(int apples) {
    hidden += apples;
    return four_times(apples);
}

} // namespace

extern "C" int next_number() {
    static int counter = 7;
    return counter++;
}

int main(int count, char** words) {
    shop::Till till;
    const auto add = [&](int more) { counts[static_cast<std::size_t>(count) % counts.size()] += more; };
    std::vector<std::string> all(words, words + count);
    for (const std::string& word : all) add(price_of(static_cast<int>(word.size())));
    till.pay(next_number() + branches[1][2].apples + shop::stock.pears);
    std::printf("%ld %d\n", shop::Till::total, counts[1]);
    return 0;
}
