// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/collision/CollisionDetection.h"

namespace sofa::core {

/// Ranks of collision models by their first appearance, which stay for the whole run.
class ModelRanks
{
public:
    /// The rank of a model; a new model gets the next one.
    std::size_t operator()(const CollisionModel& model);
    /// Paths of the models of a pair.
    struct Names
    {
        std::string first, second;
        friend bool operator==(const Names&, const Names&) = default;
    };
    /// Ranks both models of a pair: the second one first.
    void add(const ModelPair& pair);
    void add(const Names& pair);
    bool empty() const { return m_names.empty(); }
    void clear();
    void archive(Archive& a);

private:
    std::size_t rankOf(const std::string& name);

    std::vector<std::string> m_names;                        ///< paths of the models, by rank
    std::unordered_map<std::uint64_t, std::size_t> m_ranks;  ///< by the serial number of the model, to look up only
    std::map<std::string, std::size_t> m_byName;
};

/// Order of the pairs of models in contact, and with it of the responses: SOFA's, whose constraint solvers stop at a
/// tolerance, so that the order is part of its numbers.
///
/// SOFA sorts pairs by ranks of their first, then of their second model; models are ranked when they are first
/// compared. Pairs that the broad phase found are sorted by ranks of their own, then those with contacts by ranks that
/// are made in that order. In which order a comparison ranks its models is left open by C++; it is here as GCC does it,
/// with which SOFA is built for Linux: the second model of a pair before the first, and of the first two pairs that
/// have contacts the second pair before the first.
class OutputOrder
{
public:
    /// Sorts the outputs of a detection that has looked at these pairs.
    void sort(const std::vector<ModelPair>& pairs, std::vector<DetectionOutput>& outputs);
    void clear();
    void archive(Archive& a);

private:
    void rankResponses(const std::vector<DetectionOutput>& outputs);

    ModelRanks m_pairs, m_responses;
    std::optional<ModelRanks::Names> m_alone;  ///< the only pair in contact so far, not ranked yet
};

}  // namespace sofa::core
