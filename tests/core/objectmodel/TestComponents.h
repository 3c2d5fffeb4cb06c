// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Engine.h"
#include "core/objectmodel/Node.h"

namespace sofa::test {

using namespace sofa::core;

/// Data of a few types.
class Thing : public Component
{
public:
    static std::string_view typeLabel() { return "thing"; }
    Data<double> d_mass{this, {.name = "mass", .help = "Mass", .unit = "kg", .range = Range::positive()}, 1.};
    Data<int> d_count{this, {.name = "count", .help = "A number"}, 3};
    Data<Vector<double>> d_values{this, {.name = "values", .help = "Numbers"}};
    Data<std::string> d_text{this, {.name = "text", .help = "A text"}, "default"};
    double dx = 0.;  ///< of an attribute that tests declare

    void setDeclared(std::string_view, std::string_view text) override
    {
        std::string error;
        if (!parseText(text, dx, error)) throw std::runtime_error(error);
    }
    Link<Thing> l_other{this, {.name = "other", .help = "Another thing"}};
    MultiLink<Component> l_others{this, {.name = "others", .help = "Components"}};
};

/// Sum of its inputs, counting how often it computes.
class SumEngine : public Engine
{
public:
    Data<Vector<double>> d_input{this, {.name = "input", .help = "Numbers to add"}};
    Data<double> d_sum{this, {.name = "sum", .help = "Their sum", .readOnly = true}};
    int runs = 0;

    SumEngine()
    {
        addInput(d_input);
        addOutput(d_sum);
    }

protected:
    void doUpdate() override
    {
        ++runs;
        double s = 0.;
        for (const double v : d_input.value()) s += v;
        d_sum.setValue(s);
    }
};

}  // namespace sofa::test
