// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <cmath>

#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// Norm of each vector of a list: ‖v‖_p = (Σ |v_i|^p)^(1/p).
class NormEngine final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vector<Vec3>> d_input{this, input("input", "Vectors", "1")};
    Input<int> d_normType{
        this,
        input("normType",
              "p: 1 sum of the absolute values, 2 length, ...; 0: number of entries that are not zero; "
              "negative: largest absolute value"),
        2};
    Output<Vector<double>> d_output{this, output("output", "Norm of each vector", "1")};

protected:
    void doUpdate() override
    {
        Vector<double> norms;
        norms.reserve(d_input.value().size());
        for (const Vec3& v : d_input.value()) norms.push_back(norm(v, d_normType.value()));
        d_output.setValue(std::move(norms));
    }

private:
    static double norm(const Vec3& v, int p)
    {
        if (p == 2) return core::norm(v);
        double sum = 0., largest = 0.;
        for (const double x : v) {
            largest = std::max(largest, std::abs(x));
            sum += p > 0 ? std::pow(std::abs(x), p) : x != 0. ? 1. : 0.;
        }
        return p < 0 ? largest : p == 0 ? sum : std::pow(sum, 1. / p);
    }
};

const RegisterComponent registeredNormEngine =
    RegisterComponent("NormEngine", "Engine", "Sofa.Component.Engine.Generate")
        .help("Norm of each vector of a list")
        .example("component/engine/Lists.scn")
        .add<NormEngine>();

}  // namespace

}  // namespace sofa::component
