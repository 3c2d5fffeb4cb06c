// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>

#include "components/engine/ListTypes.h"
#include "core/visual/DrawTool.h"

namespace sofa::component {

namespace {

/// Texture coordinates that show a value of each point: u = (s − min) / (max − min), v = 0, with the least and the
/// largest value or, with `manual_scale`, `min_value` and `max_value`. s is the first number of each state or, without
/// `scalarField`, the mean of its numbers. Without states they are the coordinates of the points along two axes, each
/// scaled to [0, 1]: those that remain without the last axis along which the points have no extent (without x if there
/// is none), y and z, z and x, or x and y.
///
/// Values that are all the same, and points without extent along an axis, have 0; SOFA divides by zero. SOFA's `graph`
/// of one vertex is not kept here: an engine is a function of its inputs, and recorders write what passes in time.
/// Textures end at their borders as `OglModel` says; SOFA sets that for whatever texture is bound.
template <class D>
class TextureInterpolation final : public Engine
{
public:
    using VecCoord = typename D::VecCoord;
    static std::string_view staticTemplateName() { return D::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return listFits<typename D::Coord>(node, desc, "input_states", why);
    }

    Input<VecCoord> d_states{this,
                             input("input_states", "States of the points; none: their coordinates are shown", "1")};
    Input<Vector<Vec3>> d_coordinates{this, input("input_coordinates", "Points", "m")};
    Output<Vector<Vec2>> d_output{this, output("output_coordinates", "Texture coordinates of the points", "1")};
    Input<bool> d_scalarField{this, input("scalarField", "Show the first number of each state, not their mean"), true};
    Input<double> d_minValue{this, input("min_value", "Value at the left of the texture, with manual_scale", "1"), 0.};
    Input<double> d_maxValue{this, input("max_value", "Value at the right of the texture, with manual_scale", "1"), 0.};
    Input<bool> d_manualScale{this, input("manual_scale", "Take min_value and max_value as the ends"), false};
    Data<bool> d_drawValues{this, display("drawPotentiels", "Write the value of each point beside it"), false};
    Data<float> d_textSize{
        this, display("showIndicesScale", "Height of these texts, in parts of the size of the scene", "1"), 0.0001f};

    TextureInterpolation()
    {
        this->addAlias(d_drawValues, "debugViewStates");
        this->addAlias(d_textSize, "debugView_indiceScale");
        for (const char* name : {"graph", "vertexPloted"})
            ignoreAttribute(name, "values over time are recorded by 'runSofa --record' and probes");
    }

    void draw(DrawTool& tool) override
    {
        const Vector<Vec3>& x = d_coordinates.value();
        if (!d_drawValues.value() || x.size() != d_states.value().size()) return;
        const auto size = static_cast<float>(tool.sceneSize()) * d_textSize.value();
        tool.geometry(
            {},
            [&](Geometry& g) {
                for (std::size_t i = 0; i < x.size(); ++i)
                    g.labels.push_back({Vec3f(x[i]), toText(static_cast<float>(shown(d_states.value()[i]))), size, true,
                                        Color(1.f, 1.f, 1.f)});
            },
            d_coordinates.counter() + d_states.counter() + d_scalarField.counter() + d_textSize.counter());
    }

protected:
    void doUpdate() override { d_output.setValue(d_states.value().empty() ? planar() : interpolated()); }

private:
    double shown(const typename D::Coord& state) const
    {
        double sum = state[0];
        const std::size_t n = d_scalarField.value() ? 1 : D::coordSize;
        for (std::size_t k = 1; k < n; ++k) sum += state[k];
        return sum / static_cast<double>(n);
    }
    /// Part of the way from `low` to `high`.
    static double part(double value, double low, double high) { return low < high ? (value - low) / (high - low) : 0.; }

    Vector<Vec2> interpolated() const
    {
        const VecCoord& states = d_states.value();
        double low = d_minValue.value(), high = d_maxValue.value();
        if (d_manualScale.value()) {
            if (!(low < high))
                throw std::runtime_error("min_value: with manual_scale it must be smaller than max_value");
        } else {
            low = high = shown(states[0]);
            for (const auto& s : states) {
                low = std::min(low, shown(s));
                high = std::max(high, shown(s));
            }
        }
        Vector<Vec2> uv;
        uv.reserve(states.size());
        for (const auto& s : states) uv.push_back({part(shown(s), low, high), 0.});
        return uv;
    }

    Vector<Vec2> planar() const
    {
        const Vector<Vec3>& x = d_coordinates.value();
        BoundingBox box;
        for (const Vec3& p : x) box.include(p);
        std::size_t flat = 0;
        for (std::size_t a = 0; a < 3 && box.valid(); ++a)
            if (box.low[a] == box.high[a]) flat = a;
        const std::size_t u = (flat + 1) % 3, v = (flat + 2) % 3;
        Vector<Vec2> uv;
        uv.reserve(x.size());
        for (const Vec3& p : x)
            uv.push_back({part(p[u], box.low[u], box.high[u]), part(p[v], box.low[v], box.high[v])});
        return uv;
    }
};

const RegisterComponent registeredTextureInterpolation =
    RegisterComponent("TextureInterpolation", "Engine", "Sofa.GL.Component.Engine")
        .help("Texture coordinates that show a value of each point")
        .example("component/engine/TextureInterpolation.scn")
        .add<TextureInterpolation, Vec1Types, Vec2Types, Vec3Types>();

}  // namespace

}  // namespace sofa::component
