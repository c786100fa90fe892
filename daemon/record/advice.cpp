#include "daemon/record/advice.h"

#include <fmt/format.h>

namespace heddle::record {

namespace {

constexpr const char* kBuildLines = R"(
Build it with -fsanitize=thread -g, both when compiling and when linking:

  CMake   find_package(Heddle REQUIRED COMPONENTS recorder)
          heddle_instrument(your_target)        # or, without the package:
          cmake -S . -B build-tsan -DCMAKE_BUILD_TYPE=RelWithDebInfo \
                -DCMAKE_C_FLAGS=-fsanitize=thread -DCMAKE_CXX_FLAGS=-fsanitize=thread
  Meson   meson setup build-tsan -Db_sanitize=thread -Db_lundef=false --buildtype=debugoptimized
  Make    make CFLAGS='-O1 -g -fsanitize=thread' CXXFLAGS='-O1 -g -fsanitize=thread' LDFLAGS=-fsanitize=thread
  Bazel   bazel build --copt=-fsanitize=thread --copt=-g --linkopt=-fsanitize=thread //your:target

With Clang, add -shared-libsan to the link flags.)";

constexpr const char* kRelinkLines = R"(
Its instrumentation is right; only the link has to change, so that the runtime is loaded and not built in.
Clang: add -shared-libsan to the link flags. GCC: remove -static-libtsan from them.

  CMake   heddle_instrument(your_target) after find_package(Heddle REQUIRED COMPONENTS recorder), or
          cmake … -DCMAKE_EXE_LINKER_FLAGS=-shared-libsan
  Meson   meson setup … -Db_sanitize=thread -Db_lundef=false -Dc_link_args=-shared-libsan -Dcpp_link_args=-shared-libsan
  Make    make … LDFLAGS='-fsanitize=thread -shared-libsan'
  Bazel   bazel build … --linkopt=-fsanitize=thread --linkopt=-shared-libsan //your:target

Or link without -fsanitize=thread, and with Heddle's library:  -L{0} -lheddle_recorder -Wl,-rpath,{0})";

constexpr const char* kAnyway = "\n\nIf it starts instrumented programs later, add --anyway; if it loads "
                                "instrumented libraries, --preload.";

} // namespace

std::string advice(const Program& program, const std::string& recorder) {
    const std::string& path = program.path;
    switch (program.recordable) {
    case Recordable::yes:
    case Recordable::depends: return "";
    case Recordable::other_runtime:
        return fmt::format(
                   "{}: ThreadSanitizer's own runtime is linked into it, so Heddle's cannot take its place.",
                   path) +
               fmt::format(kRelinkLines, recorder);
    case Recordable::static_plain:
        return fmt::format("{}: has no instrumentation. It is also linked statically: leave out -static.",
                           path) +
               kBuildLines;
    case Recordable::plain:
        return fmt::format("{}: has no instrumentation (-fsanitize=thread), so there is nothing to record.",
                           path) +
               kBuildLines + kAnyway;
    case Recordable::other_machine: return fmt::format("{}: is a program for another processor", path);
    case Recordable::unknown_format:
        return fmt::format("{}: is neither a program of this system nor a script with a #! line", path);
    }
    return "";
}

} // namespace heddle::record
