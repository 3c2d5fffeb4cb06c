// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/math/Vector.h"

namespace sofa::core {

class BlockCsrMatrix;

/// Undirected graph in compressed form: the neighbours of vertex i are neighbours[ptr[i]] … neighbours[ptr[i+1]−1], in
/// increasing order, without i itself. Every edge is stored in both directions.
struct Graph
{
    Vector<int> ptr{0};
    Vector<int> neighbours;

    int size() const { return static_cast<int>(ptr.size()) - 1; }
    std::span<const int> of(int i) const
    {
        const auto b = static_cast<std::size_t>(ptr[static_cast<std::size_t>(i)]);
        const auto e = static_cast<std::size_t>(ptr[static_cast<std::size_t>(i) + 1]);
        return {neighbours.data() + b, e - b};
    }
};

/// Graph of the block pattern of A + Aᵀ without its diagonal. Throws std::runtime_error if A is not square.
Graph adjacencyGraph(const BlockCsrMatrix& a);

/// Elimination orders for sparse symmetric factorisation. All of them are deterministic.
enum class OrderingMethod
{
    automatic,            ///< the choice of the user of the order (factorisations: the one with least arithmetic)
    natural,              ///< as numbered
    minimumDegree,        ///< approximate minimum degree (Amestoy, Davis, Duff 1996); Eigen's implementation
    reverseCuthillMckee,  ///< smallest bandwidth (Cuthill, McKee 1969; George, Liu 1981 for the starting vertex)
    nestedDissection,     ///< multilevel nested dissection (Karypis, Kumar 1998); METIS with a fixed seed
    columnMinimumDegree,  ///< approximate minimum degree of AᵀA (Davis, Gilbert, Larimore, Ng 2004); Eigen's COLAMD
};

/// "natural", "AMD", "RCM", "METIS", "COLAMD", "automatic"; and back, nothing for another name.
std::string_view name(OrderingMethod method);
std::optional<OrderingMethod> orderingMethod(std::string_view name);

/// Elimination order of the vertices: entry k is the vertex that comes k-th. `automatic` gives minimum degree.
Vector<int> computeOrdering(const Graph& graph, OrderingMethod method);

/// Positions of an order: entry i is the place of vertex i. Throws std::runtime_error if `order` is not a permutation.
Vector<int> inversePermutation(std::span<const int> order);

/// max |place(i) − place(j)| over the edges.
int bandwidth(const Graph& graph, std::span<const int> order);

}  // namespace sofa::core
