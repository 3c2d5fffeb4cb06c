// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/TensorMassForceField.h"
#include "core/fem/materials/LinearElasticity.h"

namespace sofa::component {

/// Linear elasticity of a surface of triangles for small displacements, with a constant tensor for each edge (Cotin,
/// Delingette and Ayache, "A hybrid elastic model for real-time cutting, deformations, and force feedback", The Visual
/// Computer 16(7), 2000, section 3, with the shape functions of triangles):
///
///     f = −K (x − X),   K_ij = A (λ a_i a_jᵀ + μ a_j a_iᵀ + μ (a_i·a_j) (1 − n nᵀ) + (λ + 2μ) (a_i·a_j) n nᵀ) [N] λ =
///     Y ν/(1 − ν²),   μ = Y/(2 (1 + ν))          (Y per thickness: Young's modulus times thickness, N/m)
///
/// with the gradients a of the shape functions, the unit normal n and the area A of each triangle at rest. In its plane
/// this is plane stress. Across it, the last term holds points as a tension λ + 2μ of the surface would: a membrane
/// without tension has no such stiffness to first order, and its points would have no force across it. As in SOFA, it
/// is there so that the model is stable alone; sheets that bend or turn need TriangularFEMForceField. A rotation of the
/// body is taken for a strain, also one in the plane.
///
/// Unlike SOFA's: the potential energy ½ (x − X)ᵀ K (x − X) is computed, a triangle without area is an error, and each
/// may have its own material.
class TriangularTensorMassForceField final : public TensorMassForceField<>, public ElementResults
{
public:
    Data<Vector<double>> d_poissonRatio{this,
                                        {.name = "poissonRatio",
                                         .help = "Poisson's ratio ν: one value, or one per triangle",
                                         .unit = "1",
                                         .range = Range::open(-1., 1.)},
                                        {0.3}};
    Data<Vector<double>> d_youngModulus{this,
                                        {.name = "youngModulus",
                                         .help = "Young's modulus times thickness: one value, or one per triangle",
                                         .unit = "N/m",
                                         .range = Range::nonNegative()},
                                        {1000.}};

    TriangularTensorMassForceField();

    /// The triangles (flag ForceFields).
    void draw(DrawTool& tool) override;

    BaseState* resultState() const override { return l_state.get(); }
    ElementNumbering resultElements() const override { return elementNumbering(); }
    /// Plane stress of the stretches of the triangles, whatever turns them [N/m].
    void stresses(const Shape& shape, Vector<Mat3>& out) const override;
    void elementEnergies(Vector<double>& out) const override;
    std::vector<Parameter> materialParameters() override { return elementParameters(); }

protected:
    ElementNumbering elementNumbering() const override { return {l_topology.get(), {ElementType::Triangles}}; }
    std::vector<ElementData> elementValues() override { return {{&d_youngModulus}, {&d_poissonRatio}}; }
    void prepare() override;
    bool hasPreparedElements() const override { return topology().triangles() == m_triangles; }

private:
    LameParameters materialOf(Index e) const;
    /// K_ij of triangle e.
    Mat3 block(Index e, std::size_t i, std::size_t j) const;

    struct RestShape
    {
        std::array<Vec3, 3> gradients;  ///< a [1/m]
        Vec3 normal;                    ///< n
        LameParameters material;        ///< times the area [N m]
    };
    Vector<Triangle> m_triangles;
    Vector<RestShape> m_shapes;
};

}  // namespace sofa::component
