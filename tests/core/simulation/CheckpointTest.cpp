// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/objectmodel/Archive.h"

using namespace sofa::core;

TEST_CASE("an archive reads back what it wrote, and refuses truncated bytes")
{
    double a = 0.1;
    Vector<double> v{1., 2., 3.};
    std::string s = "text";
    Archive out;
    out(a);
    out(v);
    out(s);
    double a2 = 0.;
    Vector<double> v2;
    std::string s2;
    Archive in(out.bytes());
    in(a2);
    in(v2);
    in(s2);
    CHECK(a2 == a);
    CHECK(v2 == v);
    CHECK(s2 == s);
    CHECK(in.atEnd());
    for (std::size_t n = 0; n < out.bytes().size(); ++n) {
        Archive cut(out.bytes().substr(0, n));
        CHECK_THROWS_AS((cut(a2), cut(v2), cut(s2)), std::runtime_error);
    }
}
