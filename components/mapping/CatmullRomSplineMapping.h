// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/Mapping.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::component {

using namespace sofa::core;

/// Smooth curves through the points of a mesh of edges (Catmull, Rom, "A class of local interpolating splines", 1974).
///
/// Each edge becomes n = 2^SplittingLevel pieces. The first points of the output are those of the input; those of edge
/// e, from a to b, follow, at t = 1/n ... (n − 1)/n:
///
///     x(t) = ½ (−t³ + 2t² − t) x_a⁻ + ½ (3t³ − 5t² + 2) x_a + ½ (−3t³ + 4t² + t) x_b + ½ (t³ − t²) x_b⁺
///
/// a⁻ and b⁺ are the points before a and behind b: of their other neighbours the first one, or a and b themselves where
/// the curve ends. The pieces become the edges of a topology in the output's node, if there is one.
template <class In, class Out>
class CatmullRomSplineMapping final : public Mapping<In, Out>
{
public:
    using Base = Mapping<In, Out>;
    using typename Base::InVecCoord;
    using typename Base::JacobianMatrix;
    using typename Base::OutVecCoord;

    Data<Index> d_splittingLevel{
        this,
        {.name = "SplittingLevel", .help = "How often each edge is halved: it becomes 2^SplittingLevel pieces"},
        0};
    Link<BaseMeshTopology> l_topology{this, {"topology", "Edges of the curves; default: those of the input"}};

    void init() override;
    using Base::apply;
    void apply(OutVecCoord& out, const InVecCoord& in) override;
    void buildJacobian(JacobianMatrix& j, const InVecCoord& in) override;

protected:
    void appendLinks(Vector<Vec3>& ends) const override;

private:
    static constexpr Index s_maxLevel = 16;
    void split();
    void fillTopology();

    struct Point
    {
        std::array<Index, 4> from;
        std::array<double, 4> weight;
    };
    Vector<Point> m_points;
    Index m_inputs = 0;  ///< points of the input
};

}  // namespace sofa::component
