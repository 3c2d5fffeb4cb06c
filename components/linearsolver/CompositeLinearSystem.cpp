// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>

#include "components/linearsolver/MatrixTemplates.h"
#include "core/behavior/NeededLink.h"
#include "core/factory/Registry.h"
#include "core/visitor/LinearSystem.h"

namespace sofa::component {

using namespace core;

namespace {

/// Assembles several linear systems where a solver asks for one of them: matrices of the stiffness or the mass alone,
/// for exports and probes, beside the one that is solved. It stands for the system of the solver.
class CompositeLinearSystem final : public LinearSystem
{
public:
    MultiLink<LinearSystem> l_linearSystems{this,
                                            {"linearSystems", "Systems that are assembled with that of the solver"}};
    Link<LinearSystem> l_solverLinearSystem{
        this, {"solverLinearSystem", "System whose matrix the solver gets; default: the first of the list"}};

    CompositeLinearSystem()
    {
        ignoreAttribute("enableAssembly", "matrices are assembled at each solve");
        ignoreAttribute("factorizationInvalidation", "solvers see changes of their matrix themselves");
        for (BaseData* own : std::initializer_list<BaseData*>{&d_assembleStiffness, &d_assembleMass, &d_assembleDamping,
                                                              &d_assembleGeometricStiffness,
                                                              &d_applyProjectiveConstraints, &d_applyMappedComponents})
            removeData(*own);
    }

    void init() override
    {
        LinearSystem::init();
        std::string error;
        if (!l_linearSystems.resolve(error)) return fail("linearSystems: " + error);
        if (!l_solverLinearSystem.resolve(error)) return fail("solverLinearSystem: " + error);
        const auto& all = l_linearSystems.get();
        if (!l_solverLinearSystem && !all.empty()) l_solverLinearSystem.set(all.front());
        if (!l_solverLinearSystem) return fail("linearSystems: the system of the solver is expected at least");
        const auto isComposite = [](const LinearSystem* s) {
            return dynamic_cast<const CompositeLinearSystem*>(s) != nullptr;
        };
        if (isComposite(l_solverLinearSystem.get()) || std::ranges::any_of(all, isComposite))
            fail("linearSystems: a CompositeLinearSystem cannot be part of one");
    }
    void assemble(const SolverScope& scope, const MechanicalParams& mp, bool factored) override
    {
        LinearSystem& main = solverSystem();
        for (LinearSystem* s : l_linearSystems.get())
            if (s != &main) s->assemble(scope, mp);
        main.assemble(scope, mp, factored);
        if (d_matrixSize.value() != main.d_matrixSize.value()) d_matrixSize.setValue(main.d_matrixSize.value());
    }
    SystemAssembly::Options options() const override { return solverSystem().options(); }
    SystemAssembly& assembly() override { return solverSystem().assembly(); }

private:
    LinearSystem& solverSystem() const { return needed(l_solverLinearSystem, *this); }
};

const RegisterComponent registeredCompositeLinearSystem =
    RegisterComponent("CompositeLinearSystem", "LinearSystem", "Sofa.Component.LinearSystem")
        .help("Assembles several linear systems with that of a solver, for exports and probes")
        .example("component/linearsolver/GlobalSystemMatrix.scn")
        .add<CompositeLinearSystem>(matrixTemplates(true));

}  // namespace

}  // namespace sofa::component
