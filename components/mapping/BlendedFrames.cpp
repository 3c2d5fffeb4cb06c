// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/BlendedFrames.h"

#include "core/math/ArmStiffness.h"

namespace sofa::component {

template <class In, class Out>
void BlendedFrames<In, Out>::setInfluences(Vector<Influence> influences, Vector<Index> starts)
{
    m_influences = std::move(influences);
    m_starts = std::move(starts);
    m_arms.resize(m_influences.size());
    m_hasPattern = false;
    this->invalidateJacobian();
}

template <class In, class Out>
void BlendedFrames<In, Out>::apply(OutVecCoord& out, const InVecCoord& in)
{
    m_rotations.resize(in.size());
    for (std::size_t k = 0; k < in.size(); ++k) m_rotations[k] = in[k].orientation.toMatrix();
    for (std::size_t i = 0; i < out.size(); ++i) {
        Vec3 x;
        for (Index k = m_starts[i]; k < m_starts[i + 1]; ++k) {
            const Influence& one = m_influences[k];
            m_arms[k] = m_rotations[one.frame] * one.local * one.weight;
            x += in[one.frame].center * one.weight + m_arms[k];
        }
        out[i] = x;
    }
}

template <class In, class Out>
void BlendedFrames<In, Out>::buildJacobian(JacobianMatrix& j, const InVecCoord&)
{
    if (!m_hasPattern || j.rows() + 1 != m_starts.size()) {
        j.clear();
        for (std::size_t i = 0; i + 1 < m_starts.size(); ++i) {
            j.appendRow();
            for (const Influence& one : influencesOf(i)) {
                Mat<3, 6> block;
                for (std::size_t c = 0; c < 3; ++c) block[c][c] = one.weight;
                j.append(one.frame, block);
            }
        }
        m_hasPattern = true;
    }
    for (std::size_t k = 0; k < m_arms.size(); ++k) j.block(k).setBlock(0, 3, crossMatrix(-m_arms[k]));
}

template <class In, class Out>
void BlendedFrames<In, Out>::buildGeometricStiffness(BlockSink& k, const OutVecDeriv& f, const InVecCoord& in)
{
    Vector<ArmStiffness> rotational(in.size());
    for (std::size_t i = 0; i < f.size(); ++i)
        for (Index n = m_starts[i]; n < m_starts[i + 1]; ++n) rotational[m_influences[n].frame].add(f[i], m_arms[n]);
    for (Index frame = 0; frame < in.size(); ++frame)
        k.add(frame, frame, rotational[frame].block(d_geometricStiffness.isStabilized()));
}

template <class In, class Out>
void BlendedFrames<In, Out>::appendLinks(Vector<Vec3>& ends) const
{
    for (Index i = 0; i < this->output().size() && i + 1 < m_starts.size(); ++i)
        for (const Influence& one : influencesOf(i)) {
            ends.push_back(this->input().pointPosition(one.frame));
            ends.push_back(this->output().pointPosition(i));
        }
}

template class BlendedFrames<Rigid3Types, Vec3Types>;

}  // namespace sofa::component
