// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/Image.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>

#include "tests/harness/Paths.h"

using sofa::gl::Image;
using sofa::gl::readImage;
using sofa::gl::writeImage;

namespace {

Image pattern(int channels)
{
    Image image{13, 7, channels, {}};
    for (int y = 0; y < 7; ++y)
        for (int x = 0; x < 13; ++x)
            for (int c = 0; c < channels; ++c)
                image.pixels.push_back(static_cast<unsigned char>(40 + 10 * x + 8 * y + 12 * c));
    return image;
}

}  // namespace

TEST_CASE("Images come back from their files", "[gl]")
{
    const sofa::test::TemporaryDirectory folder;
    for (const int channels : {1, 2, 3, 4}) {
        const std::string file = (folder.path() / "a.png").string();
        const Image image = pattern(channels);
        writeImage(file, image);
        const Image back = readImage(file);
        CHECK(back.width == 13);
        CHECK(back.height == 7);
        CHECK(back.channels == channels);
        CHECK(back.pixels == image.pixels);
    }
    for (const int channels : {1, 3}) {
        const std::string ppm = (folder.path() / "a.ppm").string(), jpg = (folder.path() / "a.JPG").string();
        const Image image = pattern(channels);
        writeImage(ppm, image);
        CHECK(readImage(ppm).pixels == image.pixels);
        writeImage(jpg, image);
        const Image back = readImage(jpg);
        REQUIRE(back.pixels.size() == image.pixels.size());
        for (std::size_t i = 0; i < back.pixels.size(); ++i) CHECK(std::abs(back.pixels[i] - image.pixels[i]) < 20);
    }
    // JPEG and PPM lose the opacity only.
    const std::string file = (folder.path() / "b.ppm").string();
    writeImage(file, pattern(4));
    const Image back = readImage(file);
    CHECK(back.channels == 3);
    CHECK(back.at(2, 1)[2] == pattern(4).at(2, 1)[2]);
}

TEST_CASE("BMP is read, from below and from above", "[gl]")
{
    const sofa::test::TemporaryDirectory folder;
    const std::string file = (folder.path() / "a.bmp").string();
    for (const bool below : {true, false}) {
        std::vector<unsigned char> d(54 + 16);
        d[0] = 'B';
        d[1] = 'M';
        d[10] = 54;
        d[18] = 2;
        d[22] = below ? 2 : 0xfe;
        if (!below) d[23] = d[24] = d[25] = 0xff;
        d[28] = 24;
        d[54] = 255;              // blue in the first pixel of the first row stored
        d[54 + 8 + 3 + 2] = 200;  // red in the second of the second
        std::ofstream(file, std::ios::binary).write(reinterpret_cast<char*>(d.data()), static_cast<long>(d.size()));
        const Image image = readImage(file);
        REQUIRE(image.width == 2);
        REQUIRE(image.height == 2);
        CHECK(image.at(0, below ? 1 : 0)[2] == 255);
        CHECK(image.at(1, below ? 0 : 1)[0] == 200);
    }
}

TEST_CASE("Files that are no images are refused with their name", "[gl]")
{
    using Catch::Matchers::Contains;
    const sofa::test::TemporaryDirectory folder;
    const std::string file = (folder.path() / "a.png").string();
    CHECK_THROWS_WITH(readImage(file), Contains("a.png") && Contains("cannot be read"));
    const auto wrong = [&](const std::string& text, const char* why) {
        std::ofstream(file, std::ios::binary) << text;
        CHECK_THROWS_WITH(readImage(file), Contains("a.png") && Contains(why));
    };
    wrong("abc", "ends early");
    wrong("neither this nor that", "is neither PNG");
    wrong("\x89PNG\r\n\x1a\n and then nothing", "a.png");
    wrong("\xff\xd8\xff\xe0 nothing more", "a.png");
    wrong("P6 100 100 255 ab", "ends early");
    wrong("P6 0 100 255 ab", "only PPM");
    wrong(std::string("BM") + std::string(60, '\0'), "BMP");
    CHECK_THROWS_WITH(writeImage((folder.path() / "a.gif").string(), pattern(3)), Contains(".png"));
    CHECK_THROWS_WITH(writeImage((folder.path() / "none" / "a.png").string(), pattern(3)), Contains("a.png"));
    CHECK_THROWS_WITH(writeImage((folder.path() / "none" / "a.jpg").string(), pattern(3)), Contains("cannot write"));
}
