// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Time per element of SOFA's corotational hexahedra, of equal cells (which share the numbers of one stiffness) and of
// jittered ones, and of the springs of such a grid (28 for each cell, shared ones once): forces, products and stiffness
// with assembly. Usage: packs_bench [largest number of cells = 70000] [threads = 1] [--best-level] [--json]
#include <algorithm>
#include <random>
#include <set>

#include "core/fem/elements/CorotationalHexahedra.h"
#include "core/fem/elements/LinearSprings.h"
#include "core/linalg/BlockAssembler.h"
#include "core/parallel/Parallel.h"
#include "tests/benchmarks/Report.h"

using namespace sofa::core;
using namespace sofa::benchmark;

namespace {

struct Grid
{
    Vector<Vec3> rest, x;
    Vector<Hexahedron> cells;
};

/// n³ cells, their points moved by up to `jitter` at rest, and deformed by up to 3% of an edge.
Grid gridOf(Index n, double jitter)
{
    Grid g;
    std::mt19937 random(1);
    std::uniform_real_distribution<double> d(-1., 1.);
    const auto noise = [&] { return Vec3{d(random), d(random), d(random)}; };
    for (Index k = 0; k <= n; ++k)
        for (Index j = 0; j <= n; ++j)
            for (Index i = 0; i <= n; ++i) {
                g.rest.push_back(Vec3{1. * i, 1. * j, 1. * k} + noise() * jitter);
                g.x.push_back(g.rest.back() + noise() * 0.03);
            }
    for (Index k = 0; k < n; ++k)
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < n; ++i) {
                const auto at = [&](Index a, Index b, Index c) {
                    return i + a + (n + 1) * (j + b + (n + 1) * (k + c));
                };
                g.cells.push_back({at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0), at(0, 0, 1), at(1, 0, 1),
                                   at(1, 1, 1), at(0, 1, 1)});
            }
    return g;
}

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

template <class Forces, class Product, class Stiffness>
void run(Report& report, const char* what, double count, const Vector<Vec3>& x, Forces&& forces, Product&& product,
         Stiffness&& stiffness)
{
    BlockAssembler assembler;
    ToAssembler sink(assembler);
    Vector<Vec3> f(x.size());
    const auto size = static_cast<int>(3 * x.size());
    const auto assemble = [&] {
        assembler.begin(size, size, 3);
        stiffness(sink);
        assembler.end();
    };
    forces(f);
    assemble();  // allocation, pattern
    report.row({{"set", name(simdLevel())},
                {"threads", threadCount()},
                {"elements", what},
                {"number", count},
                {"forces [ns]", 1e9 * best([&] { forces(f); }) / count},
                {"product [ns]", 1e9 * best([&] { product(f); }) / count},
                {"stiffness [ns]", 1e9 * best(assemble) / count}});
}

void runHexahedra(Report& report, const char* what, const Grid& g)
{
    CorotationalHexahedra body;
    body.build(g.cells, g.rest, RotationMethod::Large);
    body.setMaterial([](Index) -> CorotationalHexahedra::Material { return {{900., 400.}}; });
    run(
        report, what, static_cast<double>(g.cells.size()), g.x, [&](Vector<Vec3>& f) { body.addForce(f, g.x); },
        [&](Vector<Vec3>& f) { body.addStiffnessProduct(f, g.x, 1e-3); },
        [&](BlockSink& sink) { body.addStiffness(sink); });
}

void runSprings(Report& report, const Grid& g)
{
    std::set<std::pair<Index, Index>> pairs;
    Vector<LinearSprings::Spring> springs;
    for (const Hexahedron& c : g.cells)
        for (std::size_t i = 0; i < 8; ++i)
            for (std::size_t j = i + 1; j < 8; ++j)
                if (pairs.insert(std::minmax(c[i], c[j])).second)
                    springs.push_back({c[i], c[j], 100., 0., 0., norm(g.rest[c[i]] - g.rest[c[j]]), 1e-9});
    LinearSprings body;
    body.build(springs, static_cast<Index>(g.rest.size()));
    const Vector<Vec3> v(g.x.size());
    run(
        report, "springs", static_cast<double>(springs.size()), g.x,
        [&](Vector<Vec3>& f) { body.addForce(f, g.x, v, {}); }, [&](Vector<Vec3>& f) { body.addProduct(f, g.x, 1e-3); },
        [&](BlockSink& sink) { body.addStiffness(sink); });
}

}  // namespace

int main(int argc, char** argv)
{
    const Arguments arguments(argc, argv);
    const unsigned long largest = arguments.number(0, 70000);
    setThreadCount(static_cast<unsigned>(arguments.number(1, 1)));
    Report report(arguments);
    for (const SimdLevel level : {SimdLevel::avx512, SimdLevel::avx2, SimdLevel::scalar}) {
        setSimdLevel(bestSimdLevel());
        if (arguments.has("--best-level") ? level != bestSimdLevel() : level > bestSimdLevel()) continue;
        setSimdLevel(level);
        for (const Index n : {Index(9), Index(20), Index(40)}) {
            if (static_cast<std::size_t>(n) * n * n > largest) break;
            const Grid equal = gridOf(n, 0.), jittered = gridOf(n, 0.1);
            runHexahedra(report, "equal hexahedra", equal);
            runHexahedra(report, "jittered hexahedra", jittered);
            runSprings(report, equal);
        }
    }
    return 0;
}
