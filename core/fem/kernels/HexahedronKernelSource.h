// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// The text of the kernels of core/fem/kernels/HexahedronKernels.h: included once by the file of each instruction set,
// which names the table that it defines in SOFA_HEXAHEDRON_KERNELS. Everything else has internal linkage.
#pragma once

#include "core/fem/kernels/FrameSource.h"
#include "core/fem/kernels/HexahedronKernels.h"

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
SOFA_PACK void blocksOf(const double* k, const HexahedronFrames& frames, const std::uint8_t* transposed, double* values)
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
            if (transposed[pair] != 0) {
                const Mask other = ((Mask{} + transposed[pair]) & bit) != 0;
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

void blocks(const HexahedronStiffness& k, const HexahedronFrames& frames, const std::uint8_t* transposed,
            double* values)
{
    if (k.shared)
        blocksOf<true>(k.entries, frames, transposed, values);
    else
        blocksOf<false>(k.entries, frames, transposed, values);
}

SOFA_PACK void sum(const Vector3& a, const Vector3& b, Vector3& r)
{
    r.x = a.x + b.x;
    r.y = a.y + b.y;
    r.z = a.z + b.z;
}

/// Modes 1..7 of the displacements d of the vertices, see core/fem/elements/BoxHexahedra.h.
SOFA_PACK void modesOf(const Vector3 (&d)[8], Vector3 (&m)[8])
{
    constexpr int negative[4] = {0, 3, 4, 7}, positive[4] = {1, 2, 5, 6};  // in x; by y, z
    Vector3 s[4], t[4];                                                    // sums and differences along x
    for (int k = 0; k < 4; ++k) {
        sum(d[positive[k]], d[negative[k]], s[k]);
        sub(d[positive[k]], d[negative[k]], t[k]);
    }
    Vector3 low, high;
    sum(s[1], s[0], low);
    sum(s[3], s[2], high);
    sub(high, low, m[1]);
    sub(s[1], s[0], low);
    sub(s[3], s[2], high);
    sum(high, low, m[2]);
    sub(high, low, m[3]);
    sum(t[1], t[0], low);
    sum(t[3], t[2], high);
    sum(high, low, m[4]);
    sub(high, low, m[5]);
    sub(t[1], t[0], low);
    sub(t[3], t[2], high);
    sum(high, low, m[6]);
    sub(high, low, m[7]);
}

/// The reverse, without the eighth: f_v = Σ s_m(v) m_m with m_0 = 0.
SOFA_PACK void verticesOf(const Vector3 (&m)[8], Vector3 (&f)[8])
{
    // By x: the modes without and with it; by z and y: the vertices.
    Vector3 without[2][2], with[2][2];
    Vector3 low, high;
    sub(m[2], m[3], low);
    sum(m[2], m[3], high);
    const Vector3 minus{-m[1].x, -m[1].y, -m[1].z};
    sub(minus, low, without[0][0]);
    sum(minus, low, without[0][1]);
    sub(m[1], high, without[1][0]);
    sum(m[1], high, without[1][1]);
    Vector3 lower, upper;
    sub(m[4], m[5], lower);
    sum(m[4], m[5], upper);
    sub(m[6], m[7], low);
    sum(m[6], m[7], high);
    sub(lower, low, with[0][0]);
    sum(lower, low, with[0][1]);
    sub(upper, high, with[1][0]);
    sum(upper, high, with[1][1]);
    constexpr int negative[2][2] = {{0, 3}, {4, 7}}, positive[2][2] = {{1, 2}, {5, 6}};
    for (int z = 0; z < 2; ++z)
        for (int y = 0; y < 2; ++y) {
            sub(without[z][y], with[z][y], f[negative[z][y]]);
            sum(without[z][y], with[z][y], f[positive[z][y]]);
        }
}

/// (a, b, c) ← the symmetric matrix k (xx xy xz yy yz zz) times (a, b, c)
SOFA_PACK void symmetricTimes(const double* k, Pack& a, Pack& b, Pack& c)
{
    const Pack x = a, y = b, z = c;
    a = k[0] * x + k[1] * y + k[2] * z;
    b = k[1] * x + k[3] * y + k[4] * z;
    c = k[2] * x + k[4] * y + k[5] * z;
}
SOFA_PACK void symmetricTimes(const double* k, Pack& a, Pack& b)
{
    const Pack x = a, y = b;
    a = k[0] * x + k[1] * y;
    b = k[1] * x + k[2] * y;
}

/// window[4 targets[lane] ..] += (x, y, z, 0) of the lanes in their order.
SOFA_PACK void addPoints(double* window, const std::uint32_t* targets, const double (*rows)[8])
{
#if defined(__AVX512F__)
    const Pack x = at(rows[0]), y = at(rows[1]), z = at(rows[2]), zero{};
    const Pack a = __builtin_shufflevector(x, y, 0, 8, 2, 10, 4, 12, 6, 14),
               b = __builtin_shufflevector(x, y, 1, 9, 3, 11, 5, 13, 7, 15),
               c = __builtin_shufflevector(z, zero, 0, 8, 2, 10, 4, 12, 6, 14),
               d = __builtin_shufflevector(z, zero, 1, 9, 3, 11, 5, 13, 7, 15);
    const Pack points[4] = {__builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13),
                            __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13),
                            __builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15),
                            __builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15)};
    for (int l = 0; l < 8; ++l) {
        double* to = window + targets[l];
        const __m256d point =
            l < 4 ? _mm512_castpd512_pd256((__m512d)points[l & 3]) : _mm512_extractf64x4_pd((__m512d)points[l & 3], 1);
        _mm256_store_pd(to, _mm256_add_pd(_mm256_load_pd(to), point));
    }
