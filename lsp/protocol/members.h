// The members of a protocol struct, listed once and used both ways. Internal to the sources of this folder.
//
//     const auto kRange = std::tuple(member("start", &Range::start), member("end", &Range::end));
//
// A member that is a std::optional may be missing or null, and is left out when empty. With with_default(),
// so is any other: it then keeps its default, and is left out when it has it. All others must be there.
#pragma once

#include "lsp/protocol/basic.h"
#include "lsp/protocol/decode.h"

#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <variant>

#include <nlohmann/json.hpp>

namespace heddle::lsp {

template<typename Struct, typename Value>
struct Member {
    const char* name;
    Value Struct::*value;
    bool has_default;
};

template<typename Struct, typename Value>
constexpr Member<Struct, Value> member(const char* name, Value Struct::*value) {
    return {name, value, false};
}

template<typename Struct, typename Value>
constexpr Member<Struct, Value> with_default(const char* name, Value Struct::*value) {
    return {name, value, true};
}

template<typename T>
void put(Json& json, const T& value) {
    json = value;
}

inline void put(Json& json, const IntegerOrString& value) {
    std::visit([&json](const auto& alternative) { json = alternative; }, value);
}

template<typename Struct, typename Value>
void encode_member(Json& json, const Struct& value, const Member<Struct, Value>& member) {
    const Value& content = value.*member.value;
    if (member.has_default && content == Value{}) return;
    put(json[member.name], content);
}

template<typename Struct, typename Value>
void encode_member(Json& json, const Struct& value, const Member<Struct, std::optional<Value>>& member) {
    const std::optional<Value>& content = value.*member.value;
    if (content) put(json[member.name], *content);
}

template<typename Struct, typename... Members>
void encode(Json& json, const Struct& value, const std::tuple<Members...>& members) {
    json = Json::object();
    std::apply([&](const auto&... each) { (encode_member(json, value, each), ...); }, members);
}

/// The member of an object; null if it is missing or null.
[[nodiscard]] const Json* find_member(const Json& object, const char* name);

/// Fails if the value is no object.
[[nodiscard]] bool is_object(const Json& json, Decoding& decoding);

template<typename Struct, typename Value>
void decode_member(const Json& json, Struct& value, Decoding& decoding, const Member<Struct, Value>& member) {
    if (decoding.failed()) return;
    const Decoding::Inside inside(decoding, std::string_view(member.name));
    if (const Json* found = find_member(json, member.name))
        return decode(*found, value.*member.value, decoding);
    if (!member.has_default) decoding.fail("missing");
}

template<typename Struct, typename Value>
void decode_member(const Json& json, Struct& value, Decoding& decoding,
                   const Member<Struct, std::optional<Value>>& member) {
    if (decoding.failed()) return;
    const Decoding::Inside inside(decoding, std::string_view(member.name));
    if (const Json* found = find_member(json, member.name))
        decode(*found, (value.*member.value).emplace(), decoding);
}

template<typename Struct, typename... Members>
void decode_members(const Json& json, Struct& value, Decoding& decoding,
                    const std::tuple<Members...>& members) {
    if (!is_object(json, decoding)) return;
    std::apply([&](const auto&... each) { (decode_member(json, value, decoding, each), ...); }, members);
}

/// An enumeration whose values are the numbers from first to last.
template<typename Enum>
void decode_enum(const Json& json, Enum& value, Decoding& decoding, Enum first, Enum last) {
    std::int32_t number = 0;
    decode(json, number, decoding);
    if (decoding.failed()) return;
    if (number < static_cast<std::int32_t>(first) || number > static_cast<std::int32_t>(last))
        return decoding.fail("not a value of its enumeration");
    value = static_cast<Enum>(number);
}

} // namespace heddle::lsp
