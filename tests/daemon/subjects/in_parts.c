// Variables that Clang makes several variables of, and one that it keeps in a single byte: it is 0 or 40.
static long parts[2];
static struct {
    int first;
    long second;
} pair;
static long level;

__attribute__((noinline)) static void put(int number) {
    parts[0] = number;
    level = 40;
    pair.first = number;
}

__attribute__((noinline)) static long get(void) {
    return parts[0] + parts[1] + pair.first + pair.second + level;
}

int main(int count, char** words) {
    (void)words;
    put(count);
    parts[1] = count * 2;
    pair.second = count + 1;
    return (int)get();
}