#elif defined(__AVX__)
    for (int lane = 0; lane < 8; lane += 4) {
        const Pack x = at(rows[0] + lane), y = at(rows[1] + lane), z = at(rows[2] + lane), zero{};
        const Pack a = __builtin_shufflevector(x, y, 0, 4, 2, 6), b = __builtin_shufflevector(x, y, 1, 5, 3, 7),
                   c = __builtin_shufflevector(z, zero, 0, 4, 2, 6), d = __builtin_shufflevector(z, zero, 1, 5, 3, 7);
        const Pack points[4] = {__builtin_shufflevector(a, c, 0, 1, 4, 5), __builtin_shufflevector(b, d, 0, 1, 4, 5),
                                __builtin_shufflevector(a, c, 2, 3, 6, 7), __builtin_shufflevector(b, d, 2, 3, 6, 7)};
        for (int l = 0; l < 4; ++l) {
            double* to = window + targets[lane + l];
            _mm256_store_pd(to, _mm256_add_pd(_mm256_load_pd(to), (__m256d)points[l]));
        }
    }
#else
    for (int l = 0; l < 8; ++l)
        for (int c = 0; c < 3; ++c) window[targets[l] + c] += rows[c][l];
#endif
}

/// The modes of the modal displacements m become those of the forces, in the frame q and back by `back`, which is q or
/// a multiple of it; mode 0 is not transposed.
SOFA_PACK void modalForces(const double* k, const Vector3 (&q)[3], const Vector3 (&back)[3], Vector3 (&m)[8])
{
    for (int i = 1; i < 8; ++i) toLocal(q, m[i]);
    symmetricTimes(k, m[4].x, m[2].y, m[1].z);
    symmetricTimes(k + 6, m[2].x, m[4].y, m[7].z);
    symmetricTimes(k + 12, m[1].x, m[7].y, m[4].z);
    symmetricTimes(k + 18, m[7].x, m[1].y, m[2].z);
    symmetricTimes(k + 24, m[3].x, m[5].y, m[6].z);
    symmetricTimes(k + 30, m[6].y, m[5].z);
    symmetricTimes(k + 33, m[6].x, m[3].z);
    symmetricTimes(k + 36, m[5].x, m[3].y);
    for (int i = 1; i < 8; ++i) toWorld(back, m[i]);
}

void boxProduct(const BoxPack* packs, const HexahedronFrames* frames, std::size_t count, const double* k, double factor,
                const double* dx, double* window)
{
    alignas(64) double forces[24][8];
    const Pack scale = Pack{} + factor;
    for (std::size_t p = 0; p < count; ++p) {
        const BoxPack& pack = packs[p];
        for (int lane = 0; lane < 8; lane += packLanes) {
            Vector3 d[8], m[8], q[3], scaled[3];
            for (int i = 0; i < 8; ++i) {
                Real v[3];
                gatherPoints(dx, pack.vertex[i] + lane, v);
                d[i] = {v[0].v, v[1].v, v[2].v};
            }
            modesOf(d, m);
            for (int r = 0; r < 3; ++r) load(frames[p].axis + 3 * r, lane, q[r]);
            for (int r = 0; r < 3; ++r) times(q[r], scale, scaled[r]);
            modalForces(k, q, scaled, m);
            verticesOf(m, d);
            for (int i = 0; i < 8; ++i) store(forces + 3 * i, lane, d[i]);
        }
        for (int i = 0; i < 8; ++i) addPoints(window, pack.target[i], forces + 3 * i);
    }
}

/// Lanes 1 .. of `low` and lane 0 of `high`; lanes .. −1 of `high` with the last lane of `low` before them.
SOFA_PACK void nextLanes(const Pack& low, const Pack& high, Pack& r)
{
#if defined(__AVX512F__)
    r = __builtin_shufflevector(low, high, 1, 2, 3, 4, 5, 6, 7, 8);
#elif defined(__AVX__)
    r = __builtin_shufflevector(low, high, 1, 2, 3, 4);
#else
    r = __builtin_shufflevector(low, high, 1, 2);
#endif
}
SOFA_PACK void previousLanes(const Pack& low, const Pack& high, Pack& r)
{
#if defined(__AVX512F__)
    r = __builtin_shufflevector(low, high, 7, 8, 9, 10, 11, 12, 13, 14);
#elif defined(__AVX__)
    r = __builtin_shufflevector(low, high, 3, 4, 5, 6);
#else
    r = __builtin_shufflevector(low, high, 1, 2);
#endif
}

