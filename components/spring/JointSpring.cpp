// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/JointSpring.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/fem/materials/Dual.h"

namespace sofa::component {

using core::crossMatrix;
using core::Mat3;
using core::Quat;
using core::Vec3;
using Number = core::Dual<3>;

namespace {

/// 2 acos(w)/√(1 − w²) with two derivatives: the rotation vector of a unit quaternion is its imaginary part times this.
struct AngleFactor
{
    double f = 0., f1 = 0., f2 = 0.;
    explicit AngleFactor(double w)
    {
        if (w < 0.99) {
            const double s2 = 1. - w * w;
            f = 2. * std::acos(w) / std::sqrt(s2);
            f1 = (w * f - 2.) / s2;
            f2 = (f + 3. * w * f1) / s2;
            return;
        }
        // 2 Σ n!/(2n + 1)!! h^n with h = 1 - w
        std::array<double, 12> c{2.};
        for (std::size_t n = 1; n < c.size(); ++n) c[n] = c[n - 1] * static_cast<double>(n) / (2. * n + 1.);
        const double h = 1. - w;
        for (std::size_t n = c.size(); n-- > 0;) {
            f2 = f2 * h + 2. * f1;
            f1 = f1 * h + f;
            f = f * h + c[n];
        }
        f1 = -f1;
    }
};

/// 2 atan2(y, x).
Number twist(const Number& y, const Number& x)
{
    const bool flat = std::abs(y.v) < std::abs(x.v);
    const Number t = flat ? y / x : x / y;
    const double d = 1. / (1. + t.v * t.v), sign = flat ? 2. : -2.;
    return Number::chain(t, 2. * std::atan2(y.v, x.v), sign * d, -2. * sign * t.v * d * d);
}

/// Energy of a free rotation by an angle.
Number freeEnergy(const JointSpring& s, std::size_t axis, const Number& angle)
{
    const double low = s.limits[2 * axis], high = s.limits[2 * axis + 1];
    constexpr double full = 2. * std::numbers::pi;
    const auto beyond = [&](double a) { return std::max({low - a, a - high, 0.}); };
    double a = angle.v;
    for (const double other : {angle.v + full, angle.v - full})
        if (beyond(other) < beyond(a)) a = other;
    const double inside = std::clamp(a, low, high), d = a - inside, soft = s.softRotation;
    const double block = s.blockRotation == 0. ? s.hardRotation / 100. : s.blockRotation;
    return Number::chain(angle, 0.5 * soft * inside * inside + (soft * inside + 0.5 * block * d) * d,
                         soft * inside + block * d, d == 0. ? soft : block);
}

/// The quaternion exp(δ) D to second order in δ, with a real part that is not negative.
struct TurnedQuat
{
    std::array<Number, 3> im;
    Number real;
    double w;  ///< of D

    explicit TurnedQuat(const Quat& turn) : w(std::abs(turn.w()))
    {
        const Vec3 v = turn.imaginary() * (turn.w() < 0. ? -1. : 1.);
        std::array<Number, 3> half;
        Number c(1.);
        for (std::size_t i = 0; i < 3; ++i) {
            half[i] = Number::variable(0., i) * Number(0.5);
            c = c - half[i] * half[i] * Number(0.5);
        }
        real = c * Number(w);
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
            im[i] = c * Number(v[i]) + half[i] * Number(w) + half[j] * Number(v[k]) - half[k] * Number(v[j]);
            real = real - half[i] * Number(v[i]);
        }
    }
};

/// E_r at exp(δ) D, to second order in δ.
Number turningEnergy(const JointSpring& s, const Quat& turn)
{
    const TurnedQuat turned(turn);
    const auto& [im, real, w] = turned;
    std::size_t free = 0, axis = 0;
    for (std::size_t i = 0; i < 3; ++i)
        if (s.turns(i)) {
            ++free;
            axis = i;
        }
    const Number hard(0.5 * s.hardRotation);
    if (free == 1) {
        const Number &p = im[(axis + 1) % 3], &q = im[(axis + 2) % 3];
        const Number cosine = Number(1.) - Number(2.) * (p * p + q * q);
        const double x = std::clamp(cosine.v, -1., 1.), angle = std::acos(x);
        const AngleFactor factor(x);
        const Number swing = Number::chain(cosine, angle * angle, -factor.f, -factor.f1);
        return hard * swing + freeEnergy(s, axis, twist(im[axis], real));
    }
    const AngleFactor factor(std::min(w, 1.));
    const Number scale = Number::chain(real, factor.f, factor.f1, factor.f2);
    Number energy;
    for (std::size_t i = 0; i < 3; ++i) {
        const Number theta = im[i] * scale;
        energy = energy + (s.turns(i) ? freeEnergy(s, i, theta) : hard * theta * theta);
    }
    return energy;
}

}  // namespace

