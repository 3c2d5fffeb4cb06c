// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Time per tetrahedron of the element kernels: forces, and stiffness with assembly into the block sparse matrix, for
// each law, on jittered ordered boxes of about 10k, 100k and 1M elements, beside what Vega FEM 4.0 needs for both on a
// box of 166k elements (native build, Zen 4 at 3.7 GHz; triad 25 GB/s). The roofline column is the time to stream what
// the kernels read and write, at the bandwidth of a triad measured in the same run, over the time they take. Usage:
// element_bench [largest number of elements] [threads]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "core/fem/CorotationalTetrahedra.h"
#include "core/fem/HyperelasticElements.h"
#include "core/linalg/BlockAssembler.h"
#include "core/parallel/Parallel.h"
#include "core/parallel/SimdLevel.h"

using namespace sofa::core;

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Bytes per second of a = b + s c over arrays that no cache holds.
double triad()
{
    const std::size_t n = 8'000'000;
    std::vector<double> a(n, 0.), b(n, 1.), c(n, 2.);
    double best = 1e9;
    for (int r = 0; r < 6; ++r) {
        const double t = now();
        parallelFor(0, n, 65536, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) a[i] = b[i] + 3. * c[i];
        });
        best = std::min(best, now() - t);
        b[static_cast<std::size_t>(r)] = a[n - 1];
    }
    return 24. * static_cast<double>(n) / best;
}

struct Mesh
{
    Vector<Vec3> rest, x;
    Vector<Tetrahedron> tetrahedra;
};

/// n³ cubes of six tetrahedra, their points moved by up to a tenth of an edge, and deformed by up to 3%.
Mesh box(Index n)
{
    Mesh m;
    std::mt19937 random(1);
    std::uniform_real_distribution<double> d(-0.1, 0.1);
    for (Index k = 0; k <= n; ++k)
        for (Index j = 0; j <= n; ++j)
            for (Index i = 0; i <= n; ++i) m.rest.push_back({i + d(random), j + d(random), k + d(random)});
    for (Index k = 0; k < n; ++k)
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < n; ++i) {
                const auto at = [&](Index a, Index b, Index c) {
                    return i + a + (n + 1) * (j + b + (n + 1) * (k + c));
                };
                const Index h[8] = {at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0),
                                    at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)};
                constexpr int path[6][2] = {{1, 2}, {2, 3}, {3, 7}, {7, 4}, {4, 5}, {5, 1}};
                for (const auto& p : path) m.tetrahedra.push_back({h[0], h[p[0]], h[p[1]], h[6]});
            }
    m.x = m.rest;
    for (Vec3& p : m.x) p += Vec3{d(random), d(random), d(random)} * 0.3;
    return m;
}

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

template <class Body>
void run(const Mesh& mesh, const char* name, Body& body, double vega, double bandwidth, double elementBytes)
{
    BlockAssembler assembler;
    ToAssembler sink(assembler);
    Vector<Vec3> f(mesh.x.size());
    const int size = static_cast<int>(3 * mesh.x.size());
    double force = 1e9, stiffness = 1e9;
    const int repetitions = mesh.tetrahedra.size() > 500000 ? 5 : 20;
    for (int r = 0; r < repetitions; ++r) {
        const double t0 = now();
        body.addForce(f, mesh.x);
        const double t1 = now();
        assembler.begin(size, size, 3);
        body.addStiffness(sink);
        assembler.end();
        const double t2 = now();
        if (r == 0) continue;  // allocation, pattern
        force = std::min(force, t1 - t0);
        stiffness = std::min(stiffness, t2 - t1);
    }
    const auto n = static_cast<double>(mesh.tetrahedra.size());
    const double ns = 1e9 / n, total = (force + stiffness) * ns;
    // Forces read the element and points, write forces; the stiffness reads the element, writes and reads the pairs,
    // writes the matrix.
    const double points = 24. * static_cast<double>(mesh.x.size()) / n;
    const double matrix = 8. * static_cast<double>(assembler.matrix().nonZeros()) / n;
    const double bytes = 2. * elementBytes + 3. * points + 2. * 0.5 * matrix + matrix;
    std::printf("| %zu | %s | %.1f | %.1f | %.1f | %.0f | %.1f | %.0f%% |\n", mesh.tetrahedra.size(), name, force * ns,
                stiffness * ns, total, vega, vega / total, 100. * (bytes / bandwidth * 1e9) / total);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv)
{
    const std::size_t largest = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1100000;
    setThreadCount(argc > 2 ? static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)) : 1);
    const char* const levels[] = {"scalar", "AVX2", "AVX-512"};
    struct Law
    {
        const char* name;
        MaterialLaw law;
        double vega;
    };
    const Law laws[] = {{"corotational, exact tangent", MaterialLaw::Corotational, 1316.},
                        {"corotational", MaterialLaw::CorotationalApproximate, 767.},
                        {"St Venant-Kirchhoff", MaterialLaw::StVenantKirchhoff, 13562.},
                        {"neo-Hookean, invertible", MaterialLaw::NeoHookean, 1201.},
                        {"Mooney-Rivlin, invertible", MaterialLaw::MooneyRivlin, 1389.}};
    for (const SimdLevel level : {SimdLevel::avx512, SimdLevel::avx2, SimdLevel::scalar}) {
        setSimdLevel(level);
        if (simdLevel() != level) continue;
        const double bandwidth = triad();
        std::printf("\n%s, %u thread(s), triad %.1f GB/s; ns per tetrahedron\n\n", levels[static_cast<int>(level)],
                    threadCount(), bandwidth * 1e-9);
        std::printf("| tetrahedra | law | forces | stiffness, assembled | sum | Vega | ratio | roofline |\n");
        std::printf("|---|---|---|---|---|---|---|---|\n");
        for (const Index n : {Index(12), Index(26), Index(56)}) {
            if (6 * static_cast<std::size_t>(n) * n * n > largest) break;
            const Mesh mesh = box(n);
            CorotationalTetrahedra sofa;
            sofa.build(mesh.tetrahedra, mesh.rest, RotationMethod::Large);
            for (Index e = 0; e < sofa.size(); ++e) sofa.setMaterial(e, {900., 400.});
            run(mesh, "SOFA's corotational, method large", sofa, 767., bandwidth, 250.);
            for (const Law& law : laws) {
                HyperelasticElements<4> body;
                body.build(mesh.tetrahedra, mesh.rest, tetrahedronQuadrature());
                MaterialEvaluation m;
                m.law = law.law;
                if (law.law == MaterialLaw::NeoHookean || law.law == MaterialLaw::MooneyRivlin) m.smallestStretch = 0.1;
                body.setMaterial(m);
                const std::vector<double> all = {900., 400., 600.};
                for (Index e = 0; e < body.size(); ++e) body.setParameters(e, {all.data(), body.parameterCount()});
                run(mesh, law.name, body, law.vega, bandwidth, 96. + 8. * static_cast<double>(body.parameterCount()));
            }
        }
    }
    return 0;
}
