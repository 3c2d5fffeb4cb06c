// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/BaseOrdering.h"
#include "core/factory/Registry.h"

namespace sofa::component {

using namespace core;

namespace {

/// The unknowns keep the order of the states.
class NaturalOrderingMethod final : public BaseOrdering
{
public:
    OrderingMethod method() const override { return OrderingMethod::natural; }
};

/// Approximate minimum degree (Amestoy, Davis, Duff 1996).
class AMDOrderingMethod final : public BaseOrdering
{
public:
    OrderingMethod method() const override { return OrderingMethod::minimumDegree; }
};

/// Nested dissection (METIS; Karypis and Kumar 1998).
class MetisOrderingMethod final : public BaseOrdering
{
public:
    OrderingMethod method() const override { return OrderingMethod::nestedDissection; }
};

/// Reverse Cuthill–McKee (1969): small bandwidth, for chains and beams.
class RCMOrderingMethod final : public BaseOrdering
{
public:
    OrderingMethod method() const override { return OrderingMethod::reverseCuthillMckee; }
};

/// Approximate minimum degree of AᵀA (COLAMD; Davis, Gilbert, Larimore and Ng 2004): meant for LU with pivoting. Of a
/// symmetric matrix the factor by AMDOrderingMethod has fewer numbers.
class COLAMDOrderingMethod final : public BaseOrdering
{
public:
    OrderingMethod method() const override { return OrderingMethod::columnMinimumDegree; }
};

const char* const module = "Sofa.Component.LinearSolver.Ordering";
const char* const example = "component/linearsolver/SparseLDLSolver.scn";

const RegisterComponent registeredNaturalOrderingMethod =
    RegisterComponent("NaturalOrderingMethod", "OrderingMethod", module)
        .help("Natural ordering of the unknowns of a direct solver")
        .example("component/linearsolver/NaturalOrderingMethod.scn")
        .add<NaturalOrderingMethod>();
const RegisterComponent registeredAMDOrderingMethod =
    RegisterComponent("AMDOrderingMethod", "OrderingMethod", module)
        .help("Approximate minimum degree ordering of the unknowns of a direct solver")
        .example(example)
        .add<AMDOrderingMethod>();
const RegisterComponent registeredMetisOrderingMethod =
    RegisterComponent("MetisOrderingMethod", "OrderingMethod", module)
        .help("Nested dissection ordering (METIS) of the unknowns of a direct solver")
        .example("component/linearsolver/MetisOrderingMethod.scn")
        .add<MetisOrderingMethod>();
const RegisterComponent registeredRCMOrderingMethod =
    RegisterComponent("RCMOrderingMethod", "OrderingMethod", module)
        .help("Reverse Cuthill-McKee ordering of the unknowns of a direct solver")
        .example("component/linearsolver/RCMOrderingMethod.scn")
        .add<RCMOrderingMethod>();

const RegisterComponent registeredCOLAMDOrderingMethod =
    RegisterComponent("COLAMDOrderingMethod", "OrderingMethod", module)
        .help("Approximate minimum degree ordering of the columns (COLAMD) for a direct solver")
        .example("component/linearsolver/GlobalSystemMatrix.scn")
        .add<COLAMDOrderingMethod>();

}  // namespace

}  // namespace sofa::component
