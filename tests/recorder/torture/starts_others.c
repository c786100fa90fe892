/* Starts its second argument in the way its first one names, and waits for it. */
#include "../programs/program.h"

#include <fcntl.h>
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

static void execute(const char *how, char **words) {
    if (strcmp(how, "execv") == 0) execv(words[0], words);
    if (strcmp(how, "execve") == 0) execve(words[0], words, environ);
    if (strcmp(how, "execvp") == 0) execvp(words[0], words);
    if (strcmp(how, "execvpe") == 0) execvpe(words[0], words, environ);
    if (strcmp(how, "execl") == 0) execl(words[0], words[0], (char *)NULL);
    if (strcmp(how, "execlp") == 0) execlp(words[0], words[0], (char *)NULL);
    if (strcmp(how, "execle") == 0) execle(words[0], words[0], (char *)NULL, environ);
    if (strcmp(how, "fexecve") == 0) fexecve(open(words[0], O_RDONLY | O_CLOEXEC), words, environ);
    if (strcmp(how, "execveat") == 0) execveat(AT_FDCWD, words[0], words, environ, 0);
}

static pid_t start(const char *how, char **words) {
    pid_t process = -1;
    execute(how, words);
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
