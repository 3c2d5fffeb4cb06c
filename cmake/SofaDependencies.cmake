# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
#
# Third-party libraries, all from the system; tools/packages.txt lists the packages and docs/dependencies.md
# the reasons. `sofa_dependencies` is what the libraries use inside; Eigen, Boost and oneTBB are linked
# publicly because public headers may include them.

option(SOFA_ALL_PARTS "An optional part of the program that cannot be built is an error" OFF)

# sofa_left_out(MESSAGE): says that an optional part is not built, and why.
function(sofa_left_out message)
  if(SOFA_ALL_PARTS)
    message(FATAL_ERROR "${message}")
  endif()
  message(STATUS "${message}")
endfunction()

find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(Boost 1.74 REQUIRED)
find_package(TBB REQUIRED)
find_package(tinyxml2 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(Threads REQUIRED)
find_package(mimalloc 2.0 REQUIRED)

# METIS comes without a CMake package.
function(sofa_find_library target header header_folder)
  find_path(SOFA_${target}_INCLUDE ${header} PATH_SUFFIXES ${header_folder} REQUIRED)
  set(libraries "")
  foreach(name IN LISTS ARGN)
    find_library(SOFA_${name}_LIBRARY ${name} REQUIRED)
    list(APPEND libraries "${SOFA_${name}_LIBRARY}")
    mark_as_advanced(SOFA_${name}_LIBRARY)
  endforeach()
  mark_as_advanced(SOFA_${target}_INCLUDE)
  add_library(sofa_${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(sofa_${target} SYSTEM INTERFACE "${SOFA_${target}_INCLUDE}")
  target_link_libraries(sofa_${target} INTERFACE ${libraries})
endfunction()
sofa_find_library(metis metis.h "" metis)

add_library(sofa_dependencies INTERFACE)
target_link_libraries(sofa_dependencies INTERFACE tinyxml2::tinyxml2 ZLIB::ZLIB nlohmann_json::nlohmann_json
                                                  sofa_metis Threads::Threads ${CMAKE_DL_LIBS})
