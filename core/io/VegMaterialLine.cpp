// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/VegMaterialLine.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/io/MeshError.h"
#include "core/log/Message.h"

namespace sofa::core::io {

VegMaterial VegMaterial::isotropic(std::string name, double density, double youngModulus, double poissonRatio)
{
    VegMaterial m;
    m.name = std::move(name);
    m.density = density;
    m.youngModulus = youngModulus;
    m.poissonRatio = poissonRatio;
    return m;
}

VegMaterial VegMaterial::mooneyRivlin(std::string name, double density, double mu01, double mu10, double v1)
{
    VegMaterial m;
    m.name = std::move(name);
    m.kind = Kind::MooneyRivlin;
    m.density = density;
    m.mu01 = mu01;
    m.mu10 = mu10;
    m.v1 = v1;
    return m;
}

VegMaterial VegMaterial::orthotropic(std::string name, double density, const Vec3& moduli, const Vec3& ratios,
                                     const Vec3& shearModuli, const Mat3& axes)
{
    VegMaterial m;
    m.name = std::move(name);
    m.kind = Kind::Orthotropic;
    m.density = density;
    m.moduli = moduli;
    m.ratios = ratios;
    m.shearModuli = shearModuli;
    m.axes = axes;
    return m;
}

VegMaterial VegMaterial::orthotropicN1(std::string name, double density, const Vec3& moduli, double poissonRatio,
                                       double shear, const Mat3& axes)
{
    Vec3 ratios, shearModuli;
    for (std::size_t i = 0; i < 3; ++i) {
        const double a = moduli[i], b = moduli[(i + 1) % 3];
        ratios[i] = poissonRatio * std::sqrt(a / b);
        shearModuli[i] = shear * std::sqrt(a * b) / (2. * (1. + poissonRatio));
    }
    return orthotropic(std::move(name), density, moduli, ratios, shearModuli, axes);
}

VegMaterial VegMaterial::toOrthotropic() const
{
    if (kind == Kind::Orthotropic) return *this;
    if (kind == Kind::MooneyRivlin)
        throw std::runtime_error("the material '" + name + "' is a Mooney-Rivlin one and has no linear moduli");
    return orthotropic(name, density, Vec3::filled(youngModulus), Vec3::filled(poissonRatio),
                       Vec3::filled(youngModulus / (2. * (1. + poissonRatio))));
}

namespace {

/// Whether the energy grows with every strain: the matrix of normal compliances is positive definite.
bool isStable(const VegMaterial& m)
{
    const Vec3 &e = m.moduli, &nu = m.ratios;
    // Scaled to a unit diagonal by √E_i, so that moduli of different size do no harm.
    const double a = -nu[0] * std::sqrt(e[1] / e[0]);
    const double b = -nu[1] * std::sqrt(e[2] / e[1]);
    const double c = -nu[2] * std::sqrt(e[0] / e[2]);
    return 1. - a * a > 0. && 1. - b * b > 0. && 1. - c * c > 0. && 1. + 2. * a * b * c - a * a - b * b - c * c > 0.;
}

double largestEntry(const Mat3& m)
{
    double r = 0.;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) r = std::max(r, std::abs(m[i][j]));
    return r;
}

}  // namespace

std::string problemOf(const VegMaterial& m)
{
    const auto positive = [](double v) { return v > 0. && std::isfinite(v); };
    const auto allPositive = [&](const Vec3& v) { return positive(v[0]) && positive(v[1]) && positive(v[2]); };
    if (!positive(m.density)) return "a density above 0";
    switch (m.kind) {
        case VegMaterial::Kind::Isotropic:
            if (!positive(m.youngModulus)) return "a Young's modulus above 0";
            if (!(m.poissonRatio > -1. && m.poissonRatio < 0.5)) return "a Poisson's ratio between -1 and 0.5";
            break;
        case VegMaterial::Kind::Orthotropic:
            if (!allPositive(m.moduli)) return "three Young's moduli above 0";
            if (!isFinite(m.ratios)) return "three finite Poisson's ratios";
            if (!allPositive(m.shearModuli)) return "three shear moduli above 0";
            if (!isFinite(m.axes[0]) || !isFinite(m.axes[1]) || !isFinite(m.axes[2])) return "finite axes";
            break;
        case VegMaterial::Kind::MooneyRivlin:
            if (!std::isfinite(m.mu01) || !std::isfinite(m.mu10) || !std::isfinite(m.v1)) return "finite coefficients";
            break;
    }
    return {};
}

void addOddities(const VegMaterial& m, const std::string& place, std::vector<std::string>& notes)
{
    if (!isStable(m))
        notes.push_back(place + ": the stiffness of the material '" + m.name + "' is not positive definite");
    if (largestEntry(m.axes * m.axes.transposed() - Mat3::identity()) > 1e-3 || determinant(m.axes) < 0.)
        notes.push_back(place + ": the axes of the material '" + m.name + "' are not a rotation");
}

