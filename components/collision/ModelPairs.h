// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/collision/CollisionDetection.h"
#include "core/geometry/BvhPairs.h"

namespace sofa::component {

using namespace sofa::core;

/// What all broad phases share: which models and pairs of models count, and in which order pairs come.
class ModelPairs
{
public:
    /// Models that have primitives and meet the box with two corners [m], if it is given. The method must live longer.
    ModelPairs(const std::vector<CollisionModel*>& models, const Vector<Vec3>& corners,
               const IntersectionMethod& method);

    const std::vector<const CollisionModel*>& models() const { return m_models; }
    /// Distance of boxes below which pairs count [m].
    double distance() const { return m_distance; }
    /// Whether the boxes of two models are within that distance.
    bool near(std::size_t i, std::size_t j) const
    {
        return m_models[i]->box().overlaps(m_models[j]->box(), m_distance);
    }
    /// Appends the pair of models i ≥ j, which are near each other, if they may collide and the method has a test.
    void append(std::size_t i, std::size_t j, std::vector<ModelPair>& pairs) const;
    /// Appends the pairs of models that are near each other, given as (earlier, later) in any order and without
    /// duplicates, and those of models with themselves.
    void appendAll(Vector<geometry::IndexPair>& near, std::vector<ModelPair>& pairs) const;

private:
    std::vector<const CollisionModel*> m_models;
    const IntersectionMethod& m_method;
    double m_distance;
};

}  // namespace sofa::component
