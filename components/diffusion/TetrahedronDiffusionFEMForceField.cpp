// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/diffusion/TetrahedronDiffusionFEMForceField.h"

#include <algorithm>
#include <tuple>

#include "core/factory/Registry.h"
#include "core/objectmodel/DefaultLink.h"
#include "core/objectmodel/Node.h"
#include "core/visual/ColorMap.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using namespace core;

template <class D>
void TetrahedronDiffusionFEMForceField<D>::init()
{
    Base::init();
    if (!this->isValid()) return;
    if (!resolveOrNeed(l_topology, *this)) return;
    if (l_topology->tetrahedra().empty())
        return this->fail("the topology '" + l_topology->pathName() + "' has no tetrahedra");
    if (findShape()) assemble();
}

template <class D>
bool TetrahedronDiffusionFEMForceField<D>::findShape()
{
    const State<Vec3Types>* found = nullptr;
    this->node()->visit(Search::Up, [&](Component& c) {
        const auto* s = dynamic_cast<const State<Vec3Types>*>(&c);
        if (s && s->hasTag(d_tagMechanics.value())) found = s;
        return found == nullptr;
    });
    std::string from;
    if (found) {
        m_shape = found->positions();
        from = "the state '" + found->pathName() + "'";
    } else {
        if (!l_topology->hasPositions()) {
            this->fail("there is no state with the tag '" + d_tagMechanics.value() +
                       "' (tagMechanics) above it, and '" + l_topology->pathName() + "' has no positions");
            return false;
        }
        Index points = 0;
        for (const Tetrahedron& t : l_topology->tetrahedra())
            for (const Index i : t) points = std::max(points, i + 1);
        m_shape.clear();
        for (Index i = 0; i < points; ++i) m_shape.push_back(l_topology->pointPosition(i));
        from = "the topology '" + l_topology->pathName() + "'";
    }
    for (const Tetrahedron& t : l_topology->tetrahedra())
        for (const Index i : t)
            for (const auto& [name, size] :
                 {std::pair(from, static_cast<std::size_t>(m_shape.size())),
                  std::pair("'" + this->state().pathName() + "'", static_cast<std::size_t>(this->state().size()))})
                if (i >= size) {
                    this->fail("a tetrahedron has point " + std::to_string(i) + "; " + name + " has " +
                               std::to_string(size) + " points");
                    return false;
                }
    return true;
}

template <class D>
void TetrahedronDiffusionFEMForceField<D>::assemble()
{
    if (!this->isValid()) return;
    const Vector<Tetrahedron>& tetrahedra = l_topology->tetrahedra();
    const Vector<double>& given = d_tetraDiffusionCoefficient.value();
    const double ratio = d_anisotropyRatio.value();
    const Vector<Vec3>& directions = d_transverseAnisotropyArray.value();
    if (!given.empty() && given.size() != tetrahedra.size())
        return this->fail("tetraDiffusionCoefficient has " + std::to_string(given.size()) + " values; expected " +
                          std::to_string(tetrahedra.size()) + ", one for each tetrahedron");
    if (ratio != 1. && directions.size() != tetrahedra.size())
        return this->fail("transverseAnisotropyArray has " + std::to_string(directions.size()) +
                          " directions; expected " + std::to_string(tetrahedra.size()) +
                          ", one for each tetrahedron, because anisotropyRatio is not 1");
    m_couplings.clear();
    for (std::size_t e = 0; e < tetrahedra.size(); ++e) {
        const Tetrahedron& t = tetrahedra[e];
        const double coefficient = given.empty() ? d_constantDiffusionCoefficient.value() : given[e];
        if (!(coefficient >= 0.))
            return this->fail("tetraDiffusionCoefficient of tetrahedron " + std::to_string(e) + " is " +
                              toText(coefficient) + "; expected 0 or more");
        const Vec3 &o = m_shape[t[0]], a = m_shape[t[1]] - o, b = m_shape[t[2]] - o, c = m_shape[t[3]] - o;
        const double six = dot(a, cross(b, c));  // times the volume, negative of inverted ones
        if (six == 0.)
            return this->fail("tetrahedron " + std::to_string(e) + " of '" + l_topology->pathName() +
                              "' has no volume");
        Vec3 gradients[4] = {{}, cross(b, c) / six, cross(c, a) / six, cross(a, b) / six};
        gradients[0] = (gradients[1] + gradients[2] + gradients[3]) * -1.;
        const double scale = coefficient * std::abs(six) / 6.;
        Vec3 n;
        if (ratio != 1.) {
            if (!(norm(directions[e]) > 0.))
                return this->fail("transverseAnisotropyArray of tetrahedron " + std::to_string(e) + " is zero");
            n = directions[e] / norm(directions[e]);
        }
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = i + 1; j < 4; ++j) {
                const double value =
                    dot(gradients[i], gradients[j]) + (ratio - 1.) * dot(n, gradients[i]) * dot(n, gradients[j]);
                m_couplings.push_back({std::min(t[i], t[j]), std::max(t[i], t[j]), scale * value});
            }
    }
    std::ranges::stable_sort(m_couplings, {}, [](const Coupling& c) { return std::tuple(c.a, c.b); });
    std::size_t pairs = 0;
    for (const Coupling& c : m_couplings) {
        if (pairs > 0 && m_couplings[pairs - 1].a == c.a && m_couplings[pairs - 1].b == c.b)
            m_couplings[pairs - 1].value += c.value;
        else
            m_couplings[pairs++] = c;
    }
    m_couplings.resize(pairs);
}

