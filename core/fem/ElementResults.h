// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <span>

#include "core/behavior/BaseState.h"
#include "core/topology/ElementsOf.h"
#include "core/topology/TopologyChange.h"

namespace sofa::core {

/// A force field that knows what goes on in its elements, for who shows it or writes it down. Nothing is computed until
/// one asks.
class ElementResults
{
public:
    /// Elements with their points at rest and now [m]; lists have an entry for each of them, in the order of
    /// `elements`, which are those of resultElements().
    struct Shape
    {
        const ElementNumbering& elements;
        std::span<const Vec3> rest, now;
    };

    virtual ~ElementResults() = default;
    /// The state whose points the elements have, and the elements. Without a state or a topology, it knows nothing.
    virtual BaseState* resultState() const = 0;
    virtual ElementNumbering resultElements() const = 0;

    /// Sets the Cauchy stress [Pa] of each element, its mean over the element, in the axes of the scene; NaN where it
    /// is not known; an empty list if the law has no such stress.
    virtual void stresses(const Shape& shape, Vector<Mat3>& out) const = 0;
    /// Sets the von Mises stress [Pa] of each element: that of stresses(), unless a force field has its own.
    virtual void vonMisesStresses(const Shape& shape, Vector<double>& out) const;
    /// Sets the potential energy [J] of each element at the positions of the state; an empty list if it is not known.
    /// What elements share, they share by their volumes.
    virtual void elementEnergies(Vector<double>& out) const { out.clear(); }

    /// A parameter of the material.
    struct Parameter
    {
        std::string name;
        Vector<double> values;  ///< of each element, one after the other
        std::size_t width = 1;  ///< so many of each
    };
    virtual std::vector<Parameter> materialParameters() { return {}; }

    /// How the scene asks for stresses to be shown at this force field: not, smooth, or one for each element.
    enum class Shown
    {
        No,
        Smooth,
        Elements
    };
    virtual Shown showsStress() const { return Shown::No; }
};

/// Calls f(type, vertices, exists) for each element: whether all its points are there.
template <class F>
void forEachElement(const ElementResults::Shape& shape, F&& f)
{
    for (const ElementType type : shape.elements.kinds) {
        const std::span<const Index> all = verticesOf(*shape.elements.topology, type);
        const std::size_t n = nodeCount(type);
        for (std::size_t i = 0; i + n <= all.size(); i += n) {
            const auto e = all.subspan(i, n);
            f(type, e, std::ranges::all_of(e, [&](Index v) { return v < shape.now.size(); }));
        }
    }
}

/// Green's strain ½ (FᵀF − 1) in the middle of each element, in the axes of the rest shape; across elements of lower
/// dimension than space it is zero. NaN where the rest shape has no extent. Parts of an element all have its strain.
void greenStrains(const ElementResults::Shape& shape, Vector<Mat3>& out);

/// Positions of a state as points [m]: at rest (now, for a state that has no rest positions), and now.
struct RestAndNow
{
    explicit RestAndNow(const BaseState& s);
    Vector<Vec3> rest, now;
};

}  // namespace sofa::core
