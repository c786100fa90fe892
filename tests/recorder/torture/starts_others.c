/* Starts its second argument in the way its first one names, and waits for it. */
#include "../programs/program.h"

#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int x;

static void *run(void *unused) {
    (void)unused;
    x = 1;
    return NULL;
}

static pid_t start(const char *how, char **words) {
    pid_t process = -1;
    if (strcmp(how, "exec") == 0) execv(words[0], words);
    if (strcmp(how, "spawn") == 0) check(posix_spawn(&process, words[0], NULL, NULL, words, environ) == 0);
    if (strcmp(how, "fork") == 0) process = fork();
    if (strcmp(how, "vfork") == 0) process = vfork();
    if (process == 0) {
        execv(words[0], words);
        _exit(99);
    }
    return process;
}

int main(int count, char **words) {
    pthread_t thread;
    int status = -1;
    check(count == 3);
    check(pthread_create(&thread, NULL, run, NULL) == 0);
    check(pthread_join(thread, NULL) == 0);
    use(x);
    if (strcmp(words[1], "system") == 0) return system(words[2]) == 0 ? 0 : 1;
    check(waitpid(start(words[1], words + 2), &status, 0) > 0);
    return status == 0 ? 0 : 1;
}
