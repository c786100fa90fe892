# For projects that record their tests with Heddle; find_package(Heddle COMPONENTS recorder) brings it in.
#
#   heddle_instrument(target…)      builds the targets so that Heddle can see into them
#   heddle_record_tests([FOLDER folder] [SETTINGS NAME=VALUE…] [TEST_LISTS variable…])
#                                   makes plain `ctest` leave one trace per test
#
# Expects Heddle_RECORDER_FOLDER: the folder that holds the recorder's libraries.
include_guard()

set(HEDDLE_TEST_ENVIRONMENT "${CMAKE_CURRENT_LIST_DIR}/HeddleTestEnvironment.cmake")

# Compiles with -fsanitize=thread and debug information. GCC's programs name the runtime's shared library, and the
# recorder takes its place when they are recorded; without it they run under ThreadSanitizer as always. Clang would
# link ThreadSanitizer's runtime into the program: there the recorder is linked instead, and every run is recorded.
function(heddle_instrument)
  foreach(target IN LISTS ARGN)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY")
      message(SEND_ERROR "heddle_instrument: ${target} has no sources to instrument")
      continue()
    endif()
    # What links a static library must bring the runtime.
    set(scope PRIVATE)
    if(type STREQUAL "STATIC_LIBRARY" OR type STREQUAL "OBJECT_LIBRARY")
      set(scope PUBLIC)
    endif()
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=thread;-g>")
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR CMAKE_C_COMPILER_ID STREQUAL "GNU")
      target_link_options(${target} ${scope} -fsanitize=thread)
    else()
      # Not with target_link_libraries: projects call that with PRIVATE and PUBLIC or without, never both ways for a target.
      set(recorder "${Heddle_RECORDER_FOLDER}/libheddle_recorder.so")
      set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES "${recorder}")
      if(scope STREQUAL "PUBLIC")
        set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES "${recorder}")
      endif()
    endif()
  endforeach()
endfunction()

# Must come after the tests, at the end of a CMakeLists.txt: it is about the tests of that folder and of those below.
# FOLDER is where the traces go (.heddle/traces of the project). SETTINGS are variables of the recorder, such as
# HEDDLE_VALUES=off. Test cases that gtest_discover_tests finds have a trace each; where it was told to use a TEST_LIST
# of its own, name it in TEST_LISTS.
#
# Only ctest knows all tests: gtest_discover_tests finds its own when ctest starts. So ctest is given scripts that set
# the environments: in each folder for what is found there, and in a folder of their own, which it reads last, for the
# tests of add_test. (It reads a folder's scripts before the folder's add_test.)
function(heddle_record_tests)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "FOLDER" "SETTINGS;TEST_LISTS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(SEND_ERROR "heddle_record_tests does not know: ${ARG_UNPARSED_ARGUMENTS}. It takes no targets: it records all tests that were added before it.")
  endif()
  if(NOT ARG_FOLDER)
    set(ARG_FOLDER "${CMAKE_SOURCE_DIR}/.heddle/traces")
  endif()
  cmake_path(ABSOLUTE_PATH ARG_FOLDER BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  set(tests "")
  heddle_add_discovery_scripts("${CMAKE_CURRENT_SOURCE_DIR}")
  set(last "${CMAKE_CURRENT_BINARY_DIR}/heddle_record_tests")
  heddle_write_test_script("${last}/environments.cmake" "" "${tests}")
  file(WRITE "${last}/CMakeLists.txt"
    "set_property(DIRECTORY PROPERTY TEST_INCLUDE_FILES [[${last}/environments.cmake]])\n")
  add_subdirectory("${last}" "${last}/tests")
endfunction()

# Gives the folder and those below their scripts, and collects the names of add_test in `tests`.
macro(heddle_add_discovery_scripts folder)
  get_property(own_tests DIRECTORY "${folder}" PROPERTY TESTS)
  list(APPEND tests ${own_tests})
  set(own_lists "${ARG_TEST_LISTS}")
  get_property(includes DIRECTORY "${folder}" PROPERTY TEST_INCLUDE_FILES)
  foreach(include IN LISTS includes)
    if(include MATCHES "/([^/]+)\\[[0-9]+\\]_include\\.cmake$")
      list(APPEND own_lists "${CMAKE_MATCH_1}_TESTS")
    endif()
  endforeach()
  get_property(binary_folder DIRECTORY "${folder}" PROPERTY BINARY_DIR)
  heddle_write_test_script("${binary_folder}/heddle_record_tests.cmake" "${own_lists}" "")
  set_property(DIRECTORY "${folder}" APPEND PROPERTY TEST_INCLUDE_FILES "${binary_folder}/heddle_record_tests.cmake")
  get_property(below DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(one IN LISTS below)
    heddle_add_discovery_scripts("${one}")
  endforeach()
endmacro()

# A script for ctest, about the tests that are named and those in variables that ctest will have.
function(heddle_write_test_script script test_lists tests)
  file(CONFIGURE OUTPUT "${script}" @ONLY CONTENT [[
set(heddle_recorder [==[@Heddle_RECORDER_FOLDER@]==])
set(heddle_traces [==[@ARG_FOLDER@]==])
set(heddle_settings [==[@ARG_SETTINGS@]==])
set(heddle_tests [==[@tests@]==])
set(heddle_test_lists [==[@test_lists@]==])
include([==[@HEDDLE_TEST_ENVIRONMENT@]==])
]])
endfunction()
