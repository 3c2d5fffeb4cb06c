// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// The text of the kernels of core/fem/HexahedronKernels.h: included once by the file of each instruction set, which
// names the table that it defines in SOFA_HEXAHEDRON_KERNELS. Everything else has internal linkage.
#pragma once

#include "core/fem/FrameText.h"
#include "core/fem/HexahedronKernels.h"

// NOLINTBEGIN(misc-definitions-in-headers)
namespace sofa::core {

namespace {

/// A number of the stiffness, in all lanes.
template <bool Shared>
SOFA_PACK void entryOf(const double* k, std::size_t index, int lane, Pack& r)
{
    if constexpr (Shared)
        r = Pack{} + k[index];
    else
        r = at(k + 8 * index + lane);
}

/// Vectors x_i − x₀ of the elements of a pack, i = 1..7.
SOFA_PACK void gatherOffsets(const HexahedronPack& p, int lane, const double* x, Vector3 (&d)[7])
{
    Real origin[3], v[3];
    gatherPoints(x, p.vertex[0] + lane, origin);
    for (int i = 0; i < 7; ++i) {
        gatherPoints(x, p.vertex[i + 1] + lane, v);
        d[i] = {v[0].v - origin[0].v, v[1].v - origin[1].v, v[2].v - origin[2].v};
    }
}

/// d ← E d, with the axes q as rows of E.
SOFA_PACK void toLocal(const Vector3 (&q)[3], Vector3& d)
{
    Vector3 r;
    dot(q[0], d, r.x);
    dot(q[1], d, r.y);
    dot(q[2], d, r.z);
    d = r;
}

/// d ← Eᵀ d
SOFA_PACK void toWorld(const Vector3 (&q)[3], Vector3& d)
{
    const Vector3 r{q[0].x * d.x + q[1].x * d.y + q[2].x * d.z, q[0].y * d.x + q[1].y * d.y + q[2].y * d.z,
                    q[0].z * d.x + q[1].z * d.y + q[2].z * d.z};
    d = r;
}

/// sum += B a, where entry (r, c) of B is number `start` + r · `row` + c · `column` of the stiffness.
template <bool Shared>
SOFA_PACK void addProduct(const double* k, std::size_t start, std::size_t row, std::size_t column, int lane,
                          const Vector3& a, Vector3& sum)
{
    Pack b[9];
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c) entryOf<Shared>(k, start + r * row + c * column, lane, b[3 * r + c]);
    sum.x = sum.x + (b[0] * a.x + b[1] * a.y + b[2] * a.z);
    sum.y = sum.y + (b[3] * a.x + b[4] * a.y + b[5] * a.z);
    sum.z = sum.z + (b[6] * a.x + b[7] * a.y + b[8] * a.z);
}

/// The same for a block with the entries xx xy xz yy yz zz from `start` on.
template <bool Shared>
SOFA_PACK void addDiagonalProduct(const double* k, std::size_t start, int lane, const Vector3& a, Vector3& sum)
{
    Pack b[6];
    for (std::size_t r = 0; r < 6; ++r) entryOf<Shared>(k, start + r, lane, b[r]);
    sum.x = sum.x + (b[0] * a.x + b[1] * a.y + b[2] * a.z);
    sum.y = sum.y + (b[1] * a.x + b[3] * a.y + b[4] * a.z);
    sum.z = sum.z + (b[2] * a.x + b[4] * a.y + b[5] * a.z);
}

/// f_i = Σ_j K_ij u_j for i, j = 1..7, where u₀ = 0.
template <bool Shared>
SOFA_PACK void localForces(const double* k, int lane, const Vector3 (&u)[7], Vector3 (&f)[7])
{
    for (std::size_t i = 1; i < 8; ++i) {
        Vector3 sum{};
        for (std::size_t j = 1; j < i; ++j) addProduct<Shared>(k, hexahedronBlock(j, i), 1, 3, lane, u[j - 1], sum);
        addDiagonalProduct<Shared>(k, hexahedronDiagonal(i), lane, u[i - 1], sum);
        for (std::size_t j = i + 1; j < 8; ++j) addProduct<Shared>(k, hexahedronBlock(i, j), 3, 1, lane, u[j - 1], sum);
        f[i - 1] = sum;
    }
}

/// rows[3 i + c] = −factor Eᵀ f_i, with f₀ = −Σ f_i.
SOFA_PACK void setForces(const Vector3 (&q)[3], const Pack& factor, int lane, Vector3 (&f)[7], double (*rows)[8])
{
    Vector3 origin{};
    for (int i = 0; i < 7; ++i) {
        toWorld(q, f[i]);
        times(f[i], factor, f[i]);
        origin = {origin.x + f[i].x, origin.y + f[i].y, origin.z + f[i].z};
        store(rows + 3 * (i + 1), lane, {-f[i].x, -f[i].y, -f[i].z});
    }
    store(rows, lane, origin);
}

/// Forces with the frame that `frame(lane, offsets, axes)` finds; it returns the lanes where it is not accurate.
template <bool Shared, class Frame>
SOFA_PACK unsigned forcesOf(const HexahedronPack& p, const double* k, const double* x, double* out,
                            HexahedronFrames& frames, const Frame& frame)
{
    alignas(64) double forces[24][8];
    const Pack one = Pack{} + 1.;
    unsigned bad = 0;
    for (int lane = 0; lane < 8; lane += packLanes) {
        Vector3 d[7], q[3], f[7];
        gatherOffsets(p, lane, x, d);
        bad |= frame(lane, d, q) << lane;
        for (int r = 0; r < 3; ++r) store(frames.axis + 3 * r, lane, q[r]);
        for (int i = 0; i < 7; ++i) {
            Vector3 rest;
            load(p.rest + 3 * i, lane, rest);
            toLocal(q, d[i]);
            sub(d[i], rest, d[i]);
        }
        localForces<Shared>(k, lane, d, f);
        setForces(q, one, lane, f, forces);
    }
    scatterRows<24>(forces, out);
    return bad;
}

template <class Frame>
SOFA_PACK unsigned framedForces(const HexahedronPack& p, const HexahedronStiffness& k, const double* x, double* out,
                                HexahedronFrames& frames, const Frame& frame)
{
    return k.shared ? forcesOf<true>(p, k.entries, x, out, frames, frame)
                    : forcesOf<false>(p, k.entries, x, out, frames, frame);
}

/// Mean edge (a₁ − b₁ + a₂ − b₂ + a₃ − b₃ + a₄ − b₄)/4 of one direction; b₁ is vertex 0.
SOFA_PACK void meanEdge(const Vector3& a1, const Vector3& a2, const Vector3& b2, const Vector3& a3, const Vector3& b3,
                        const Vector3& a4, const Vector3& b4, Vector3& r)
{
    r = {(a1.x + a2.x - b2.x + a3.x - b3.x + a4.x - b4.x) * 0.25,
         (a1.y + a2.y - b2.y + a3.y - b3.y + a4.y - b4.y) * 0.25,
         (a1.z + a2.z - b2.z + a3.z - b3.z + a4.z - b4.z) * 0.25};
}
/// Offsets d of the vertices 1..7 give the mean edges h.
SOFA_PACK void meanEdges(const Vector3 (&d)[7], Vector3 (&h)[3])
{
    meanEdge(d[0], d[1], d[2], d[4], d[3], d[5], d[6], h[0]);
    meanEdge(d[2], d[1], d[0], d[6], d[3], d[5], d[4], h[1]);
    meanEdge(d[3], d[4], d[0], d[6], d[2], d[5], d[1], h[2]);
}

unsigned givenForces(const HexahedronPack& p, const HexahedronStiffness& k, const double* x, double* out,
                     HexahedronFrames& frames)
{
    return framedForces(p, k, x, out, frames, [&frames](int lane, const Vector3(&)[7], Vector3(&q)[3]) {
        for (int r = 0; r < 3; ++r) load(frames.axis + 3 * r, lane, q[r]);
        return 0u;
    });
}

unsigned largeForces(const HexahedronPack& p, const HexahedronStiffness& k, const double* x, double* out,
                     HexahedronFrames& frames)
{
    return framedForces(p, k, x, out, frames, [](int, const Vector3(&d)[7], Vector3(&q)[3]) {
        Vector3 h[3];
        meanEdges(d, h);
        return edgeFrame(h, q);
    });
}

unsigned polarForces(const HexahedronPack& p, const HexahedronStiffness& k, const double* x, double* out,
                     HexahedronFrames& frames)
{
    return framedForces(p, k, x, out, frames, [](int, const Vector3(&d)[7], Vector3(&q)[3]) {
        Vector3 h[3];
        meanEdges(d, h);
        return polarRows(h, q);
    });
}

template <bool Shared>
SOFA_PACK void productOf(const HexahedronPack& p, const double* k, const HexahedronFrames& frames, const double* dx,
                         double factor, double* out)
{
    alignas(64) double forces[24][8];
    const Pack scale = Pack{} + factor;
    for (int lane = 0; lane < 8; lane += packLanes) {
        Vector3 d[7], q[3], f[7];
        gatherOffsets(p, lane, dx, d);
        for (int r = 0; r < 3; ++r) load(frames.axis + 3 * r, lane, q[r]);
        for (int i = 0; i < 7; ++i) toLocal(q, d[i]);
        localForces<Shared>(k, lane, d, f);
        setForces(q, scale, lane, f, forces);
    }
    scatterRows<24>(forces, out);
}

void product(const HexahedronPack& p, const HexahedronStiffness& k, const HexahedronFrames& frames, const double* dx,
             double factor, double* out)
{
    if (k.shared)
        productOf<true>(p, k.entries, frames, dx, factor, out);
    else
        productOf<false>(p, k.entries, frames, dx, factor, out);
}

template <bool Shared>
SOFA_PACK void blocksOf(const double* k, const HexahedronFrames& frames, const std::uint8_t* turned, double* values)
{
    constexpr long long bits[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    for (int lane = 0; lane < 8; lane += packLanes) {
        Mask bit;
        for (int l = 0; l < packLanes; ++l) bit[l] = bits[lane + l];
        Vector3 q[3];
        for (int r = 0; r < 3; ++r) load(frames.axis + 3 * r, lane, q[r]);
        for (std::size_t pair = 0; pair < hexahedronPairs; ++pair) {
            Vector3 t[3];  // rows of −K_ij E
            for (std::size_t a = 0; a < 3; ++a) {
                Pack e[3];
                for (std::size_t b = 0; b < 3; ++b) entryOf<Shared>(k, 9 * pair + 3 * a + b, lane, e[b]);
                t[a] = {-(e[0] * q[0].x + e[1] * q[1].x + e[2] * q[2].x),
                        -(e[0] * q[0].y + e[1] * q[1].y + e[2] * q[2].y),
                        -(e[0] * q[0].z + e[1] * q[1].z + e[2] * q[2].z)};
            }
            const auto row = [&](const Pack& a, const Pack& b, const Pack& c, Pack* to) {
                to[0] = a * t[0].x + b * t[1].x + c * t[2].x;
                to[1] = a * t[0].y + b * t[1].y + c * t[2].y;
                to[2] = a * t[0].z + b * t[1].z + c * t[2].z;
            };
            Pack block[9];
            row(q[0].x, q[1].x, q[2].x, block);
            row(q[0].y, q[1].y, q[2].y, block + 3);
            row(q[0].z, q[1].z, q[2].z, block + 6);
            if (turned[pair] != 0) {
                const Mask other = ((Mask{} + turned[pair]) & bit) != 0;
                const auto exchange = [&](Pack& a, Pack& b) {
                    const Pack first = other ? b : a;
                    b = other ? a : b;
                    a = first;
                };
                exchange(block[1], block[3]);
                exchange(block[2], block[6]);
                exchange(block[5], block[7]);
            }
            for (std::size_t i = 0; i < 9; ++i) *reinterpret_cast<Pack*>(values + 8 * (9 * pair + i) + lane) = block[i];
        }
    }
}

void blocks(const HexahedronStiffness& k, const HexahedronFrames& frames, const std::uint8_t* turned, double* values)
{
    if (k.shared)
        blocksOf<true>(k.entries, frames, turned, values);
    else
        blocksOf<false>(k.entries, frames, turned, values);
}

}  // namespace

extern const HexahedronKernels SOFA_HEXAHEDRON_KERNELS;
const HexahedronKernels SOFA_HEXAHEDRON_KERNELS{givenForces, largeForces, polarForces, product, blocks};

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
