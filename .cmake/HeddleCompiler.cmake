# Language level, warnings and sanitizers, the same for every target of the project.
include_guard()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

set(HEDDLE_SANITIZE "" CACHE STRING "Sanitizers to build everything with, e.g. address,undefined")

add_library(heddle_compiler INTERFACE)
target_compile_options(heddle_compiler INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Wold-style-cast -Wcast-align -Woverloaded-virtual -Werror
  # Designated initialisers name what differs from the default; GCC 12 warns about the rest.
  -Wno-missing-field-initializers
  # GCC 12 sees overlaps in std::string's operator+ that cannot be.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(HEDDLE_SANITIZE)
  target_compile_options(heddle_compiler INTERFACE
    -fsanitize=${HEDDLE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(heddle_compiler INTERFACE -fsanitize=${HEDDLE_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC's sanitizer instrumentation makes its flow warnings report impossible paths.
    target_compile_options(heddle_compiler INTERFACE -Wno-maybe-uninitialized -Wno-stringop-overflow
      -Wno-array-bounds)
    if(HEDDLE_SANITIZE MATCHES "thread")
      # Asio has fences, which ThreadSanitizer does not follow. Its mutexes, which it does, order the same.
      target_compile_options(heddle_compiler INTERFACE -Wno-tsan)
    endif()
  endif()
endif()
