// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Data.h"
#include "core/objectmodel/DataText.h"

namespace sofa::core {

/// Parameters that vary in space, for components on the elements of a mesh: where the values of an element stand in
/// lists of parameters. Without regions a list has one value for all elements or one for each; with them, one for all
/// or one for each region or material.
///
///     ElementRegions regions{this};               // a member of the component: two Data of it
///     regions.update(elements.size());            // before values are asked for; throws
///     regions.valueOf(d_youngModulus, element);
class ElementRegions
{
public:
    Data<Vector<Vector<Index>>> d_regions;
    Data<Vector<Index>> d_materialIndices;

    explicit ElementRegions(Base* owner);

    /// Finds the place of each element. Throws std::runtime_error, with what the user must change, if both Data are
    /// given, an index is not that of an element, or an element is in no region.
    void update(Index elements);

    /// The same after a change, for elements of which these are others now. Returns those whose place may be another
    /// one: all where there are regions.
    Vector<Index> update(Index elements, Vector<Index> touched);

    /// True if the places are not the elements' own numbers.
    bool given() const { return !m_slots.empty(); }
    /// Place of element e in lists that are not of one value.
    Index slotOf(Index e) const { return m_slots.empty() ? e : m_slots[e]; }
    /// Value of element e in a list: elements without a value take the first. Throws std::runtime_error if the list is
    /// empty where its default is not, or has several values, but fewer than there are regions.
    double valueOf(const Data<Vector<double>>& d, Index e) const;

    /// Lets a tracker see changes of both Data.
    void trackBy(DataTracker& tracker) const;

private:
    Vector<Index> m_slots;  ///< per element; empty: its own number
    Index m_slotCount = 0;
};

}  // namespace sofa::core
