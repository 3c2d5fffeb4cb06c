// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <cmath>

#include "core/behavior/Solvers.h"
#include "core/factory/Registry.h"
#include "core/visitor/Operations.h"

namespace sofa::component {

using namespace core;

namespace {

/// No integrator, but a stage after one, in the same node behind it: v := e^(−rate h) v for the step h, the exact
/// motion of a damping force −rate m v of each mass. Then velocities of points that are smaller than `threshold` become
/// zero.
class DampVelocitySolver final : public OdeSolver
{
public:
    Data<double> d_rate{this,
                        {.name = "rate",
                         .help = "Velocities fall by the factor exp(-rate h) in a step h",
                         .unit = "1/s",
                         .range = Range::nonNegative()},
                        0.99};
    Data<double> d_threshold{
        this,
        {.name = "threshold",
         .help = "Velocities of points whose norm is below this become zero; of frames, that of all six numbers",
         .unit = "m/s",
         .range = Range::nonNegative()},
        0.};

    void solve(double dt, const MultiVecCoordId&, const MultiVecDerivId& v) override
    {
        VectorOperations(scope()).scale(v, std::exp(-d_rate.value() * dt));
        const double bound = d_threshold.value();
        if (bound == 0.) return;
        for (BaseState* s : ExecutionPlan::of(scope()).independentStates()) {
            const std::size_t size = s->derivSize();
            m_values.resize(s->derivScalars());
            s->getScalars(v.at(*s), m_values.data());
            for (auto point = m_values.begin(); point != m_values.end(); point += static_cast<std::ptrdiff_t>(size)) {
                double square = 0.;
                for (std::size_t k = 0; k < size; ++k)
                    square += point[static_cast<std::ptrdiff_t>(k)] * point[static_cast<std::ptrdiff_t>(k)];
                if (square < bound * bound) std::fill_n(point, size, 0.);
            }
            s->setScalars(v.at(*s), m_values.data());
        }
    }
    /// It answers to no force.
    double velocityIntegrationFactor(double) const override { return 0.; }
    double positionIntegrationFactor(double) const override { return 0.; }
    int couplingRank() const override { return 0; }

private:
    Vector<double> m_values;
};

const RegisterComponent registeredDampVelocitySolver =
    RegisterComponent("DampVelocitySolver", "OdeSolver", "Sofa.Component.ODESolver.Forward")
        .help("Reduces the velocities that the integrator before it in the node has computed")
        .example("component/odesolver/RungeKutta2Solver.scn")
        .add<DampVelocitySolver>();

}  // namespace

}  // namespace sofa::component
