// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/BarycentricMapping.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "components/mapping/MeshEmbedding.h"
#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

BarycentricMapping::BarycentricMapping() { ignoreAttribute("hexamap", "the map is computed at init"); }

bool BarycentricMapping::locate()
{
    std::string error;
    for (auto* link : {&l_inputTopology, &l_outputTopology}) {
        if (link->resolve(error)) continue;
        fail(std::string(link->name()) + ": " + error);
        return false;
    }
    if (!l_inputTopology && input().node()) l_inputTopology.set(input().node()->get<BaseMeshTopology>(Search::Up));
    if (!l_outputTopology && output().node()) l_outputTopology.set(output().node()->get<BaseMeshTopology>(Search::Up));
    if (!l_inputTopology) {
        fail("it needs a topology in the node of the input '" + input().pathName() +
             "' or above, or the link input_topology");
        return false;
    }
    const VecCoordId id = d_useRestPosition.value() ? vec_id::restPosition : vec_id::position;
    if (!input().isAllocated(id)) {
        fail("useRestPosition needs rest positions of the input");
        return false;
    }
    // Visual models have rest positions only where the scene asks for them.
    const Vector<Vec3>& points = output().read(output().isAllocated(id) ? id : vec_id::position);
    m_offsets.clear();
    try {
        if (d_interpolation.value().text.empty())
            m_weights = computeBarycentricWeights(*l_inputTopology, input().read(id), points);
        else
            loadOrFind(input().read(id), points);
    } catch (const std::runtime_error& e) {
        fail(e.what());
        return false;
    }
    invalidateJacobian();
    return true;
}

void BarycentricMapping::loadOrFind(const Vector<Vec3>& vertices, const Vector<Vec3>& points)
{
    const std::string& name = d_interpolation.value().text;
    const std::filesystem::path here = std::filesystem::absolute(name);  // as every output
    std::string path = findFile(name, d_interpolation).value_or("");
    if (path.empty() && std::filesystem::is_regular_file(here)) path = here.string();
    io::InterpolationWeights w;
    if (path.empty()) {
        w = embedPoints(*l_inputTopology, vertices, points);
        if (d_saveInterpolation.value()) {
            io::writeInterpolation(here, w);
            msgInfo() << "the weights of " << points.size() << " points were found and written to '" << here.string()
                      << "'";
        } else {
            msgWarning() << "interpolation: there is no file '" << name << "'; the weights of " << points.size()
                         << " points were found instead (saveInterpolation=\"1\" would write them)";
        }
    } else {
        w = io::readInterpolation(path, vertices.size());
        if (w.pointCount() != points.size())
            throw std::runtime_error("interpolation: '" + path + "' has weights for " + std::to_string(w.pointCount()) +
                                     " points, but the output '" + output().pathName() + "' has " +
                                     std::to_string(points.size()));
    }
    m_weights = {};
    m_offsets = points;
    std::size_t odd = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::size_t n = w.nodesPerPoint, first = i * n;
        m_weights.append({&w.nodes[first], n}, {&w.weights[first], n});
        double sum = 0., largest = 0.;
        for (std::size_t k = first; k < first + n; ++k) {
            m_offsets[i] -= vertices[w.nodes[k]] * w.weights[k];
            sum += w.weights[k];
            largest = std::max(largest, std::abs(w.weights[k]));
        }
        if (largest > 0. && std::abs(sum - 1.) > 1e-3) ++odd;
    }
    if (odd > 0)
        msgWarning() << "the weights of " << odd << " points in '" << path
                     << "' do not sum to 1: these points do not follow a translation of the body";
}

void BarycentricMapping::init()
{
    if (findStates() && locate()) Base::init();
}

void BarycentricMapping::reinit()
{
    if (isValid()) init();
}

void BarycentricMapping::multiply(Vector<Vec3>& out, const Vector<Vec3>& in) const
{
    for (Index i = 0; i < m_weights.rows(); ++i) {
        Vec3 s;
        for (Index k = m_weights.rowStart[i]; k < m_weights.rowStart[i + 1]; ++k)
            s += in[m_weights.columns[k]] * m_weights.weights[k];
        out[i] = s;
    }
}

void BarycentricMapping::apply(Vector<Vec3>& out, const Vector<Vec3>& in)
{
    if (out.size() != m_weights.rows()) {
        output().resize(m_weights.rows());
        out.resize(m_weights.rows());
    }
    multiply(out, in);
    for (std::size_t i = 0; i < m_offsets.size(); ++i) out[i] += m_offsets[i];
}

void BarycentricMapping::applyJ(const MechanicalParams&, const MultiVecDerivId& out, const MultiVecDerivId& in)
{
    multiply(*output().write(out.at(output())), input().read(in.at(input())));
}

void BarycentricMapping::applyJT(const MechanicalParams&, const MultiVecDerivId& in, const MultiVecDerivId& out)
{
    const auto f = input().write(in.at(input()));
    const Vector<Vec3>& g = output().read(out.at(output()));
    for (Index i = 0; i < m_weights.rows(); ++i) {
        const Vec3 force = g[i];
        // Of points that collide few have forces.
        if (force[0] == 0. && force[1] == 0. && force[2] == 0.) continue;
        for (Index k = m_weights.rowStart[i]; k < m_weights.rowStart[i + 1]; ++k)
            f[m_weights.columns[k]] += force * m_weights.weights[k];
    }
}

void BarycentricMapping::buildJacobian(JacobianMatrix& j, const Vector<Vec3>&)
{
    j.clear();
    for (Index i = 0; i < m_weights.rows(); ++i) {
        j.appendRow();
        for (Index k = m_weights.rowStart[i]; k < m_weights.rowStart[i + 1]; ++k)
            j.append(m_weights.columns[k], Mat3::identity() * m_weights.weights[k]);
    }
}

void BarycentricMapping::appendLinks(Vector<Vec3>& ends) const
{
    const Vector<Vec3>&in = input().positions(), &out = output().positions();
    for (Index i = 0; i < m_weights.rows() && i < out.size(); ++i)
        for (Index k = m_weights.rowStart[i]; k < m_weights.rowStart[i + 1]; ++k) {
            const Index v = m_weights.columns[k];
            if (v >= in.size() || m_weights.weights[k] == 0.) continue;
            ends.push_back(out[i]);
            ends.push_back(in[v]);
        }
}

static const RegisterComponent registered =
    RegisterComponent("BarycentricMapping", "Mapping", "Sofa.Component.Mapping.Linear")
        .help("Points embedded in the elements of a mesh, which move with it")
        .example("component/mapping/BarycentricMapping.scn")
        .add<BarycentricMapping>();

}  // namespace sofa::component
