// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Conjugate gradients to |r| ≤ 1e-6 |b| on the matrices of a block of soft tissue (3 kPa, Poisson's ratio 0.45,
// 1,000 kg/m³, 0.1 m long) of tetrahedra that is fixed at one face, under its weight: without preconditioner, with
// AggregationMultigrid, and with AMGCL where its headers are found (-DAMGCL_INCLUDE_DIR=...).
//
//     multigrid_bench [cubes along the largest edge = 55] [threads = 1] [degree = 3] [--json] [--only] [--no-cg]
//     [--no-peer]
//
// "static" is the stiffness K, "step" is M + h² K with h = 0.02 s. Each block has ten times as many tetrahedra as the
// one before; the shape is a cube, or with --beam one that is eight times as long as wide. --only takes the largest
// alone. AMGCL waits for its threads actively: compare on one thread, or on a machine that does nothing else.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/linalg/AggregationMultigrid.h"
#include "core/linalg/SymmetricProduct.h"
#include "core/linalg/VectorKernels.h"
#include "core/math/Mat.h"
#include "core/parallel/Parallel.h"
#include "tests/benchmarks/MultigridPeer.h"
#include "tests/benchmarks/Report.h"

using namespace sofa::core;
using namespace sofa::benchmark;

namespace {

constexpr double tolerance = 1e-6;

struct System
{
    BlockCsrMatrix matrix;
    Vector<int> fixed;
    std::vector<Vec3> points;
    Vector<double> load;
    std::size_t tetrahedra = 0;
};

/// Cubes of six tetrahedra (Kuhn) with jittered points; M is lumped, and m M + k K is assembled.
System makeSystem(int nx, int ny, int nz, double m, double k)
{
    System s;
    const double h = 0.1 / nx, young = 3e3, poisson = 0.45, density = 1e3;
    const double lambda = young * poisson / ((1. + poisson) * (1. - 2. * poisson)), mu = young / 2. / (1. + poisson);
    const int px = nx + 1, py = ny + 1, pz = nz + 1, n = px * py * pz;
    unsigned state = 1;
    const auto jitter = [&] {
        state = state * 1664525u + 1013904223u;
        return 0.3 * (static_cast<double>(state >> 8) / 16777216. - 0.5);
    };
    // The fixed face is that of the first points along x, the longest edge, which are numbered last of all axes.
    const auto at = [&](int i, int j, int l) { return (i * py + j) * pz + l; };
    for (int i = 0; i < px; ++i)
        for (int j = 0; j < py; ++j)
            for (int l = 0; l < pz; ++l) s.points.push_back(Vec3{i + jitter(), j + jitter(), l + jitter()} * h);
    Vector<int> rows{0}, columns;
    for (int i = 0; i < px; ++i)
        for (int j = 0; j < py; ++j)
            for (int l = 0; l < pz; ++l) {
                for (int d = 0; d < 27; ++d) {
                    const int a = d / 9 - 1, b = d / 3 % 3 - 1, c = d % 3 - 1;
                    const bool forward = a >= 0 && b >= 0 && c >= 0, backward = a <= 0 && b <= 0 && c <= 0;
                    if (!forward && !backward) continue;
                    if (i + a < 0 || i + a >= px || j + b < 0 || j + b >= py || l + c < 0 || l + c >= pz) continue;
                    columns.push_back(at(i + a, j + b, l + c));
                }
                rows.push_back(static_cast<int>(columns.size()));
            }
    s.matrix = BlockCsrMatrix(n, n, 3, rows, columns);
    s.load.assign(static_cast<std::size_t>(3 * n), 0.);
    const auto free = [&](int p) { return p >= py * pz; };
    const int axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int cell = 0; cell < nx * ny * nz; ++cell)
        for (const auto& order : axes) {
            int c[3] = {cell / (ny * nz), cell / nz % ny, cell % nz};
            std::array<int, 4> t{at(c[0], c[1], c[2])};
            for (std::size_t q = 0; q < 3; ++q) {
                ++c[order[q]];
                t[q + 1] = at(c[0], c[1], c[2]);
            }
            ++s.tetrahedra;
            Vec3 e[4];
            for (std::size_t a = 0; a < 4; ++a) e[a] = s.points[static_cast<std::size_t>(t[a])];
            const Mat3 d = Mat3::fromColumns(e[1] - e[0], e[2] - e[0], e[3] - e[0]);
            const double volume = std::abs(determinant(d)) / 6.;
            const Mat3 inverted = inverse(d);
            Vec3 g[4] = {{}, inverted[0], inverted[1], inverted[2]};
            g[0] = -(g[1] + g[2] + g[3]);
            for (std::size_t a = 0; a < 4; ++a) {
                if (!free(t[a])) continue;
                s.load[static_cast<std::size_t>(3 * t[a] + 1)] -= 9.81 * density * volume / 4.;
                for (std::size_t b = 0; b < 4; ++b) {
                    if (!free(t[b])) continue;
                    Mat3 block = (outer(g[a], g[b]) * lambda + outer(g[b], g[a]) * mu +
                                  Mat3::identity() * (mu * dot(g[a], g[b]))) *
                                 (k * volume);
                    if (a == b) block += Mat3::identity() * (m * density * volume / 4.);
                    double* to = s.matrix.block(static_cast<std::size_t>(s.matrix.find(t[a], t[b])));
                    for (std::size_t v = 0; v < 9; ++v) to[v] += block.data()[v];
                }
            }
        }
    for (int p = 0; !free(p); ++p) {
        double* d = s.matrix.block(static_cast<std::size_t>(s.matrix.diagonal(p)));
        for (int q = 0; q < 3; ++q) {
            d[4 * q] = 1.;
            s.fixed.push_back(3 * p + q);
        }
    }
    return s;
}

