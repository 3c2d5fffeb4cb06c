// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <span>

#include "core/behavior/VecId.h"
#include "core/mesh/Ancestors.h"
#include "core/objectmodel/Component.h"

namespace sofa::core {

/// Degrees of freedom of one object, whatever their type: named vectors of coordinates and derivatives, and the linear
/// algebra that solvers need on them. Vector operations run over scalars in index order, so results do not depend on
/// the number of threads.
class BaseState : public Component
{
public:
    static std::string_view typeLabel() { return "state"; }
    /// A link to a node without a state means that of the nearest node above.
    static constexpr bool holdsBelow = true;
    bool hasStateVectors() const override { return true; }

    /// Number of points (or frames).
    virtual Index size() const = 0;
    virtual void resize(Index n) = 0;
    /// Scalars per point of coordinates and of derivatives.
    virtual std::size_t coordSize() const = 0;
    virtual std::size_t derivSize() const = 0;
    Index derivScalars() const { return size() * static_cast<Index>(derivSize()); }
    /// False for states that are only shown (visual models): no solver visits them.
    virtual bool isMechanical() const { return true; }

    /// Makes sure that the vector exists and has one entry per point; a new one is zero (coordinates: default).
    virtual void allocate(VecCoordId id) = 0;
    virtual void allocate(VecDerivId id) = 0;
    virtual bool isAllocated(VecCoordId id) const = 0;
    virtual bool isAllocated(VecDerivId id) const = 0;

    /// v = 0
    virtual void clear(VecDerivId v) = 0;
    /// v = a
    virtual void copy(VecCoordId v, VecCoordId a) = 0;
    virtual void copy(VecDerivId v, VecDerivId a) = 0;
    /// v = a + f b (coordinates are moved by the displacement f b); v may be a.
    virtual void add(VecCoordId v, VecCoordId a, VecDerivId b, double f) = 0;
    /// v = a + f b; v may be a or b; a null stands for zero.
    virtual void add(VecDerivId v, VecDerivId a, VecDerivId b, double f) = 0;
    /// v *= f
    virtual void scale(VecDerivId v, double f) = 0;
    virtual double dot(VecDerivId a, VecDerivId b) const = 0;
    /// v = displacement from b to a
    virtual void difference(VecDerivId v, VecCoordId a, VecCoordId b) = 0;
    /// Largest absolute scalar.
    virtual double maxNorm(VecDerivId v) const = 0;
    /// How often a vector was changed: while this is the same, so are its values.
    virtual std::size_t changesOf(VecCoordId v) const = 0;
    virtual std::size_t changesOf(VecDerivId v) const = 0;
    /// Index of the first point whose vector is not finite; InvalidIndex if all are.
    virtual Index firstNonFinite(VecCoordId v) const = 0;
    virtual Index firstNonFinite(VecDerivId v) const = 0;
    /// Index of the first point farther than `distance` [m] from `center`; InvalidIndex if there is none.
    virtual Index firstBeyond(VecCoordId v, const Vec3& center, double distance) const = 0;
    /// Index of the first point faster than `speed` [m/s], or a body than `spin` [rad/s]; InvalidIndex if there is
    /// none.
    virtual Index firstFaster(VecDerivId v, double speed, double spin) const = 0;

    /// Scalars, derivScalars() (or size() * coordSize()) of them, in index order.
    virtual void getScalars(VecCoordId v, double* out) const = 0;
    virtual void getScalars(VecDerivId v, double* out) const = 0;
    virtual void setScalars(VecCoordId v, const double* in) = 0;
    virtual void setScalars(VecDerivId v, const double* in) = 0;
    /// Direct access to the scalars of a derivative vector (contiguous), until the next operation that changes it.
    virtual const double* scalars(VecDerivId v) const = 0;

    /// Position of a point in space [m], padded with zeros.
    virtual Vec3 pointPosition(Index i, VecCoordId v = vec_id::position) const = 0;

    // --- Points that come and go, for core/topology/TopologyTransaction.h -----------------------------------------
    // Each changes all vectors, and returns what takes it back if nothing else changed since.
    using Undo = std::function<void()>;
    /// Removes points in this order; the last one takes the place of each.
    virtual Undo removePoints(std::span<const Index> inOrder) = 0;
    /// Adds points at the end, interpolated from others; those without ancestors are at the origin, at rest.
    virtual Undo addPoints(const Vector<Ancestors>& from) = 0;
    /// Point i gets the number now[i].
    virtual Undo renumberPoints(std::span<const Index> now) = 0;
    /// Moves points, at rest too, to where new points with these ancestors would be. Velocities follow.
    virtual Undo movePoints(std::span<const Index> points, const Vector<Ancestors>& to) = 0;
    /// Whether points came, went or moved, and where they come from: numbers before the first change, InvalidIndex for
    /// points that were not there.
    virtual bool hasChangedPoints() const = 0;
    virtual const Vector<Index>& pointOrigin() const = 0;
    virtual Index initialSize() const = 0;
    /// All points of the beginning. Those that were there all the time stay where they are.
    virtual Undo restorePoints() = 0;
    /// Points with this origin, of a state that has not changed; those that were not there are at the origin.
    virtual Undo assignPoints(Vector<Index> origin) = 0;

private:
    friend class ScalarsAccessor;
    virtual double* beginScalars(VecDerivId v) = 0;
    virtual void endScalars(VecDerivId v) = 0;
};

/// The scalars of a derivative vector for writing, as long as the accessor lives.
class ScalarsAccessor
{
public:
    ScalarsAccessor(BaseState& state, VecDerivId id) : m_state(state), m_id(id), m_data(state.beginScalars(id)) {}
    ~ScalarsAccessor() { m_state.endScalars(m_id); }
    ScalarsAccessor(const ScalarsAccessor&) = delete;
    ScalarsAccessor& operator=(const ScalarsAccessor&) = delete;
    double* data() const { return m_data; }

private:
    BaseState& m_state;
    VecDerivId m_id;
    double* m_data;
};

}  // namespace sofa::core
