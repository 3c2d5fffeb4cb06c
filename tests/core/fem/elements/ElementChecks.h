// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "tests/core/fem/FemTestUtilities.h"
#include "tests/harness/ParallelGuard.h"

/// What the tests of several classes of core/fem/elements do.
namespace sofa::test {

template <class Elements>
Vector<Vec3> forces(Elements& e, const Vector<Vec3>& x)
{
    Vector<Vec3> f(x.size());
    e.addForce(f, x);
    return f;
}

template <class Elements>
Eigen::MatrixXd stiffness(const Elements& e)
{
    DenseSink sink(e.graph().nbPoints());
    e.addStiffness(sink);
    return sink.matrix;
}

/// A box of irregular elements, `layers` of them on each other.
inline BoxMesh jitteredBox(Index layers = 2)
{
    BoxMesh mesh(2, 2, layers, {2., 1.5, 1.});
    mesh.jitter(0.1);
    return mesh;
}

/// Whether a point of patch() is none of its surface.
inline bool isInsidePatch(std::size_t i)
{
    const std::size_t a = i % 4, b = i / 4 % 4, c = i / 16;
    return a > 0 && a < 3 && b > 0 && b < 3 && c > 0 && c < 3;
}

/// A cube of elements for patch tests: the points inside are not where a grid has them.
inline BoxMesh patch()
{
    BoxMesh mesh(3, 3, 3, {1., 1., 1.});
    const Vector<Vec3> noise = randomVectors(mesh.points.size(), 0.05, 11);
    for (std::size_t i = 0; i < mesh.points.size(); ++i)
        if (isInsidePatch(i)) mesh.points[i] += noise[i];
    return mesh;
}

/// Sees the order and the bits of the blocks it is given.
class Recorder final : public BlockSink
{
public:
    void addBlock(Index i, Index j, const double* block, std::size_t r, std::size_t c) override
    {
        values.insert(values.end(), {static_cast<double>(i), static_cast<double>(j)});
        values.insert(values.end(), block, block + r * c);
    }
    std::vector<double> values;
};

/// Checks that results are the same to the last bit for any number of threads and any instruction set.
/// `evaluate(f, sink)` adds to as many forces as there are `points`, and may append other results; sink takes the
/// stiffness.
template <class Evaluate>
void checkSameBits(std::size_t points, Evaluate evaluate)
{
    const ParallelGuard guard;
    std::vector<Vector<Vec3>> results;
    std::vector<std::vector<double>> matrices;
    for (const auto& [threads, level] :
         {std::pair{1u, SimdLevel::scalar}, std::pair{2u, SimdLevel::scalar}, std::pair{3u, SimdLevel::avx512},
          std::pair{5u, SimdLevel::avx2}, std::pair{1u, SimdLevel::avx512}}) {
        setThreadCount(threads);
        setSimdLevel(level);
        Vector<Vec3> f(points, Vec3{0.1, 0.2, 0.3});
        Recorder r;
        evaluate(f, r);
        results.push_back(f);
        matrices.push_back(r.values);
    }
    CHECK(maxNorm(results[0]) > 1.);
    CHECK(std::isfinite(maxNorm(results[0])));
    for (std::size_t i = 1; i < results.size(); ++i) {
        CHECK(results[i] == results[0]);
        CHECK(matrices[i] == matrices[0]);
    }
}

/// Checks that a stiffness is symmetric, negative semi-definite and free for the six rigid motions only.
inline void checkFreeForRigidMotionsOnly(const Eigen::MatrixXd& k)
{
    CHECK(k == k.transpose());
    const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(k).eigenvalues();
    const double largest = -values[0];
    REQUIRE(largest > 1.);
    CHECK(values.tail(6).cwiseAbs().maxCoeff() < 1e-11 * largest);
    CHECK(values[values.size() - 7] < -1e-4 * largest);
}

}  // namespace sofa::test
