// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/ForceSequence.h"

#include <cmath>

#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/mesh/Renumbering.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

using core::Index;
using core::MechanicalParams;
using core::Vec3;

void ForceSequence::init()
{
    Base::init();
    if (isValid()) reinit();
}

void ForceSequence::reinit()
{
    m_matrix = {};
    m_column = -1;
    d_forces.setValue({});
    if (d_filename.value().text.empty()) return fail("it needs a filename: a matrix of forces in Vega's binary format");
    try {
        m_matrix = core::io::readVegaMatrix(core::requireFile(d_filename));
    } catch (const std::runtime_error& e) {
        fail(e);
    }
}

void ForceSequence::bwdInit()
{
    if (!isValid()) return;
    const std::size_t expected = 3 * static_cast<std::size_t>(state().size());
    if (static_cast<std::size_t>(m_matrix.rows) != expected)
        return fail("filename: the matrix has " + std::to_string(m_matrix.rows) + " rows, but the state '" +
                    state().pathName() + "' has " + std::to_string(expected) + " degrees of freedom");
    d_forces.setValue(core::Vector<Vec3>(state().size()));
    d_pointsOfFile.setValue(core::identity(state().size()));
}

core::TopologyFollower::PointLists ForceSequence::pointLists()
{
    return {{{pointsOf(state()), {{&d_pointsOfFile, core::ElementData::Kind::Kept}}}}};
}

void ForceSequence::followTopology(const core::TopologyChange& change)
{
    const auto source = change.source(pointsOf(state()));
    if (source.same) return;
    if (!change.restores())
        (void)source.update(*d_pointsOfFile.edit(), 1,
                            [](const core::Vector<Index>&, Index, Index) { return core::InvalidIndex; });
    d_forces.setValue(core::Vector<Vec3>(state().size()));
    m_column = -1;
}

Vec3 ForceSequence::forceOn(Index point, int column) const
{
    const Index row = point < d_pointsOfFile.value().size() ? d_pointsOfFile.value()[point] : core::InvalidIndex;
    Vec3 f;
    for (std::size_t c = 0; c < 3 && row != core::InvalidIndex; ++c)
        f[c] = m_matrix(static_cast<int>(3 * std::size_t{row} + c), column);
    return f;
}

int ForceSequence::currentColumn() const
{
    const double step = node()->dt(), period = d_period.value() > 0. ? d_period.value() : step;
    if (!(period > 0.)) return -1;
    const double k = std::floor((node()->time() + 0.5 * step) / period);
    return k >= 0. && k < m_matrix.columns ? static_cast<int>(k) : -1;
}

void ForceSequence::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord&, const VecDeriv&)
{
    if (const int k = currentColumn(); k != m_column) {
        m_column = k;
        const auto now = d_forces.edit();
        for (Index i = 0; i < now.size(); ++i) now[i] = k < 0 ? Vec3() : forceOn(i, k);
    }
    if (m_column < 0) return;
    const auto& now = d_forces.value();
    for (std::size_t i = 0; i < std::min(now.size(), f.size()); ++i) f[i] += now[i];
}

double ForceSequence::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    const int k = currentColumn();
    if (k < 0) return 0.;
    double energy = 0.;
    for (Index i = 0; i < x.size(); ++i) energy -= dot(forceOn(i, k), x[i]);
    return energy;
}

static const core::RegisterComponent registeredForceSequence =
    core::RegisterComponent("ForceSequence", "ForceField", "Sofa.Component.MechanicalLoad")
        .help("Forces on all points from a matrix file of the Vega library, a column for each time step")
        .example("component/load/ForceSequence.scn")
        .add<ForceSequence>();

}  // namespace sofa::component
