// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/BarycentricFrames.h"

#include "core/math/Decompositions.h"
#include "core/math/NegativePart.h"

namespace sofa::component {

bool BarycentricFrames::locate()
{
    const auto found = findEmbeddingMesh(*this);
    if (!found) return false;
    const VecCoordId id = *found;
    const Vector<Vec3>& vertices = input().read(id);
    const Vector<RigidCoord3>& frames = output().read(output().isAllocated(id) ? id : vec_id::position);
    Vector<Vec3> centers;
    m_start.clear();
    for (const RigidCoord3& x : frames) {
        centers.push_back(x.center);
        m_start.push_back(x.orientation);
    }
    try {
        m_weights = computeBarycentricWeights(*l_inputTopology, vertices, centers);
    } catch (const std::runtime_error& e) {
        fail(e);
        return false;
    }
    m_gradients.assign(m_weights.columns.size(), Vec3{});
    for (Index i = 0; i < m_weights.rows(); ++i) {
        const Index first = m_weights.rowStart[i], last = m_weights.rowStart[i + 1];
        Vec3 mean;
        for (Index k = first; k < last; ++k) mean += vertices[m_weights.columns[k]] / double(last - first);
        Mat3 a;
        double size = 0.;
        for (Index k = first; k < last; ++k) {
            const Vec3 arm = vertices[m_weights.columns[k]] - mean;
            a += outer(arm, arm);
            size += norm2(arm);
        }
        if (!(determinant(a) > 1e-12 * size * size * size)) {
            fail("frame " + std::to_string(i) + " of '" + output().pathName() +
                 "' lies in an element without a volume: frames need tetrahedra or hexahedra that are not flat");
            return false;
        }
        const Mat3 inverted = inverse(a);
        for (Index k = first; k < last; ++k) m_gradients[k] = inverted * (vertices[m_weights.columns[k]] - mean);
    }
    invalidateJacobian();
    return true;
}

void BarycentricFrames::init()
{
    if (findStates() && locate()) Base::init();
}

void BarycentricFrames::apply(OutVecCoord& out, const InVecCoord& in)
{
    m_turns.resize(m_weights.rows());
    for (Index i = 0; i < m_weights.rows(); ++i) {
        Vec3 center;
        Mat3 f;
        for (Index k = m_weights.rowStart[i]; k < m_weights.rowStart[i + 1]; ++k) {
            const Vec3& x = in[m_weights.columns[k]];
            center += x * m_weights.weights[k];
            f += outer(x, m_gradients[k]);
        }
        const Polar3 polar = polarRotation(f);
        Mat3 spin = Mat3::identity() * trace(polar.s) - polar.s;
        // At an element that is turned inside out so that its rotation is not unique.
        const bool turns = determinant(spin) > 1e-12;
        m_turns[i] = {polar.r, polar.s, turns ? inverse(spin) : Mat3()};
        out[i] = {center, (Quat::fromMatrix(polar.r) * m_start[i]).normalized()};
    }
}

void BarycentricFrames::buildJacobian(JacobianMatrix& j, const InVecCoord&)
{
    j.clear();
    for (Index i = 0; i < m_weights.rows(); ++i) {
        j.appendRow();
        const Turn& t = m_turns[i];
        const Mat3 left = t.r * t.s, right = t.r.transposed();
        for (Index k = m_weights.rowStart[i]; k < m_weights.rowStart[i + 1]; ++k) {
            Mat<6, 3> block;
            block.setBlock(0, 0, Mat3::identity() * m_weights.weights[k]);
            block.setBlock(3, 0, left * crossMatrix(m_gradients[k]) * right);
            j.append(m_weights.columns[k], block);
        }
    }
}

// The force on vertex k by a torque τ is f_k = −R (g_k × s) with s = S Rᵀτ. A motion dX of vertex l changes F by
// dX g_lᵀ, R by [ω]× R, U by dU = RᵀdF − [Rᵀω]× U, s by S (Rᵀτ × Rᵀω − (tr dU − dU) s).
void BarycentricFrames::buildGeometricStiffness(BlockSink& sink, const OutVecDeriv& f, const InVecCoord&)
{
    const bool stabilized = d_geometricStiffness.isStabilized();
    Vector<double> all;
    for (Index i = 0; i < m_weights.rows(); ++i) {
        const Vec3 torque = Rigid3Types::angular(f[i]);
        if (torque == Vec3{}) continue;
        const Turn& t = m_turns[i];
        const Mat3 back = t.r.transposed();
        const Vec3 own = back * torque, s = t.s * own;
        const Index first = m_weights.rowStart[i], n = m_weights.rowStart[i + 1] - first;
        const std::size_t size = 3 * std::size_t{n};
        all.assign(size * size, 0.);  // row by row
        for (Index l = 0; l < n; ++l) {
            const Vec3& g = m_gradients[first + l];
            for (std::size_t axis = 0; axis < 3; ++axis) {
                Vec3 e;
                e[axis] = 1.;
                const Vec3 moved = back * e;
                const Vec3 turn = t.s * cross(g, moved);  // Rᵀω
                const Mat3 du = outer(moved, g) - crossMatrix(turn) * t.u;
                const Vec3 ds = t.s * (cross(own, turn) - s * trace(du) + du * s);
                for (Index k = 0; k < n; ++k) {
                    const Vec3& gk = m_gradients[first + k];
                    const Vec3 df = t.r * (cross(turn, cross(gk, s)) + cross(gk, ds)) * -1.;
                    for (std::size_t r = 0; r < 3; ++r) all[(3 * k + r) * size + 3 * l + axis] = df[r];
                }
            }
        }
        if (stabilized) takeNegativePart({all.data(), all.size()}, size);
        for (Index k = 0; k < n; ++k)
            for (Index l = 0; l < n; ++l) {
                Mat3 block;
                for (std::size_t r = 0; r < 3; ++r)
                    for (std::size_t c = 0; c < 3; ++c) block[r][c] = all[(3 * k + r) * size + 3 * l + c];
                sink.add(m_weights.columns[first + k], m_weights.columns[first + l], block);
            }
    }
}

void BarycentricFrames::appendLinks(Vector<Vec3>& ends) const
{
    const Vector<Vec3>& in = input().positions();
    const Vector<RigidCoord3>& out = output().positions();
    for (Index i = 0; i < m_weights.rows() && i < out.size(); ++i)
        for (Index k = m_weights.rowStart[i]; k < m_weights.rowStart[i + 1]; ++k)
            if (m_weights.columns[k] < in.size()) {
                ends.push_back(out[i].center);
                ends.push_back(in[m_weights.columns[k]]);
            }
}

}  // namespace sofa::component
