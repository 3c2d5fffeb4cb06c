// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/fem/kernels/IsotropicTangent.h"

/// Inner loops of corotational tetrahedra on packs of eight elements, compiled once for each instruction set. They do
/// the arithmetic of core/fem/elements/CorotationalTetrahedra.h without fused multiply-adds, in the same order at every
/// level, so that all levels give the same bits. This header is plain C++ on arrays: the kernels must not instantiate
/// inline functions of other headers, which the linker would merge across instruction sets.
namespace sofa::core {

inline constexpr std::size_t packWidth = 8;

/// Eight tetrahedra; the lane comes last but for the vertices. Unused lanes repeat a used element, with zero stiffness.
struct TetrahedronPack
{
    /// Rest edges 01, 02, 03 in the rest frame [m]: component c of edge k in row 3 k + c of eight lanes. For `large`,
    /// whose frame is that of the first edges, six rows: x of edge 01; x, y of 02; x, y, z of 03. The gradients of the
    /// shape functions there follow from them.
    const double* edges;
    const double* stiffness;        ///< a row with λ V and one with μ V [J]
    const std::uint32_t* vertices;  ///< [lane][4]
};

/// Law of plasticity on the strain (xx, yy, zz, xy, yz, zx; engineering shear) in the element's frame times 6 V.
struct TetrahedronYield
{
    double maxThreshold;    ///< largest norm of the plastic strain
    double yieldThreshold;  ///< elastic strains of larger norm yield
    double creep;           ///< part of the elastic strain that becomes plastic
};

/// Frames of the elements: axes of the world; of the first edges; polar factor of the edges; that of their gradient;
/// that of their moments with the rest shape.
enum class TetrahedronFrame
{
    small,
    large,
    polar,
    gradient,
    moments
};

struct TetrahedronKernels
{
    /// Forces of a pack at positions x (three scalars per point), by rotation method; writes out[lane][vertex][3] and
    /// the tangents of the eight lanes. All but `small` return a bit for each lane whose frame their closed form does
    /// not give accurately: its results are to be computed by other means. `streamed` tangents are written past the
    /// caches.
    void (*small)(const TetrahedronPack&, const double* x, double* out);
    unsigned (*large)(const TetrahedronPack&, const double* x, double* out, IsotropicTangent* tangents, bool streamed);
    unsigned (*polar)(const TetrahedronPack&, const double* x, double* out, IsotropicTangent* tangents, bool streamed);
    unsigned (*gradient)(const TetrahedronPack&, const double* x, double* out, IsotropicTangent* tangents,
                         bool streamed);
    unsigned (*moments)(const TetrahedronPack&, const double* x, double* out, IsotropicTangent* tangents,
                        bool streamed);
    /// The same with plasticity, for any frame: strains[6][8] are the plastic strains, which are moved first. Those of
    /// the lanes that are returned are of no use.
    unsigned (*plastic)(const TetrahedronPack&, TetrahedronFrame, const double* x, double* out,
                        IsotropicTangent* tangents, const TetrahedronYield&, double (*strains)[packWidth]);
    /// Von Mises stress [Pa] of each lane at positions x, for any frame, without plasticity: from the strain in the
    /// frame, or from Green's strain, which has no need of one. Returns lanes like the forces.
    unsigned (*vonMises)(const TetrahedronPack&, TetrahedronFrame, bool green, const double* x, double* out);
    /// out[lane][vertex][3] = −factor K dx
    void (*product)(const TetrahedronPack&, const IsotropicTangent* tangents, const double* dx, double factor,
                    double* out);
};

/// The kernels for the instruction set in use (see core/parallel/SimdLevel.h).
const TetrahedronKernels& tetrahedronKernels();

}  // namespace sofa::core
