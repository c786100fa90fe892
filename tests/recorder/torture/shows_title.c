/* Writes a title over its arguments and environment, where lists of processes look for it, and forks then. */
#include "../programs/program.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void *nothing(void *unused) {
    return unused;
}

static void make_thread(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, nothing, NULL) == 0);
    check(pthread_join(thread, NULL) == 0);
}

int main(int count, char **arguments) {
    const char *const end_of_arguments = arguments[count - 1] + strlen(arguments[count - 1]) + 1;
    char *end = arguments[0];
    for (char **variable = environ; *variable != NULL; ++variable) {
        if (*variable >= end_of_arguments && *variable + strlen(*variable) > end) end = *variable + strlen(*variable);
    }
    static char *nowhere[] = {NULL};
    environ = nowhere;
    memset(arguments[0], 't', (size_t)(end - arguments[0]));
    const pid_t process = fork();
    check(process >= 0);
    make_thread();
    if (process == 0) return 0;
    int status = -1;
    check(waitpid(process, &status, 0) == process && status == 0);
    return 0;
}
