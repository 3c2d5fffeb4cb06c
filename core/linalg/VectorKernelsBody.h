// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
// NOLINTBEGIN(misc-definitions-in-headers): included once by VectorKernels.cpp for each instruction set, inside a
// namespace of its own that defines the vector type V, its width W, load, store, broadcast, multiply, add and subtract.
// No include guard and no library functions for the same reason as in DenseKernelsBody.h.

constexpr int vectorsPerSum = partialSums / W;

double dot(const double* a, const double* b, std::size_t n)
{
    V s[vectorsPerSum];
    SOFA_UNROLL
    for (int k = 0; k < vectorsPerSum; ++k) s[k] = broadcast(0.);
    std::size_t i = 0;
    for (; i + partialSums <= n; i += partialSums) {
        SOFA_UNROLL
        for (int k = 0; k < vectorsPerSum; ++k) s[k] = add(s[k], multiply(load(a + i + k * W), load(b + i + k * W)));
    }
    double sums[partialSums];
    SOFA_UNROLL
    for (int k = 0; k < vectorsPerSum; ++k) store(sums + k * W, s[k]);
    for (std::size_t k = 0; i + k < n; ++k) sums[k] += a[i + k] * b[i + k];
    return join(sums);
}

void addScaled(double* y, const double* x, double f, std::size_t n)
{
    const V factor = broadcast(f);
    std::size_t i = 0;
    for (; i + W <= n; i += W) store(y + i, add(load(y + i), multiply(factor, load(x + i))));
    for (; i < n; ++i) y[i] += f * x[i];
}

void scaleAndAdd(double* y, double f, const double* x, std::size_t n)
{
    const V factor = broadcast(f);
    std::size_t i = 0;
    for (; i + W <= n; i += W) store(y + i, add(multiply(load(y + i), factor), load(x + i)));
    for (; i < n; ++i) y[i] = y[i] * f + x[i];
}

double updateResidual(double* r, const double* q, double alpha, std::size_t n)
{
    const V factor = broadcast(alpha);
    V s[vectorsPerSum];
    SOFA_UNROLL
    for (int k = 0; k < vectorsPerSum; ++k) s[k] = broadcast(0.);
    std::size_t i = 0;
    for (; i + partialSums <= n; i += partialSums) {
        SOFA_UNROLL
        for (int k = 0; k < vectorsPerSum; ++k) {
            const std::size_t j = i + k * W;
            const V residual = subtract(load(r + j), multiply(factor, load(q + j)));
            store(r + j, residual);
            s[k] = add(s[k], multiply(residual, residual));
        }
    }
    double sums[partialSums];
    SOFA_UNROLL
    for (int k = 0; k < vectorsPerSum; ++k) store(sums + k * W, s[k]);
    for (std::size_t k = 0; i + k < n; ++k) {
        r[i + k] -= alpha * q[i + k];
        sums[k] += r[i + k] * r[i + k];
    }
    return join(sums);
}

void updateDirection(double* x, double* p, const double* r, double alpha, double beta, std::size_t n)
{
    const V a = broadcast(alpha), b = broadcast(beta);
    std::size_t i = 0;
    for (; i + W <= n; i += W) {
        const V direction = load(p + i);
        store(x + i, add(load(x + i), multiply(a, direction)));
        store(p + i, add(multiply(direction, b), load(r + i)));
    }
    for (; i < n; ++i) {
        x[i] += alpha * p[i];
        p[i] = p[i] * beta + r[i];
    }
}

constexpr Kernels table = {dot, addScaled, scaleAndAdd, updateResidual, updateDirection};
// NOLINTEND(misc-definitions-in-headers)
