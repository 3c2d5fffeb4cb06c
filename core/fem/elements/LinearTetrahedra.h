// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/fem/elements/CorotationalTetrahedra.h"
#include "core/fem/elements/LinearElements.h"

namespace sofa::core {

/// LinearElements for tetrahedra, with the methods `Frame` and `Identity`, which CorotationalTetrahedra calls `Large`
/// and `Small`, evaluated by its packs: the same forces up to rounding, three times as fast.
class LinearTetrahedra
{
public:
    using Elements = LinearElements<TetrahedronShape, 3>;
    static constexpr bool hasFrame = Elements::hasFrame;
    static constexpr bool canAverage = true;

    /// As LinearElements::build.
    void build(const Vector<Tetrahedron>& elements, const Vector<Vec3>& rest, ElementRotation method,
               Dilatation dilatation = Dilatation::Pointwise)
    {
        m_packed = method == ElementRotation::Frame || method == ElementRotation::Identity;
        if (m_packed)
            m_packs.build(elements, rest,
                          method == ElementRotation::Frame ? RotationMethod::Large : RotationMethod::Small, false,
                          dilatation);
        else
            m_elements.build(elements, rest, method, dilatation);
    }
    void setMaterial(const std::function<LameParameters(Index)>& materialOf)
    {
        if (!m_packed) return m_elements.setMaterial(materialOf);
        for (Index e = 0; e < m_packs.size(); ++e) m_packs.setMaterial(e, materialOf(e));
    }

    Index size() const { return graph().size(); }
    const ElementGraph<4>& graph() const { return m_packed ? m_packs.graph() : m_elements.graph(); }

    void addForce(Vector<Vec3>& f, const Vector<Vec3>& x)
    {
        m_packed ? m_packs.addForce(f, x) : m_elements.addForce(f, x);
    }
    void addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const
    {
        m_packed ? m_packs.addStiffnessProduct(df, dx, factor) : m_elements.addStiffnessProduct(df, dx, factor);
    }
    void addStiffness(BlockSink& sink) const { m_packed ? m_packs.addStiffness(sink) : m_elements.addStiffness(sink); }
    double energy(const Vector<Vec3>& x) const { return m_packed ? m_packs.energy(x) : m_elements.energy(x); }

    Index nbInverted() const { return m_packed ? m_packs.nbInverted() : m_elements.nbInverted(); }
    Mat3 rotation(Index e) const { return m_packed ? m_packs.rotation(e) : m_elements.rotation(e); }

private:
    bool m_packed = false;
    CorotationalTetrahedra m_packs;
    Elements m_elements;
};

}  // namespace sofa::core
