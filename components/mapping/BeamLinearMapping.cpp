// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/BeamLinearMapping.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/factory/Registry.h"

namespace sofa::component {

namespace {

/// A place on a chain of frames: the beam, and the part of its length, 0 to 1.
struct PlaceOnBeam
{
    Index beam = 0;
    double part = 0.;
};

PlaceOnBeam nearestBeam(const Vector<RigidCoord3>& frames, const Vec3& x)
{
    PlaceOnBeam best;
    double nearest = std::numeric_limits<double>::infinity();
    for (Index j = 0; j + 1 < frames.size(); ++j) {
        const Vec3 a = frames[j].center, d = frames[j + 1].center - a;
        const double s = std::clamp(dot(x - a, d) / norm2(d), 0., 1.);
        if (const double distance = norm2(x - a - d * s); distance < nearest) {
            nearest = distance;
            best = {j, s};
        }
    }
    return best;
}

}  // namespace

template <class In, class Out>
void BeamLinearMapping<In, Out>::init()
{
    if (!this->findStates()) return;
    const auto& frames = this->input().positions();
    if (frames.size() < 2)
        return this->fail("the input '" + this->input().pathName() + "' has " + std::to_string(frames.size()) +
                          " frames; expected two at least, the ends of a beam");
    for (Index j = 0; j + 1 < frames.size(); ++j)
        if (!(norm(frames[j + 1].center - frames[j].center) > 0.))
            return this->fail("beam " + std::to_string(j) + " has no length: frames " + std::to_string(j) + " and " +
                              std::to_string(j + 1) + " are at one place");

    Vector<typename Base::Influence> influences;
    Vector<Index> starts{0};
    for (const Vec3& x : this->output().positions()) {
        PlaceOnBeam at;
        Vec3 first, second;
        if (d_localCoord.value()) {
            at.beam = static_cast<Index>(std::clamp(std::floor(x[0]), 0., static_cast<double>(frames.size() - 2)));
            const double length = norm(frames[at.beam + 1].center - frames[at.beam].center);
            const double part = x[0] - static_cast<double>(at.beam);
            at.part = std::clamp(part, 0., 1.);
            first = Vec3(part, x[1], x[2]) * length;
            second = first - Vec3(length, 0., 0.);
        } else {
            at = nearestBeam(frames, x);
            const RigidCoord3 &a = frames[at.beam], &b = frames[at.beam + 1];
            first = a.orientation.inverseRotate(x - a.center);
            second = b.orientation.inverseRotate(x - b.center);
        }
        const double weight = at.part * at.part * (3. - 2. * at.part);
        if (weight < 1.) influences.push_back({at.beam, 1. - weight, first});
        if (weight > 0.) influences.push_back({at.beam + 1, weight, second});
        starts.push_back(static_cast<Index>(influences.size()));
    }
    this->setInfluences(std::move(influences), std::move(starts));
    Base::init();
}

static const RegisterComponent registeredBeamLinearMapping =
    RegisterComponent("BeamLinearMapping", "Mapping", "Sofa.Component.Mapping.Linear")
        .help("Points along a chain of beams, which follow both ends of their beam")
        .alias("BeamLinearMapping_mt")
        .example("component/mapping/BeamLinearMapping.scn")
        .add<BeamLinearMapping, Types<Rigid3Types, Vec3Types>>();

}  // namespace sofa::component
