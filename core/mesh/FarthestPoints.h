// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <vector>

#include "core/math/Vec.h"
#include "core/mesh/Adjacency.h"

namespace sofa::core {

/// Samples of a set of points, and the sample that is nearest to each point: straight, or along edges (the shortest
/// path; E. W. Dijkstra, "A note on two problems in connexion with graphs", 1959). Of equally near ones that which came
/// first.
class FarthestPoints
{
public:
    /// The arrays must outlive the object. Ends of edges are points.
    FarthestPoints(const Vector<Vec3>& x, const Vector<Edge>& edges);

    /// Adds the point that is farthest from all samples, of equally far ones the first; the first sample is point 0.
    /// False if each point is at the place of a sample, or there is none. Points to which no edges lead are the
    /// farthest.
    bool addFarthest();
    /// Moves each sample to the point nearest to the mean of the points that it is nearest to (S. Lloyd, "Least squares
    /// quantization in PCM", 1982). False if no sample moved.
    bool relax();

    std::size_t size() const { return m_samples.size(); }
    const Vector<Index>& points() const { return m_samples; }
    /// The sample of each point, by its place in points(); InvalidIndex where no sample is reached.
    const Vector<Index>& nearest() const { return m_nearest; }
    /// Distance of each point from it [m]; infinite where no sample is reached.
    const std::vector<double>& distances() const { return m_distances; }

private:
    void spread(Index sample);

    const Vector<Vec3>& m_x;
    const Vector<Edge>& m_edges;
    Adjacency m_edgesOf;
    Vector<Index> m_samples, m_nearest;
    std::vector<double> m_distances;
};

}  // namespace sofa::core
