/* Loads an instrumented library, calls into it from two threads, unloads it, twice. */
#include "../programs/program.h"

#include <dlfcn.h>

static void *run(void *function) {
    void (*call)(void);
    *(void **)&call = function;
    call();
    return NULL;
}

int main(int count, char **words) {
    check(count == 2);
    for (int round = 0; round < 2; ++round) {
        pthread_t threads[2];
        void *library = dlopen(words[1], RTLD_NOW);
        check(library != NULL);
        void *function = dlsym(library, "library_step");
        check(function != NULL);
        for (int i = 0; i < 2; ++i) check(pthread_create(&threads[i], NULL, run, function) == 0);
        for (int i = 0; i < 2; ++i) check(pthread_join(threads[i], NULL) == 0);
        check(dlclose(library) == 0);
    }
    return 0;
}
