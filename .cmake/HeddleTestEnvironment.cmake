# Read by ctest, not by CMake: sets the environment in which the tests of one folder are recorded. Expects the
# variables that heddle_record_tests (HeddleInstrument.cmake) wrote down.

foreach(list IN LISTS heddle_test_lists)
  list(APPEND heddle_tests ${${list}})
endforeach()

foreach(test IN LISTS heddle_tests)
  # A test's name may hold what a file's name cannot; two that then look alike are told apart by a hash.
  string(REGEX REPLACE "[^A-Za-z0-9._+-]" "_" name "${test}")
  if(NOT name STREQUAL test)
    string(MD5 hash "${test}")
    string(SUBSTRING "${hash}" 0 8 hash)
    string(APPEND name "-${hash}")
  endif()
  # A percent sign in the folder's name would be taken for a placeholder.
  string(REPLACE "%" "%%" folder "${heddle_traces}")
  set(environment "LD_LIBRARY_PATH=path_list_prepend:${heddle_recorder}" "HEDDLE_TRACE=set:${folder}/${name}.htr"
                  "HEDDLE_TEST=set:${test}")
  foreach(setting IN LISTS heddle_settings)
    string(REGEX REPLACE "^([^=]*)=" "\\1=set:" setting "${setting}")
    list(APPEND environment "${setting}")
  endforeach()
  set_tests_properties("${test}" PROPERTIES ENVIRONMENT_MODIFICATION "${environment}")
endforeach()
