// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/collision/OutputOrder.h"

#include <algorithm>

namespace sofa::core {

namespace {

void sortBy(ModelRanks& ranks, std::vector<DetectionOutput>& outputs)
{
    struct Place
    {
        std::size_t first, second, output;
    };
    std::vector<Place> places;
    places.reserve(outputs.size());
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        const std::size_t first = ranks(*outputs[k].models.first), second = ranks(*outputs[k].models.second);
        places.push_back({first, second, k});
    }
    std::sort(places.begin(), places.end(), [](const Place& p, const Place& q) {
        if (p.first != q.first) return p.first < q.first;
        return p.second != q.second ? p.second < q.second : p.output < q.output;
    });
    std::vector<DetectionOutput> sorted;
    sorted.reserve(outputs.size());
    for (const Place& p : places) sorted.push_back(std::move(outputs[p.output]));
    outputs = std::move(sorted);
}

ModelRanks::Names namesOf(const ModelPair& models) { return {models.first->pathName(), models.second->pathName()}; }

}  // namespace

std::size_t ModelRanks::operator()(const CollisionModel& model)
{
    const auto known = m_ranks.find(model.serial());
    if (known != m_ranks.end()) return known->second;
    return m_ranks[model.serial()] = rankOf(model.pathName());
}

std::size_t ModelRanks::rankOf(const std::string& name)
{
    const auto [it, isNew] = m_byName.emplace(name, m_names.size());
    if (isNew) m_names.push_back(name);
    return it->second;
}

void ModelRanks::add(const ModelPair& pair)
{
    (*this)(*pair.second);
    (*this)(*pair.first);
}

void ModelRanks::add(const Names& pair)
{
    rankOf(pair.second);
    rankOf(pair.first);
}

void ModelRanks::clear()
{
    m_names.clear();
    m_ranks.clear();
    m_byName.clear();
}

void ModelRanks::archive(Archive& a)
{
    std::uint64_t n = m_names.size();
    a(n);
    if (a.loading()) clear();
    for (std::uint64_t k = 0; k < n; ++k) {
        std::string name = a.loading() ? std::string() : m_names[k];
        a(name);
        if (a.loading()) rankOf(name);
    }
}

void OutputOrder::rankResponses(const std::vector<DetectionOutput>& outputs)
{
    for (const DetectionOutput& o : outputs) {
        if (!m_responses.empty()) {
            m_responses.add(o.models);
        } else if (!m_alone) {
            m_alone = namesOf(o.models);  // nothing to compare it with
        } else if (const ModelRanks::Names names = namesOf(o.models); names != *m_alone) {
            m_responses.add(o.models);
            m_responses.add(*m_alone);
        }
    }
}

void OutputOrder::sort(const std::vector<ModelPair>& pairs, std::vector<DetectionOutput>& outputs)
{
    if (pairs.size() > 1 || !m_pairs.empty())
        for (const ModelPair& p : pairs) m_pairs.add(p);
    if (outputs.empty()) {
        m_alone.reset();
        return;
    }
    if (outputs.size() > 1) sortBy(m_pairs, outputs);
    rankResponses(outputs);
    if (outputs.size() > 1) sortBy(m_responses, outputs);
    if (m_responses.empty() && outputs.size() == 1) m_alone = namesOf(outputs.front().models);
}

void OutputOrder::clear()
{
    m_pairs.clear();
    m_responses.clear();
    m_alone.reset();
}

void OutputOrder::archive(Archive& a)
{
    m_pairs.archive(a);
    m_responses.archive(a);
    ModelRanks::Names alone = m_alone.value_or(ModelRanks::Names());
    a(alone.first);
    a(alone.second);
    if (a.loading()) m_alone = alone.first.empty() ? std::nullopt : std::optional(alone);
}

}  // namespace sofa::core
