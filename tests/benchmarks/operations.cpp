// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Floating point operations (additions, multiplications, divisions and square roots, each as one) that the kernels of
// core/fem/kernels/MaterialKernelSource.h execute for a tetrahedron: their text is compiled here once more, with packs
// that count. Usage: operations [--json]
namespace {
unsigned long operations = 0;
}
#define SOFA_PACK_OPERATION (++operations)
#define SOFA_MATERIAL_KERNELS materialKernelsCounted
#include "core/fem/kernels/MaterialKernelSource.h"
#include "tests/benchmarks/Bodies.h"
#include "tests/benchmarks/Report.h"

using namespace sofa::benchmark;
namespace core = sofa::core;

int main(int argc, char** argv)
{
    Report report{Arguments(argc, argv)};
    const Mesh mesh = box(4);
    const auto elements = mesh.tetrahedra.size() / 8 * 8;
    for (const Law& law : laws()) {
        const core::MaterialEvaluation how = evaluation(law);
        const bool corotational =
            law.law == core::MaterialLaw::Corotational || law.law == core::MaterialLaw::CorotationalApproximate;
        unsigned long forces = 0, blocks = 0;
        for (std::size_t first = 0; first < elements; first += 8) {
            alignas(64) std::uint32_t vertices[4][8];
            alignas(64) double gradients[9][8], volumes[8], parameters[3][8], out[8 * 54], traces[8];
            for (std::size_t lane = 0; lane < 8; ++lane) {
                const auto& t = mesh.tetrahedra[first + lane];
                for (std::size_t k = 0; k < 4; ++k) vertices[k][lane] = t[k];
                const core::Vec3& o = mesh.rest[t[0]];
                const core::Mat3 edges =
                    core::Mat3::fromColumns(mesh.rest[t[1]] - o, mesh.rest[t[2]] - o, mesh.rest[t[3]] - o);
                const core::Mat3 g = core::inverse(edges);
                for (std::size_t k = 0; k < 9; ++k) gradients[k][lane] = g[k / 3][k % 3];
                volumes[lane] = std::abs(core::determinant(edges)) / 6.;
                for (std::size_t k = 0; k < 3; ++k) parameters[k][lane] = lawParameters[k];
            }
            const core::ElementPackView pack{4, 1, vertices[0], gradients[0], volumes, corotational ? traces : nullptr};
            const auto count = [&](double* f, double* b) {
                operations = 0;
                core::materialKernelsCounted.elements(how, pack, parameters[0], mesh.x[0].data(), f, b, nullptr);
                return operations * core::packLanes;
            };
            forces += count(out, nullptr);
            blocks += count(nullptr, out);
        }
        const auto n = static_cast<double>(elements);
        report.row({{"law", law.name},
                    {"forces [flop]", static_cast<double>(forces) / n},
                    {"stiffness [flop]", static_cast<double>(blocks) / n}});
    }
    return 0;
}
