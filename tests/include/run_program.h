// Runs a program to its end and keeps what it said, for end-to-end tests.
#pragma once

#include "test_files.h"

#include <cstdlib>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>

extern char** environ;

namespace heddle::test {

struct Ran {
    int status = -1; ///< exit status, or 128 + signal
    std::string out;
    std::string err;
};

/// `words[0]` is the program's path. Nothing goes through a shell.
inline Ran run_program(std::vector<std::string> words) {
    const TemporaryFolder folder;
    const std::string out = folder.file("out");
    const std::string err = folder.file("err");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT, 0600);
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t process = 0;
    int status = 0;
    if (posix_spawn(&process, words[0].c_str(), &actions, nullptr, arguments.data(), environ) != 0 ||
        waitpid(process, &status, 0) != process) {
        ADD_FAILURE() << words[0] << " could not be run";
        return {};
    }
    posix_spawn_file_actions_destroy(&actions);
    const auto text = [](const std::string& path) {
        const std::vector<std::uint8_t> bytes = read_bytes(path);
        return std::string(bytes.begin(), bytes.end());
    };
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text(out), text(err)};
}

} // namespace heddle::test
