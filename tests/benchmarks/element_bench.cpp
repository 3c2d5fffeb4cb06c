// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Time per tetrahedron of the element kernels: forces, and stiffness with assembly into the block sparse matrix, for
// each law, on jittered ordered boxes of about 10k, 100k and 1M elements, with the bytes that they must read and write;
// or, with --numbering, on the box of 100k elements, on that box with its points and elements shuffled, and on a gmsh
// file; or, with --strain, on the largest of the boxes at large strain and with inverted elements. Usage: element_bench
// [largest number of elements] [threads] [part of the names of laws] [--strain] [--best-level] [--json], or
// element_bench [any] [threads] [mesh file] --numbering [--best-level] [--json]; --best-level leaves out all but the
// best instruction set.
#include "core/fem/elements/BezierTetrahedra.h"
#include "core/fem/elements/CorotationalTetrahedra.h"
#include "core/fem/elements/HyperelasticElements.h"
#include "core/io/GmshFormat.h"
#include "core/linalg/BlockAssembler.h"
#include "core/mesh/Adjacency.h"
#include "core/mesh/SubElements.h"
#include "core/parallel/Parallel.h"
#include "tests/benchmarks/Bodies.h"
#include "tests/benchmarks/Report.h"

using namespace sofa::core;
using namespace sofa::benchmark;

namespace {

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

template <class Body>
void run(Report& report, const char* numbering, const Mesh& mesh, const char* law, Body& body, double forceBytes,
         double stiffnessBytes)
{
    BlockAssembler assembler;
    assembler.setUpperOnly(true);  // as conjugate gradients do
    ToAssembler sink(assembler);
    Vector<Vec3> f(mesh.x.size());
    const int size = static_cast<int>(3 * mesh.x.size());
    std::vector<double> forces, stiffnesses;
    const std::size_t repetitions = std::clamp<std::size_t>(10000000 / mesh.tetrahedra.size(), 16, 100);
    for (std::size_t r = 0; r < repetitions; ++r) {
        const double t0 = now();
        body.addForce(f, mesh.x);
        const double t1 = now();
        assembler.begin(size, size, 3);
        body.addStiffness(sink);
        assembler.end();
        const double t2 = now();
        if (r == 0) continue;  // allocation, pattern
        forces.push_back(t1 - t0);
        stiffnesses.push_back(t2 - t1);
    }
    const double force = median(std::move(forces)), stiffness = median(std::move(stiffnesses));
    const auto n = static_cast<double>(mesh.tetrahedra.size());
    // Forces read the element and points, read and write forces; the stiffness reads the element and points and writes
    // the matrix.
    const double points = 24. * static_cast<double>(mesh.x.size()) / n;
    const double matrix = 8. * static_cast<double>(assembler.matrix().nonZeros()) / n;
    report.row({{"set", name(simdLevel())},
                {"threads", threadCount()},
                {"mesh", numbering},
                {"tetrahedra", n},
                {"law", law},
                {"forces [ns]", 1e9 * force / n},
                {"stiffness [ns]", 1e9 * stiffness / n},
                {"sum [ns]", 1e9 * (force + stiffness) / n},
                {"forces [B]", forceBytes + 3. * points},
                {"stiffness [B]", stiffnessBytes + points + matrix}});
}

/// The mesh with control points in the middle of its edges, behind the others.
Vector<BezierTetrahedron> raiseDegree(Mesh& mesh)
{
    const Vector<Edge> edges = edgesOf(mesh.tetrahedra, Vector<Hexahedron>());
    ElementFinder<2> finder(edges.size());
    const auto corners = static_cast<Index>(mesh.x.size());
    for (const Edge& e : edges) {
        finder.insert(e, static_cast<Index>(mesh.x.size()) - corners);
        mesh.rest.push_back((mesh.rest[e[0]] + mesh.rest[e[1]]) * 0.5);
        mesh.x.push_back((mesh.x[e[0]] + mesh.x[e[1]]) * 0.5);
    }
    Vector<BezierTetrahedron> out;
    for (const Tetrahedron& t : mesh.tetrahedra) {
        BezierTetrahedron b{t[0], t[1], t[2], t[3]};
        for (std::size_t k = 0; k < 6; ++k)
            b[4 + k] = corners + finder.find({t[bezierEdges[k][0]], t[bezierEdges[k][1]]});
        out.push_back(b);
    }
    return out;
}

/// `which`: a part of the names of the laws.
void runLaws(Report& report, const char* numbering, const Mesh& mesh, const std::string& which = {})
{
    const auto isWanted = [&](std::string_view law) { return law.find(which) != law.npos; };
    constexpr const char* sofaLaw = "SOFA's corotational, method large";
    if (isWanted(sofaLaw)) {
        CorotationalTetrahedra sofa;
        sofa.build(mesh.tetrahedra, mesh.rest, RotationMethod::Large);
        for (Index e = 0; e < sofa.size(); ++e) sofa.setMaterial(e, {900., 400.});
        run(report, numbering, mesh, sofaLaw, sofa, 152., 88.);
    }
    constexpr const char* quadraticLaw = "quadratic Bézier, corotational";
    if (isWanted(quadraticLaw)) {
        Mesh raised = mesh;
        BezierTetrahedra quadratic;
        quadratic.build(raiseDegree(raised), raised.rest, true);
        for (Index e = 0; e < quadratic.size(); ++e) quadratic.setMaterial(e, {900., 400.});
        run(report, numbering, raised, quadraticLaw, quadratic, 256., 128.);
    }
    for (const Law& law : laws()) {
        if (!isWanted(law.name)) continue;
        HyperelasticElements<4> body;
        body.build(mesh.tetrahedra, mesh.rest, tetrahedronQuadrature());
        body.setMaterial(evaluation(law));
        for (Index e = 0; e < body.size(); ++e) body.setParameters(e, {lawParameters, body.parameterCount()});
        const double bytes = 96. + 8. * static_cast<double>(body.parameterCount());
        run(report, numbering, mesh, law.name, body, bytes, bytes);
    }
}

/// The box in states that take other ways through the kernels: lanes whose stretches are raised, or where tr S is not
/// accurate, are decomposed.
void runStates(Report& report, Mesh mesh, const std::string& which)
{
    const auto one = [&](const char* state) {
        runLaws(report, state, mesh, which);
        const Deformation d = deformationOf(mesh);
        report.row({{"kind", "state"},
                    {"mesh", state},
                    {"tetrahedra", mesh.tetrahedra.size()},
                    {"smallest stretch", d.least},
                    {"largest stretch", d.most},
                    {"inverted", d.inverted},
                    {"packs with inverted", d.packs}});
    };
    one("small strain");
    const Vector<Vec3> small = mesh.x;
    stretchLayers(mesh);
    one("large strain");
    mesh.x = small;
    invertSome(mesh, 0.1);
    one("a tenth inverted");
    mesh.x = small;
    for (Vec3& p : mesh.x) p[0] = -p[0];
    one("all inverted");
}

}  // namespace

