// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/ElementRegions.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/mesh/Renumbering.h"

namespace sofa::core {

ElementRegions::ElementRegions(Base* owner)
    : d_regions(owner,
                {.name = "regions",
                 .help = "Lists of elements; lists of parameters then have one value for each region. Of several "
                         "regions that hold an element, the last one counts; every element must be in one",
                 .group = "Regions"}),
      d_materialIndices(owner, {.name = "materialIndices",
                                .help = "For each element the place of its values in the lists of parameters, as "
                                        "MeshVegLoader gives them; instead of regions",
                                .group = "Regions"})
{
}

void ElementRegions::update(Index elements)
{
    const Vector<Vector<Index>>& regions = d_regions.value();
    const Vector<Index>& indices = d_materialIndices.value();
    m_slots.clear();
    m_slotCount = 0;
    if (!indices.empty()) {
        if (!regions.empty())
            throw std::runtime_error("regions and materialIndices are two ways to say the same: give one of them");
        if (indices.size() != elements)
            throw std::runtime_error("materialIndices has " + std::to_string(indices.size()) + " entries for " +
                                     std::to_string(elements) + " elements");
        m_slots = indices;
        for (const Index i : indices) m_slotCount = std::max(m_slotCount, i + 1);
    } else if (!regions.empty()) {
        m_slots.assign(elements, InvalidIndex);
        m_slotCount = static_cast<Index>(regions.size());
        for (Index r = 0; r < regions.size(); ++r)
            for (const Index e : regions[r]) {
                if (e >= elements)
                    throw std::runtime_error("region " + std::to_string(r) + " has the element " + std::to_string(e) +
                                             ", but there are only " + std::to_string(elements));
                m_slots[e] = r;
            }
        for (Index e = 0; e < elements; ++e)
            if (m_slots[e] == InvalidIndex)
                throw std::runtime_error("element " + std::to_string(e) + " is in none of the regions");
    }
}

Vector<Index> ElementRegions::update(Index elements, Vector<Index> touched)
{
    update(elements);
    return given() ? identity(elements) : std::move(touched);
}

double ElementRegions::valueOf(const Data<Vector<double>>& d, Index e) const
{
    const Vector<double>& v = d.value();
    if (v.empty() && !d.defaultValue().empty())
        throw std::runtime_error(d.name() + "=\"" + d.linkPath() + "\" is an empty list" +
                                 (d.linkPath().empty() ? "; leave it out for the default"
                                                       : ": there are no such values, such as where a mesh has other "
                                                         "materials"));
    if (v.empty()) return 0.;
    if (given() && v.size() > 1 && v.size() < m_slotCount)
        throw std::runtime_error(d.name() + " has " + std::to_string(v.size()) + " values for " +
                                 std::to_string(m_slotCount) + " regions or materials; give one, or one for each");
    const Index slot = slotOf(e);
    return slot < v.size() ? v[slot] : v[0];
}

void ElementRegions::trackBy(DataTracker& tracker) const
{
    tracker.track(d_regions);
    tracker.track(d_materialIndices);
}

}  // namespace sofa::core
