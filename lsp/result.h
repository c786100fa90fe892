// How this library reports that something could not be done: a value, or an Error a person can act on.
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace heddle::lsp {

struct Error {
    std::string message;

    bool operator==(const Error&) const = default;
};

template<typename T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(std::string message) {
    return tl::make_unexpected(Error{std::move(message)});
}

} // namespace heddle::lsp