namespace {

class MaterialParser
{
public:
    MaterialParser(const DataLine& line, const std::string& name) : m_line(line), m_values(line), m_name(name) {}

    VegMaterial run(std::vector<std::string>& notes)
    {
        std::string kind(m_values.next());
        std::transform(kind.begin(), kind.end(), kind.begin(),
                       [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
        static const std::vector<std::string> kinds{"ENU",
                                                    "MOONEYRIVLIN",
                                                    "ORTHOTROPIC",
                                                    "ORTHOTROPIC_N3G3R9",
                                                    "ORTHOTROPIC_N3G3",
                                                    "ORTHOTROPIC_N1",
                                                    "ORTHOTROPIC_N1R9",
                                                    "ORTHOTROPIC_N1G1",
                                                    "ORTHOTROPIC_N1G1R9",
                                                    "ORTHOTROPIC_N1G3",
                                                    "ORTHOTROPIC_N1G3R9"};
        if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
            std::string all;
            for (const std::string& k : kinds) all += (all.empty() ? "" : " ") + k;
            m_line.fail("the kind of the material, one of " + all, TextScanner::quoted(kind) + didYouMean(kind, kinds));
        }
        const double density = m_values.finite("the density");
        VegMaterial m;
        if (kind == "ENU") {
            const double e = m_values.finite("Young's modulus"), nu = m_values.finite("Poisson's ratio");
            m = VegMaterial::isotropic(m_name, density, e, nu);
        } else if (kind == "MOONEYRIVLIN") {
            const double a = m_values.finite("mu01"), b = m_values.finite("mu10"), c = m_values.finite("v1");
            m = VegMaterial::mooneyRivlin(m_name, density, a, b, c);
        } else {
            m = orthotropic(kind.substr(std::string_view("ORTHOTROPIC").size()), density);
        }
        if (!m_values.atEnd()) {
            m_values.next();
            m_values.fail("the end of the properties of a material " + kind);
        }
        if (const std::string p = problemOf(m); !p.empty()) m_line.fail(p, TextScanner::quoted(m_line.text));
        if (m.kind == VegMaterial::Kind::Orthotropic) addOddities(m, m_line.place(), notes);
        return m;
    }

private:
    Vec3 three(const char* what)
    {
        const double a = m_values.finite(what), b = m_values.finite(what), c = m_values.finite(what);
        return {a, b, c};
    }

    VegMaterial orthotropic(const std::string& suffix, double density)
    {
        const auto has = [&](const char* s) { return suffix.find(s) != std::string::npos; };
        const Vec3 moduli = three("a Young's modulus");
        const Vec3 ratios = has("N1") ? Vec3::filled(m_values.finite("Poisson's ratio")) : three("a Poisson's ratio");
        Vec3 shear = Vec3::filled(1.);
        if (has("G1"))
            shear[0] = m_values.finite("the factor on the shear moduli");
        else if (!has("N1") || has("G3"))
            shear = three("a shear modulus");
        Mat3 axes = Mat3::identity();
        if (suffix.empty() || has("R9"))
            for (std::size_t i = 0; i < 3; ++i) axes[i] = three("an entry of the rotation matrix");
        if (!has("N1")) return VegMaterial::orthotropic(m_name, density, moduli, ratios, shear, axes);
        if (!(ratios[0] > -1. && ratios[0] < 0.5))
            m_line.fail("a Poisson's ratio between -1 and 0.5", TextScanner::quoted(m_line.text));
        VegMaterial m = VegMaterial::orthotropicN1(m_name, density, moduli, ratios[0], shear[0], axes);
        if (has("G3")) m.shearModuli = shear;
        return m;
    }

    DataLine m_line;
    LineValues m_values;
    std::string m_name;
};

}  // namespace

VegMaterial parseVegMaterial(const DataLine& line, const std::string& name, std::vector<std::string>& notes)
{
    return MaterialParser(line, name).run(notes);
}

std::string vegMaterialText(const std::string& file, const VegMaterial& m)
{
    if (const std::string p = problemOf(m); !p.empty())
        throw MeshError(file, "not written: the material '" + m.name + "' needs " + p);
    std::string out;
    const auto add = [&](double v) {
        out += ", ";
        appendNumber(out, v);
    };
    switch (m.kind) {
        case VegMaterial::Kind::Isotropic:
            out = "ENU";
            for (const double v : {m.density, m.youngModulus, m.poissonRatio}) add(v);
            break;
        case VegMaterial::Kind::MooneyRivlin:
            out = "MOONEYRIVLIN";
            for (const double v : {m.density, m.mu01, m.mu10, m.v1}) add(v);
            break;
        case VegMaterial::Kind::Orthotropic:
            out = "ORTHOTROPIC";
            add(m.density);
            for (const Vec3& v : {m.moduli, m.ratios, m.shearModuli, m.axes[0], m.axes[1], m.axes[2]})
                for (const double c : v) add(c);
            break;
    }
    return out;
}

}  // namespace sofa::core::io
