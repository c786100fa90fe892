// Members of all kinds.
#include <mutex>

struct Nothing {};

struct Flags {
    unsigned open : 4;
    unsigned late : 4;
    unsigned kind : 3;
    unsigned count : 13;
    unsigned last : 8;
    int plain;
};
Flags flags;

union Value {
    int whole;
    float real;
    short half[2];
    struct {
        char low, high;
    } bytes;
};
Value value;

/// A class without members takes no bytes of those that derive from it.
struct Guarded : Nothing {
    std::mutex mutex;
    long count;
};
Guarded guarded;

struct Lettered : Nothing {
    char letter;
};
Lettered lettered;

/// As wide as a line of the cache.
union Padded {
    char line[64];
    std::mutex mutex;
    Padded() : mutex() {}
    ~Padded() {}
};
Padded padded;

/// The derived class's member is where the base class has nothing.
struct Base {
    Base() : number(0), small(0) {}
    int number;
    char small;
};
struct Derived : Base {
    char next = 0;
};
Derived derived[2];

struct Unnamed {
    int first;
    union {
        int whole;
        char parts[4];
    };
};
Unnamed unnamed;

template<typename Type>
struct Shared {
    static Type total;
};
template<typename Type>
Type Shared<Type>::total = 3;

int next_number() {
    static int counter = 7;
    return counter++;
}

int main() {
    const std::lock_guard lock(guarded.mutex);
    flags.late = 3;
    value.real = 1;
    lettered.letter = 'a';
    derived[1].next = 2;
    unnamed.whole = 3;
    return next_number() + Shared<int>::total++ + padded.line[60];
}
