// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Time per voxel of linear and corotational elasticity: forces, and stiffness with assembly into the block sparse
// matrix, with one stiffness shared by all voxels against eight quadrature points; and the time to integrate that
// stiffness in closed form and by quadrature. Usage: voxel_bench [threads] [--json]
#include <random>

#include "core/fem/elements/CorotationalElements.h"
#include "core/fem/elements/HyperelasticElements.h"
#include "core/linalg/BlockAssembler.h"
#include "core/mesh/Elements.h"
#include "core/parallel/Parallel.h"
#include "tests/benchmarks/Report.h"

using namespace sofa::core;
using namespace sofa::benchmark;

namespace {

struct VoxelMesh
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
    void addSymmetric(const SymmetricPattern& p, SymmetricSource& pairs) override
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
Times timesOf(const VoxelMesh& mesh, Body& body, BlockAssembler& assembler, int repetitions)
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
void voxels(Report& report, Index n)
{
    VoxelMesh mesh;
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
    const auto print = [&](const char* law, const Times& t) {
        report.row({{"kind", "voxels"},
                    {"voxels", hexahedra.size()},
                    {"threads", threadCount()},
                    {"law", law},
                    {"forces [ns]", t.force * ns},
                    {"stiffness [ns]", t.stiffness * ns},
                    {"sum [ns]", (t.force + t.stiffness) * ns}});
    };
    const double parameters[] = {900., 400.};
    const std::pair<MaterialLaw, Corotation> laws[] = {{MaterialLaw::Linear, Corotation::None},
                                                       {MaterialLaw::CorotationalApproximate, Corotation::Rotated}};
    for (const auto& [law, warp] : laws) {
        BlockAssembler assembler;
        HyperelasticElements<8> points;
        points.build(hexahedra, mesh.rest, hexahedronQuadrature(2));
        MaterialEvaluation m;
        m.law = law;
        points.setMaterial(m);
        for (Index e = 0; e < points.size(); ++e) points.setParameters(e, parameters);
        const bool linear = warp == Corotation::None;
        print(linear ? "linear, 8 points" : "corotational, 8 points", timesOf(mesh, points, assembler, 10));
        CorotationalElements<8> shared;
        shared.build(hexahedra, mesh.rest, warp);
        shared.setMaterial([](Index) { return isotropicElasticity({900., 400.}); });
        print(linear ? "linear, shared stiffness" : "corotational, shared stiffness",
              timesOf(mesh, shared, assembler, 10));
    }
}

/// Time to integrate the stiffness of a voxel.
void voxelStiffness(Report& report)
{
    CorotationalElements<8>::Nodes nodes;
    for (std::size_t i = 0; i < 8; ++i)
        nodes[i] = {i % 4 == 1 || i % 4 == 2 ? 1. : 0., i % 4 > 1 ? 2. : 0., i > 3 ? 3. : 0.};
    for (const bool closedForm : {false, true}) {
        double shortest = 1e9, sum = 0.;
        for (int r = 0; r < 2000; ++r) {
            const double t = now();
            sum += CorotationalElements<8>::integrate(nodes, isotropicElasticity({900. + r, 400.}), closedForm)[0][0];
            shortest = std::min(shortest, now() - t);
        }
        report.row({{"kind", "stiffness of a voxel"},
                    {"method", closedForm ? "closed form" : "quadrature"},
                    {"time [us]", sum > 0. ? shortest * 1e6 : 0.}});
    }
}

}  // namespace

int main(int argc, char** argv)
{
    const Arguments arguments(argc, argv);
    setThreadCount(static_cast<unsigned>(arguments.number(0, 1)));
    Report report(arguments);
    for (const Index n : {Index(20), Index(46)}) voxels(report, n);
    voxelStiffness(report);
    return 0;
}
