// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"
#include "core/mesh/FarthestPoints.h"

namespace sofa::component {

namespace {

/// Spreads samples over the points of a mesh (FarthestPoints, FarthestPoints::relax).
class MeshSampler final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Index> d_number{this, input("number", "Number of samples; at most as many as there are different points"), 1};
    Input<Vector<Vec3>> d_position{this, input("position", "Points", "m")};
    Input<Vector<Edge>> d_edges{this, input("edges", "Edges along which distances are measured; none: straight ones")};
    Input<Index> d_maxIter{this, input("maxIter", "Largest number of relaxations"), 100};
    Output<Vector<Index>> d_outputIndices{this, output("outputIndices", "The samples")};
    Output<Vector<Vec3>> d_outputPosition{this, output("outputPosition", "Their positions", "m")};

protected:
    void doUpdate() override
    {
        const Vector<Vec3>& x = d_position.value();
        requireVertices(d_edges, x.size());
        FarthestPoints samples(x, d_edges.value());
        while (samples.size() < d_number.value() && samples.addFarthest()) {
        }
        for (Index k = 0; k < d_maxIter.value() && samples.relax(); ++k) {
        }
        Vector<Vec3> points;
        for (const Index i : samples.points()) points.push_back(x[i]);
        d_outputIndices.setValue(samples.points());
        d_outputPosition.setValue(std::move(points));
    }
};

const RegisterComponent registeredMeshSampler =
    RegisterComponent("MeshSampler", "Engine", "Sofa.Component.Engine.Select")
        .help("Spreads samples over the points of a mesh")
        .example("component/engine/MeshSampler.scn")
        .add<MeshSampler>();

}  // namespace

}  // namespace sofa::component
