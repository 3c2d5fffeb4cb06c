// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/spring/SpringForceField.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Springs between every two vertices of the elements of a mesh.
///
/// Lines, triangles, quads, tetrahedra and hexahedra (in this order) each have a stiffness and a damping; a kind with
/// both zero gives no springs. All pairs of an element's vertices are joined, once: the first kind that joins a pair
/// decides. The given stiffness k and damping d are those of a spring of unit length: a spring of rest length L has
///     kₛ = k / L,    k_d = d / L
/// (k, d themselves where L vanishes), as a rod of stiffness EA = k would. Rest lengths are those of the rest
/// positions. The attributes "stiffness" and "damping" set all kinds.
template <class DataTypes>
class MeshSpringForceField : public SpringForceField<DataTypes>
{
public:
    using Base = SpringForceField<DataTypes>;

    core::Data<double> d_linesStiffness{
        this,
        {.name = "linesStiffness", .help = "Stiffness of the lines' springs per unit of 1/length", .unit = "N"},
        0.};
    core::Data<double> d_linesDamping{
        this,
        {.name = "linesDamping", .help = "Damping of the lines' springs per unit of 1/length", .unit = "N s"},
        0.};
    core::Data<double> d_trianglesStiffness{
        this,
        {.name = "trianglesStiffness", .help = "Stiffness of the triangles' springs per unit of 1/length", .unit = "N"},
        0.};
    core::Data<double> d_trianglesDamping{
        this,
        {.name = "trianglesDamping", .help = "Damping of the triangles' springs per unit of 1/length", .unit = "N s"},
        0.};
    core::Data<double> d_quadsStiffness{
        this,
        {.name = "quadsStiffness", .help = "Stiffness of the quads' springs per unit of 1/length", .unit = "N"},
        0.};
    core::Data<double> d_quadsDamping{
        this,
        {.name = "quadsDamping", .help = "Damping of the quads' springs per unit of 1/length", .unit = "N s"},
        0.};
    core::Data<double> d_tetrahedraStiffness{this,
                                             {.name = "tetrahedraStiffness",
                                              .help = "Stiffness of the tetrahedra's springs per unit of 1/length",
                                              .unit = "N"},
                                             0.};
    core::Data<double> d_tetrahedraDamping{this,
                                           {.name = "tetrahedraDamping",
                                            .help = "Damping of the tetrahedra's springs per unit of 1/length",
                                            .unit = "N s"},
                                           0.};
    core::Data<double> d_cubesStiffness{
        this,
        {.name = "cubesStiffness", .help = "Stiffness of the hexahedra's springs per unit of 1/length", .unit = "N"},
        0.};
    core::Data<double> d_cubesDamping{
        this,
        {.name = "cubesDamping", .help = "Damping of the hexahedra's springs per unit of 1/length", .unit = "N s"},
        0.};
    core::Data<bool> d_noCompression{
        this,
        {.name = "noCompression", .help = "The springs pull when they are longer than at rest but never push"},
        false};
    core::Data<double> d_drawMinElongationRange{this,
                                                {.name = "drawMinElongationRange",
                                                 .help = "Relative elongation below which springs are shown as neutral",
                                                 .unit = "1",
                                                 .group = "Visualization"},
                                                8.};
    core::Data<double> d_drawMaxElongationRange{this,
                                                {.name = "drawMaxElongationRange",
                                                 .help = "Relative elongation shown with the full color",
                                                 .unit = "1",
                                                 .group = "Visualization"},
                                                15.};
    core::Data<double> d_drawSpringSize{this,
                                        {.name = "drawSpringSize",
                                         .help = "Width of the lines that show springs",
                                         .unit = "px",
                                         .group = "Visualization"},
                                        8.};
    core::Data<std::array<core::Index, 2>> d_localRange{
        this,
        {.name = "localRange",
         .help = "First and last point: springs outside of this range are left out; -1: no limit"},
        {core::InvalidIndex, core::InvalidIndex}};
    core::Link<core::BaseMeshTopology> l_topology{this, {"topology", "Mesh; default: that of the node or above"}};

    MeshSpringForceField();

    /// "stiffness" and "damping" set every kind. As in SOFA attributes count in alphabetical order, so that
    /// cubesStiffness, linesStiffness and quadsStiffness yield to "stiffness", and the others win over it.
    void parse(core::ComponentDescription& desc) override;
    /// Builds the springs.
    void init() override;
    core::TopologyFollower::PointLists pointLists() override;
    /// Springs around elements that came or went are made anew.
    void followTopology(const core::TopologyChange& change) override;
    /// The springs: blue, towards red the longer and towards green the shorter they are than at rest.
    void draw(core::DrawTool& tool) override;

private:
    core::DataTracker m_parameters;
    struct Builder;
    /// Throws std::runtime_error if the mesh has a point that the state lacks.
    core::Vector<LinearSpring> springsOfMesh() const;
    /// Those that end at one of these points, which are in increasing order.
    core::Vector<LinearSpring> springsAt(const core::Vector<core::Index>& points) const;
    /// Calls add(type, elements, stiffness, damping) for the elements of each kind that have springs.
    template <class Add>
    void forEachKind(Add&& add) const;
};

}  // namespace sofa::component
