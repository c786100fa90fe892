// Two threads write one variable without a lock, if they are asked to: by an argument, "race", or by a line
// of input that says so. Otherwise the program has nothing to do.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

int shared;

static void* set_it(void* unused) {
    shared = 1;
    return unused;
}

int main(int argc, char** argv) {
    char line[16] = "";
    if (argc > 1) {
        snprintf(line, sizeof(line), "%s", argv[1]);
    } else if (fgets(line, sizeof(line), stdin) == NULL) {
        return 3;
    }
    if (strncmp(line, "race", 4) != 0) return 4;
    pthread_t thread;
    if (pthread_create(&thread, NULL, set_it, NULL) != 0) return 5;
    shared = 2;
    return pthread_join(thread, NULL);
}
