// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/mapping/BlobSurface.h"
#include "core/behavior/Mapping.h"
#include "core/topology/TopologyChange.h"
#include "core/visual/SurfaceMaker.h"

namespace sofa::component {

/// Shows points as one body: its output, a visual model, becomes the surface on which a sum of blobs around the points
/// has a value (BlobSurface). It has other points and triangles at each step, so that nothing can act on it: the
/// mapping is for looking only, and has no Jacobian.
template <class In, class Out>
class ImplicitSurfaceMapping final : public Mapping<In, Out>, public SurfaceMaker, public TopologyFollower
{
public:
    using Base = Mapping<In, Out>;
    using typename Base::InVecCoord;
    using typename Base::JacobianMatrix;
    using typename Base::OutVecCoord;

    Data<double> d_step{this,
                        {.name = "step",
                         .help = "Edge of the cubes that the surface is made in",
                         .unit = "m",
                         .range = Range::positive()},
                        0.5};
    Data<double> d_radius{
        this, {.name = "radius", .help = "How far each point reaches", .unit = "m", .range = Range::positive()}, 2.};
    Data<double> d_isoValue{this,
                            {.name = "isoValue",
                             .help = "Value on the surface, of a sum of blobs: each is 1 at its point, 0 at its radius",
                             .unit = "1",
                             .range = Range::positive()},
                            0.5};
    Data<Vec3> d_min{this,
                     {.name = "min", .help = "Lower corner of the box in which points count", .unit = "m"},
                     Vec3::filled(-100.)};
    Data<Vec3> d_max{this,
                     {.name = "max", .help = "Upper corner of the box in which points count", .unit = "m"},
                     Vec3::filled(100.)};
    Data<Vector<Triangle>> d_triangles{
        this,
        {.name = "triangles", .help = "Triangles of the surface; it computes them", .readOnly = true, .saved = false}};

    ImplicitSurfaceMapping();
    void setDeclared(std::string_view name, std::string_view text) override;
    void init() override;
    PointLists pointLists() override { return noLists(); }
    void followTopology(const TopologyChange& change) override;
    bool isLinear() const override { return false; }
    bool hasGeometricStiffness() const override { return false; }
    void apply(const MechanicalParams& mp, const MultiVecCoordId& out, const MultiVecCoordId& in) override;
    void applyJ(const MechanicalParams&, const MultiVecDerivId&, const MultiVecDerivId&) override {}
    void applyJT(const MechanicalParams&, const MultiVecDerivId&, const MultiVecDerivId&) override {}
    const BaseJacobian* jacobian(std::size_t, std::size_t) const override { return nullptr; }
    void apply(OutVecCoord& out, const InVecCoord& in) override;
    void buildJacobian(JacobianMatrix& j, const InVecCoord&) override { j.clear(); }
    /// The box (flag Mappings).
    void draw(DrawTool& tool) override;

private:
    BlobSurface m_surface;
};

}  // namespace sofa::component