JointTwist::JointTwist(const core::RigidCoord3& x1, const core::RigidCoord3& x2, std::size_t axis)
{
    const TurnedQuat turned((x1.orientation.normalized().inverse() * x2.orientation).normalized());
    const Number e = twist(turned.im[axis], turned.real);
    angle = e.v;
    for (std::size_t i = 0; i < 3; ++i) {
        gradient[i] = e.g[i];
        for (std::size_t j = 0; j < 3; ++j) second[i][j] = e.h[i][j];
    }
    second -= crossMatrix(gradient) * 0.5;
}

JointLaw::JointLaw(const JointSpring& s, const core::RigidCoord3& x1, const core::RigidCoord3& x2)
{
    const Quat first = x1.orientation.normalized();
    const Vec3 u = first.inverseRotate(x2.center - x1.center) - s.restTranslation;
    for (std::size_t i = 0; i < 3; ++i) {
        const double k = s.freeAxes[i] ? s.softTranslation : s.hardTranslation;
        stiffness[i][i] = k;
        force[i] = -k * u[i];
        energy += 0.5 * k * u[i] * u[i];
    }
    const Quat turn = (first.inverse() * x2.orientation * s.restRotation.normalized().inverse()).normalized();
    const Number e = turningEnergy(s, turn);
    energy += e.v;
    // exp(a) exp(b) = exp(a + b + ½ a × b + ...): the second derivative in small turns one after the other.
    for (std::size_t i = 0; i < 3; ++i) {
        torque[i] = -e.g[i];
        for (std::size_t j = 0; j < 3; ++j) turning[i][j] = e.h[i][j];
    }
    turning = turning + core::crossMatrix(torque) * 0.5;
}

namespace {

core::Mat<6> block(const Mat3& a, const Mat3& b, const Mat3& c, const Mat3& d)
{
    core::Mat<6> m;
    m.setBlock(0, 0, a);
    m.setBlock(0, 3, b);
    m.setBlock(3, 0, c);
    m.setBlock(3, 3, d);
    return m;
}

}  // namespace

JointForces::JointForces(const JointSpring& s, const core::RigidCoord3& x1, const core::RigidCoord3& x2)
    : m_spring(s),
      m_turn(x1.orientation.normalized().toMatrix()),
      m_arm1(m_turn * s.anchor1),
      m_arm2(x2.orientation.normalized().rotate(s.anchor2)),
      m_x1{x1.center + m_arm1, x1.orientation},
      m_x2{x2.center + m_arm2, x2.orientation},
      m_law(s, m_x1, m_x2)
{
}

void JointForces::addTwist(const JointTwist& twist, double slope)
{
    m_law.torque -= twist.gradient * slope;
    m_law.turning += twist.second * slope;
}

