// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/fem/assembly/ElementGraph.h"
#include "core/fem/assembly/PatchCoupling.h"
#include "core/fem/materials/LinearElasticity.h"
#include "core/mesh/Elements.h"

namespace sofa::core {

/// The volumetric part of linear elasticity on tetrahedra, rotated or not, with the dilatation of each node: the mean
/// over the tetrahedra around it. The tetrahedra keep the rest of their energy, μ |dev ε|²: the material deviatoric().
///
///     θ_e = Σ_k c_k·(x_k − x₀) − 3,   c_k = R ∇N_k                 dilatation of a tetrahedron [1]
///     θ_a = Σ_e∋a V_e θ_e / Σ_e∋a V_e                              of a node
///     E   = ½ Σ_a κ_a V_a θ_a²,   V_a = ¼ Σ_e∋a V_e,   f_k = −Σ_e V_e (¼ Σ_a∈e κ_a θ_a) c_k
///
/// with the bulk modulus κ = λ + ⅔ μ, of a node the mean over its volume (Bonet and Burton, "A simple average nodal
/// pressure tetrahedral element for incompressible and nearly incompressible dynamic explicit applications", 1998;
/// Joldes, Wittek and Miller, "Non-locking tetrahedral finite element for surgical simulation", 2009). There is one
/// constraint of volume for each node with its three unknowns, instead of five or six: no locking. A homogeneous strain
/// is exact. The change of R is neglected in the stiffness, as in that of the elements.
class NodalDilatation
{
public:
    /// Gradients c₁ c₂ c₃ of an element in the axes of the mesh at the state of the forces; c₀ is minus their sum.
    using Gradients = std::array<Vec3, 3>;
    /// The elements at the state of the forces.
    struct Tetrahedra
    {
        const ElementGraph<4>& graph;
        FunctionRef<Gradients(Index)> gradients;
    };

    /// Forgets the elements: the next ones have another graph.
    void clear() { m_couplingReady = false; }
    /// Takes rest volumes [m³] and bulk moduli [Pa] of the elements.
    void setElements(const ElementGraph<4>& graph, Vector<double> volumes, const Vector<double>& bulkModuli);

    /// f += forces at x, where the elements have these gradients.
    void addForce(Vector<Vec3>& f, const Vector<Vec3>& x, const Tetrahedra& elements) const;
    /// df −= factor K dx.
    void addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor, const Tetrahedra& elements) const;
    /// Adds the blocks of −K.
    void addStiffness(BlockSink& sink, const Tetrahedra& elements) const;
    /// E [J].
    double energy(const Vector<Vec3>& x, const Tetrahedra& elements) const;
    /// Adds to every element its part of E [J]: the elements around a node share its energy by their volumes.
    void addEnergies(Vector<double>& energies, const Vector<Vec3>& x, const Tetrahedra& elements) const;
    /// Adds to the stress of every element the mean pressure of its nodes [Pa].
    void addStresses(Vector<Mat3>& stresses, const Vector<Vec3>& x, const Tetrahedra& elements) const;

private:
    /// Sets the pressure of the nodes, κ_a times the mean of Σ_k c_k·(x_k − x₀) − offset.
    void findPressures(const Vector<Vec3>& x, double offset, const Tetrahedra& elements) const;
    double meanPressure(const Tetrahedron& t) const
    {
        double sum = 0.;
        for (const Index v : t) sum += 0.25 * m_pressure[v];
        return sum;
    }
    /// f −= factor V_e p_e c_k.
    void addPressures(Vector<Vec3>& f, double factor, const Tetrahedra& elements) const;

    Vector<double> m_volume;                  ///< of elements
    Vector<double> m_nodeVolume, m_nodeBulk;  ///< V_a, κ_a
    mutable Vector<double> m_dilatation;      ///< of elements
    mutable Vector<double> m_pressure;        ///< of nodes
    mutable PatchCoupling m_coupling;         ///< of the tetrahedra around each node
    mutable bool m_couplingReady = false;
};

/// The vertices of the elements around each point of a graph as patches, in increasing order; a point without elements
/// has an empty one.
template <std::size_t N>
void buildStars(PatchCoupling& coupling, const ElementGraph<N>& graph)
{
    Vector<std::size_t> start{0};
    Vector<Index> vertices;
    for (Index v = 0; v < graph.nbPoints(); ++v) {
        const auto first = static_cast<std::ptrdiff_t>(vertices.size());
        graph.forEachAround(v, [&](Index e) {
            vertices.insert(vertices.end(), graph.elements()[e].begin(), graph.elements()[e].end());
        });
        std::sort(vertices.begin() + first, vertices.end());
        vertices.erase(std::unique(vertices.begin() + first, vertices.end()), vertices.end());
        start.push_back(vertices.size());
    }
    coupling.build(std::move(start), std::move(vertices), graph.nbPoints());
}

}  // namespace sofa::core
