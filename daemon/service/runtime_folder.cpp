#include "daemon/service/runtime_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::service {

Result<std::string> runtime_folder() {
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    const char* temporary = std::getenv("TMPDIR");
    std::string folder =
        runtime != nullptr && *runtime == '/'
            ? fmt::format("{}/heddle", runtime)
            : fmt::format("{}/heddle-{}", temporary != nullptr && *temporary == '/' ? temporary : "/tmp",
                          getuid());
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return fail(fmt::format("{} cannot be made: {}", folder, std::strerror(errno)));
    struct stat about = {};
    // Somebody else could have made it first, to listen to what is said there.
    if (lstat(folder.c_str(), &about) != 0 || !S_ISDIR(about.st_mode) || about.st_uid != getuid() ||
        (about.st_mode & 077U) != 0)
        return fail(fmt::format("{} is not a folder that only you can use; remove it", folder));
    return folder;
}

} // namespace heddle::service
