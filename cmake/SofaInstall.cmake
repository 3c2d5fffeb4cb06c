# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
#
# The installed tree, which may be moved as a whole:
#   bin/  lib/  lib/cmake/Sofa/  include/sofa/{core,components}/
#   share/sofa/ (our share/)  share/sofa/scenes/  share/sofa/docs/  share/doc/sofa/
# The build tree mirrors it: <build>/share/sofa holds links into the source tree.
include(CMakePackageConfigHelpers)

file(GLOB shared LIST_DIRECTORIES true CONFIGURE_DEPENDS RELATIVE "${CMAKE_SOURCE_DIR}/share" "${CMAKE_SOURCE_DIR}/share/*")
file(REMOVE_RECURSE "${CMAKE_BINARY_DIR}/share/sofa")
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/share/sofa" "${CMAKE_SOURCE_DIR}/scenes")
foreach(entry IN LISTS shared)
  file(CREATE_LINK "${CMAKE_SOURCE_DIR}/share/${entry}" "${CMAKE_BINARY_DIR}/share/sofa/${entry}" SYMBOLIC)
endforeach()
file(CREATE_LINK "${CMAKE_SOURCE_DIR}/scenes" "${CMAKE_BINARY_DIR}/share/sofa/scenes" SYMBOLIC)
file(CREATE_LINK "${CMAKE_SOURCE_DIR}/docs" "${CMAKE_BINARY_DIR}/share/sofa/docs" SYMBOLIC)

install(TARGETS sofa_core sofa_components EXPORT SofaTargets LIBRARY DESTINATION lib)
foreach(layer core components)
  install(DIRECTORY "${CMAKE_SOURCE_DIR}/${layer}" DESTINATION include/sofa FILES_MATCHING PATTERN "*.h")
endforeach()
install(DIRECTORY share/ DESTINATION share/sofa USE_SOURCE_PERMISSIONS)
install(DIRECTORY scenes DESTINATION share/sofa)
install(DIRECTORY docs DESTINATION share/sofa FILES_MATCHING PATTERN "*.md" PATTERN "*.png")
install(PROGRAMS tools/new-plugin DESTINATION bin RENAME sofa-new-plugin)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION share/doc/sofa)

# The CMake package: find_package(Sofa), targets Sofa::core and Sofa::components, sofa_add_plugin().
set(package lib/cmake/Sofa)
install(EXPORT SofaTargets NAMESPACE Sofa:: DESTINATION ${package})
configure_package_config_file(cmake/SofaConfig.cmake.in "${CMAKE_BINARY_DIR}/SofaConfig.cmake" INSTALL_DESTINATION ${package})
write_basic_package_version_file("${CMAKE_BINARY_DIR}/SofaConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/SofaConfig.cmake" "${CMAKE_BINARY_DIR}/SofaConfigVersion.cmake" cmake/SofaPlugin.cmake
        DESTINATION ${package})
