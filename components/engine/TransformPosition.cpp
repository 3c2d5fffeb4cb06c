// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <random>

#include "components/engine/ListTypes.h"
#include "components/engine/Transforms.h"
#include "core/io/DataRepository.h"
#include "core/io/TransformFile.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

/// Maps points by a method that is chosen by its name:
///   projectOnPlane            onto the plane through `origin` with `normal` (of any length but 0);
///   translation               x + translation
///   rotation                  R x
///   random                    x + a random vector, with coordinates of at most `maxRandomDisplacement`
///   scale                     origin + S (x − origin)
///   scaleTranslation          S x + translation
///   scaleRotationTranslation  R S x + translation
///   affine                    `matrix`; a last row other than 0 0 0 1 divides
///   fromFile                  the same with the matrix of a file (io::readTransform)
class TransformPosition final : public Engine
{
    enum Method : std::size_t
    {
        ProjectOnPlane,
        Translation,
        Rotation,
        Random,
        Scale,
        ScaleTranslation,
        ScaleRotationTranslation,
        Affine,
        FromFile
    };

public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vec3> d_origin{this, input("origin", "Point of the plane, or centre of the scaling", "m")};
    Input<Vector<Vec3>> d_inputPosition{this, input("input_position", "Points", "m")};
    Output<Vector<Vec3>> d_outputPosition{this, output("output_position", "Mapped points", "m")};
    Input<Vec3> d_normal{this, input("normal", "Normal of the plane", "1")};
    Input<Vec3> d_translation{this, input("translation", "How far points are moved", "m")};
    Input<Vec3> d_rotation{this, input("rotation", "Euler angles, in degrees: about x, then y, then z", "deg")};
    Input<Vec3> d_scale{this, input("scale", "Factors along x, y and z", "1"), Vec3{1., 1., 1.}};
    Input<Mat4> d_matrix{this, input("matrix", "Affine map: 4 × 4, by rows", "1"), Mat4::identity()};
    Input<Options> d_method{this, input("method", "How points are mapped"),
                            Options({"projectOnPlane", "translation", "rotation", "random", "scale", "scaleTranslation",
                                     "scaleRotationTranslation", "affine", "fromFile"})};
    Input<long long> d_seed{this, input("seedValue", "Start of the random numbers"), 0};
    Input<double> d_maxRandomDisplacement{
        this, input("maxRandomDisplacement", "Largest random coordinate", "m", Range::nonNegative()), 1.};
    Input<Vector<Index>> d_fixedIndices{this, input("fixedIndices", "Points that stay where they are")};
    Input<FileName> d_filename{this, input("filename", "File with an affine map: .trm, .tfm, .xfm or .txt")};
    Data<bool> d_drawInput{this, display("drawInput", "Show the points"), false};
    Data<bool> d_drawOutput{this, display("drawOutput", "Show the mapped points"), false};
    Data<double> d_pointSize{this, display("pointSize", "Size of points shown, in pixels", "1"), 1.};

    TransformPosition()
    {
        addAlias(d_inputPosition, "inputPosition");
        addAlias(d_outputPosition, "outputPosition");
    }

    void draw(DrawTool& tool) override
    {
        const auto pixels = static_cast<float>(d_pointSize.value());
        if (d_drawInput.value()) drawPoints(tool, d_inputPosition.value(), Color(0.8f, 0.2f, 0.2f), pixels);
        if (d_drawOutput.value()) drawPoints(tool, d_outputPosition.value(), Color(0.2f, 0.8f, 0.2f), pixels);
    }

protected:
    void doUpdate() override
    {
        const auto method = static_cast<Method>(d_method.value().index());
        const Vector<Vec3>& in = d_inputPosition.value();
        requireIndices(d_fixedIndices, in.size());
        Vector<Vec3> out = in;
        if (method == Random)
            moveAtRandom(out);
        else if (method == Affine || method == FromFile)
            apply(method == Affine ? d_matrix.value() : io::readTransform(requireFile(d_filename)), out);
        else
            apply(mapOf(method), out);
        for (const Index i : d_fixedIndices.value()) out[i] = in[i];
        d_outputPosition.setValue(std::move(out));
    }

private:
    Mat4 mapOf(Method method) const
    {
        const Mat3 rotation = Quat::fromEulerXYZ(d_rotation.value() * degree).toMatrix();
        const Mat3 scale = diagonal(d_scale.value());
        const Vec3 &origin = d_origin.value(), &translation = d_translation.value();
        switch (method) {
            case Translation:
                return affine(Mat3::identity(), translation);
            case Rotation:
                return affine(rotation, {});
            case Scale:
                return affine(scale, origin - scale * origin);
            case ScaleTranslation:
                return affine(scale, translation);
            case ScaleRotationTranslation:
                return affine(rotation * scale, translation);
            default:
                break;
        }
        if (norm2(d_normal.value()) == 0.) throw std::runtime_error("normal: the plane needs one that is not 0");
        const Vec3 n = normalized(d_normal.value());
        return affine(Mat3::identity() - outer(n, n), n * dot(origin, n));
    }
    static void apply(const Mat4& m, Vector<Vec3>& points)
    {
        for (Vec3& x : points) {
            const Vec<4> y = m * Vec<4>{x[0], x[1], x[2], 1.};
            if (std::abs(y[3]) < 1e-10) throw std::runtime_error("the map takes a point to infinity");
            x = Vec3{y[0], y[1], y[2]} / y[3];
        }
    }
    void moveAtRandom(Vector<Vec3>& points) const
    {
        std::mt19937 generator(static_cast<std::mt19937::result_type>(d_seed.value()));
        // Not std::uniform_real_distribution, whose numbers differ between libraries.
        const auto number = [&] { return static_cast<double>(generator()) / 2147483647.5 - 1.; };
        for (Vec3& x : points)
            for (double& c : x) c += d_maxRandomDisplacement.value() * number();
    }
};

const RegisterComponent registeredTransformPosition =
    RegisterComponent("TransformPosition", "Engine", "Sofa.Component.Engine.Transform")
        .help("Maps points: projection onto a plane, translation, rotation, scaling, any affine map")
        .example("component/engine/Transforms.scn")
        .add<TransformPosition>();

}  // namespace

}  // namespace sofa::component
