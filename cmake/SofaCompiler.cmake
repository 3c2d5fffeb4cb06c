# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
#
# Language level, warnings, floating-point rules, sanitizers, compiler cache, linker and output folders.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, Asan or Tsan" FORCE)
endif()

# Values must not depend on which operations the compiler chooses to fuse: kernels that want a fused
# multiply-add say so. errno is never read after a mathematical function.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -ffp-contract=off -fno-math-errno)
option(SOFA_WERROR "Treat warnings as errors" ON)
if(SOFA_WERROR)
  add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-fno-semantic-interposition)
  # g++ 12 sees overlapping and oversized copies in `"text" + std::string` that are not there (GCC bugs 105329, 105651).
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    add_compile_options(-Wno-maybe-uninitialized -Wno-restrict -Wno-array-bounds $<$<COMPILE_LANGUAGE:CXX>:-Wno-stringop-overflow>)
  endif()
endif()

# The portable baseline; wider instruction sets live in files of their own (sofa_set_simd_flags).
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(SOFA_X86_64 ON)
  add_compile_options(-march=x86-64-v2)
endif()

set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-Og -g -D_GLIBCXX_ASSERTIONS")
# Built by clang and without optimisation, in a third of the time that g++ takes with -O1 (CMakePresets.json).
set(CMAKE_CXX_FLAGS_ASAN "-O0 -g1 -fno-omit-frame-pointer -D_GLIBCXX_ASSERTIONS")
set(CMAKE_CXX_FLAGS_TSAN "-O1 -g1 -fno-omit-frame-pointer")
if(CMAKE_BUILD_TYPE STREQUAL "Asan")
  # Left out: what the address sanitizer finds as well, for a fifth of the time to build.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-sanitize=null,object-size)
  add_link_options(-fsanitize=address,undefined)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # False alarms of GCC when it instruments: in the standard library, and for subscripts of SIMD vectors.
    add_compile_options(-Wno-maybe-uninitialized -Wno-uninitialized)
  endif()
endif()

# The program fuzz_coverage: libFuzzer sees which code an input reaches.
option(SOFA_FUZZ "Instrument for libFuzzer (clang)" OFF)
mark_as_advanced(SOFA_FUZZ)
if(SOFA_FUZZ)
  add_compile_options(-O1 -fsanitize=fuzzer-no-link)
endif()

if(CMAKE_BUILD_TYPE STREQUAL "Tsan")
  add_compile_options(-fsanitize=thread)
  add_link_options(-fsanitize=thread)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-maybe-uninitialized -Wno-uninitialized -Wno-tsan)  # it does not see fences, and says so
  endif()
endif()

# ccache, shared between checkouts: paths are hashed relative to the source folder.
find_program(SOFA_CCACHE ccache)
mark_as_advanced(SOFA_CCACHE)
if(SOFA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER env "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime "${SOFA_CCACHE}")
endif()

find_program(SOFA_MOLD mold)
mark_as_advanced(SOFA_MOLD)
if(SOFA_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# One layout for the build tree and the installed tree, so that everything finds the rest relative to itself.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")

# Files named *.avx2.cpp and *.avx512.cpp are compiled for those instruction sets and chosen at run time;
# on other processors they are left out of the build.
function(sofa_set_simd_flags sources_variable)
  set(kept "")
  foreach(file IN LISTS ${sources_variable})
    if(file MATCHES "\\.avx2\\.cpp$")
      set(options -mavx2 -mfma)
    elseif(file MATCHES "\\.avx512\\.cpp$")
      set(options -mavx512f -mavx512dq -mavx512vl -mavx512bw -mavx2 -mfma)
    else()
      list(APPEND kept "${file}")
      continue()
    endif()
    if(SOFA_X86_64)
      list(APPEND kept "${file}")
      set_source_files_properties("${file}" PROPERTIES COMPILE_OPTIONS "${options}" SKIP_PRECOMPILE_HEADERS ON
                                                       SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
  set(${sources_variable} "${kept}" PARENT_SCOPE)
endfunction()
