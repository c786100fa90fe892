#include "lsp/uri.h"

#include <gmock/gmock.h>

namespace heddle::lsp {
namespace {

using testing::HasSubstr;

std::string path(std::string_view uri) {
    const auto found = path_of_uri(uri);
    return found ? *found : "error: " + found.error().message;
}

TEST(Uri, one_file_has_many_spellings) {
    for (const char* uri :
         {"file:///home/a b/x.cpp", "file:///home/a%20b/x.cpp", "FILE:///home/a%20b/x.cpp",
          "file://localhost/home/a%20b/x.cpp", "file:/home/a%20b/x.cpp", "file:///home/./a%20b/x.cpp",
          "file:///home/c/../a%20b/x.cpp", "file:///home/a%20b/x.cpp#L3", "file:///home/a%20b/x.cpp?q"}) {
        EXPECT_EQ(path(uri), "/home/a b/x.cpp") << uri;
    }
    EXPECT_EQ(path("file:///%e4%b8%ad/%F0%9F%98%80%3a"), "/中/😀:");
}

TEST(Uri, a_folder_is_the_same_with_a_slash_behind_it) {
    for (const char* uri :
         {"file:///home/work", "file:///home/work/", "file:///home/work//", "file:///home/work/."})
        EXPECT_EQ(path(uri), "/home/work") << uri;
    EXPECT_EQ(path("file:///"), "/");
    EXPECT_EQ(path("file:////"), "/");
}

TEST(Uri, what_is_no_local_file_is_told) {
    EXPECT_THAT(path("untitled:Untitled-1"), HasSubstr("scheme untitled"));
    EXPECT_THAT(path("git:/a/b?ref"), HasSubstr("scheme git"));
    EXPECT_THAT(path("file://server/share/x"), HasSubstr("another machine, server"));
    EXPECT_THAT(path("file:relative"), HasSubstr("no absolute path"));
    EXPECT_THAT(path("file://"), HasSubstr("no absolute path"));
    EXPECT_THAT(path("/home/x"), HasSubstr("no URI"));
    EXPECT_THAT(path(""), HasSubstr("no URI"));
    for (const char* uri : {"file:///a%", "file:///a%2", "file:///a%zz", "file:///%2"})
        EXPECT_THAT(path(uri), HasSubstr("a broken escape")) << uri;
    EXPECT_THAT(path("file:///a%00b"), HasSubstr("zero byte"));
}

TEST(Uri, schemes) {
    EXPECT_EQ(uri_scheme("File:///x"), "file");
    EXPECT_EQ(uri_scheme("vscode-remote://x"), "vscode-remote");
    EXPECT_EQ(uri_scheme("a b:c"), "");
    EXPECT_EQ(uri_scheme("1a:c"), "");
    EXPECT_EQ(uri_scheme(":"), "");
}

TEST(Uri, every_path_comes_back) {
    EXPECT_EQ(uri_of_path("/a b/é#?%.cpp"), "file:///a%20b/%C3%A9%23%3F%25.cpp");
    std::string all = "/";
    for (int byte = 1; byte < 256; ++byte) {
        if (byte != '/') all += static_cast<char>(byte);
    }
    EXPECT_EQ(path(uri_of_path(all)), all);
}

} // namespace
} // namespace heddle::lsp
