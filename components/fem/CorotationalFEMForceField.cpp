// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/CorotationalFEMForceField.h"

#include "core/factory/Registry.h"

namespace sofa::component {

namespace {

/// Names as scenes write them, in the order of ElementRotation; the frame of edges is the default where there is one.
template <class Mechanics>
Options rotationMethods(ElementType type)
{
    std::vector<std::string> names{"stable_polar", "polar", "identity"};
    if (!Mechanics::hasFrame) return {std::move(names), 0};
    names.emplace_back(type == ElementType::Hexahedra ? "hexahedron" : "triangle");
    return {std::move(names), 3};
}

}  // namespace

template <class DataTypes, class Shape>
CorotationalFEMForceField<DataTypes, Shape>::CorotationalFEMForceField()
    : d_rotationMethod(
          this,
          {.name = "rotationMethod",
           .help = "Rotation of the elements: stable_polar (the nearest rotation), polar (the orthogonal polar factor: "
                   "a reflection where an element is inverted), identity (none, for small displacements), triangle "
                   "(triangles and tetrahedra in space: frame of the first two edges; their default), hexahedron "
                   "(hexahedra: frame of the first two mean edges; their default)"},
          rotationMethods<typename CorotationalFEMForceField::Mechanics>(Shape::type))
{
}

template <class DataTypes, class Shape>
ElementRotation CorotationalFEMForceField<DataTypes, Shape>::rotationMethod() const
{
    return static_cast<ElementRotation>(d_rotationMethod.value().index());
}

template <class DataTypes, class Shape>
void CorotationalFEMForceField<DataTypes, Shape>::nodeRotations(Vector<Mat3>& rotations) const
{
    this->averageRotations(this->mechanics().graph(), rotations, [this](Index e) {
        Mat3 r = Mat3::identity();
        r.setBlock(0, 0, this->mechanics().rotation(e));
        return r;
    });
}

#define SOFA_INSTANTIATE(S, D) template class CorotationalFEMForceField<VecTypes<D>, S>;
SOFA_COROTATIONAL_ELEMENTS(SOFA_INSTANTIATE)
#undef SOFA_INSTANTIATE

static RegisterComponent describe()
{
    auto r = RegisterComponent("CorotationalFEMForceField", "ForceField", "Sofa.Component.SolidMechanics.FEM.Elastic");
    r.help(
         "Linear elasticity (Hooke's law) in axes that turn with each element, on edges, triangles, quads, "
         "tetrahedra, hexahedra, prisms or pyramids")
        .example("component/fem/CorotationalFEMForceField.scn");
#define SOFA_REGISTER(S, D) r.add<CorotationalFEMForceField, Types<VecTypes<D>, S>>();
    SOFA_COROTATIONAL_ELEMENTS(SOFA_REGISTER)
#undef SOFA_REGISTER
    return r;
}

static const RegisterComponent registeredCorotationalFEMForceField = describe();

}  // namespace sofa::component
