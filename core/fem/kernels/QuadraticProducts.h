// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

namespace sofa::core {

/// Products of the gradients of shape functions of quadratic Bézier tetrahedra some of whose edges have no control
/// point of their own, but the middle of their ends (Bargteil and Cohen, "Animation of deformable bodies with quadratic
/// Bézier finite elements", 2014, section 3.4).
///
/// With the barycentric coordinates α and their gradients c, the shape function of an edge ij is 2 α_i α_j, and that of
/// a corner i is α_i² + Σ_j α_i α_j over its edges without a point, which have two, one or none of the other corners k
/// not among them. So each gradient is X c_a + Y c_b with X and Y linear in α:
///
///     edge ij              2 α_j c_i + 2 α_i c_j
///     corner i, no edge    2 α_i c_i
///     one edge, ij         (2 α_i + α_j) c_i + α_i c_j
///     two, all but ik      (1 − α_k) c_i − α_i c_k
///     three                c_i
///
/// and the integral of a product of two gradients is a sum of at most four products c_a c_bᵀ.
struct QuadraticProducts
{
    /// 8 for each corner, by the set of its edges without a point, then 6 of edges, in the order of the control points.
    static constexpr int count = 38;

    /// By the edges of an element without a point, a bit for each, and by control point its shape function.
    unsigned char shapeOf[64][10]{};
    /// Places of c_a and c_b in a tangent (IsotropicTangent), which are those of rows of four numbers.
    unsigned char a[count]{}, b[count]{};
    /// 20/V times the integrals of X X', X Y', Y X' and Y Y', that of two coordinates being V (1 + δ)/20.
    double weights[count][count][4]{};

    constexpr QuadraticProducts()
    {
        constexpr int edge[4][4] = {{-1, 0, 2, 3}, {0, -1, 1, 4}, {2, 1, -1, 5}, {3, 4, 5, -1}};
        double x[count][2][4] = {};  // X and Y
        const auto set = [&](int shape, int first, int second) {
            a[shape] = (unsigned char)(4 * first);
            b[shape] = (unsigned char)(4 * second);
        };
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) {
                if (j == i) continue;
                const int shape = 32 + edge[i][j];
                if (i < j) set(shape, i, j);
                x[shape][i < j ? 1 : 0][i] = 2.;
            }
        for (int i = 0; i < 4; ++i)
            for (int own = 0; own < 8; ++own) {
                const int shape = 8 * i + own;
                int with = i, without = i, edges = 0;  // other corners
                double(&u)[4] = x[shape][0], (&v)[4] = x[shape][1];
                for (int j = 0, k = 0; j < 4; ++j) {
                    if (j == i) continue;
                    const bool is = own >> k++ & 1;
                    (is ? with : without) = j;
                    u[j] = is ? 1. : 0.;
                    edges += is;
                }
                u[i] = edges < 2 ? 2. : 1.;
                v[i] = edges == 1 ? 1. : edges == 2 ? -1. : 0.;
                set(shape, i, edges == 1 ? with : edges == 2 ? without : i);
            }
        for (int middles = 0; middles < 64; ++middles)
            for (int i = 0; i < 4; ++i) {
                int own = 0, k = 0;
                for (int j = 0; j < 4; ++j)
                    if (j != i) own |= (middles >> edge[i][j] & 1) << k++;
                shapeOf[middles][i] = (unsigned char)(8 * i + own);
            }
        for (auto& shapes : shapeOf)
            for (int k = 0; k < 6; ++k) shapes[4 + k] = (unsigned char)(32 + k);
        for (int s = 0; s < count; ++s)
            for (int t = 0; t < count; ++t)
                for (int k = 0; k < 4; ++k) {
                    const double(&u)[4] = x[s][k / 2], (&v)[4] = x[t][k % 2];
                    weights[s][t][k] = (u[0] + u[1] + u[2] + u[3]) * (v[0] + v[1] + v[2] + v[3]);
                    for (int i = 0; i < 4; ++i) weights[s][t][k] += u[i] * v[i];
                }
    }
    /// Whether Y is not zero.
    constexpr bool hasTwo(int shape) const { return a[shape] != b[shape]; }
};

inline constexpr QuadraticProducts quadraticProducts;

}  // namespace sofa::core
