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

    /// A box along the axes of space, such as that of a grid, has points instead: `min`, `max`, and `p0` if it is
    /// given. The placement takes the unit cube to the box.
    struct Point
    {
        std::string name;  ///< of the attribute, as the element spells it
        Vec3 place;        ///< [m]
    };
    std::vector<Point> points;
    bool isBox() const { return !points.empty(); }
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

/// What moves an element of a document: a component that has translation, rotation and scale3d, or a box between `min`
/// and `max`; of a node all that put points into it, but those that follow others (by links or mappings), and boxes if
/// there are no others; for all other components the node that moves them. With `turns`, boxes do not count: they stay
/// along the axes.
PlacedElements placedBy(const Document& document, XmlId element, bool turns = false);
/// Writes where a motion takes an element: those of its attributes that change. What it turns must not be a box.
void writeMotion(SceneText& text, const PlacedElement& element, const Motion& motion);

}  // namespace sofa::modeler