/// Conjugate gradients from zero; returns iterations. `precondition(r, z)`.
template <class Precondition>
int solve(const System& s, Vector<double>& x, Precondition&& precondition)
{
    SymmetricProduct product;
    product.prepare(s.matrix, 1, SymmetricProduct::Stored::Symmetric);
    Vector<double> r = s.load, z(r.size()), q(r.size());
    x.assign(r.size(), 0.);
    const double limit = tolerance * tolerance * vector::dot(r, r);
    precondition(r, z);
    Vector<double> p = z;
    double rho = vector::dot(r, z);
    int it = 0;
    while (it < 100000) {
        product.multiply(s.matrix, p, q);
        const double alpha = rho / vector::dot(p, q), square = vector::updateResidual(r, q, alpha);
        ++it;
        if (square <= limit) {
            vector::addScaled(x, p, alpha);
            break;
        }
        precondition(r, z);
        const double next = vector::dot(r, z);
        vector::updateDirection(x, p, z, alpha, next / rho);
        rho = next;
    }
    return it;
}

double relativeResidual(const System& s, const Vector<double>& x)
{
    Vector<double> y(x.size());
    s.matrix.multiply(x, y);
    vector::scaleAndAdd(y, -1., s.load);
    return std::sqrt(vector::dot(y, y) / vector::dot(s.load, s.load));
}

void measure(Report& report, const Arguments& arguments, const System& s, const char* kind)
{
    Vector<double> x, modes;
    for (const Vec3& p : s.points) addRigidModes(modes, p, 3, false, 6);
    std::vector<Field> row{
        {"matrix", kind}, {"threads", threadCount()}, {"tetrahedra", s.tetrahedra}, {"unknowns", s.matrix.rows()}};

    double cg = 0.;
    if (!arguments.has("--no-cg")) {
        int iterations = 0;
        cg = best([&] { iterations = solve(s, x, [](const auto& r, auto& z) { z = r; }); }, 0.);
        row.insert(row.end(), {{"CG iterations", iterations}, {"CG [s]", cg}});
    }

    AggregationMultigrid multigrid;
    multigrid.degree = static_cast<int>(arguments.number(2, 3));
    const double analysis = best([&] { multigrid.analyze(s.matrix, s.fixed, 6); }, 0.);
    const double refresh = best([&] { multigrid.refresh(s.matrix, modes); }, 0.);
    int iterations = 0;
    const double seconds =
        best([&] { iterations = solve(s, x, [&](const auto& r, auto& z) { multigrid.apply(r, z); }); }, 0.);
    std::string levels;
    for (const unsigned n : multigrid.unknowns()) levels += (levels.empty() ? "" : " ") + std::to_string(n);
    row.insert(row.end(), {{"levels", levels},
                           {"iterations", iterations},
                           {"analysis [s]", analysis},
                           {"refresh [s]", refresh},
                           {"solve [s]", seconds},
                           {"memory [MB]", static_cast<double>(multigrid.bytes()) * 1e-6},
                           {"residual", relativeResidual(s, x)}});
    if (cg > 0.) row.push_back({"CG / (refresh + solve)", cg / (refresh + seconds)});

    if (hasMultigridPeer && !arguments.has("--no-peer")) {
        PeerProblem problem{s.matrix, modes, s.load, tolerance};
        const PeerResult peer = solveByPeer(problem);
        row.insert(row.end(), {{"AMGCL iterations", peer.iterations},
                               {"AMGCL set-up [s]", peer.setUp},
                               {"AMGCL solve [s]", peer.solve},
                               {"AMGCL / ours", (peer.setUp + peer.solve) / (analysis + refresh + seconds)}});
    }
    report.row(row);
}

}  // namespace

int main(int argc, char** argv)
{
    const Arguments arguments(argc, argv);
    setThreadCount(static_cast<unsigned>(arguments.number(1, 1)));
    Report report(arguments);
    const int largest = static_cast<int>(arguments.number(0, 55));
    const bool beam = arguments.has("--beam");
    for (const int n : {5, 12, 26, 55, 95, 119, 149}) {
        if (n > largest) break;
        if (arguments.has("--only") && n != largest) continue;
        const int length = beam ? 4 * n : n, width = beam ? n / 2 : n;
        for (const bool step : {false, true}) {
            const System s = makeSystem(length, width, width, step ? 1. : 0., step ? 4e-4 : 1.);
            measure(report, arguments, s, step ? "step" : "static");
        }
    }
    return 0;
}
