// A race, in a program that leaves a process behind which has left its group, its parent and its environment,
// and then waits for ever if the file that its argument names is there.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

int shared;

static void* set_it(void* unused) {
    shared = 1;
    return unused;
}

static void leave_child(char* program) {
    char* words[] = {program, "", "wait", NULL};
    char* environment[] = {NULL};
    if (fork() != 0) return;
    setsid();
    if (fork() == 0) execve(program, words, environment);
    _exit(0);
}

int main(int argc, char** argv) {
    if (argc > 2) {
        for (;;) pause();
    }
    if (argc > 1 && access(argv[1], F_OK) == 0) {
        leave_child(argv[0]);
        for (;;) pause();
    }
    pthread_t thread;
    if (pthread_create(&thread, NULL, set_it, NULL) != 0) return 5;
    shared = 2;
    return pthread_join(thread, NULL);
}
