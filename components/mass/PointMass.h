// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/MatrixAccumulator.h"
#include "core/math/DataTypes.h"
#include "core/objectmodel/Component.h"
#include "core/objectmodel/TypeName.h"

namespace sofa::component {

/// Mass of a rigid body in space, its inertia matrices in the axes of its frame.
/// Text: "mass volume [Ixx Ixy Ixz,Iyx Iyy Iyz,Izx Izy Izz]", or the eleven numbers alone; what is left out keeps its
/// default, volume 1 and the identity.
struct RigidMass3
{
    double mass = 1.;                             ///< [kg]
    double volume = 1.;                           ///< [m³]; informative
    core::Mat3 inertia = core::Mat3::identity();  ///< per unit of mass [m²]
    core::Mat3 inertiaMass = inertia;             ///< mass · inertia [kg m²]
    core::Mat3 inverseInertiaMass = inertia;      ///< its inverse; not finite if the inertia is singular

    /// Recomputes what follows from mass and inertia.
    void update()
    {
        inertiaMass = inertia * mass;
        inverseInertiaMass = core::inverse(inertiaMass);
    }
    friend bool operator==(const RigidMass3&, const RigidMass3&) = default;
};

/// Mass of a rigid body in the plane. Text: "mass volume inertia".
struct RigidMass2
{
    double mass = 1.;     ///< [kg]
    double volume = 1.;   ///< area [m²]; informative
    double inertia = 1.;  ///< per unit of mass [m²]
    double inertiaMass = 1.;
    double inverseInertiaMass = 1.;

    void update()
    {
        inertiaMass = inertia * mass;
        inverseInertiaMass = 1. / inertiaMass;
    }
    friend bool operator==(const RigidMass2&, const RigidMass2&) = default;
};

bool readValue(core::TextCursor& c, RigidMass3& m);
bool readValue(core::TextCursor& c, RigidMass2& m);
void writeValue(std::string& out, const RigidMass3& m);
void writeValue(std::string& out, const RigidMass2& m);

/// R A Rᵀ, exactly symmetric.
inline core::Mat3 turned(const core::Mat3& a, const core::Mat3& rotation)
{
    core::Mat3 b = rotation * a * rotation.transposed();
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < i; ++j) b[i][j] = b[j][i];
    return b;
}

/// Refuses a mass [kg] or density that is negative, and zero, which only lenient scenes may have. `what` says which it
/// is, with its value.
bool acceptMass(core::Component& owner, double mass, const std::string& what);

/// The mass of one point of a state, and what masses do to derivatives: a number for Vec<N>.
template <class DataTypes>
struct PointMass
{
    using Type = double;
    using Deriv = typename DataTypes::Deriv;
    using Block = core::Mat<DataTypes::derivSize, DataTypes::derivSize>;
    static constexpr std::size_t numbers = 1;  ///< of the full text form

    static double scalar(Type m) { return m; }
    static void setScalar(Type& m, double s) { m = s; }
    static Type scaled(Type m, double factor) { return m * factor; }
    static Deriv times(Type m, const Deriv& d) { return d * m; }
    static Deriv inverseTimes(Type m, const Deriv& f) { return f / m; }
    static Block block(Type m) { return Block::diagonal(Deriv::filled(m)); }
    /// Adds it to the diagonal of point i.
    static void addTo(core::BlockSink& sink, core::Index i, Type m) { sink.addIdentity(i, i, m, DataTypes::derivSize); }
    /// Whether an acceleration follows from every force.
    static bool isInvertible(Type m) { return m > 0.; }
    /// Whether it depends on the orientation of the body.
    static bool turns(Type) { return false; }
    /// The mass in world axes of a body at x.
    static Type turned(Type m, const typename DataTypes::Coord&) { return m; }
};

