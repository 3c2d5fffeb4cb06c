# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
#
# The installed tree, which may be moved as a whole:
#   bin/ lib/ lib/cmake/Sofa/ include/sofa/{core,components}/ share/sofa/ (our share/) share/sofa/scenes/
# The build tree mirrors it: <build>/share/sofa holds links into the source tree.
include(CMakePackageConfigHelpers)

file(GLOB shared LIST_DIRECTORIES true CONFIGURE_DEPENDS RELATIVE "${CMAKE_SOURCE_DIR}/share" "${CMAKE_SOURCE_DIR}/share/*")
file(REMOVE_RECURSE "${CMAKE_BINARY_DIR}/share/sofa")
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/share/sofa")
foreach(entry IN LISTS shared)
  file(CREATE_LINK "${CMAKE_SOURCE_DIR}/share/${entry}" "${CMAKE_BINARY_DIR}/share/sofa/${entry}" SYMBOLIC)
endforeach()
file(CREATE_LINK "${CMAKE_SOURCE_DIR}/scenes" "${CMAKE_BINARY_DIR}/share/sofa/scenes" SYMBOLIC)

install(TARGETS sofa_core sofa_components EXPORT SofaTargets LIBRARY DESTINATION lib)
foreach(layer core components)
  install(DIRECTORY "${CMAKE_SOURCE_DIR}/${layer}" DESTINATION include/sofa FILES_MATCHING PATTERN "*.h")
endforeach()
install(DIRECTORY share/ DESTINATION share/sofa)
install(DIRECTORY scenes DESTINATION share/sofa)
