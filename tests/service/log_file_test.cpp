#include "daemon/service/log_file.h"
#include "test_files.h"

#include <gmock/gmock.h>

namespace heddle::service {
namespace {

using testing::EndsWith;

TEST(LogFile, a_message_is_one_line_of_text_whatever_it_quotes) {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("heddle.log");
    {
        const auto log = open_log(path);
        ASSERT_TRUE(log) << log.error().message;
        (*log)(lsp::LogLevel::info, "a.htr: found 'x\n\x1b[2J\xff', \"known\" as C:\\a, é");
    }
    const std::vector<std::uint8_t> bytes = test::read_bytes(path);
    EXPECT_THAT(std::string(bytes.begin(), bytes.end()),
                EndsWith(" info a.htr: found 'x\\n\\u001b[2J\uFFFD', \"known\" as C:\\a, é\n"));
}

} // namespace
} // namespace heddle::service