void JointForces::add(Deriv& f1, Deriv& f2, const Deriv& v1, const Deriv& v2) const
{
    using Frames = core::Rigid3Types;
    const Vec3 arm = m_x2.center - m_x1.center, w1 = Frames::angular(v1), w2 = Frames::angular(v2);
    const Vec3 speed = Frames::linear(v2) + cross(w2, m_arm2) - Frames::linear(v1) - cross(w1, m_arm1) - cross(w1, arm);
    const Vec3 force = m_turn * m_law.force - speed * m_spring.damping;
    const Vec3 torque = m_turn * m_law.torque - (w2 - w1) * m_spring.damping;
    f1 -= Frames::makeDeriv(force, torque + cross(m_arm1 + arm, force));
    f2 += Frames::makeDeriv(force, torque + cross(m_arm2, force));
}

void JointForces::toCenters(Blocks& blocks) const
{
    const Vec3 arms[] = {m_arm1, m_arm2};
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j) {
            core::Mat<6> rows = core::Mat<6>::identity(), columns = rows;
            rows.setBlock(3, 0, crossMatrix(arms[i]));
            columns.setBlock(0, 3, -crossMatrix(arms[j]));
            blocks[2 * i + j] = rows * blocks[2 * i + j] * columns;
        }
}

auto JointForces::stiffness() const -> Blocks
{
    const Mat3 back = m_turn.transposed(), arm = crossMatrix(m_x2.center - m_x1.center), zero;
    const Mat3 along = m_turn * m_law.stiffness * back, about = m_turn * m_law.turning * back;
    const Mat3 force = crossMatrix(m_turn * m_law.force);
    // Of the force F on the second frame, by the turn of the first: ω × F, and its place is moved by r × ω.
    const Mat3 byTurn = -force - along * arm;
    const Mat3 torqueByTurn = about - crossMatrix(m_turn * m_law.torque);
    // The first frame has -F and -(τ + r × F).
    const Mat3 armByPlace = -(arm * along) - force;
    Blocks k{block(-along, -byTurn, armByPlace, -(torqueByTurn + arm * byTurn)), block(along, zero, -armByPlace, about),
             block(along, byTurn, zero, torqueByTurn), block(-along, zero, zero, -about)};
    if (m_arm1 == Vec3() && m_arm2 == Vec3()) return k;
    toCenters(k);
    // The arms turn with their frames.
    const Mat3 turned1 = -(force * crossMatrix(m_arm1)), turned2 = force * crossMatrix(m_arm2);
    k[0].setBlock(3, 3, k[0].block<3, 3>(3, 3) + turned1);
    k[3].setBlock(3, 3, k[3].block<3, 3>(3, 3) + turned2);
    return k;
}

auto JointForces::damping() const -> Blocks
{
    const Mat3 one = Mat3::identity(), arm = crossMatrix(m_x2.center - m_x1.center), zero;
    Blocks b{block(-one, arm, -arm, arm * arm - one), block(one, zero, arm, one), block(one, -arm, zero, one),
             block(-one, zero, zero, -one)};
    for (core::Mat<6>& m : b) m *= m_spring.damping;
    if (m_arm1 != Vec3() || m_arm2 != Vec3()) toCenters(b);
    return b;
}

