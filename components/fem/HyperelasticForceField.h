// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <tuple>

#include "components/fem/ElementForceField.h"
#include "components/fem/VolumetricStrain.h"
#include "core/fem/ElementResults.h"
#include "core/fem/elements/BezierShape.h"
#include "core/fem/elements/HyperelasticElements.h"
#include "core/fem/elements/MembraneElements.h"
#include "core/visual/Color.h"

namespace sofa::component {

/// Base of the force fields of materials with an energy density on elements of any kind: tetrahedra, hexahedra, prisms
/// and pyramids in space, and quadratic Bézier tetrahedra where the topology has them, straight or curved
/// (core/fem/elements/HyperelasticElements.h), triangles, quads and edges in space and in the
/// plane (core/fem/elements/MembraneElements.h). A subclass says which law with which parameters.
///
/// Elements are numbered in the order of these kinds, among those that the force field acts on. Lists of parameters
/// have one value for all elements or one for each; with `regions` or `materialIndices`, one for each region or
/// material.
template <class Types>
class HyperelasticForceField : public ElementForceField<Types>, public ElementResults
{
public:
    using DataTypes = Types;
    using Base = ElementForceField<Types>;
    using VecCoord = typename Types::VecCoord;
    using VecDeriv = typename Types::VecDeriv;
    static constexpr std::size_t D = Types::derivSize;

    Data<Options> d_tangentProjection{
        this,
        {.name = "tangentProjection",
         .help =
             "Makes the stiffness of each element positive semi-definite: none, clamp (negative eigenvalues become "
             "zero), absolute (they change their sign); auto: absolute for the materials that are made to recover from "
             "inversion (StableNeoHookean, InvertibleFEMForceField), otherwise none"},
        Options({"auto", "none", "clamp", "absolute"})};
    Data<Vector<std::string>> d_elements{
        this,
        {.name = "elements",
         .help = "Kinds of elements of the topology that the force field acts on, of tetrahedra, hexahedra, prisms, "
                 "pyramids, triangles, quads and edges; default: those of the highest dimension that there are "
                 "(without the triangles of a grid, which are its quads once more)"}};
    Data<Vector<double>> d_thickness{
        this,
        {.name = "thickness",
         .help = "Thickness of triangles and quads: one value, or a list like youngModulus",
         .unit = "m",
         .range = Range::nonNegative(),
         .group = "Thin elements"},
        {1.}};
    Data<Vector<double>> d_crossSection{
        this,
        {.name = "crossSection",
         .help = "Area of the cross-section of edges: one value, or a list like youngModulus",
         .unit = "m^2",
         .range = Range::nonNegative(),
         .group = "Thin elements"},
        {1.}};
    Data<bool> d_planeStress{
        this,
        {.name = "planeStress",
         .help =
             "Triangles and quads in the plane are free to change their thickness (plane stress) instead of keeping "
             "it (plane strain); membranes in space always are",
         .group = "Thin elements"},
        false};
    Data<double> d_quadratureTolerance{
        this,
        {.name = "quadratureTolerance",
         .help =
             "Quadratic elements with curved rest shapes: relative error of the integrals, as estimated, up to which "
             "14 points of quadrature do; more are taken where it is larger",
         .unit = "1",
         .range = Range::positive()},
        1e-4};
    VolumetricStrain volumetricStrain{this};

    using Base::buildStiffness;
    using Base::potentialEnergy;
    void buildStiffness(const MechanicalParams& mp, BlockSink& k) override;
    double potentialEnergy(const MechanicalParams& mp, const VecCoord& x) const override;
    /// The order of elements that followed changes of their mesh, so that sums have the same bits.
    void archive(Archive& a) override;
    /// The elements (flag ForceFields), tetrahedra in the colours of the material.
    void draw(DrawTool& tool) override;

    BaseState* resultState() const override { return this->l_state.get(); }
    ElementNumbering resultElements() const override { return elementNumbering(); }
    /// Of membranes and lines with the thickness and cross-section at rest.
    void stresses(const Shape& shape, Vector<Mat3>& out) const override;
    void elementEnergies(Vector<double>& out) const override;
    std::vector<ElementResults::Parameter> materialParameters() override { return this->elementParameters(); }

    /// The elements of one kind; templates, as only the state in space has these two.
    template <class S = TetrahedronShape>
    const HyperelasticElements<4>& tetrahedra() const
    {
        return std::get<Part<S>>(m_parts).mechanics;
    }
    template <class S = HexahedronShape>
    const HyperelasticElements<8>& hexahedra() const
    {
        return std::get<Part<S>>(m_parts).mechanics;
    }

protected:
    /// Points of the quadrature along each axis of a hexahedron, prism, pyramid or quad.
    virtual int quadraturePoints() const { return 2; }
    /// Lowest dimension of the elements that it acts on.
    virtual std::size_t lowestDimension() const { return 1; }
    /// Whether elements of this kind are left to the subclass: they are not prepared here and give no forces.
    virtual bool isElsewhere(ElementType) const { return false; }
    /// Results of these, as those of ElementResults.
    virtual void stressesElsewhere(ElementType, Vector<Mat3>&) const {}
    virtual void energiesElsewhere(ElementType, Vector<double>&) const {}
    /// The law, with the projection that tangentProjection="auto" means; other choices replace it.
    virtual MaterialEvaluation material() const = 0;
    /// That of materials which recover from inversion: without it the first step from an inverted element explodes.
    /// SOFA has none.
    TangentProjection projectionForRecovery() const
    {
        return this->compatibility() == Compatibility::Sofa ? TangentProjection::None : TangentProjection::Absolute;
    }
    /// What tangentProjection says, or `automatic`.
    TangentProjection projection(TangentProjection automatic) const
    {
        const std::size_t chosen = d_tangentProjection.value().index();
        return chosen == 0 ? automatic : static_cast<TangentProjection>(chosen - 1);
    }
    /// Colours of the faces of tetrahedra.
    virtual std::array<Color, 4> faceColors() const;
    /// Sets the parameters of element e, as many as the law has. Throws std::runtime_error on invalid values.
    virtual void parametersOf(Index e, Vector<double>& parameters) const = 0;

