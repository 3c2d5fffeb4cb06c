// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "tests/components/fem/FemFixture.h"
#include "tests/harness/ForceFieldCheck.h"

/// What the tests of the corotational force fields on tetrahedra and on hexahedra have in common.
namespace sofa::test {

inline BoxMesh smallBox() { return {2, 1, 1, {2., 1., 1.}}; }

inline Vector<Vec3> stretched(const BoxMesh& mesh, double strain)
{
    Mat3 f = Mat3::identity();
    f[0][0] += strain;
    return mapped(mesh.points, f, {});
}

/// Runs the harness with the method without rotations. It compares with exact derivatives, which no other method has:
/// their tangents leave out the change of the rotations, and are held to theirs in tests/core/fem.
template <class F>
void checkUnrotated(const std::string& method, bool tetrahedra)
{
    BoxMesh mesh(1, 1, 2, {1., 1.5, 1.});
    mesh.jitter(0.1);
    ForceFieldScene<F> s(mesh, tetrahedra, !tetrahedra);
    s.set("youngModulus", "100")
        .set("poissonRatio", "0.3")
        .set("method", method)
        .set("rayleighStiffness", "0.1")
        .init();
    const Vector<Vec3> noise = randomVectors(mesh.points.size(), 0.1, 8);
    for (std::size_t i = 0; i < noise.size(); ++i) s.state.write(vec_id::position)[i] += noise[i];
    checkForceField(s.field);
}

}  // namespace sofa::test
