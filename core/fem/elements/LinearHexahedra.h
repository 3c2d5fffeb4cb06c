// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/fem/elements/CorotationalHexahedra.h"
#include "core/fem/elements/LinearElements.h"

namespace sofa::core {

/// LinearElements for hexahedra, with the methods `Frame` and `Identity`, which CorotationalHexahedra calls `Large` and
/// `Small`, evaluated by its packs: the same forces up to rounding. Other methods, and meshes with elements that are
/// numbered inside out, stay with LinearElements.
class LinearHexahedra
{
public:
    using Elements = LinearElements<HexahedronShape, 3>;
    static constexpr bool hasFrame = Elements::hasFrame;
    static constexpr bool canAverage = true;

    /// As LinearElements::build.
    void build(const Vector<Hexahedron>& elements, const Vector<Vec3>& rest, ElementRotation method,
               Dilatation dilatation = Dilatation::Pointwise)
    {
        m_elements.build(elements, rest, method, dilatation);
        m_packed =
            (method == ElementRotation::Frame || method == ElementRotation::Identity) && m_elements.nbInverted() == 0;
        if (!m_packed) return;
        m_packs.build(elements, rest, method == ElementRotation::Frame ? RotationMethod::Large : RotationMethod::Small,
                      false, CorotationalHexahedra::Jacobian::Exact, dilatation);
        m_elements = {};
    }
    void setMaterial(const std::function<LameParameters(Index)>& materialOf)
    {
        if (!m_packed) return m_elements.setMaterial(materialOf);
        m_packs.setMaterial([&](Index e) -> CorotationalHexahedra::Material { return {materialOf(e), 1.}; });
    }
    /// As CorotationalHexahedra::follow.
    bool follow(const Vector<Hexahedron>& elements, const Vector<Vec3>& rest, const ElementSource& source,
                const ElementSource& points, Vector<Index>& touched)
    {
        const auto isUpright = [&](Index e) {
            std::array<Vec3, 8> nodes;
            for (std::size_t i = 0; i < 8; ++i) nodes[i] = rest[elements[e][i]];
            return std::ranges::all_of(HexahedronShape::quadrature, [&](const auto& q) {
                return determinant(elementJacobian(nodes, HexahedronShape::gradients(q.at))) > 0.;
            });
        };
        return m_packed && std::ranges::all_of(touched, isUpright) &&
               m_packs.follow(elements, rest, source, points, touched);
    }
    void setMaterial(const Vector<Index>& elements, const std::function<LameParameters(Index)>& materialOf)
    {
        m_packs.setMaterial(elements, [&](Index e) -> CorotationalHexahedra::Material { return {materialOf(e), 1.}; });
    }

    Index size() const { return graph().size(); }
    const ElementGraph<8>& graph() const { return m_packed ? m_packs.graph() : m_elements.graph(); }

    void addForce(Vector<Vec3>& f, const Vector<Vec3>& x)
    {
        m_packed ? m_packs.addForce(f, x) : m_elements.addForce(f, x);
    }
    void addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const
    {
        m_packed ? m_packs.addStiffnessProduct(df, dx, factor) : m_elements.addStiffnessProduct(df, dx, factor);
    }
    void addStiffness(BlockSink& sink) const { m_packed ? m_packs.addStiffness(sink) : m_elements.addStiffness(sink); }
    bool hasBoxProducts() const { return m_packed && m_packs.hasBoxProducts(); }
    MatrixFreeOperator* matrixFreeOperator() const { return m_packed ? m_packs.matrixFreeOperator() : nullptr; }
    double energy(const Vector<Vec3>& x) const { return m_packed ? m_packs.energy(x) : m_elements.energy(x); }
    void energies(const Vector<Vec3>& x, Vector<double>& out) const
    {
        m_packed ? m_packs.energies(x, out) : m_elements.energies(x, out);
    }

    Index nbInverted() const { return m_packed ? 0 : m_elements.nbInverted(); }
    Mat3 rotation(Index e) const { return m_packed ? m_packs.rotation(e) : m_elements.rotation(e); }

private:
    bool m_packed = false;
    CorotationalHexahedra m_packs;
    Elements m_elements;
};

}  // namespace sofa::core