int main(int argc, char** argv)
{
    const Arguments arguments(argc, argv);
    const unsigned long largest = arguments.number(0, 1100000);
    setThreadCount(static_cast<unsigned>(arguments.number(1, 1)));
    Report report(arguments);
    for (const SimdLevel level : {SimdLevel::avx512, SimdLevel::avx2, SimdLevel::scalar}) {
        setSimdLevel(bestSimdLevel());
        if (arguments.has("--best-level") ? level != bestSimdLevel() : level > bestSimdLevel()) continue;
        setSimdLevel(level);
        if (arguments.has("--strain")) {
            runStates(report, box(largest < 100000 ? 12 : 26), arguments.text(2));
            continue;
        }
        if (!arguments.has("--numbering")) {
            for (const Index n : {Index(12), Index(26), Index(56)})
                if (6 * static_cast<std::size_t>(n) * n * n <= largest)
                    runLaws(report, "box", box(n), arguments.text(2));
            continue;
        }
        runLaws(report, "box", box(26));
        runLaws(report, "box, shuffled", shuffled(box(26)));
        if (!arguments.text(2).empty()) {
            const io::MeshData file = io::readGmsh(arguments.text(2));
            Mesh mesh{file.positions, {}, file.tetrahedra};
            deform(mesh, 0.02);
            runLaws(report, "file", mesh);
        }
    }
    return 0;
}