bool readValue(core::TextCursor& c, JointSpring& s)
{
    using core::readValue;
    s = {};
    if (c.token() != "BEGIN_SPRING") return c.fail("BEGIN_SPRING");
    if (!readValue(c, s.m1) || !readValue(c, s.m2)) return false;
    const auto two = [&c](double& a, double& b) { return readValue(c, a) && readValue(c, b); };
    while (!c.atEnd()) {
        const std::string_view word = c.token();
        bool good = true;
        if (word == "END_SPRING") return true;
        if (word == "FREE_AXIS")
            good = readValue(c, s.freeAxes);
        else if (word == "KS_T")
            good = two(s.softTranslation, s.hardTranslation);
        else if (word == "KS_R")
            good = two(s.softRotation, s.hardRotation);
        else if (word == "KS_B")
            good = readValue(c, s.blockRotation);
        else if (word == "KD")
            good = readValue(c, s.damping);
        else if (word == "R_LIM_X")
            good = two(s.limits[0], s.limits[1]);
        else if (word == "R_LIM_Y")
            good = two(s.limits[2], s.limits[3]);
        else if (word == "R_LIM_Z")
            good = two(s.limits[4], s.limits[5]);
        else if (word == "REST_T")
            good = readValue(c, s.restTranslation);
        else if (word == "REST_R")
            good = readValue(c, s.restRotation);
        else
            return c.fail("FREE_AXIS, KS_T, KS_R, KS_B, KD, R_LIM_X, R_LIM_Y, R_LIM_Z, REST_T, REST_R or END_SPRING");
        if (!good) return false;
        for (std::size_t i = 0; i < 3; ++i)
            if (s.limits[2 * i] > s.limits[2 * i + 1]) return c.fail("a lower limit before the upper one");
    }
    return c.fail("END_SPRING");
}

JointSpring FrameSpring::joint() const
{
    JointSpring s;
    s.m1 = m1;
    s.m2 = m2;
    s.freeAxes = {};
    s.hardTranslation = translation;
    s.hardRotation = rotation;
    s.damping = damping;
    s.anchor1 = point1;
    s.anchor2 = point2;
    return s;
}

bool readValue(core::TextCursor& c, FrameSpring& s)
{
    using core::readValue;
    s = {};
    if (c.token() != "BEGIN_SPRING") return c.fail("BEGIN_SPRING");
    if (!readValue(c, s.m1) || !readValue(c, s.m2)) return false;
    while (!c.atEnd()) {
        const std::string_view word = c.token();
        bool good = true;
        if (word == "END_SPRING") return true;
        if (word == "KS_T")
            good = readValue(c, s.translation);
        else if (word == "KS_R")
            good = readValue(c, s.rotation);
        else if (word == "KD")
            good = readValue(c, s.damping);
        else if (word == "VEC1")
            good = readValue(c, s.point1);
        else if (word == "VEC2")
            good = readValue(c, s.point2);
        else
            return c.fail("KS_T, KS_R, KD, VEC1, VEC2 or END_SPRING");
        if (!good) return false;
    }
    return c.fail("END_SPRING");
}

namespace {

/// Adds a word and values.
template <class... Values>
void putWord(std::string& out, std::string_view word, const Values&... values)
{
    out += word;
    const auto one = [&out](const auto& v) {
        using core::writeValue;
        out += ' ';
        writeValue(out, v);
    };
    (one(values), ...);
}

}  // namespace

void writeValue(std::string& out, const FrameSpring& s)
{
    putWord(out, "BEGIN_SPRING", s.m1, s.m2);
    putWord(out, " KS_T", s.translation);
    putWord(out, " KS_R", s.rotation);
    putWord(out, " KD", s.damping);
    putWord(out, " VEC1", s.point1);
    putWord(out, " VEC2", s.point2);
    out += " END_SPRING";
}

void writeValue(std::string& out, const JointSpring& s)
{
    const auto put = [&out](std::string_view word, const auto&... values) { putWord(out, word, values...); };
    put("BEGIN_SPRING", s.m1, s.m2);
    put(" FREE_AXIS", s.freeAxes);
    put(" KS_T", s.softTranslation, s.hardTranslation);
    put(" KS_R", s.softRotation, s.hardRotation);
    put(" KS_B", s.blockRotation);
    put(" KD", s.damping);
    put(" R_LIM_X", s.limits[0], s.limits[1]);
    put(" R_LIM_Y", s.limits[2], s.limits[3]);
    put(" R_LIM_Z", s.limits[4], s.limits[5]);
    put(" REST_T", s.restTranslation);
    put(" REST_R", s.restRotation);
    out += " END_SPRING";
}

}  // namespace sofa::component
