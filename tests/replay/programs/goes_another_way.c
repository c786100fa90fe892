// Two threads race on a block of the heap. A word in the file that the argument names makes a later run go another way
// than the recorded one: "moved", the block lies elsewhere; "turned", the threads that hand something over, by pipes,
// do so the other way round; "away", one of the two that race does not come.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct block {
    int shared;
};
static struct block* block;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int told;
static char way[16];
static int to_teller[2], to_setter[2];

static int goes(const char* word) {
    return strcmp(way, word) == 0;
}
static void tell(int* pipe) {
    if (write(pipe[1], "", 1) != 1) abort();
}
static void await(int* pipe) {
    char byte;
    if (read(pipe[0], &byte, 1) != 1) abort();
}

static void* teller(void* unused) {
    if (!goes("turned")) await(to_teller);
    pthread_mutex_lock(&mutex);
    told = 1;
    pthread_mutex_unlock(&mutex);
    tell(to_setter);
    return unused;
}
static void* setter(void* unused) {
    if (goes("turned")) await(to_setter);
    pthread_mutex_lock(&mutex);
    const int seen = told;
    pthread_mutex_unlock(&mutex);
    if (!goes("away")) block->shared = seen;
    tell(to_teller);
    return unused;
}

int main(int argc, char** argv) {
    FILE* file = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (file != NULL && fscanf(file, "%15s", way) != 1) return 3;
    if (file != NULL) fclose(file);
    if (pipe(to_teller) != 0 || pipe(to_setter) != 0) return 4;
    void* before = goes("moved") ? malloc(200) : NULL;
    block = malloc(sizeof(*block));
    if (block == NULL) return 5;
    pthread_t first, second;
    if (pthread_create(&first, NULL, teller, NULL) != 0 || pthread_create(&second, NULL, setter, NULL) != 0)
        return 6;
    block->shared = 2;
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    free(block);
    free(before);
    return 0;
}
