// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/BarycentricMapping.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "components/mapping/BarycentricFrames.h"
#include "components/mapping/MeshEmbedding.h"
#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

BarycentricMapping::BarycentricMapping() : EmbeddingAttributes(this)
{
    ignoreAttribute("hexamap", "the map is computed at init");
}

bool BarycentricMapping::locate()
{
    const auto found = findEmbeddingMesh(*this);
    if (!found) return false;
    const VecCoordId id = *found;
    if (!l_outputTopology && output().node()) l_outputTopology.set(output().node()->get<BaseMeshTopology>(Search::Up));
    // Visual models have rest positions only where the scene asks for them.
    const Vector<Vec3>& points = output().read(output().isAllocated(id) ? id : vec_id::position);
    try {
        Embedding e;
        if (d_interpolation.value().text.empty())
            e.weights = computeBarycentricWeights(*l_inputTopology, input().read(id), points, &e.elements);
        else
            e = loadOrFind(input().read(id), points);
        d_embedding.setValue(std::move(e));
    } catch (const std::runtime_error& e) {
        fail(e);
        return false;
    }
    rememberMesh();
    invalidateJacobian();
    return true;
}

Embedding BarycentricMapping::loadOrFind(const Vector<Vec3>& vertices, const Vector<Vec3>& points)
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
    Embedding e;
    e.offsets = points;
    std::size_t odd = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::size_t n = w.nodesPerPoint, first = i * n;
        e.weights.append({&w.nodes[first], n}, {&w.weights[first], n});
        double sum = 0., largest = 0.;
        for (std::size_t k = first; k < first + n; ++k) {
            e.offsets[i] -= vertices[w.nodes[k]] * w.weights[k];
            sum += w.weights[k];
            largest = std::max(largest, std::abs(w.weights[k]));
        }
        if (largest > 0. && std::abs(sum - 1.) > 1e-3) ++odd;
    }
    if (odd > 0)
        msgWarning() << "the weights of " << odd << " points in '" << path
                     << "' do not sum to 1: these points do not follow a translation of the body";
    e.elements = elementsOfWeights(e.weights, *l_inputTopology, static_cast<Index>(vertices.size()));
    return e;
}

const Vector<Vec3>& BarycentricMapping::verticesAtRest() const
{
    return input().read(input().isAllocated(vec_id::restPosition) ? vec_id::restPosition : vec_id::position);
}

void BarycentricMapping::rememberMesh()
{
    if (!dynamic_cast<const StoredTopology*>(l_inputTopology.get())) return;
    m_atRest = verticesAtRest();
    m_parts.clear();
    if (l_inputTopology->node()->get<TopologyModifier>(Search::Local))
        m_parts = partsOf(*l_inputTopology, input().size());
}

void BarycentricMapping::init()
{
    if (findStates() && locate()) Base::init();
}

void BarycentricMapping::reinit()
{
    if (isValid()) init();
}

// --- Meshes that change ---------------------------------------------------------------------------------------------

std::string BarycentricMapping::refusal(const TopologyStep& step) const
{
    if (step.kind != TopologyStep::Kind::Move || !l_output) return {};
    const auto* embedded = output().node()->get<BaseMeshTopology>(Search::Local);
    if (!embedded || std::ranges::count(step.topologies, embedded) == 0) return {};
    return "embedded points cannot be moved";
}

ElementLists BarycentricMapping::elementLists()
{
    return {{l_inputTopology.get(), {carrierKinds.begin(), carrierKinds.end()}},
            {{&d_embedding, ElementData::Kind::Kept}}};
}

TopologyFollower::PointLists BarycentricMapping::pointLists()
{
    return {{{pointsOf(input()), {{&d_embedding, ElementData::Kind::Kept}}}, {pointsOf(output()), {}}}};
}

void BarycentricMapping::followTopology(const TopologyChange& change)
{
    if (!change.restores()) {
        const Embedding& e = d_embedding.value();
        const auto kindsUntil = [&](Index end) {
            std::vector<ElementType> kinds;
            for (Index count = 0; count < end && kinds.size() < carrierKinds.size();) {
                kinds.push_back(carrierKinds[kinds.size()]);
                count += change.source(*l_inputTopology, kinds.back()).before;
            }
            return kinds;
        };
        Index end = 0;
        for (const Index element : e.elements)
            if (element != InvalidIndex) end = std::max(end, element + 1);
        const std::vector<ElementType> kinds = kindsUntil(end);
        const bool hasRest = output().isAllocated(vec_id::restPosition);
        try {
            d_embedding.setValue(followed(e, {*l_inputTopology, m_atRest, verticesAtRest(), m_parts,
                                              output().read(hasRest ? vec_id::restPosition : vec_id::position),
                                              kinds.size(), change.source({l_inputTopology.get(), kinds}),
                                              change.source(pointsOf(input())), change.source(pointsOf(output()))}));
        } catch (const std::runtime_error& error) {
            throw std::runtime_error("'" + pathName() + "' (BarycentricMapping): " + error.what());
        }
    }
    rememberMesh();
    invalidateJacobian();
}

