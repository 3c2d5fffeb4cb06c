// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>

#include "core/math/Vec.h"

namespace sofa::modeler {

using namespace sofa::core;

/// What a mesh file holds. Lengths are those of the file.
struct MeshFacts
{
    std::string file, loader;  ///< `loader`: the component that reads it
    std::size_t points = 0, edges = 0, triangles = 0, quads = 0, tetrahedra = 0, hexahedra = 0, others = 0;
    Vec3 min, max;              ///< corners of the box around it
    bool isClosed = false;      ///< its surface, that of its volumes if it has some, has no border
    double area = 0.;           ///< of the surface
    double volume = 0.;         ///< inside of a closed surface; else that of the box
    Vec3 center;                ///< of that volume
    double inertia[3][3] = {};  ///< about the centre, for density 1

    bool hasFaces() const { return triangles + quads > 0; }
    double longest() const;
    /// Whether the box around it has no volume.
    bool isFlat() const;
};

/// Reads a mesh file. Throws std::runtime_error for what cannot be read, has no points, or no loader.
MeshFacts meshFacts(const std::string& file);

/// What is to be made of a mesh, in SI units.
struct MeshSimulation
{
    enum class Kind
    {
        Grid,      ///< soft, in a grid of hexahedra around the surface
        Elements,  ///< soft, of the tetrahedra or hexahedra of the file
        Rigid,
        Obstacle,  ///< does not move
        Cloth      ///< a membrane of the triangles
    };
    Kind kind = Kind::Grid;
    double unit = 1.;              ///< length [m] of 1 in the file
    double youngModulus = 10'000;  ///< [Pa]
    double poissonRatio = 0.3;
    double density = 1'000;   ///< [kg/m³]
    double thickness = 1e-3;  ///< of a cloth [m]
    int cells = 8;            ///< of a grid along its longest side
    bool fixed = true;        ///< the points in a box are held; not for rigid bodies and obstacles
    Vec3 boxMin, boxMax;      ///< [m]
    bool collision = true;
    bool direct = false;  ///< direct solver instead of conjugate gradients
};

/// Whether such an object can be made of a mesh.
bool suits(const MeshFacts& mesh, MeshSimulation::Kind kind);

/// The node of the object, as scenes write it. `filename`: as it is written there.
std::string meshNode(const MeshFacts& mesh, const MeshSimulation& s, const std::string& filename);
/// What a scene with collisions needs besides, one component a line.
std::string collisionComponents(const MeshFacts& mesh, const MeshSimulation& s);
/// A whole scene.
std::string meshScene(const MeshFacts& mesh, const MeshSimulation& s, const std::string& filename);

}  // namespace sofa::modeler
