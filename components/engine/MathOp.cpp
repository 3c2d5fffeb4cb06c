// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <functional>

#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

template <class T>
struct Operation
{
    const char* name;
    T (*first)(const T&);            ///< applied to the entry of the only list
    T (*apply)(const T&, const T&);  ///< to what there is and the entry of the next one
    T (*last)(const T&) = nullptr;   ///< to the result
};

template <class T>
constexpr T same(const T& x)
{
    return x;
}

template <class T>
T quotient(const T& a, const T& b)
{
    if (std::is_integral_v<T> && b == T(0)) throw std::runtime_error("division of whole numbers by 0");
    return a / b;
}

/// Positions and angles are added; orientations follow each other.
RigidCoord2 sumOfFrames(const RigidCoord2& a, const RigidCoord2& b) { return {a.center + b.center, a.angle + b.angle}; }
RigidCoord3 sumOfFrames(const RigidCoord3& a, const RigidCoord3& b)
{
    return {a.center + b.center, a.orientation * b.orientation};
}

/// What can be done with numbers, with vectors, and with flags.
template <class T>
const std::vector<Operation<T>>& operations()
{
    static const std::vector<Operation<T>> list = [] {
        if constexpr (std::is_same_v<T, bool>) {
            const auto negated = [](const bool& x) { return !x; };
            const auto any = [](const bool& a, const bool& b) { return a || b; };
            const auto all = [](const bool& a, const bool& b) { return a && b; };
            const auto odd = [](const bool& a, const bool& b) { return a != b; };
            return std::vector<Operation<T>>{{"!", same<T>, [](const bool& a, const bool&) { return a; }, negated},
                                             {"|", same<T>, any},
                                             {"!|", same<T>, any, negated},
                                             {"&", same<T>, all},
                                             {"!&", same<T>, all, negated},
                                             {"^", same<T>, odd},
                                             {"!^", same<T>, odd, negated}};
        } else if constexpr (std::is_same_v<T, RigidCoord2> || std::is_same_v<T, RigidCoord3>) {
            return std::vector<Operation<T>>{{"+", same<T>, sumOfFrames}};
        } else {
            std::vector<Operation<T>> all{
                {"+", same<T>, [](const T& a, const T& b) -> T { return a + b; }},
                {"-", [](const T& x) -> T { return T() - x; }, [](const T& a, const T& b) -> T { return a - b; }}};
            if constexpr (std::is_arithmetic_v<T>) {
                all.push_back({"*", same<T>, [](const T& a, const T& b) -> T { return a * b; }});
                all.push_back({"/", [](const T& x) { return quotient(T(1), x); }, quotient<T>});
                all.push_back({"<", same<T>, [](const T& a, const T& b) { return std::min(a, b); }});
                all.push_back({">", same<T>, [](const T& a, const T& b) { return std::max(a, b); }});
            }
            return all;
        }
    }();
    return list;
}

/// Applies an operation to the entries of lists: output_i = (input1_i op input2_i) op input3_i ... The shortest list
/// says how many there are. "-" and "/" of one list are −x and 1/x, "!" is not input1; "<" and ">" give the least and
/// the largest entry; "!|", "!&" and "!^" negate the result.
template <class T>
class MathOp final : public Engine
{
public:
    static std::string staticTemplateName() { return listTemplate<T>(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return listFits<T>(node, desc, "input1", why);
    }

    Input<Index> d_nbInputs{this, input("nbInputs", "Number of lists", {}, seriesLength), 2};
    Input<Options> d_op;
    Output<Vector<T>> d_output{this, output("output", "The results", "1")};
    InputSeries<Vector<T>> d_inputs{this, d_nbInputs, input("input", "List of values", "1")};

    MathOp() : d_op(this, input("op", "Operation"), names()) {}

protected:
    void doUpdate() override
    {
        const Operation<T>& op = operations<T>()[d_op.value().index()];
        const std::size_t lists = d_inputs.size();
        for (std::size_t k = 0; k < lists; ++k)
            if (!d_inputs[k].isSet()) throw std::runtime_error(d_inputs[k].name() + " is missing");
        std::size_t n = lists == 0 ? 0 : d_inputs[0].value().size();
        for (std::size_t k = 1; k < lists; ++k) n = std::min(n, d_inputs[k].value().size());
        Vector<T> out(n);
        for (std::size_t i = 0; i < n; ++i) {
            T x = d_inputs[0].value()[i];
            if (lists == 1) x = op.first(x);
            for (std::size_t k = 1; k < lists; ++k) x = op.apply(x, d_inputs[k].value()[i]);
            out[i] = op.last ? op.last(x) : x;
        }
        d_output.setValue(std::move(out));
    }

private:
    static Options names()
    {
        std::vector<std::string> list;
        for (const Operation<T>& op : operations<T>()) list.push_back(op.name);
        return list;
    }
};

const RegisterComponent registeredMathOp =
    RegisterComponent("MathOp", "Engine", "Sofa.Component.Engine.Transform")
        .help("Arithmetic and logic with the entries of lists")
        .example("component/engine/Lists.scn")
        .add<MathOp, double, int, bool, Vec2, Vec3, Vec6, RigidCoord2, RigidCoord3>();

}  // namespace

}  // namespace sofa::component