/// Sums and differences of the four lines across a row: modes 0, first, second, both.
SOFA_PACK void acrossRow(const BoxRow& row, std::size_t at, Vector3 (&t)[4])
{
    Pack r[3][4];
    for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t i = c * row.stride + at;
        const Pack a = loadLoose(row.points[0] + i).v, b = loadLoose(row.points[1] + i).v,
                   d = loadLoose(row.points[2] + i).v, e = loadLoose(row.points[3] + i).v;
        const Pack low = b + a, high = e + d, lowDifference = b - a, highDifference = e - d;
        r[c][0] = high + low;
        r[c][1] = highDifference + lowDifference;
        r[c][2] = high - low;
        r[c][3] = highDifference - lowDifference;
    }
    for (int k = 0; k < 4; ++k) t[k] = {r[0][k], r[1][k], r[2][k]};
}

/// sums += of one component: the reverse.
template <class Number>
SOFA_PACK void backAcrossRow(const Number (&r)[4], Number (&line)[4])
{
    const Number low = r[0] - r[2], high = r[0] + r[2], lowDifference = r[1] - r[3], highDifference = r[1] + r[3];
    line[0] = low - lowDifference;
    line[1] = low + lowDifference;
    line[2] = high - highDifference;
    line[3] = high + highDifference;
}

/// Along, First, Second: the bits of the axes in modes, along the row and across it.
template <int Along, int First, int Second>
void boxRow(const BoxRow& row, const double* k)
{
    constexpr int across[4] = {0, First, Second, First | Second};
    Vector3 low[4], last[4] = {};  // of the lines at this end of the boxes; forces on the other end
    acrossRow(row, 0, low);
    for (std::size_t first = 0; first < row.boxes; first += packLanes) {
        Vector3 next[4], m[8], q[3];
        acrossRow(row, first + packLanes, next);
        for (int i = 0; i < 4; ++i) {
            Vector3 high;
            nextLanes(low[i].x, next[i].x, high.x);
            nextLanes(low[i].y, next[i].y, high.y);
            nextLanes(low[i].z, next[i].z, high.z);
            sum(high, low[i], m[across[i]]);
            sub(high, low[i], m[across[i] | Along]);
            low[i] = next[i];
        }
        for (int r = 0; r < 3; ++r) load(row.frames[first / 8].axis + 3 * r, static_cast<int>(first % 8), q[r]);
        modalForces(k, q, q, m);
        times(m[0], k[boxStiffnessScalars] * at(row.used + first), m[0]);
        Pack r[3][4];
        for (int i = 0; i < 4; ++i) {
            Vector3 here, there, before;
            sub(m[across[i]], m[across[i] | Along], here);
            sum(m[across[i]], m[across[i] | Along], there);
            previousLanes(last[i].x, there.x, before.x);
            previousLanes(last[i].y, there.y, before.y);
            previousLanes(last[i].z, there.z, before.z);
            last[i] = there;
            r[0][i] = here.x + before.x;
            r[1][i] = here.y + before.y;
            r[2][i] = here.z + before.z;
        }
        for (std::size_t c = 0; c < 3; ++c) {
            Pack line[4];
            backAcrossRow(r[c], line);
            for (std::size_t l = 0; l < 4; ++l) {
                double* to = row.sums[l] + c * row.stride + first;
                storeLoose(to, loadLoose(to).v + line[l]);
            }
        }
    }
    if (row.boxes % packLanes != 0) return;
    // The last box is that of the last lane: its other end stands behind it.
    double ends[3][4];
    for (int i = 0; i < 4; ++i) {
        ends[0][i] = last[i].x[packLanes - 1];
        ends[1][i] = last[i].y[packLanes - 1];
        ends[2][i] = last[i].z[packLanes - 1];
    }
    for (std::size_t c = 0; c < 3; ++c) {
        double line[4];
        backAcrossRow(ends[c], line);
        for (std::size_t l = 0; l < 4; ++l) row.sums[l][c * row.stride + row.boxes] += line[l];
    }
}

}  // namespace

extern const HexahedronKernels SOFA_HEXAHEDRON_KERNELS;
const HexahedronKernels SOFA_HEXAHEDRON_KERNELS{givenForces,
                                                largeForces,
                                                polarForces,
                                                product,
                                                blocks,
                                                boxProduct,
                                                {boxRow<4, 2, 1>, boxRow<2, 4, 1>, boxRow<1, 4, 2>}};

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
