# What `cmake --install` puts where, the CMake package Heddle for programs that build on the libraries
# (find_package(Heddle) → Heddle::traces, Heddle::analysis, Heddle::lsp), and the Debian package.
include_guard()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(heddle_doc_dir "${CMAKE_INSTALL_DATAROOTDIR}/doc/heddle")
set(heddle_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Heddle")
set(heddle_recorder_dir "${CMAKE_INSTALL_LIBDIR}/heddle/recorder")

install(TARGETS heddle RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")

foreach(folder traces analysis lsp)
  install(TARGETS heddle_${folder} EXPORT HeddleTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/heddle/${folder}"
    FILES_MATCHING PATTERN "*.h" PATTERN "grammars" EXCLUDE PATTERN "recorder" EXCLUDE)
endforeach()
install(TARGETS heddle_grammars EXPORT HeddleTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT HeddleTargets NAMESPACE Heddle:: DESTINATION "${heddle_cmake_dir}")

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/HeddleConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/HeddleConfig.cmake"
  INSTALL_DESTINATION "${heddle_cmake_dir}" PATH_VARS heddle_recorder_dir NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/HeddleConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/HeddleConfig.cmake" "${PROJECT_BINARY_DIR}/HeddleConfigVersion.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/HeddleInstrument.cmake" "${CMAKE_CURRENT_LIST_DIR}/HeddleTestEnvironment.cmake"
  DESTINATION "${heddle_cmake_dir}")

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${heddle_doc_dir}" RENAME copyright)
foreach(page README.md docs)
  if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${page}")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/${page}" DESTINATION "${heddle_doc_dir}")
  elseif(EXISTS "${PROJECT_SOURCE_DIR}/${page}")
    install(FILES "${PROJECT_SOURCE_DIR}/${page}" DESTINATION "${heddle_doc_dir}")
  endif()
endforeach()

if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_VENDOR "The Heddle authors")
set(CPACK_PACKAGE_CONTACT "The Heddle authors <heddle@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "predicts concurrency bugs from the runs you already make")
set(CPACK_PACKAGE_DESCRIPTION
"Heddle reads the trace of one run of a concurrent program and tells which data
races, atomicity violations and deadlocks another schedule of the same run would
have hit. It records such traces of programs built with -fsanitize=thread. This
package holds the program, the recorder, the libraries with their headers, and a
CMake package for programs that are recorded or build on the libraries.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
  "cmake, pkg-config, libboost1.81-dev, libexpected-dev, libfmt-dev, libtree-sitter-dev, libxxhash-dev, libz3-dev, libzstd-dev"
  ", nlohmann-json3-dev, zlib1g-dev")
string(JOIN "" CPACK_DEBIAN_PACKAGE_SUGGESTS ${CPACK_DEBIAN_PACKAGE_SUGGESTS})
include(CPack)
