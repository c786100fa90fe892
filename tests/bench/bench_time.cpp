// Runs a program and tells what it cost.
//   heddle_bench_time N COMMAND…        the shortest of N wall times, in seconds
//   heddle_bench_time --peak COMMAND…   the peak resident memory, in bytes
// Standard output of the program is thrown away; a program that fails is an error.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char** environ;

namespace {

struct Cost {
    double seconds = 0;
    long peak_bytes = 0;
};

Cost run(char** command) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    const auto start = std::chrono::steady_clock::now();
    pid_t process = 0;
    int status = 0;
    rusage usage{};
    if (posix_spawnp(&process, command[0], &actions, nullptr, command, environ) != 0 ||
        wait4(process, &status, 0, &usage) != process || status != 0) {
        fmt::print(stderr, "heddle_bench_time: {} failed\n", command[0]);
        std::exit(1);
    }
    posix_spawn_file_actions_destroy(&actions);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    return {wall.count(), usage.ru_maxrss * 1024};
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 3) return 2;
    if (std::string(argv[1]) == "--peak") {
        fmt::print("{}\n", run(argv + 2).peak_bytes);
        return 0;
    }
    double shortest = 1e9;
    for (int left = std::atoi(argv[1]); left > 0; --left)
        shortest = std::min(shortest, run(argv + 2).seconds);
    fmt::print("{:.6f}\n", shortest);
    return 0;
}
