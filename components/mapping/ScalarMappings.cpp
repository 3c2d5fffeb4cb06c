// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/ScalarMappings.h"

#include <algorithm>

#include "core/factory/Registry.h"

namespace sofa::component {

template <class In, class Out>
void SquareMapping<In, Out>::init()
{
    if (!this->findStates()) return;
    this->output().resize(this->input().size());
    Base::init();
}

template <class In, class Out>
void SquareMapping<In, Out>::apply(OutVecCoord& out, const InVecCoord& in)
{
    for (std::size_t i = 0; i < out.size(); ++i) out[i][0] = in[i][0] * in[i][0];
}

template <class In, class Out>
void SquareMapping<In, Out>::buildJacobian(JacobianMatrix& j, const InVecCoord& in)
{
    j.clear();
    for (Index i = 0; i < in.size(); ++i) {
        j.appendRow();
        Mat<1, 1> slope;
        slope[0][0] = 2. * in[i][0];
        j.append(i, slope);
    }
}

template <class In, class Out>
void SquareMapping<In, Out>::buildGeometricStiffness(BlockSink& k, const OutVecDeriv& f, const InVecCoord&)
{
    for (Index i = 0; i < f.size(); ++i) {
        Mat<1, 1> block;
        block[0][0] = 2. * f[i][0];
        if (d_geometricStiffness.isStabilized()) block[0][0] = std::min(block[0][0], 0.);
        k.add(i, i, block);
    }
}

template <class In, class Out>
void DistanceToPlaneMapping<In, Out>::init()
{
    if (!this->findStates()) return;
    const double length = norm(d_planeNormal.value());
    if (!(length > 0.)) return this->fail("planeNormal is zero; expected a direction");
    for (std::size_t k = 0; k < In::spatialDimensions; ++k) {
        m_normal[k] = d_planeNormal.value()[k] / length;
        m_point[k] = d_planePoint.value()[k];
    }
    this->output().resize(this->input().size());
    this->invalidateJacobian();
    Base::init();
}

template <class In, class Out>
void DistanceToPlaneMapping<In, Out>::apply(OutVecCoord& out, const InVecCoord& in)
{
    for (std::size_t i = 0; i < out.size(); ++i) out[i][0] = dot(m_normal, In::position(in[i]) - m_point);
}

template <class In, class Out>
void DistanceToPlaneMapping<In, Out>::buildJacobian(JacobianMatrix& j, const InVecCoord& in)
{
    Mat<1, In::derivSize> block;
    for (std::size_t k = 0; k < In::spatialDimensions; ++k) block[0][k] = m_normal[k];
    j.clear();
    for (Index i = 0; i < in.size(); ++i) {
        j.appendRow();
        j.append(i, block);
    }
}

static const RegisterComponent registeredSquareMapping =
    RegisterComponent("SquareMapping", "Mapping", "Sofa.Component.Mapping.NonLinear")
        .help("Squares of numbers")
        .example("component/mapping/SquareMapping.scn")
        .add<SquareMapping, Types<Vec1Types, Vec1Types>>();
static const RegisterComponent registeredDistanceToPlaneMapping =
    RegisterComponent("DistanceToPlaneMapping", "Mapping", "Sofa.Component.Mapping.Linear")
        .help("Heights of points above a plane")
        .example("component/mapping/DistanceToPlaneMapping.scn")
        .add<DistanceToPlaneMapping, Types<Vec3Types, Vec1Types>, Types<Vec2Types, Vec1Types>,
             Types<Vec6Types, Vec1Types>, Types<Rigid3Types, Vec1Types>, Types<Rigid2Types, Vec1Types>>();

}  // namespace sofa::component
