// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/mapping/Embedding.h"
#include "components/mapping/EmbeddingMesh.h"
#include "core/behavior/Mapping.h"
#include "core/topology/TopologyChange.h"
#include "core/topology/TopologyView.h"

namespace sofa::component {

/// Points embedded in the elements of a mesh, which move with it.
///
/// At init each output point is located in (or near) an element of the input's topology; from then on
/// x_i = Σ_k w_ik X_k with constant weights, v_i = Σ_k w_ik V_k, F_k += Σ_i w_ik f_i. Which element and which weights:
/// see computeBarycentricWeights. The topology is `input_topology`, or the nearest one in the input's node or above.
///
/// With a file `interpolation` the weights are those of Vega: read from the file, or found by Vega's rule (embedPoints)
/// where it does not exist, and the displacements are interpolated, x_i = x_i(0) + Σ_k w_ik (X_k − X_k(0)). That is the
/// same where the weights reproduce the points; points whose weights are rounded keep their place at rest, and those
/// with weights of 0 stay where they are.
///
/// Elements and points of the mesh, and embedded points, may come and go: see followed().
class BarycentricMapping final : public Mapping<Vec3Types, Vec3Types>,
                                 public EmbeddingAttributes<TopologyView>,
                                 public TopologyFollower
{
public:
    using Base = Mapping<Vec3Types, Vec3Types>;

    Data<FileName> d_interpolation{
        this,
        {.name = "interpolation",
         .help = "Vega's file of interpolation weights (.interp, text or binary): if it exists, its weights are taken, "
                 "else they are found by Vega's rule. Empty: they are found by SOFA's rule"}};
    Data<bool> d_saveInterpolation{
        this,
        {.name = "saveInterpolation",
         .help = "Write weights that were found to the file `interpolation`, seen from the working directory"},
        false};

    BarycentricMapping();
    void init() override;
    void reinit() override;

    std::string refusal(const TopologyStep& step) const override;
    ElementLists elementLists() override;
    PointLists pointLists() override;
    void followTopology(const TopologyChange& change) override;
    void archive(Archive& a) override;

    const BarycentricWeights& weights() const { return d_embedding.value().weights; }
    /// Element of each point, as computeBarycentricWeights numbers them; InvalidIndex for those that are carried by
    /// vertices alone.
    const Vector<Index>& elements() const { return d_embedding.value().elements; }

    using Base::apply;
    void apply(Vector<Vec3>& out, const Vector<Vec3>& in) override;
    void applyJ(const MechanicalParams& mp, const MultiVecDerivId& out, const MultiVecDerivId& in) override;
    void applyJT(const MechanicalParams& mp, const MultiVecDerivId& in, const MultiVecDerivId& out) override;
    void buildJacobian(JacobianMatrix& j, const Vector<Vec3>& in) override;

protected:
    void appendLinks(Vector<Vec3>& ends) const override;

private:
    bool locate();
    /// Weights from the file, or by Vega's rule. Throws std::runtime_error.
    Embedding loadOrFind(const Vector<Vec3>& vertices, const Vector<Vec3>& points);
    void multiply(Vector<Vec3>& out, const Vector<Vec3>& in) const;
    const Vector<Vec3>& verticesAtRest() const;
    /// Remembers the mesh, to see at the next change what became of it.
    void rememberMesh();

    Data<Embedding> d_embedding{this,
                                {.name = "embedding",
                                 .help = "Where the points are: rows, vertices, weights, elements and offsets",
                                 .readOnly = true,
                                 .displayed = false,
                                 .saved = false}};
    Vector<Vec3> m_atRest;
    Vector<Index> m_parts;  ///< partsOf, where points of the mesh can go
};

}  // namespace sofa::component