template <class D>
void TetrahedronDiffusionFEMForceField<D>::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x,
                                                    const VecDeriv&)
{
    // Rows of K sum to zero.
    for (const Coupling& c : m_couplings) {
        const auto flow = (x[c.b] - x[c.a]) * c.value;
        f[c.b] += flow;
        f[c.a] -= flow;
    }
}

template <class D>
void TetrahedronDiffusionFEMForceField<D>::buildStiffness(const MechanicalParams&, BlockSink& k)
{
    constexpr std::size_t n = D::derivSize;
    for (const Coupling& c : m_couplings) {
        k.addIdentity(c.a, c.a, c.value, n);
        k.addIdentity(c.b, c.b, c.value, n);
        k.addIdentity(c.a, c.b, -c.value, n);
        k.addIdentity(c.b, c.a, -c.value, n);
    }
}

template <class D>
double TetrahedronDiffusionFEMForceField<D>::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    double sum = 0.;
    for (const Coupling& c : m_couplings) sum -= c.value * norm2(x[c.b] - x[c.a]);
    return 0.5 * sum;
}

template <class D>
void TetrahedronDiffusionFEMForceField<D>::draw(DrawTool& tool)
{
    if (!d_drawConduc.value() || !tool.shows(DisplayFlags::ForceFields) || !this->isValid() || !l_topology) return;
    const Vector<Tetrahedron>& tetrahedra = l_topology->tetrahedra();
    const Vector<double>& given = d_tetraDiffusionCoefficient.value();
    const ColorMap map;
    double low = 0., high = d_constantDiffusionCoefficient.value();
    if (!given.empty()) {
        const auto [least, most] = std::ranges::minmax(given);
        low = least;
        high = most;
    }
    auto points = tool.scratch<Vec3>();
    auto faces = tool.scratch<Triangle>();
    auto colors = tool.scratch<Color>();
    constexpr std::size_t sides[4][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
    for (std::size_t e = 0; e < tetrahedra.size(); ++e) {
        const Color color = map.of(given.empty() ? high : given[e], low, high);
        const auto first = static_cast<Index>(points.size());
        for (const Index i : tetrahedra[e]) {
            points.push_back(m_shape[i]);
            colors.push_back(color);
        }
        for (const auto& s : sides)
            faces.push_back(
                {first + static_cast<Index>(s[0]), first + static_cast<Index>(s[1]), first + static_cast<Index>(s[2])});
    }
    tool.triangles(points, faces, litStyle(Color()), {}, colors);
}

static const RegisterComponent registeredTetrahedronDiffusionFEMForceField =
    RegisterComponent("TetrahedronDiffusionFEMForceField", "ForceField", "Sofa.Component.Diffusion")
        .help("Diffusion of numbers, as temperature, in a mesh of tetrahedra")
        .example("component/diffusion/TetrahedronDiffusionFEMForceField.scn")
        .add<TetrahedronDiffusionFEMForceField, Vec1Types, Vec2Types, Vec3Types>();

}  // namespace sofa::component
