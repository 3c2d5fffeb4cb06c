# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
#
# Targets from folders. Every .cpp below the folder belongs to the library; new files are picked up by the
# next build without any edit.

# sofa_library(name export_name): the shared library `name` of every .cpp below the current folder,
# exported as Sofa::<export_name>.
function(sofa_library name export_name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  list(SORT sources)
  sofa_set_simd_flags(sources)
  if(NOT sources)
    file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/empty.cpp" "")
    set(sources "${CMAKE_CURRENT_BINARY_DIR}/empty.cpp")
  endif()
  add_library(${name} SHARED ${sources})
  add_library(Sofa::${export_name} ALIAS ${name})
  target_include_directories(${name} PUBLIC "$<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>" "$<INSTALL_INTERFACE:include/sofa>")
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_link_libraries(${name} PRIVATE sofa_dependencies)
  if(UNIX AND NOT APPLE)
    # Functions of a library that it calls itself, or that its virtual tables have, are found when it is linked instead of
    # by name at every start; the others at the start instead of within the first step of a scene.
    target_link_options(${name} PRIVATE LINKER:-Bsymbolic-functions LINKER:-z,now)
  endif()
  set_target_properties(${name} PROPERTIES
    DEFINE_SYMBOL "" EXPORT_NAME ${export_name} INSTALL_RPATH "$ORIGIN" VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  sofa_unity(${name} ${sources})
  if(name STREQUAL sofa_core)
    sofa_precompile(${name} ${SOFA_STANDARD_HEADERS})
  else()
    sofa_precompile(${name} REUSE_FROM sofa_core)
  endif()
endfunction()

# sofa_application(name): the executable `name` of every .cpp of the folder `name`, linked to the components. mimalloc
# stands for malloc and new of the whole process, in large pages; it comes first. Sanitizers have their own.
function(sofa_application name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp")
  list(SORT sources)
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE sofa_components sofa_core sofa_dependencies CLI11::CLI11)
  target_link_options(${name} PRIVATE LINKER:-z,now)
  if(NOT CMAKE_BUILD_TYPE MATCHES "^(Asan|Tsan)$")
    target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/applications/LargePages.cpp)
    target_link_options(${name} PRIVATE LINKER:--push-state,--no-as-needed $<TARGET_FILE:mimalloc> LINKER:--pop-state)
  endif()
  install(TARGETS ${name} RUNTIME DESTINATION bin)
endfunction()
