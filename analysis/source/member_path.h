// Expressions that name an object and a member of it, as texts: `acct->` and `balance` of `acct->balance`.
#pragma once

#include <string>
#include <string_view>

namespace heddle::source {

struct MemberPath {
    std::string_view object; ///< with the `.` or `->`; empty when the expression is a plain name
    std::string_view member;
};

/// At the last `.` or `->` that is in no brackets.
[[nodiscard]] MemberPath member_path(std::string_view expression);

/// The name that an expression begins with: `accounts` of `accounts[i].balance`; empty for `(*p).x`.
[[nodiscard]] std::string_view first_name(std::string_view expression);

/// Whether the text has the name, not as a part of another.
[[nodiscard]] bool has_name(std::string_view text, std::string_view name);

} // namespace heddle::source
