# Programs that are built as a user would build them to be recorded: by GCC and by Clang, while the project is built.

find_program(HEDDLE_GCC NAMES gcc REQUIRED)
find_program(HEDDLE_GXX NAMES g++ REQUIRED)
find_program(HEDDLE_CLANG NAMES clang REQUIRED)
find_program(HEDDLE_CLANGXX NAMES clang++ REQUIRED)

# compiler_of(SOURCE gcc|clang VARIABLE): the compiler for the source's language, with the standard.
function(compiler_of source compiler variable)
  if(source MATCHES "\\.c$")
    set(command "$<IF:$<STREQUAL:${compiler},gcc>,${HEDDLE_GCC},${HEDDLE_CLANG}>" -std=gnu17)
  else()
    set(command "$<IF:$<STREQUAL:${compiler},gcc>,${HEDDLE_GXX},${HEDDLE_CLANGXX}>" -std=c++17)
  endif()
  set(${variable} ${command} PARENT_SCOPE)
endfunction()

# instrumented_program(FOLDER SOURCE gcc|clang O0|O1|O2): adds the program, FOLDER/NAME.gcc-O0, to the list `outputs`. A
# line "// flags: …" of the source adds to the compiler's flags, "// clang flags: …" to those of Clang. GCC names the runtime's shared library; Clang's own is
# replaced when linking.
function(instrumented_program folder source compiler level)
  cmake_path(GET source STEM name)
  cmake_path(GET source PARENT_PATH sources)
  set(program "${folder}/${name}.${compiler}-${level}")
  file(STRINGS "${source}" flags REGEX "^// flags: ")
  string(REPLACE "// flags: " "" flags "${flags}")
  separate_arguments(flags)
  if(compiler STREQUAL "clang")
    file(STRINGS "${source}" more REGEX "^// clang flags: ")
    string(REPLACE "// clang flags: " "" more "${more}")
    separate_arguments(more)
    list(APPEND flags ${more})
  endif()
  compiler_of("${source}" ${compiler} tool)
  set(compile ${tool} -${level} -g -Wall -Wextra -Werror -fsanitize=thread ${flags})
  if(compiler STREQUAL "gcc")
    set(commands COMMAND ${compile} "${source}" -o "${program}")
  else()
    set(commands COMMAND ${compile} -c "${source}" -o "${program}.o"
                 COMMAND ${tool} "${program}.o" -o "${program}" -pthread "$<TARGET_FILE:heddle_recorder_tsan>"
                         "-Wl,-rpath,$<TARGET_FILE_DIR:heddle_recorder_tsan>")
  endif()
  file(GLOB headers CONFIGURE_DEPENDS "${sources}/*.h")
  add_custom_command(OUTPUT "${program}" ${commands} DEPENDS "${source}" ${headers}
    COMMENT "Instrumenting ${name} (${compiler} ${level})" VERBATIM)
  set(outputs ${outputs} "${program}" PARENT_SCOPE)
endfunction()

# instrumented_programs(FOLDER SOURCES): all programs of a folder, by both compilers at three levels of optimisation.
function(instrumented_programs folder sources)
  file(MAKE_DIRECTORY "${folder}")
  file(GLOB files CONFIGURE_DEPENDS "${sources}/*.c" "${sources}/*.cpp")
  foreach(source IN LISTS files)
    foreach(compiler gcc clang)
      foreach(level O0 O1 O2)
        instrumented_program("${folder}" "${source}" ${compiler} ${level})
      endforeach()
    endforeach()
  endforeach()
  set(outputs ${outputs} PARENT_SCOPE)
endfunction()
