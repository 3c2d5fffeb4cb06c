// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/TubularMapping.h"

#include <cmath>
#include <numbers>

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

void TubularMapping::init()
{
    if (!findStates()) return;
    const Index n = d_nbPointsOnEachCircle.value();
    if (n < 3) return fail("nbPointsOnEachCircle: a circle has three points at least, not " + std::to_string(n));
    if (!d_radius.isSet()) return fail("radius must be given");
    // A mesh that has the points must have as many.
    for (TopologicalMapping* m : node()->getAll<TopologicalMapping>(Search::Local)) {
        if (!m->makesPoints()) continue;
        m->build();
        const std::size_t made = m->mappedPoints().size(), count = std::size_t{input().size()} * n;
        if (m->isValid() && made != count)
            return fail("'" + m->pathName() + "' makes " + std::to_string(made) + " points, but there are " +
                        std::to_string(count) + ": " + std::to_string(n) + " around each of the " +
                        std::to_string(input().size()) + " frames of '" + input().pathName() + "'");
    }
    output().resize(input().size() * n);
    Base::init();
}

void TubularMapping::followTopology(const TopologyChange&)
{
    if (!isValid()) return;
    const std::size_t count = std::size_t{input().size()} * d_nbPointsOnEachCircle.value();
    if (output().size() != count)
        throw std::runtime_error("'" + pathName() + "' (TubularMapping): there would be " + std::to_string(count) +
                                 " points, but the state '" + output().pathName() + "' has " +
                                 std::to_string(output().size()) +
                                 ": it needs an Edge2QuadTopologicalMapping and its mesh in its node");
    apply(MechanicalParams(), vec_id::position, vec_id::position);
}

double TubularMapping::radiusOf(std::size_t frame, std::size_t frames) const
{
    const int peak = d_peak.value();
    const auto length = static_cast<std::size_t>(std::abs(peak));
    const std::size_t fromEnd = peak > 0 ? frame : frames - 1 - frame;
    if (fromEnd >= length) return d_radius.value();
    return d_radius.value() * static_cast<double>(fromEnd) / static_cast<double>(length);
}

void TubularMapping::apply(OutVecCoord& out, const InVecCoord& in)
{
    const std::size_t n = d_nbPointsOnEachCircle.value();
    m_arms.resize(in.size() * n);
    for (std::size_t i = 0; i < in.size(); ++i) {
        const double radius = radiusOf(i, in.size());
        const Vec3 y = in[i].orientation.rotate({0., radius, 0.}), z = in[i].orientation.rotate({0., 0., radius});
        for (std::size_t j = 0; j < n; ++j) {
            const double angle = 2. * std::numbers::pi * static_cast<double>(j) / static_cast<double>(n);
            m_arms[i * n + j] = y * std::cos(angle) + z * std::sin(angle);
            out[i * n + j] = in[i].center + m_arms[i * n + j];
        }
    }
}

void TubularMapping::buildJacobian(JacobianMatrix& j, const InVecCoord&)
{
    j.clear();
    const Index n = d_nbPointsOnEachCircle.value();
    Mat<3, 6> block;
    block.setBlock(0, 0, Mat3::identity());
    for (Index i = 0; i < m_arms.size(); ++i) {
        block.setBlock(0, 3, crossMatrix(-m_arms[i]));
        j.appendRow();
        j.append(i / n, block);
    }
}

void TubularMapping::appendLinks(Vector<Vec3>& ends) const
{
    const Index n = d_nbPointsOnEachCircle.value();
    for (Index i = 0; n > 0 && i < output().size() && i / n < input().size(); ++i) {
        ends.push_back(input().pointPosition(i / n));
        ends.push_back(output().pointPosition(i));
    }
}

static const RegisterComponent registeredTubularMapping =
    RegisterComponent("TubularMapping", "Mapping", "Sofa.Component.Mapping.Linear")
        .help("Circles of points around the frames of a wire")
        .example("component/topology/Edge2QuadTopologicalMapping.scn")
        .add<TubularMapping>();

}  // namespace sofa::component
