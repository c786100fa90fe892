/* Does nothing, and tells how much memory that took: what is resident, in KiB. */
#include <stdio.h>

int main(void) {
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    char line[256];
    long rss = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "Rss: %ld kB", &rss) == 1) break;
    }
    printf("%ld\n", rss);
    return 0;
}