/// What the masses of rigid bodies have in common.
template <class Mass>
struct RigidPointMass
{
    using Type = Mass;
    static double scalar(const Type& m) { return m.mass; }
    static void setScalar(Type& m, double s)
    {
        m.mass = s;
        m.update();
    }
};

template <>
struct PointMass<core::Rigid3Types> : RigidPointMass<RigidMass3>
{
    using Deriv = core::Vec6;
    using Block = core::Mat6;
    static constexpr std::size_t numbers = 11;

    static Type scaled(Type m, double factor)
    {
        m.mass *= factor;
        m.inertiaMass *= factor;
        m.inverseInertiaMass *= 1. / factor;
        return m;
    }
    static Deriv times(const Type& m, const Deriv& d)
    {
        using D = core::Rigid3Types;
        return D::makeDeriv(D::linear(d) * m.mass, m.inertiaMass * D::angular(d));
    }
    static Deriv inverseTimes(const Type& m, const Deriv& f)
    {
        using D = core::Rigid3Types;
        return D::makeDeriv(D::linear(f) / m.mass, m.inverseInertiaMass * D::angular(f));
    }
    static Block block(const Type& m)
    {
        Block b;
        for (std::size_t i = 0; i < 3; ++i) b[i][i] = m.mass;
        b.setBlock(3, 3, m.inertiaMass);
        return b;
    }
    static void addTo(core::BlockSink& sink, core::Index i, const Type& m) { sink.add(i, i, block(m)); }
    static bool isInvertible(const Type& m)
    {
        const core::Mat3& a = m.inertia;  // Sylvester's criterion
        return m.mass > 0. && a[0][0] > 0. && a[0][0] * a[1][1] - a[0][1] * a[1][0] > 0. && core::determinant(a) > 0.;
    }
    /// What no body has: an inertia that is not symmetric, or a principal moment above the sum of the others. Empty if
    /// there is nothing of the kind.
    static std::string doubt(const Type& m);
    static bool turns(const Type& m)
    {
        const core::Mat3& a = m.inertia;
        return a != core::Mat3::identity() * a[0][0];
    }
    static Type turned(Type m, const core::RigidCoord3& x)
    {
        if (!turns(m)) return m;
        const core::Mat3 r = x.orientation.toMatrix();
        m.inertiaMass = component::turned(m.inertiaMass, r);
        m.inverseInertiaMass = component::turned(m.inverseInertiaMass, r);
        return m;
    }
};

template <>
struct PointMass<core::Rigid2Types> : RigidPointMass<RigidMass2>
{
    using Deriv = core::Vec3;
    using Block = core::Mat3;
    static constexpr std::size_t numbers = 3;

    static Type scaled(Type m, double factor)
    {
        m.mass *= factor;
        m.inertiaMass *= factor;
        m.inverseInertiaMass /= factor;
        return m;
    }
    static Deriv times(const Type& m, const Deriv& d) { return {d[0] * m.mass, d[1] * m.mass, d[2] * m.inertiaMass}; }
    static Deriv inverseTimes(const Type& m, const Deriv& f)
    {
        return {f[0] / m.mass, f[1] / m.mass, f[2] * m.inverseInertiaMass};
    }
    static Block block(const Type& m) { return Block::diagonal({m.mass, m.mass, m.inertiaMass}); }
    static void addTo(core::BlockSink& sink, core::Index i, const Type& m) { sink.add(i, i, block(m)); }
    static bool isInvertible(const Type& m) { return m.mass > 0. && m.inertia > 0.; }
    static bool turns(const Type&) { return false; }
    static const Type& turned(const Type& m, const core::RigidCoord2&) { return m; }
};

}  // namespace sofa::component

template <>
struct sofa::core::TypeName<sofa::component::RigidMass3>
{
    static std::string get() { return "mass in space (mass volume 3x3 inertia)"; }
};
template <>
struct sofa::core::TypeName<sofa::component::RigidMass2>
{
    static std::string get() { return "mass in the plane (mass volume inertia)"; }
};
