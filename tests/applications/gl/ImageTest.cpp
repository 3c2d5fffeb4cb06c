// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/Image.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>

#include "tests/harness/Paths.h"

namespace image_test {

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

namespace {

using Bytes = std::string;

void little(Bytes& out, unsigned long value, int bytes)
{
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 255);
}

/// A TIFF of one strip without compression, little-endian.
Bytes tiff(const Image& image)
{
    const bool colour = image.channels > 2, opacity = image.channels % 2 == 0;
    Bytes out("II*\0", 4);
    const auto bits = static_cast<unsigned long>(8 + image.pixels.size());
    little(out, bits + 8, 4);
    out.append(image.pixels.begin(), image.pixels.end());
    for (int k = 0; k < 4; ++k) little(out, 8, 2);
    const auto entry = [&](unsigned long tag, unsigned long type, unsigned long count, unsigned long value) {
        little(out, tag, 2);
        little(out, type, 2);
        little(out, count, 4);
        little(out, value, 4);
    };
    const auto channels = static_cast<unsigned long>(image.channels);
    little(out, opacity ? 11 : 10, 2);
    entry(256, 3, 1, static_cast<unsigned long>(image.width));
    entry(257, 3, 1, static_cast<unsigned long>(image.height));
    entry(258, 3, channels, channels > 2 ? bits : 8 | 8 << 16);
    entry(259, 3, 1, 1);
    entry(262, 3, 1, colour ? 2 : 1);
    entry(273, 4, 1, 8);
    entry(277, 3, 1, channels);
    entry(278, 3, 1, static_cast<unsigned long>(image.height));
    entry(279, 4, 1, image.pixels.size());
    entry(284, 3, 1, 1);
    if (opacity) entry(338, 3, 1, 2);
    little(out, 0, 4);
    return out;
}

Bytes tgaHeader(int type, int bits, int attributes, int width, int height, int mapLength = 0, int mapBits = 0)
{
    Bytes out;
    for (const int b : {0, mapLength > 0 ? 1 : 0, type, 0, 0, mapLength, 0, mapBits, 0, 0, 0, 0, width, 0, height, 0,
                        bits, attributes})
        out += static_cast<char>(b);
    return out;
}

}  // namespace

TEST_CASE("TIFF is read, and a damaged one refused", "[gl]")
{
    const sofa::test::TemporaryDirectory folder;
    const std::string file = (folder.path() / "a.tif").string();
    for (const int channels : {1, 3, 4}) {
        Image image = pattern(channels);
        if (channels == 4)
            for (std::size_t i = 3; i < image.pixels.size(); i += 4) image.pixels[i] = 255;
        const Bytes bytes = tiff(image);
        std::ofstream(file, std::ios::binary) << bytes;
        const Image back = readImage(file);
        CHECK(back.width == 13);
        CHECK(back.height == 7);
        CHECK(back.channels == channels);
        CHECK(back.pixels == image.pixels);
        for (std::size_t n = 0; n + 4 < bytes.size(); n += 5) {  // the last four bytes say that no other image follows
            std::ofstream(file, std::ios::binary) << bytes.substr(0, n);
            CHECK_THROWS_WITH(readImage(file), Catch::Matchers::Contains("a.tif"));
        }
    }
    // Colours are those of the file, not multiplied by the opacity.
    Image half = pattern(4);
    for (std::size_t i = 3; i < half.pixels.size(); i += 4) half.pixels[i] = 128;
    std::ofstream(file, std::ios::binary) << tiff(half);
    const Image back = readImage(file);
    REQUIRE(back.pixels.size() == half.pixels.size());
    for (std::size_t i = 0; i < back.pixels.size(); ++i) CHECK(std::abs(back.pixels[i] - half.pixels[i]) <= 1);
}

TEST_CASE("TGA is read: colours, grey, tables, runs, and each corner as the first", "[gl]")
{
    const sofa::test::TemporaryDirectory folder;
    const std::string file = (folder.path() / "a.tga").string();
    const auto read = [&](const Bytes& bytes) {
        std::ofstream(file, std::ios::binary) << bytes;
        return readImage(file);
    };
    using Pixels = std::vector<unsigned char>;
    const Bytes blueThenRed("\xff\0\0\0\0\xff", 6);
    CHECK(read(tgaHeader(2, 24, 32, 1, 2) + blueThenRed).pixels == Pixels{0, 0, 255, 255, 0, 0});
    CHECK(read(tgaHeader(2, 24, 0, 1, 2) + blueThenRed).pixels == Pixels{255, 0, 0, 0, 0, 255});
    CHECK(read(tgaHeader(2, 24, 32 + 16, 2, 1) + blueThenRed).pixels == Pixels{255, 0, 0, 0, 0, 255});
    const Image clear = read(tgaHeader(2, 32, 32 + 8, 1, 1) + "abcd");
    CHECK(clear.channels == 4);
    CHECK(clear.pixels == Pixels{'c', 'b', 'a', 'd'});
    CHECK(read(tgaHeader(2, 32, 32, 1, 1) + "abcd").channels == 3);
    CHECK(read(tgaHeader(2, 16, 32, 1, 1) + Bytes("\x1f\x7c", 2)).pixels == Pixels{255, 0, 255});
    CHECK(read(tgaHeader(3, 8, 32, 2, 1) + "xy").pixels == Pixels{'x', 'y'});
    CHECK(read(tgaHeader(11, 8, 32, 5, 1) + "\x82x\x01yz").pixels == Pixels{'x', 'x', 'x', 'y', 'z'});
    CHECK(read(tgaHeader(10, 24, 32, 2, 1) + "\x81" + "abc").pixels == Pixels{'c', 'b', 'a', 'c', 'b', 'a'});
    const Bytes table = tgaHeader(1, 8, 32, 2, 1, 2, 24) + "abcdef";
    CHECK(read(table + Bytes("\1\0", 2)).pixels == Pixels{'f', 'e', 'd', 'c', 'b', 'a'});

    using Catch::Matchers::Contains;
    CHECK_THROWS_WITH(read(table + Bytes("\1\2", 2)), Contains("not in the table"));
    CHECK_THROWS_WITH(read(tgaHeader(2, 24, 32, 9, 9) + "abc"), Contains("a.tga") && Contains("ends early"));
    CHECK_THROWS_WITH(read(tgaHeader(11, 8, 32, 5, 1) + "\x82x"), Contains("ends early"));
    CHECK_THROWS_WITH(read(tgaHeader(11, 8, 32, 2, 1) + "\x82x"), Contains("beyond the end of the image"));
    CHECK_THROWS_WITH(read(tgaHeader(4, 24, 32, 1, 1) + "abc"), Contains("is neither PNG"));
    CHECK_THROWS_WITH(read(tgaHeader(2, 24, 32, 0, 1) + "abc"), Contains("is neither PNG"));
    // By its mark whatever the name; without both it is none.
    const std::string other = (folder.path() / "a.img").string();
    std::ofstream(other, std::ios::binary) << tgaHeader(3, 8, 32, 1, 1) + "x" + Bytes("TRUEVISION-XFILE.", 18);
    CHECK(readImage(other).pixels == Pixels{'x'});
    std::ofstream(other, std::ios::binary) << tgaHeader(3, 8, 32, 1, 1) + "x";
    CHECK_THROWS_WITH(readImage(other), Contains("is neither PNG"));
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

}  // namespace image_test
