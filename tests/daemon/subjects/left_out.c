// A program of which the linker leaves out a large function, when it is told to: debug information of it remains, at
// addresses that would reach into the code of the others.
volatile int sum;

static inline __attribute__((always_inline)) int mixed(int number) {
    sum ^= number;
    return sum > 3 ? sum - 2 : sum;
}

// clang-format off
#define TEN(step) step; step; step; step; step; step; step; step; step; step
// clang-format on

int left_out(int number) {
    TEN(TEN(sum += mixed(number)));
    TEN(TEN(sum -= mixed(number + 2)));
    TEN(TEN(sum *= mixed(number + 3)));
    return sum;
}

int kept(int number) {
    TEN(TEN(sum += number * 3));
    TEN(TEN(sum += mixed(number + 4)));
    TEN(TEN(sum -= number * 5));
    return sum;
}

int main(int count, char** words) {
    (void)words;
    return kept(count);
}