    /// The elements of one kind that it acts on, and the number of the first one among all; after the base class has
    /// prepared them.
    template <class Shape>
    const Vector<typename Shape::Element>& preparedElements() const;
    template <class Shape>
    Index firstOf() const;
    /// Where the values of element e are in lists that are not of one value.
    Index slotOf(Index e) const { return this->regions.slotOf(e); }
    /// Value of element e in a list. Throws std::runtime_error if the list is too short for the regions.
    double valueOf(const Data<Vector<double>>& d, Index e) const { return this->regions.valueOf(d, e); }

    ElementNumbering elementNumbering() const override;
    std::vector<ElementData> elementValues() override { return {{&d_thickness}, {&d_crossSection}}; }
    void prepare() override;
    bool followElements(const TopologyChange& change) override;
    bool hasPreparedElements() const override;
    void addElementForces(VecDeriv& f, const VecCoord& x) override;
    void addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const override;

private:
    template <class S, std::size_t dimension>
    struct MechanicsOf
    {
        using Type = MembraneElements<S, dimension>;
    };
    template <class S>
    requires(S::dimension == 3) struct MechanicsOf<S, 3>
    {
        using Type = HyperelasticElements<S::nodes>;
    };
    /// The elements of one kind.
    template <class S>
    struct Part
    {
        using Shape = S;
        typename MechanicsOf<S, D>::Type mechanics;
        Vector<typename S::Element> prepared;  ///< in the order of the topology
        Index first = 0;
    };
    template <std::size_t dimension, class Unused = void>
    struct PartsOf
    {
        using Type = std::tuple<Part<TetrahedronShape>, Part<BezierTetrahedronShape>, Part<HexahedronShape>,
                                Part<PrismShape>, Part<PyramidShape>, Part<TriangleShape>, Part<BezierTriangleShape>,
                                Part<QuadShape>, Part<EdgeShape>>;
    };
    template <class Unused>
    struct PartsOf<2, Unused>
    {
        using Type = std::tuple<Part<TriangleShape>, Part<QuadShape>, Part<EdgeShape>>;
    };

    /// Whether elements of a shape are slices of a long body.
    template <class S>
    bool keepsThickness() const
    {
        return D == 2 && S::dimension == 2 && !d_planeStress.value();
    }
    /// Whether elements of a shape are those of its type in the topology: linear ones or quadratic ones.
    template <class S>
    bool isShapeOfTopology() const
    {
        const auto* curved = dynamic_cast<const BezierTopology*>(&this->topology());
        if constexpr (S::type == ElementType::Tetrahedra)
            return isBezierShape<S> == (curved != nullptr);
        else if constexpr (S::type == ElementType::Triangles)
            return isBezierShape<S> == (curved && !curved->bezierTriangles().empty());
        else
            return true;
    }
    /// Elements of the topology of a kind that it acts on; an empty list for the other kinds.
    template <class S>
    const Vector<typename S::Element>& wantedElements() const;
    /// Sets the kinds that it acts on from the topology. Throws std::runtime_error if there are none.
    void chooseElements();
    template <class S>
    void preparePart(Part<S>& part);
    /// Throws std::runtime_error for an order in an archive that is none of these elements.
    template <class S>
    void archivePart(Part<S>& part, Archive& a);
    /// Brings the elements of a part up to date; false if it had better be prepared anew.
    template <class S>
    bool followPart(Part<S>& part, const TopologyChange& change);
    /// Numbers the elements of all parts.
    void numberElements();
    /// Sets the material of elements of a part.
    template <class S>
    void setParameters(Part<S>& part, const Vector<Index>& elements);
    /// Throws std::runtime_error where the law makes no sense with these parameters; warns where elements lock.
    void checkMaterial(const MaterialEvaluation& m, const Vector<double>& parameters, bool locks, bool inPlaneStrain);
    /// Calls f for each kind of elements, or for those that have some.
    template <class F>
    void forAll(F&& f)
    {
        std::apply([&](auto&... part) { (f(part), ...); }, m_parts);
    }
    template <class F>
    void forPresent(F&& f) const
    {
        std::apply([&](const auto&... part) { ((part.mechanics.size() > 0 ? f(part) : void()), ...); }, m_parts);
    }

    /// Calls f for the kinds that have elements, also elsewhere.
    template <class F>
    void forPrepared(F&& f) const
    {
        std::apply([&](const auto&... part) { ((!part.prepared.empty() ? f(part) : void()), ...); }, m_parts);
    }

    typename PartsOf<D>::Type m_parts;
    unsigned m_wanted = 0;             ///< bit t: elements of type t
    Vector<std::string> m_chosenFrom;  ///< `elements` when these were chosen
};

template <class Types>
template <class Shape>
const Vector<typename Shape::Element>& HyperelasticForceField<Types>::preparedElements() const
{
    return std::get<Part<Shape>>(m_parts).prepared;
}

template <class Types>
template <class Shape>
Index HyperelasticForceField<Types>::firstOf() const
{
    return std::get<Part<Shape>>(m_parts).first;
}

}  // namespace sofa::component
