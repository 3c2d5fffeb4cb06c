// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/FixedProjectiveConstraint.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/objectmodel/DefaultLink.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

template <class D>
void FixedProjectiveConstraint<D>::init()
{
    Base::init();
    if (!this->isValid()) return;
    if (!resolveOrFind(l_topology, *this)) return;
    checkIndices();
}

template <class D>
void FixedProjectiveConstraint<D>::reinit()
{
    if (this->l_state) checkIndices();
}

template <class D>
void FixedProjectiveConstraint<D>::checkIndices()
{
    const Index n = this->state().size();
    if (d_fixAll.value() || !d_indices.isSet()) return;
    std::string outside;
    std::size_t count = 0;
    for (const Index i : d_indices.value()) {
        if (i < n) continue;
        if (++count <= 5) outside += (outside.empty() ? "" : ", ") + std::to_string(static_cast<int>(i));
    }
    if (count == 0) return;
    if (count > 5) outside += ", ... (" + std::to_string(count) + " in all)";
    this->setValid(false);
    this->message(Severity::Error,
                  "indices outside the state '" + this->state().pathName() + "': " + outside + "; it has " +
                      std::to_string(n) +
                      (n == 1 ? " point, so 0 is the only index"
                              : " points, so the last index is " + std::to_string(static_cast<int>(n) - 1)),
                  d_indices.location);
}

template <class D>
template <class F>
void FixedProjectiveConstraint<D>::forEachFixed(std::size_t points, F f) const
{
    if (d_fixAll.value()) {
        for (std::size_t i = 0; i < points; ++i) f(i);
        return;
    }
    for (const Index i : d_indices.value())
        if (i < points) f(i);
}

template <class D>
void FixedProjectiveConstraint<D>::clearFixed(VecDeriv& d) const
{
    for (std::size_t k = 0; k < D::derivSize; ++k)
        if (fixes(k)) forEachFixed(d.size(), [&](std::size_t i) { d[i][k] = 0.; });
}

template <class D>
void FixedProjectiveConstraint<D>::projectResponse(VecDeriv& dx) const
{
    clearFixed(dx);
}

template <class D>
void FixedProjectiveConstraint<D>::projectVelocity(VecDeriv& v) const
{
    if (projectsVelocity()) clearFixed(v);
}

template <class D>
void FixedProjectiveConstraint<D>::eliminate(EliminationSink& sink) const
{
    if (!this->isActive()) return;
    forEachFixed(this->state().size(), [&](std::size_t i) {
        for (std::size_t k = 0; k < D::derivSize; ++k)
            if (fixes(k)) sink.eliminate(this->state(), static_cast<Index>(i), k);
    });
}

template <class D>
void FixedProjectiveConstraint<D>::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::BehaviorModels) || !d_showObject.value() || !this->l_state || !this->isActive())
        return;
    const State<D>& s = this->state();
    drawConstrainedPoints(tool, d_fixAll.value() ? drawnPoints(tool, s) : drawnPoints(tool, s, d_indices.value()),
                          d_drawSize.value());
}

template <class D>
void PartialFixedProjectiveConstraint<D>::parse(ComponentDescription& desc)
{
    FixedProjectiveConstraint<D>::parse(desc);
    m_mistake.clear();
    if (Attribute* factor = desc.find("factorAxis"); factor && !factor->value.empty()) {
        factor->used = true;
        m_mistake = "factorAxis: directions are held or free; leave it out, and use a spring for what gives way";
    }
    Attribute* axes = desc.find("rotationAxis");
    if (!axes) return;
    axes->used = true;
    Vector<double> given;
    TextCursor text(axes->value);
    constexpr std::size_t n = D::derivSize;
    if (!readValue(text, given) || given.empty() || given.size() % n != 0) {
        m_mistake = "rotationAxis is '" + axes->value + "'; expected directions of " + std::to_string(n) + " numbers";
        return;
    }
    Directions blocked{};
    for (std::size_t first = 0; first < given.size(); first += n) {
        const auto isSet = [](double x) { return x != 0.; };
        const auto begin = given.begin() + static_cast<std::ptrdiff_t>(first), end = begin + n;
        if (std::count_if(begin, end, isSet) != 1) {
            m_mistake = "rotationAxis: direction " + std::to_string(first / n) +
                        " is not along one of the coordinates; use PlaneProjectiveConstraint for points that may move "
                        "across a direction, LineProjectiveConstraint for points that may move along one";
            return;
        }
        blocked[static_cast<std::size_t>(std::find_if(begin, end, isSet) - begin)] = true;
    }
    d_fixedDirections.setValue(blocked);
}

template <class D>
void PartialFixedProjectiveConstraint<D>::init()
{
    FixedProjectiveConstraint<D>::init();
    if (!m_mistake.empty()) this->fail(m_mistake);
}

static const RegisterComponent registeredFixedProjectiveConstraint =
    RegisterComponent("FixedProjectiveConstraint", "ProjectiveConstraint", "Sofa.Component.Constraint.Projective")
        .help("Holds points where they are")
        .alias("FixedConstraint")
        .example("component/constraint/FixedProjectiveConstraint.scn")
        .add<FixedProjectiveConstraint, Vec3Types, Vec2Types, Vec1Types, Vec6Types, Rigid3Types, Rigid2Types>();

static const RegisterComponent registeredPartialFixedProjectiveConstraint =
    RegisterComponent("PartialFixedProjectiveConstraint", "ProjectiveConstraint",
                      "Sofa.Component.Constraint.Projective")
        .help("Holds points where they are in some directions")
        .alias("PartialFixedConstraint")
        .example("component/constraint/PartialFixedProjectiveConstraint.scn")
        .add<PartialFixedProjectiveConstraint, Vec3Types, Vec2Types, Vec1Types, Vec6Types, Rigid3Types, Rigid2Types>();

}  // namespace sofa::component
