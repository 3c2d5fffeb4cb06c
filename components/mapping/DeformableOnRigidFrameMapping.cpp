// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/DeformableOnRigidFrameMapping.h"

#include "components/mapping/FrameRepartition.h"
#include "core/factory/Registry.h"
#include "core/math/ArmStiffness.h"

namespace sofa::component {

template <class Out, class In, class Root>
DeformableOnRigidFrameMapping<Out, In, Root>::DeformableOnRigidFrameMapping()
{
    this->ignoreAttribute("globalToLocalCoords", "input1 holds local coordinates, in SOFA too");
    for (const char* name : {"rootAngularForceScaleFactor", "rootLinearForceScaleFactor"})
        this->ignoreAttribute(name, "a constraint acts on the frame with the force that it has");
}

template <class Out, class In, class Root>
bool DeformableOnRigidFrameMapping<Out, In, Root>::assignFrames()
{
    const Index points = this->template inputsOf<In>()[0]->size(), n = this->template inputsOf<Root>()[0]->size();
    const Vector<Index>& counts = d_repartition.value();
    m_frames = counts.empty()
                   ? Vector<Index>(points, d_indexFromEnd.value() ? n - 1 - d_index.value() : d_index.value())
                   : framesOfRepartition(counts, points);
    for (const Index f : m_frames) {
        if (f < n) continue;
        const bool fromEnd = counts.empty() && d_indexFromEnd.value();
        this->fail("frame " + (fromEnd ? d_index.text() + " from the end" : std::to_string(f)) +
                   " does not exist: input2 has " + std::to_string(n) + (n == 1 ? " frame" : " frames"));
        return false;
    }
    return true;
}

template <class Out, class In, class Root>
void DeformableOnRigidFrameMapping<Out, In, Root>::init()
{
    if (!this->findStates()) return;
    for (const auto& [name, count] : {std::pair("input1", this->template inputsOf<In>().size()),
                                      std::pair("input2", this->template inputsOf<Root>().size())})
        if (count != 1)
            return this->fail(std::string(name) + " has " + std::to_string(count) + " states; expected one");
    if (!assignFrames()) return;
    this->output().resize(static_cast<Index>(m_frames.size()));
    m_arms.resize(m_frames.size());
    Base::init();
}

template <class Out, class In, class Root>
void DeformableOnRigidFrameMapping<Out, In, Root>::apply(OutVecCoord& out, Positions<In> local, Positions<Root> frames)
{
    const auto& roots = *frames[0];
    m_rotations.resize(roots.size());
    for (std::size_t k = 0; k < roots.size(); ++k) m_rotations[k] = roots[k].orientation.toMatrix();
    for (std::size_t i = 0; i < m_frames.size(); ++i) {
        m_arms[i] = m_rotations[m_frames[i]] * (*local[0])[i];
        out[i] = roots[m_frames[i]].center + m_arms[i];
    }
}

template <class Out, class In, class Root>
void DeformableOnRigidFrameMapping<Out, In, Root>::buildJacobians(Jacobians<In> ofLocal, Jacobians<Root> ofFrames,
                                                                  Positions<In>, Positions<Root>)
{
    ofLocal[0].clear();
    ofFrames[0].clear();
    Mat<3, 6> block;
    for (std::size_t c = 0; c < 3; ++c) block[c][c] = 1.;
    for (Index i = 0; i < m_frames.size(); ++i) {
        ofLocal[0].appendRow();
        ofLocal[0].append(i, m_rotations[m_frames[i]]);
        ofFrames[0].appendRow();
        block.setBlock(0, 3, crossMatrix(-m_arms[i]));
        ofFrames[0].append(m_frames[i], block);
    }
}

template <class Out, class In, class Root>
void DeformableOnRigidFrameMapping<Out, In, Root>::buildGeometricStiffness(MatrixAccumulator& k, const OutVecDeriv& f,
                                                                           Positions<In>, Positions<Root> frames)
{
    const BaseState &points = *this->template inputsOf<In>()[0], &roots = *this->template inputsOf<Root>()[0];
    const bool stabilized = d_geometricStiffness.isStabilized();
    Vector<ArmStiffness> rotational(frames[0]->size());
    for (std::size_t i = 0; i < f.size(); ++i) rotational[m_frames[i]].add(f[i], m_arms[i]);
    BlockSink& ofFrames = k.sink(roots, roots);
    for (Index frame = 0; frame < rotational.size(); ++frame)
        ofFrames.add(frame, frame, rotational[frame].block(stabilized));
    if (stabilized) return;
    BlockSink &upper = k.sink(points, roots), &lower = k.sink(roots, points);
    for (Index i = 0; i < f.size(); ++i) {
        const Mat3 turned = m_rotations[m_frames[i]].transposed() * crossMatrix(f[i]);
        Mat<3, 6> row;
        row.setBlock(0, 3, turned);
        upper.add(i, m_frames[i], row);
        lower.add(m_frames[i], i, row.transposed());
    }
}

template <class Out, class In, class Root>
void DeformableOnRigidFrameMapping<Out, In, Root>::appendLinks(Vector<Vec3>& ends) const
{
    for (Index i = 0; i < this->output().size() && i < m_frames.size(); ++i) {
        ends.push_back(this->template inputsOf<Root>()[0]->pointPosition(m_frames[i]));
        ends.push_back(this->output().pointPosition(i));
    }
}

static const RegisterComponent registeredDeformableOnRigidFrameMapping =
    RegisterComponent("DeformableOnRigidFrameMapping", "Mapping", "Sofa.Component.Mapping.Linear")
        .help("A body that deforms in a moving frame")
        .example("component/mapping/DeformableOnRigidFrameMapping.scn")
        .add<DeformableOnRigidFrameMapping<Vec3Types, Vec3Types, Rigid3Types>>();

}  // namespace sofa::component
