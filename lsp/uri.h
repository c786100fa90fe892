// URIs of documents. Editors spell one file in many ways (`file:///a%20b`, `file:///a b`,
// `file://localhost/…`, escapes in either case), so what identifies a file is its path, not its URI.
#pragma once

#include "lsp/result.h"

#include <string>
#include <string_view>

namespace heddle::lsp {

/// In lower case and without the colon; empty if the text does not begin with a scheme.
[[nodiscard]] std::string uri_scheme(std::string_view uri);

/// The absolute path that a file URI names, with `.` and `..` resolved as text and no slash at its end. Other
/// schemes (untitled:, git:), other hosts, relative paths and escapes that are broken or make a zero byte are
/// errors that say so.
[[nodiscard]] Result<std::string> path_of_uri(std::string_view uri);

/// The file URI of an absolute path: every byte that RFC 3986 does not allow in a path is escaped.
[[nodiscard]] std::string uri_of_path(std::string_view absolute_path);

} // namespace heddle::lsp
