// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/NarrowPhases.h"

#include <algorithm>
#include <utility>

#include "components/collision/ModelPairs.h"
#include "core/factory/Registry.h"
#include "core/parallel/Parallel.h"

namespace sofa::component {

namespace {

/// Candidates that one thread tests at a time.
constexpr std::size_t chunk = 128;

/// Number of pairs of primitives of two models up to which all are compared.
constexpr std::size_t fewPairs = 64;

/// Whether two primitives of a pair may collide: only models of one node exclude any.
bool mayCollide(const ModelPair& pair, Index i, Index j, double contact)
{
    return pair.first->node() != pair.second->node() || pair.first->canCollide(i, *pair.second, j, contact);
}

}  // namespace

void CandidateNarrowPhase::findContacts(const std::vector<ModelPair>& pairs, const IntersectionMethod& method,
                                        std::vector<DetectionOutput>& outputs)
{
    outputs.clear();
    m_candidates.clear();
    findCandidates(pairs, method.alarmDistance(), method.contactDistance(), m_candidates);

    struct Tests
    {
        PrimitiveTest one = nullptr;
        PrimitivePairsTest many = nullptr;
    };
    std::vector<Tests> tests(pairs.size());
    for (std::size_t k = 0, next = 0; k < m_candidates.size(); ++k) {
        if (m_candidates[k].pair < next) continue;
        const ModelPair& pair = pairs[m_candidates[k].pair];
        next = m_candidates[k].pair + 1;
        bool swapped = false;
        tests[m_candidates[k].pair] = {method.find(pair.first->shape(), pair.second->shape(), swapped),
                                       method.findPairsTest(pair.first->shape(), pair.second->shape())};
        method.prepare(pair);
    }

    const std::size_t chunks = (m_candidates.size() + chunk - 1) / chunk;
    if (m_found.size() < chunks) {
        m_found.resize(chunks);
        m_pairOf.resize(chunks);
    }
    parallelFor(0, m_candidates.size(), chunk, [&](std::size_t begin, std::size_t end) {
        Vector<DetectedContact>& found = m_found[begin / chunk];
        Vector<Index>& pairOf = m_pairOf[begin / chunk];
        found.clear();
        pairOf.clear();
        for (std::size_t k = begin, next = begin; k < end; k = next) {
            const Index p = m_candidates[k].pair;
            while (next < end && m_candidates[next].pair == p) ++next;
            if (tests[p].many)
                tests[p].many(method, *pairs[p].first, *pairs[p].second, {&m_candidates[k], next - k}, found);
            else if (tests[p].one)
                for (; k < next; ++k)
                    tests[p].one(method, *pairs[p].first, m_candidates[k].i, *pairs[p].second, m_candidates[k].j,
                                 found);
            pairOf.resize(found.size(), p);
        }
    });
    Index current = InvalidIndex;
    for (std::size_t c = 0; c < chunks; ++c)
        for (std::size_t k = 0; k < m_found[c].size(); ++k) {
            if (m_pairOf[c][k] != current) {
                current = m_pairOf[c][k];
                outputs.push_back({pairs[current], {}});
            }
            outputs.back().contacts.push_back(m_found[c][k]);
        }
    for (DetectionOutput& o : outputs) sortContacts(o.models, o.contacts);
    m_outputOrder.sort(pairs, outputs);
}

void BVHNarrowPhase::findCandidates(const std::vector<ModelPair>& pairs, double distance, double contact,
                                    Vector<Candidate>& candidates)
{
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        const auto index = static_cast<Index>(p);
        const CollisionModel &a = *pairs[p].first, &b = *pairs[p].second;
        if (&a != &b && std::size_t(a.size()) * b.size() <= fewPairs) {
            // The same, without trees.
            for (Index i = 0; i < a.size(); ++i)
                for (Index j = 0; j < b.size(); ++j)
                    if (a.boxes()[i].valid() && b.boxes()[j].valid() && a.boxes()[i].overlaps(b.boxes()[j], distance) &&
                        mayCollide(pairs[p], i, j, contact))
                        candidates.push_back({index, i, j});
        } else if (&a == &b) {
            for (const auto& [i, j] : m_search.within(a.tree(), distance))
                if (a.canCollide(j, a, i, contact)) candidates.push_back({index, j, i});
        } else {
            Near& near = m_near[{a.serial(), b.serial()}];
            near.used = true;
            const auto search = [&](double d) { return m_search.between(a.tree(), b.tree(), d); };
            for (const auto& [i, j] : near.pairs.find(a.boxes(), b.boxes(), distance, search))
                if (mayCollide(pairs[p], i, j, contact)) candidates.push_back({index, i, j});
        }
    }
    for (auto near = m_near.begin(); near != m_near.end();)
        near = std::exchange(near->second.used, false) ? std::next(near) : m_near.erase(near);
}

