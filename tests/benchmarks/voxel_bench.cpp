// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Time per voxel of linear and corotational elasticity: forces, and stiffness with assembly into the block sparse
// matrix, with one stiffness shared by all voxels against eight quadrature points; and the time to integrate that
// stiffness in closed form and by quadrature. Usage: voxel_bench [threads]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "core/fem/HyperelasticElements.h"
#include "core/fem/WarpedElements.h"
#include "core/linalg/BlockAssembler.h"
#include "core/parallel/Parallel.h"
#include "core/parallel/SimdLevel.h"
#include "core/topology/Elements.h"

using namespace sofa::core;

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

struct Mesh
{
    Vector<Vec3> rest, x;
};

struct ToAssembler final : BlockSink
{
    explicit ToAssembler(BlockAssembler& a) : assembler(a) {}
    void addBlock(Index i, Index j, const double* b, std::size_t, std::size_t) override
    {
        assembler.add(static_cast<int>(3 * i), static_cast<int>(3 * j), b, 3, 3, 3, -1.);
    }
    void addSymmetric(const SymmetricPattern& p, const Mat3* pairs) override
    {
        assembler.addSymmetric(0, p, pairs, -1.);
    }
    BlockAssembler& assembler;
};

struct Times
{
    double force = 1e9, stiffness = 1e9;  ///< [s]
};

template <class Body>
Times timesOf(const Mesh& mesh, Body& body, BlockAssembler& assembler, int repetitions)
{
    ToAssembler sink(assembler);
    Vector<Vec3> f(mesh.x.size());
    const int size = static_cast<int>(3 * mesh.x.size());
    Times best;
    for (int r = 0; r < repetitions; ++r) {
        const double t0 = now();
        body.addForce(f, mesh.x);
        const double t1 = now();
        assembler.begin(size, size, 3);
        body.addStiffness(sink);
        assembler.end();
        const double t2 = now();
        if (r == 0) continue;  // allocation, pattern
        best.force = std::min(best.force, t1 - t0);
        best.stiffness = std::min(best.stiffness, t2 - t1);
    }
    return best;
}

/// n³ voxels, with and without rotations: eight points of quadrature against one stiffness for all.
void voxels(Index n)
{
    Mesh mesh;
    Vector<Hexahedron> hexahedra;
    std::mt19937 random(1);
    std::uniform_real_distribution<double> d(-0.03, 0.03);
    for (Index k = 0; k <= n; ++k)
        for (Index j = 0; j <= n; ++j)
            for (Index i = 0; i <= n; ++i) mesh.rest.push_back({double(i), double(j), double(k)});
    for (Index k = 0; k < n; ++k)
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < n; ++i) {
                const auto at = [&](Index a, Index b, Index c) {
                    return i + a + (n + 1) * (j + b + (n + 1) * (k + c));
                };
                hexahedra.push_back({at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0), at(0, 0, 1), at(1, 0, 1),
                                     at(1, 1, 1), at(0, 1, 1)});
            }
    mesh.x = mesh.rest;
    for (Vec3& p : mesh.x) p += Vec3{d(random), d(random), d(random)};
    const double ns = 1e9 / static_cast<double>(hexahedra.size());
    const auto print = [&](const char* name, const Times& t) {
        std::printf("| %zu | %s | %.0f | %.0f | %.0f |\n", hexahedra.size(), name, t.force * ns, t.stiffness * ns,
                    (t.force + t.stiffness) * ns);
    };
    const double parameters[] = {900., 400.};
    const std::pair<MaterialLaw, ElementWarp> laws[] = {{MaterialLaw::Linear, ElementWarp::None},
                                                        {MaterialLaw::CorotationalApproximate, ElementWarp::Rotated}};
    for (const auto& [law, warp] : laws) {
        BlockAssembler assembler;
        HyperelasticElements<8> points;
        points.build(hexahedra, mesh.rest, hexahedronQuadrature(2));
        MaterialEvaluation m;
        m.law = law;
        points.setMaterial(m);
        for (Index e = 0; e < points.size(); ++e) points.setParameters(e, parameters);
        const bool linear = warp == ElementWarp::None;
        print(linear ? "linear, 8 points" : "corotational, 8 points", timesOf(mesh, points, assembler, 10));
        WarpedElements<8> shared;
        shared.build(hexahedra, mesh.rest, warp);
        shared.setMaterial([](Index) { return isotropicElasticity({900., 400.}); });
        print(linear ? "linear, shared stiffness" : "corotational, shared stiffness",
              timesOf(mesh, shared, assembler, 10));
    }
}

/// Microseconds to integrate the stiffness of a voxel.
void voxelStiffness()
{
    WarpedElements<8>::Nodes nodes;
    for (std::size_t i = 0; i < 8; ++i)
        nodes[i] = {i % 4 == 1 || i % 4 == 2 ? 1. : 0., i % 4 > 1 ? 2. : 0., i > 3 ? 3. : 0.};
    for (const bool closedForm : {false, true}) {
        double best = 1e9, sum = 0.;
        for (int r = 0; r < 2000; ++r) {
            const double t = now();
            sum += WarpedElements<8>::integrate(nodes, isotropicElasticity({900. + r, 400.}), closedForm)[0][0];
            best = std::min(best, now() - t);
        }
        std::printf("stiffness of a voxel, %s: %.2f us%s\n", closedForm ? "closed form" : "quadrature", best * 1e6,
                    sum > 0. ? "" : " (wrong)");
    }
}

}  // namespace

int main(int argc, char** argv)
{
    setThreadCount(argc > 1 ? static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10)) : 1);
    const char* const levels[] = {"scalar", "AVX2", "AVX-512"};
    for (const SimdLevel level : {SimdLevel::avx512, SimdLevel::avx2, SimdLevel::scalar}) {
        setSimdLevel(level);
        if (simdLevel() != level) continue;
        std::printf("\n%s, %u thread(s); ns per voxel\n\n", levels[static_cast<int>(level)], threadCount());
        std::printf("| voxels | law | forces | stiffness, assembled | sum |\n|---|---|---|---|---|\n");
        for (const Index n : {Index(20), Index(46)}) voxels(n);
    }
    voxelStiffness();
    return 0;
}
