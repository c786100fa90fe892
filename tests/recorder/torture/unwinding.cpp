// Exceptions and jumps across frames, thousands of times in several threads: what is recorded of each thread's stack
// must not grow.
#include "../programs/program.h"

#include <csetjmp>

enum { THREADS = 3, ROUNDS = 5000 };

long x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void throw_below(int left) {
    if (left == 0) throw left;
    throw_below(left - 1);
    use(left);
}

__attribute__((noinline)) static void jump_below(std::jmp_buf there, int left) {
    if (left == 0) std::longjmp(there, 1);
    if (left > 0) jump_below(there, left - 1);
    use(left);
}

__attribute__((noinline)) static void count() {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
}

static void *run(void *) {
    for (volatile int i = 0; i < ROUNDS; i = i + 1) {
        try {
            throw_below(i % 30);
        } catch (int) {
        }
        std::jmp_buf there;
        if (setjmp(there) == 0) jump_below(there, i % 30);
        if (i % 100 == 0) count();
    }
    return nullptr;
}

int main() {
    pthread_t threads[THREADS];
    for (pthread_t &thread : threads) check(pthread_create(&thread, nullptr, run, nullptr) == 0);
    for (pthread_t thread : threads) check(pthread_join(thread, nullptr) == 0);
    check(x == THREADS * ROUNDS / 100);
    return 0;
}
