// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/linearsolver/PointRotations.h"

#include <algorithm>
#include <stdexcept>

#include "core/behavior/BaseForceField.h"

namespace sofa::component {

using namespace core;

RotationFinder* PointRotations::find(const Node& node)
{
    for (const auto& c : node.components())
        if (auto* finder = dynamic_cast<RotationFinder*>(c.get())) return finder;
    for (const BaseForceField* f : node.getAll<BaseForceField>(Search::Down))
        if (auto* finder = dynamic_cast<const RotationFinder*>(f)) return const_cast<RotationFinder*>(finder);
    return nullptr;
}

void PointRotations::clear()
{
    m_atBegin.clear();
    m_rotation.clear();
}

void PointRotations::begin(const RotationFinder& finder, const SystemLayout& layout)
{
    finder.nodeRotations(m_atBegin);
    update(finder, layout);
}

void PointRotations::update(const RotationFinder& finder, const SystemLayout& layout)
{
    const auto* field = dynamic_cast<const BaseForceField*>(&finder);
    const auto states = field ? field->states() : std::vector<BaseState*>();
    const SystemLayout::Entry* entry = states.size() == 1 ? layout.find(*states.front()) : nullptr;
    if (!entry || states.front()->derivSize() != 3)
        throw std::runtime_error("the points that turn must be unknowns in space" +
                                 (field ? ": " + field->pathName() + " acts on others" : std::string()));
    m_offset = static_cast<std::size_t>(entry->offset);
    finder.nodeRotations(m_rotation);
    if (m_rotation.size() != states.front()->size() || m_atBegin.size() != m_rotation.size())
        throw std::runtime_error("the rotations are those of other points");
    for (std::size_t i = 0; i < m_rotation.size(); ++i) m_rotation[i] = m_rotation[i] * m_atBegin[i].transposed();
}

void PointRotations::product(std::span<const double> in, std::span<double> out, bool transposed) const
{
    if (out.data() != in.data()) std::ranges::copy(in, out.begin());
    for (std::size_t i = 0; i < m_rotation.size(); ++i) {
        double* const v = out.data() + m_offset + 3 * i;
        const Vec3 given(v[0], v[1], v[2]);
        const Vec3 turned = transposed ? m_rotation[i].transposed() * given : m_rotation[i] * given;
        for (std::size_t k = 0; k < 3; ++k) v[k] = turned[k];
    }
}

void PointRotations::archive(Archive& a)
{
    a(m_offset);
    a(m_atBegin);
    a(m_rotation);
}

}  // namespace sofa::component
