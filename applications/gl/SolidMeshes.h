// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "applications/gl/Functions.h"

namespace sofa::gl {

/// The meshes of the solids that are drawn many times (core/visual/DrawList.h), with unit normals.
class SolidMeshes
{
public:
    struct Mesh
    {
        GLuint vertices = 0, indices = 0;  ///< buffers: position and normal of each vertex; triangles
        GLsizei count = 0;                 ///< of indices
    };

    explicit SolidMeshes(const Functions& gl) : m_gl(gl) {}
    ~SolidMeshes();
    SolidMeshes(const SolidMeshes&) = delete;
    SolidMeshes& operator=(const SolidMeshes&) = delete;

    /// Many small ones on the screen take the coarse mesh.
    const Mesh& mesh(Solid solid, bool fine);

private:
    const Functions& m_gl;
    Mesh m_meshes[4][2];
};

}  // namespace sofa::gl
