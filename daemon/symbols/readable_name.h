// Names of functions and variables as people write them, from names as linkers know them.
#pragma once

#include <string>
#include <string_view>

namespace heddle::symbols {

/// "Account::deposit(int)" for "_ZN7Account7depositEi"; any other name as it is.
[[nodiscard]] std::string demangled(std::string_view name);

/// A function without its parameters and return type, as it is called in a sentence: "Account::deposit" for
/// "void Account::deposit<int>(int) const [clone .cold]" is "Account::deposit<int>". Every lambda of a
/// function is "function::{lambda}", whatever the compiler called it: its line tells which.
[[nodiscard]] std::string short_function_name(std::string_view demangled_name);

/// The same for variables: without the guards' "guard variable for", and without parameters of functions
/// that a static variable is local to: "next_id::counter".
[[nodiscard]] std::string short_variable_name(std::string_view demangled_name);

} // namespace heddle::symbols
