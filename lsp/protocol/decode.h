// From JSON of strangers to the structs of the protocol. Nothing throws: the first member that is missing, of
// the wrong type or out of range ends the decoding, with its path ("range.start.line: not a number from 0 to
// 2147483647"). Members that a struct does not have are ignored, as LSP demands.
//
// Each struct of this folder has `decode(const Json&, T&, Decoding&)` and, the other way, `to_json(Json&,
// const T&)`, which nlohmann/json finds: `Json json = position;`.
#pragma once

#include "lsp/json.h"
#include "lsp/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace heddle::lsp {

/// Where in a value the decoding is, and what was wrong first.
class Decoding {
  public:
    void fail(std::string_view what);
    [[nodiscard]] bool failed() const { return !error_.empty(); }
    [[nodiscard]] const std::string& error() const { return error_; }

    /// While it lives, the decoding is inside this member or element.
    class Inside {
      public:
        Inside(Decoding& decoding, std::string_view member);
        Inside(Decoding& decoding, std::size_t element);
        Inside(const Inside&) = delete;
        Inside& operator=(const Inside&) = delete;
        Inside(Inside&&) = delete;
        Inside& operator=(Inside&&) = delete;
        ~Inside();

      private:
        Decoding& decoding_;
    };

  private:
    using Step = std::variant<std::string_view, std::size_t>;

    std::vector<Step> path_;
    std::string error_;
};

/// LSP's integers are from -2^31 to 2^31 - 1, its unsigned ones from 0 to 2^31 - 1. 3.0 is taken for 3.
void decode(const Json& json, bool& value, Decoding& decoding);
void decode(const Json& json, std::int32_t& value, Decoding& decoding);
void decode(const Json& json, std::uint32_t& value, Decoding& decoding);
void decode(const Json& json, std::string& value, Decoding& decoding);
void decode(const Json& json, std::variant<std::int64_t, std::string>& value, Decoding& decoding);
void decode(const Json& json, Json& value, Decoding& decoding);

/// The elements of an array; none, and a failure, if it is no array.
[[nodiscard]] std::size_t array_size(const Json& json, Decoding& decoding);
[[nodiscard]] const Json& array_element(const Json& json, std::size_t index);

template<typename T>
void decode(const Json& json, std::vector<T>& values, Decoding& decoding) {
    const std::size_t size = array_size(json, decoding);
    values.clear();
    for (std::size_t i = 0; i < size && !decoding.failed(); ++i) {
        const Decoding::Inside inside(decoding, i);
        decode(array_element(json, i), values.emplace_back(), decoding);
    }
}

/// The members of an object, by name.
[[nodiscard]] std::vector<std::pair<std::string, const Json*>> object_members(const Json& json,
                                                                              Decoding& decoding);

template<typename T>
void decode(const Json& json, std::map<std::string, T>& values, Decoding& decoding) {
    values.clear();
    for (const auto& [name, member] : object_members(json, decoding)) {
        if (decoding.failed()) return;
        const Decoding::Inside inside(decoding, std::string_view(name));
        decode(*member, values[name], decoding);
    }
}

/// The value, or where and why there is none.
template<typename T>
[[nodiscard]] Result<T> from_json(const Json& json) {
    Decoding decoding;
    T value;
    decode(json, value, decoding);
    if (decoding.failed()) return fail(decoding.error());
    return value;
}

} // namespace heddle::lsp