void BarycentricMapping::archive(Archive& a)
{
    if (!isValid() || !l_inputTopology || !l_input || !l_output) return;
    // Who loads it has the mesh already.
    const auto* mesh = dynamic_cast<const StoredTopology*>(l_inputTopology.get());
    if (!(mesh && mesh->isEdited()) && !input().hasChangedPoints() && !output().hasChangedPoints()) return;
    Embedding e = d_embedding.value();
    a(e.weights.rowStart);
    a(e.weights.columns);
    a(e.weights.weights);
    a(e.elements);
    a(e.offsets);
    if (!a.loading()) return;
    d_embedding.setValue(std::move(e));
    invalidateJacobian();
}

void BarycentricMapping::multiply(Vector<Vec3>& out, const Vector<Vec3>& in) const
{
    const BarycentricWeights& w = weights();
    for (Index i = 0; i < w.rows(); ++i) {
        Vec3 s;
        for (Index k = w.rowStart[i]; k < w.rowStart[i + 1]; ++k) s += in[w.columns[k]] * w.weights[k];
        out[i] = s;
    }
}

void BarycentricMapping::apply(Vector<Vec3>& out, const Vector<Vec3>& in)
{
    const Embedding& e = d_embedding.value();
    if (out.size() != e.weights.rows()) {
        output().resize(e.weights.rows());
        out.resize(e.weights.rows());
    }
    multiply(out, in);
    for (std::size_t i = 0; i < e.offsets.size(); ++i) out[i] += e.offsets[i];
}

void BarycentricMapping::applyJ(const MechanicalParams&, const MultiVecDerivId& out, const MultiVecDerivId& in)
{
    multiply(*output().write(out.at(output())), input().read(in.at(input())));
}

void BarycentricMapping::applyJT(const MechanicalParams&, const MultiVecDerivId& in, const MultiVecDerivId& out)
{
    const BarycentricWeights& w = weights();
    const auto f = input().write(in.at(input()));
    const Vector<Vec3>& g = output().read(out.at(output()));
    for (Index i = 0; i < w.rows(); ++i) {
        const Vec3 force = g[i];
        // Of points that collide few have forces.
        if (force[0] == 0. && force[1] == 0. && force[2] == 0.) continue;
        for (Index k = w.rowStart[i]; k < w.rowStart[i + 1]; ++k) f[w.columns[k]] += force * w.weights[k];
    }
}

void BarycentricMapping::buildJacobian(JacobianMatrix& j, const Vector<Vec3>&)
{
    const BarycentricWeights& w = weights();
    j.clear();
    for (Index i = 0; i < w.rows(); ++i) {
        j.appendRow();
        for (Index k = w.rowStart[i]; k < w.rowStart[i + 1]; ++k)
            j.append(w.columns[k], Mat3::identity() * w.weights[k]);
    }
}

void BarycentricMapping::appendLinks(Vector<Vec3>& ends) const
{
    const BarycentricWeights& w = weights();
    const Vector<Vec3>&in = input().positions(), &out = output().positions();
    for (Index i = 0; i < w.rows() && i < out.size(); ++i)
        for (Index k = w.rowStart[i]; k < w.rowStart[i + 1]; ++k) {
            const Index v = w.columns[k];
            if (v >= in.size() || w.weights[k] == 0.) continue;
            ends.push_back(out[i]);
            ends.push_back(in[v]);
        }
}

static const RegisterComponent registeredBarycentricMapping =
    RegisterComponent("BarycentricMapping", "Mapping", "Sofa.Component.Mapping.Linear")
        .help("Points or frames embedded in the elements of a mesh, which move with it")
        .example("component/mapping/BarycentricMapping.scn")
        .add<BarycentricMapping>()
        .add<BarycentricFrames>();

}  // namespace sofa::component