void DirectSAPNarrowPhase::findCandidates(const std::vector<ModelPair>& pairs, double distance, double contact,
                                          Vector<Candidate>& candidates)
{
    // The models of the pairs, numbered as they come, and the pairs by these numbers.
    std::map<const CollisionModel*, Index> numbers;
    m_models.clear();
    const auto number = [&](const CollisionModel* m) {
        const auto [it, isNew] = numbers.emplace(m, static_cast<Index>(m_models.size()));
        if (isNew) m_models.push_back(m);
        return it->second;
    };
    struct Wanted
    {
        Index first, second, pair;
    };
    std::vector<Wanted> wanted;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        const Index a = number(pairs[p].first), b = number(pairs[p].second);
        wanted.push_back({std::min(a, b), std::max(a, b), static_cast<Index>(p)});
    }
    const auto before = [](const Wanted& a, const Wanted& b) {
        return a.first != b.first ? a.first < b.first : a.second < b.second;
    };
    std::sort(wanted.begin(), wanted.end(), before);

    m_boxes.clear();
    for (std::size_t m = 0; m < m_models.size(); ++m)
        for (Index i = 0; i < m_models[m]->size(); ++i)
            if (m_models[m]->boxes()[i].valid())
                m_boxes.push_back({&m_models[m]->boxes()[i], static_cast<Index>(m), i});

    Vec3 mean, variance;
    for (const Box& b : m_boxes) mean += b.box->center();
    if (!m_boxes.empty()) mean /= static_cast<double>(m_boxes.size());
    for (const Box& b : m_boxes)
        for (std::size_t k = 0; k < 3; ++k)
            variance[k] += (b.box->center()[k] - mean[k]) * (b.box->center()[k] - mean[k]);
    const std::size_t axis = variance[0] >= variance[1] && variance[0] >= variance[2] ? 0
                             : variance[1] >= variance[2]                             ? 1
                                                                                      : 2;

    m_order.resize(m_boxes.size());
    for (std::size_t k = 0; k < m_order.size(); ++k) m_order[k] = static_cast<Index>(k);
    std::sort(m_order.begin(), m_order.end(), [&](Index a, Index b) {
        const double x = m_boxes[a].box->lower[axis], y = m_boxes[b].box->lower[axis];
        return x != y ? x < y : a < b;
    });
    m_open.clear();
    for (const Index k : m_order) {
        const Box& box = m_boxes[k];
        // Those that end before this one begins meet none of the following either.
        std::size_t kept = 0;
        for (const Index o : m_open) {
            const Box& other = m_boxes[o];
            if (!(box.box->lower[axis] - other.box->upper[axis] <= distance)) continue;
            m_open[kept++] = o;
            if (!box.box->overlaps(*other.box, distance)) continue;
            const Wanted key{std::min(box.model, other.model), std::max(box.model, other.model), 0};
            const auto it = std::lower_bound(wanted.begin(), wanted.end(), key, before);
            if (it == wanted.end() || it->first != key.first || it->second != key.second) continue;
            const ModelPair& pair = pairs[it->pair];
            Index i = box.primitive, j = other.primitive;
            if (box.model == other.model) {
                if (i < j) std::swap(i, j);
                if (pair.first->canCollide(i, *pair.first, j, contact)) candidates.push_back({it->pair, i, j});
                continue;
            }
            if (m_models[box.model] != pair.first) std::swap(i, j);
            if (mayCollide(pair, i, j, contact)) candidates.push_back({it->pair, i, j});
        }
        m_open.resize(kept);
        m_open.push_back(k);
    }
    // In the order of the other narrow phases: by pair and first index, or of a model with itself by the smaller one.
    std::sort(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
        if (a.pair != b.pair) return a.pair < b.pair;
        const bool self = pairs[a.pair].first == pairs[a.pair].second;
        const auto [a1, a2] = self ? std::pair(a.j, a.i) : std::pair(a.i, a.j);
        const auto [b1, b2] = self ? std::pair(b.j, b.i) : std::pair(b.i, b.j);
        return a1 != b1 ? a1 < b1 : a2 < b2;
    });
    d_nbPairs.setValue(static_cast<int>(candidates.size()));
}

namespace {

/// Sweep and prune as SOFA's old name has it: all pairs of models, and a sweep over their primitives.
class DirectSAP final : public BroadPhase
{
public:
    void findPairs(const std::vector<CollisionModel*>& models, const IntersectionMethod& method,
                   std::vector<ModelPair>& pairs) override
    {
        const ModelPairs all(models, {}, method);
        for (std::size_t i = 0; i < all.models().size(); ++i) {
            if (all.models()[i]->d_selfCollision.value()) all.append(i, i, pairs);
            for (std::size_t j = 0; j < i; ++j)
                if (all.near(i, j)) all.append(i, j, pairs);
        }
    }
    NarrowPhase* narrowPhase() override { return &m_narrowPhase; }
    void reset() override { m_narrowPhase.reset(); }
    void archive(Archive& a) override { m_narrowPhase.archive(a); }

private:
    DirectSAPNarrowPhase m_narrowPhase;
};

const RegisterComponent registeredBVHNarrowPhase =
    RegisterComponent("BVHNarrowPhase", "NarrowPhase", "Sofa.Component.Collision.Detection.Algorithm")
        .help("Compares the boxes of primitives, and then the primitives whose boxes are near, in parallel")
        .alias("ParallelBVHNarrowPhase")
        .example("component/collision/Spheres.scn")
        .add<BVHNarrowPhase>();
const RegisterComponent registeredDirectSAPNarrowPhase =
    RegisterComponent("DirectSAPNarrowPhase", "NarrowPhase", "Sofa.Component.Collision.Detection.Algorithm")
        .help("Candidates by a sweep over the boxes of all primitives; the same contacts as BVHNarrowPhase")
        .example("component/collision/SweepAndPrune.scn")
        .add<DirectSAPNarrowPhase>();
const RegisterComponent registeredDirectSAP =
    RegisterComponent("DirectSAP", "BroadPhase", "Sofa.Component.Collision.Detection.Algorithm")
        .help("Broad and narrow phase in one: pairs of models, and a sweep over the boxes of their primitives")
        .example("component/collision/SweepAndPrune.scn")
        .add<DirectSAP>();

}  // namespace

}  // namespace sofa::component
