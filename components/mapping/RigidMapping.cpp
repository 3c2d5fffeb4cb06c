// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/RigidMapping.h"

#include <cmath>
#include <type_traits>

#include "components/mapping/FrameRepartition.h"
#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/io/PointFile.h"
#include "core/math/ArmStiffness.h"

namespace sofa::component {

namespace {

/// r = R p for the position part of a local coordinate. The rotation of one frame is used for many points.
struct Rotation3
{
    explicit Rotation3(const RigidCoord3& frame) : matrix(frame.orientation.toMatrix()) {}
    template <class Out>
    Vec3 arm(const typename Out::Coord& p) const
    {
        return matrix * Out::position(p);
    }
    Mat3 matrix;
};
struct Rotation2
{
    explicit Rotation2(const RigidCoord2& frame) : c(std::cos(frame.angle)), s(std::sin(frame.angle)) {}
    template <class Out>
    Vec3 arm(const typename Out::Coord& p) const
    {
        return {c * p[0] - s * p[1], s * p[0] + c * p[1], 0.};
    }
    double c, s;
};

template <class Out, class Frame>
typename Out::Coord toLocal(const Frame& frame, const typename Out::Coord& x)
{
    if constexpr (std::is_same_v<Frame, RigidCoord2>) {
        return RigidCoord2{{}, -frame.angle}.rotate(x - frame.center);
    } else if constexpr (std::is_same_v<Out, Rigid3Types>) {
        return {frame.orientation.inverseRotate(x.center - frame.center), frame.orientation.inverse() * x.orientation};
    } else {
        return frame.orientation.inverseRotate(x - frame.center);
    }
}

}  // namespace

template <class In, class Out>
RigidMapping<In, Out>::RigidMapping()
{
    this->addAlias(d_filename, "fileRigidMapping");
    this->addAlias(d_repartition, "d_repartition");
    this->ignoreAttribute("axisLength", "frames are drawn at the scale of their MechanicalObject (showObjectScale)");
}

template <class In, class Out>
const typename RigidMapping<In, Out>::OutVecCoord& RigidMapping<In, Out>::points() const
{
    if (d_useX0.value() && this->output().isAllocated(vec_id::restPosition))
        return this->output().read(vec_id::restPosition);
    return d_points.value();
}

template <class In, class Out>
void RigidMapping<In, Out>::assignRepartition()
{
    const Vector<Index>& counts = d_repartition.value();
    if (counts.empty() || counts == Vector<Index>{0}) return;
    d_rigidIndexPerPoint.setValue(framesOfRepartition(counts, this->output().size()));
}

template <class In, class Out>
bool RigidMapping<In, Out>::loadPoints()
{
    if (d_filename.value().text.empty()) return true;
    try {
        const Vector<Vec3> positions = io::readPoints(requireFile(d_filename)).positions;
        OutVecCoord p(positions.size());
        for (std::size_t i = 0; i < p.size(); ++i) Out::setPosition(p[i], positions[i]);
        d_points.setValue(std::move(p));
        return true;
    } catch (const std::runtime_error& e) {
        this->fail(e);
        return false;
    }
}

template <class In, class Out>
void RigidMapping<In, Out>::takePoints()
{
    if (!d_points.value().empty() || d_useX0.value()) return;
    OutVecCoord p = this->output().positions();
    if (d_globalToLocalCoords.value()) {
        const InVecCoord& frames = this->input().positions();
        for (std::size_t i = 0; i < p.size(); ++i) p[i] = toLocal<Out>(frames[m_frames[i]], p[i]);
    }
    d_points.setValue(std::move(p));
}

template <class In, class Out>
bool RigidMapping<In, Out>::assignFrames()
{
    const Index n = this->input().size();
    const std::size_t count = points().empty() && !d_useX0.value() ? this->output().size() : points().size();
    const Vector<Index>& given = d_rigidIndexPerPoint.value();
    if (given.size() == count) {
        m_frames = given;
    } else {
        if (!given.empty())
            this->msgWarning() << "rigidIndexPerPoint has " << given.size() << " entries for " << count
                               << " points; index is used for all";
        m_frames.assign(count, d_indexFromEnd.value() ? n - 1 - d_index.value() : d_index.value());
    }
    for (const Index f : m_frames) {
        if (f < n) continue;
        const std::string shown = d_indexFromEnd.value() ? d_index.text() + " from the end" : std::to_string(f);
        this->fail("frame " + shown + " does not exist: the input has " + std::to_string(n) +
                   (n == 1 ? " frame" : " frames"));
        return false;
    }

    m_starts.assign(n + 1, 0);
    for (const Index f : m_frames) ++m_starts[f + 1];
    for (Index f = 0; f < n; ++f) m_starts[f + 1] += m_starts[f];
    m_order.resize(m_frames.size());
    Vector<Index> next(m_starts.begin(), m_starts.end());
    for (Index i = 0; i < m_frames.size(); ++i) m_order[next[m_frames[i]]++] = i;
    return true;
}

template <class In, class Out>
void RigidMapping<In, Out>::init()
{
    if (!this->findStates()) return;
    if (!loadPoints()) return;
    assignRepartition();
    if (!assignFrames()) return;
    takePoints();
    this->output().resize(static_cast<Index>(points().size()));
    Base::init();
}

template <class In, class Out>
TopologyFollower::PointLists RigidMapping<In, Out>::pointLists()
{
    return {
        {{pointsOf(this->output()), {{&d_points}, {&d_rigidIndexPerPoint}, {&d_repartition, ElementData::Kind::Kept}}},
         {pointsOf(this->input()), {}}}};
}

template <class In, class Out>
void RigidMapping<In, Out>::followTopology(const TopologyChange& change)
{
    if (!this->isValid()) return;
    this->invalidateJacobian();
    const Vector<Index> before = m_frames;
    if (!change.restores()) {
        // The points count no longer as it says.
        d_repartition.setValue({});
        const ElementSource frames = change.source(pointsOf(this->input()));
        const bool moves =
            d_indexFromEnd.value() && d_rigidIndexPerPoint.value().empty() && frames.before != frames.now;
        for (const Index f : before)
            if (const Vector<Index> now = frames.renumbered({f}); moves || now != Vector<Index>{f})
                throw std::runtime_error("'" + this->pathName() + "' (RigidMapping): the frame " + std::to_string(f) +
                                         " of a point would go, or get another number");
    }
    if (!assignFrames() || change.restores() || d_useX0.value()) return;
    // What is between points of several frames has no coordinates from theirs.
    const ElementSource of = change.source(pointsOf(this->output()));
    for (const auto& [i, from] : of.ancestors) {
        bool together = true;
        for (const Ancestor& a : from) together &= before.at(a.index) == m_frames[i];
        if (!together)
            (*d_points.edit())[i] = toLocal<Out>(this->input().positions()[m_frames[i]], this->output().positions()[i]);
    }
}

template <class In, class Out>
void RigidMapping<In, Out>::apply(OutVecCoord& out, const InVecCoord& in)
{
    const OutVecCoord& p = points();
    if (p.size() != m_frames.size() && !assignFrames()) return;
    if (out.size() != p.size()) {
        this->output().resize(static_cast<Index>(p.size()));
        out.resize(p.size());
    }
    m_arms.resize(p.size());
    using Rotation = std::conditional_t<std::is_same_v<In, Rigid3Types>, Rotation3, Rotation2>;
    for (std::size_t i = 0; i < p.size();) {
        // Points of one frame stand together, most often all of them.
        const Index f = m_frames[i];
        const auto frame = in[f];
        const Rotation rotation(frame);
        for (; i < p.size() && m_frames[i] == f; ++i) {
            const Vec3 r = rotation.template arm<Out>(p[i]);
            m_arms[i] = r;
            if constexpr (std::is_same_v<Out, Rigid3Types>) {
                out[i].center = frame.center + r;
                out[i].orientation = frame.orientation * p[i].orientation;
            } else {
                for (std::size_t k = 0; k < Out::coordSize; ++k) out[i][k] = frame.center[k] + r[k];
            }
        }
    }
}

template <class In, class Out>
BaseMapping::Fixture RigidMapping<In, Out>::fixture(Index i) const
{
    if (i >= m_frames.size()) return {};
    const auto& p = points()[i];
    if constexpr (std::is_same_v<Out, Rigid3Types>)
        return {m_frames[i], p.center, p.orientation};
    else
        return {m_frames[i], Out::position(p)};
}

template <class In, class Out>
void RigidMapping<In, Out>::buildJacobian(JacobianMatrix& j, const InVecCoord&)
{
    j.clear();
    Mat<Out::derivSize, In::derivSize> block;
    for (std::size_t k = 0; k < Out::derivSize; ++k) block[k][k] = 1.;
    for (std::size_t i = 0; i < m_arms.size(); ++i) {
        const Vec3& r = m_arms[i];
        if constexpr (std::is_same_v<In, Rigid2Types>) {
            block[0][2] = -r[1];
            block[1][2] = r[0];
        } else {
            block.setBlock(0, 3, crossMatrix(-r));
        }
        j.appendRow();
        j.append(m_frames[i], block);
    }
}

template <class In, class Out>
void RigidMapping<In, Out>::buildGeometricStiffness(BlockSink& k, const OutVecDeriv& f, const InVecCoord&)
{
    const bool stabilized = d_geometricStiffness.isStabilized();
    for (Index frame = 0; frame + 1 < m_starts.size(); ++frame) {
        if (m_starts[frame] == m_starts[frame + 1]) continue;
        Mat<In::derivSize, In::derivSize> block;
        if constexpr (std::is_same_v<In, Rigid2Types>) {
            // In the plane δ(r × f) = −(r · f) δθ.
            double s = 0.;
            for (Index n = m_starts[frame]; n < m_starts[frame + 1]; ++n) {
                const Index i = m_order[n];
                s -= m_arms[i][0] * f[i][0] + m_arms[i][1] * f[i][1];
            }
            block[2][2] = stabilized ? std::min(s, 0.) : s;
        } else {
            ArmStiffness rotation;
            for (Index n = m_starts[frame]; n < m_starts[frame + 1]; ++n) {
                const Index i = m_order[n];
                rotation.add(Out::linear(f[i]), m_arms[i]);
            }
            block = rotation.block(stabilized);
        }
        k.add(frame, frame, block);
    }
}

template <class In, class Out>
void RigidMapping<In, Out>::appendLinks(Vector<Vec3>& ends) const
{
    const State<In>& in = this->input();
    const State<Out>& out = this->output();
    for (Index i = 0; i < out.size() && i < m_frames.size(); ++i) {
        if (m_frames[i] >= in.size()) continue;
        ends.push_back(in.pointPosition(m_frames[i]));
        ends.push_back(out.pointPosition(i));
    }
}

static const RegisterComponent registeredRigidMapping =
    RegisterComponent("RigidMapping", "Mapping", "Sofa.Component.Mapping.NonLinear")
        .help("Points or frames that are fixed in moving frames")
        .alias("RigidRigidMapping")
        .example("component/mapping/RigidMapping.scn")
        .add<RigidMapping, Types<Rigid3Types, Vec3Types>, Types<Rigid3Types, Rigid3Types>,
             Types<Rigid2Types, Vec2Types>>();

}  // namespace sofa::component
