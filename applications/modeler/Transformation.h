// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <string>
#include <vector>

#include "applications/modeler/Document.h"
#include "core/math/DataTypes.h"

namespace sofa::modeler {

/// Where a component puts its points at the beginning: x ← T₂ R₂ T R S x. S, R and T are its attributes `scale3d`,
/// `rotation` and `translation`; those of a state that has `rotation2` and `translation2` come behind.
struct Placement
{
    Vec3 translation;  ///< [m]
    Vec3 rotation;     ///< Euler angles about x, then y, then z [deg]: R = Rz Ry Rx
    Vec3 scale{1., 1., 1.};
    Vec3 translation2;  ///< [m]
    Quat rotation2;

    /// T₂ R₂ T R S x [m].
    Vec3 apply(const Vec3& x) const;
    /// The directions, in space, along which it scales: R₂ R.
    Quat axes() const;
};

/// A motion about a point of space: points are scaled along `axes`, turned, and shifted.
struct Motion
{
    Vec3 pivot;  ///< [m]
    Vec3 shift;  ///< [m]
    Quat turn;
    Vec3 scale{1., 1., 1.};
    Quat axes;

    Vec3 apply(const Vec3& x) const;
    /// Whether it scales as much along each axis.
    bool isUniform() const { return scale[0] == scale[1] && scale[1] == scale[2]; }
};

/// The placement that takes points where the motion takes them. A scale that is not uniform must be along the axes of
/// the placement.
Placement moved(const Placement& p, const Motion& motion);
/// Euler angles [deg] about x, then y, then z; of the many, those nearest to some [deg].
Vec3 eulerAngles(const Quat& q, const Vec3& near);

/// An element that places points, and where.
struct PlacedElement
{
    XmlId element = 0;
    std::string path;  ///< of the component in the scene
    Placement placement;
    std::string names[3];                  ///< of translation, rotation and scale, as the element spells them
    std::vector<std::string> replaced[3];  ///< attributes that mean a part of them: "dx", "rx", "sx"
};

/// The elements that are to be moved to move one.
struct PlacedElements
{
    Q_DECLARE_TR_FUNCTIONS(PlacedElements)

public:
    std::vector<PlacedElement> elements;
    QString name;    ///< path of what is moved
    QString reason;  ///< why nothing can be moved; empty if something can
    /// Whether all of them scale along the same directions.
    bool sameAxes() const;
};

/// What moves an element of a document: a component that has translation, rotation and scale3d; of a node all that put
/// points into it, but those that follow others (by links or mappings); for all other components the node that moves
/// them.
PlacedElements placedBy(const Document& document, XmlId element);
/// Writes where an element is to be: those of its attributes that change.
void writePlacement(SceneText& text, const PlacedElement& element, const Placement& now);

}  // namespace sofa::modeler
