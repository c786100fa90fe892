// What the library shows to the program. Everything else in it is hidden.
#pragma once

#define HEDDLE_EXPORT extern "C" __attribute__((visibility("default")))

/// Where the program called the function that this is written in: an address within the call.
#define HEDDLE_CALLER (reinterpret_cast<::heddle::recorder::Address>(__builtin_return_address(0)) - 1)
