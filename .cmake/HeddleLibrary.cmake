# heddle_library(traces SOURCES … USES …): the library heddle_<folder> of one top-level folder.
#
# Headers are included as "<folder>/<file>.h". The only include root a library has is a directory
# that holds a link to its own folder, plus the roots of the libraries it USES: an include of a folder
# that it may not know does not compile (tests/build checks that).
include_guard()
include(GNUInstallDirs)

function(heddle_library folder)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES;PUBLIC;PRIVATE" ${ARGN})
  set(target heddle_${folder})
  set(root "${CMAKE_BINARY_DIR}/roots/${folder}")
  file(MAKE_DIRECTORY "${root}")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${folder}" "${root}/${folder}" SYMBOLIC)

  add_library(${target} STATIC ${ARG_SOURCES})
  add_library(Heddle::${folder} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${folder})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC
    "$<BUILD_INTERFACE:${root}>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/heddle>")
  target_link_libraries(${target} PRIVATE "$<BUILD_INTERFACE:heddle_compiler>" ${ARG_PRIVATE}
                                  PUBLIC ${ARG_PUBLIC})
  foreach(used IN LISTS ARG_USES)
    target_link_libraries(${target} PUBLIC heddle_${used})
  endforeach()
endfunction()
