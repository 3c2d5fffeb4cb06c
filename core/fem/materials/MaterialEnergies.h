// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

/// The energies of core/fem/materials/MaterialLaws.h that are functions of the invariants, as templates: T is the type
/// of the invariants (a number, or a dual number of second order), P that of the parameters, of which there are
/// `parameters`. `log` and `exp` of T are found by argument-dependent look-up. No functions of other headers are used:
/// the kernels compile this text for several instruction sets.
namespace sofa::core::energy {

/// ln² J k/2, the volumetric part of SOFA's laws, with l = ln J.
template <class T, class P>
T logarithmicVolume(const T& l, const P& k)
{
    return l * l * (k * 0.5);
}

struct StVenantKirchhoff
{
    static constexpr int parameters = 2;
    template <class T, class P>
    static T value(const T& i, const T& ii, const T&, const P* p)
    {
        const T e = i - 3.;
        return e * e * (p[0] * 0.125) + (ii - i * 2. + 3.) * (p[1] * 0.25);
    }
};

struct NeoHookean
{
    static constexpr int parameters = 2;
    template <class T, class P>
    static T value(const T& i, const T&, const T& j, const P* p)
    {
        const T l = log(j);
        return (i - 3.) * (p[1] * 0.5) - l * p[1] + logarithmicVolume(l, p[0]);
    }
};

struct MooneyRivlin
{
    static constexpr int parameters = 3;
    template <class T, class P>
    static T value(const T& i, const T& ii, const T& j, const P* p)
    {
        const T q = exp(log(j) * (-2. / 3.)), e = j - 1.;
        return ((i * i - ii) * q * q - 6.) * (p[0] * 0.5) + (i * q - 3.) * p[1] + e * e * p[2];
    }
};

struct MooneyRivlinLog
{
    static constexpr int parameters = 3;
    template <class T, class P>
    static T value(const T& i, const T& ii, const T& j, const P* p)
    {
        const T l = log(j), q = exp(l * (-2. / 3.));
        return (i * q - 3.) * p[0] + ((i * i - ii) * q * q * 0.5 - 3.) * p[1] + logarithmicVolume(l, p[2]);
    }
};

/// Arruda, Boyce, "A three-dimensional constitutive model for the large stretch behavior of rubber elastic materials",
/// 1993, with N = 8 chain segments.
struct ArrudaBoyce
{
    static constexpr int parameters = 2;
    template <class T, class P>
    static T value(const T& i, const T&, const T& j, const P* p)
    {
        const T l = log(j), a = i * exp(l * (-2. / 3.));
        const T a2 = a * a, a4 = a2 * a2;
        const T series = (a - 3.) * (1. / 2.) + (a2 - 9.) * (1. / 160.) + (a2 * a - 27.) * (11. / (1050. * 64.)) +
                         (a4 - 81.) * (19. / (7000. * 512.)) + (a4 * a - 243.) * (519. / (673750. * 4096.));
        return series * p[0] + logarithmicVolume(l, p[1]);
    }
};

/// Veronda, Westmann, "Mechanical characterization of skin", 1970.
struct VerondaWestmann
{
    static constexpr int parameters = 3;
    template <class T, class P>
    static T value(const T& i, const T& ii, const T& j, const P* p)
    {
        const T l = log(j), q = exp(l * (-2. / 3.));
        return (exp((i * q - 3.) * p[1]) - 1.) * p[0] - ((i * i - ii) * q * q * 0.5 - 3.) * (p[0] * p[1] * 0.5) +
               logarithmicVolume(l, p[2]);
    }
};

/// Smith, de Goes, Kim, "Stable neo-Hookean flesh simulation", 2018, without its logarithmic term.
struct StableNeoHookean
{
    static constexpr int parameters = 2;
    template <class T, class P>
    static T value(const T& i, const T&, const T& j, const P* p)
    {
        const P sum = p[0] + p[1];
        const T e = j - (p[1] / sum + 1.);
        return ((i - 3.) * p[1] + e * e * sum) * 0.5;
    }
};

}  // namespace sofa::core::energy
