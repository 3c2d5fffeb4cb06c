// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/Image.h"

#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>

#include <jpeglib.h>

#include "applications/gl/ImageReaders.h"
#include "core/io/InputLimit.h"
#include "core/io/OutputFile.h"

namespace sofa::gl {

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what) { failImage(path, what); }

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File open(const std::string& path)
{
    File f(std::fopen(path.c_str(), "rb"), std::fclose);
    if (!f) fail(path, "cannot be read");
    return f;
}

std::string extension(const std::string& path)
{
    std::string e = std::filesystem::path(path).extension().string();
    std::transform(e.begin(), e.end(), e.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return e;
}

void resize(Image& image)
{
    image.pixels.resize(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) *
                        static_cast<std::size_t>(image.channels));
}

/// Memory for the pixels that the header of a file claims, unless the file is too small for them.
void resizeFor(const std::string& path, Image& image)
{
    core::io::requireInflatedSize(path,
                                  static_cast<std::uint64_t>(image.width) * static_cast<std::uint64_t>(image.height) *
                                      static_cast<std::uint64_t>(image.channels),
                                  std::filesystem::file_size(path));
    resize(image);
}

Image readPng(const std::string& path)
{
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(&png, path.c_str())) fail(path, png.message);
    Image image;
    const bool color = png.format & PNG_FORMAT_FLAG_COLOR, alpha = png.format & PNG_FORMAT_FLAG_ALPHA;
    png.format = color ? (alpha ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB) : (alpha ? PNG_FORMAT_GA : PNG_FORMAT_GRAY);
    image.channels = static_cast<int>(PNG_IMAGE_SAMPLE_CHANNELS(png.format));
    image.width = static_cast<int>(png.width);
    image.height = static_cast<int>(png.height);
    try {
        resizeFor(path, image);
    } catch (const std::exception&) {
        png_image_free(&png);
        throw;
    }
    if (!png_image_finish_read(&png, nullptr, image.pixels.data(), 0, nullptr)) fail(path, png.message);
    return image;
}

void writePng(const std::string& path, const Image& image)
{
    constexpr png_uint_32 formats[] = {PNG_FORMAT_GRAY, PNG_FORMAT_GA, PNG_FORMAT_RGB, PNG_FORMAT_RGBA};
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    png.width = static_cast<png_uint_32>(image.width);
    png.height = static_cast<png_uint_32>(image.height);
    png.format = formats[image.channels - 1];
    core::OutputFile file(path);
    if (!png_image_write_to_stdio(&png, file.stream(), 0, image.pixels.data(), 0, nullptr)) fail(path, png.message);
    file.commit();
}

/// libjpeg reports through a jump.
struct JpegErrors
{
    jpeg_error_mgr manager;
    std::jmp_buf back;
    char text[JMSG_LENGTH_MAX];
};

void jpegFailed(j_common_ptr info)
{
    auto* errors = reinterpret_cast<JpegErrors*>(info->err);
    info->err->format_message(info, errors->text);
    std::longjmp(errors->back, 1);
}

void jpegWarned(j_common_ptr) {}

jpeg_error_mgr* handle(JpegErrors& errors)
{
    jpeg_std_error(&errors.manager);
    errors.manager.error_exit = jpegFailed;
    errors.manager.output_message = jpegWarned;
    return &errors.manager;
}

Image readJpeg(const std::string& path)
{
    const File file = open(path);
    Image image;
    jpeg_decompress_struct info{};
    JpegErrors errors{};
    info.err = handle(errors);
    if (setjmp(errors.back)) {
        jpeg_destroy_decompress(&info);
        fail(path, errors.text);
    }
    jpeg_create_decompress(&info);
    jpeg_stdio_src(&info, file.get());
    jpeg_read_header(&info, TRUE);
    image.width = static_cast<int>(info.image_width);
    image.height = static_cast<int>(info.image_height);
    image.channels = info.num_components == 1 ? 1 : 3;
    try {
        resizeFor(path, image);
    } catch (const std::exception&) {
        jpeg_destroy_decompress(&info);
        throw;
    }
    info.out_color_space = info.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_start_decompress(&info);
    image.width = static_cast<int>(info.output_width);
    image.height = static_cast<int>(info.output_height);
    image.channels = info.output_components;
    resize(image);
    while (info.output_scanline < info.output_height) {
        JSAMPROW row = image.pixels.data() + static_cast<std::size_t>(info.output_scanline) * info.output_width *
                                                 static_cast<std::size_t>(image.channels);
        jpeg_read_scanlines(&info, &row, 1);
    }
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
    return image;
}

/// Without opacity, which JPEG and PPM do not know.
Image opaque(const Image& image)
{
    if (image.channels == 1 || image.channels == 3) return image;
    Image out{image.width, image.height, image.channels - 1, {}};
    resize(out);
    const auto from = static_cast<std::size_t>(image.channels), to = from - 1;
    for (std::size_t i = 0; i < out.pixels.size() / to; ++i)
        std::copy_n(image.pixels.begin() + static_cast<std::ptrdiff_t>(i * from), to,
                    out.pixels.begin() + static_cast<std::ptrdiff_t>(i * to));
    return out;
}

void writeJpeg(const std::string& path, const Image& image)
{
    core::OutputFile file(path);
    jpeg_compress_struct info{};
    JpegErrors errors{};
    info.err = handle(errors);
    if (setjmp(errors.back)) {
        jpeg_destroy_compress(&info);
        fail(path, errors.text);
    }
    jpeg_create_compress(&info);
    jpeg_stdio_dest(&info, file.stream());
    info.image_width = static_cast<JDIMENSION>(image.width);
    info.image_height = static_cast<JDIMENSION>(image.height);
    info.input_components = image.channels;
    info.in_color_space = image.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, 92, TRUE);
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
        auto* row = const_cast<JSAMPROW>(image.at(0, static_cast<int>(info.next_scanline)));
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    file.commit();
}

std::uint32_t little(const unsigned char* p, int bytes)
{
    std::uint32_t v = 0;
    for (int i = 0; i < bytes; ++i) v |= static_cast<std::uint32_t>(p[i]) << (8 * i);
    return v;
}

Image readBmp(const std::string& path, const std::vector<unsigned char>& d)
{
    if (d.size() < 54) fail(path, "the file ends early");
    const std::uint32_t offset = little(&d[10], 4), bits = little(&d[28], 2), compression = little(&d[30], 4);
    const auto width = static_cast<std::int32_t>(little(&d[18], 4));
    const auto signedHeight = static_cast<std::int32_t>(little(&d[22], 4));
    if (!(bits == 24 || bits == 32) || !(compression == 0 || (compression == 3 && bits == 32)))
        fail(path, "only BMP of 24 and 32 bits without compression can be read");
    if (width < 1 || width > 32768 || signedHeight == 0 || signedHeight > 32768 || signedHeight < -32768)
        fail(path, "its size is not sensible");
    Image image{width, std::abs(signedHeight), 3, {}};
    const std::size_t bytes = bits / 8, w = static_cast<std::size_t>(width), h = static_cast<std::size_t>(image.height);
    const std::size_t stride = (w * bytes + 3) / 4 * 4;
    if (d.size() < offset + stride * h) fail(path, "the file ends early");
    resize(image);
    for (std::size_t y = 0; y < h; ++y) {
        const unsigned char* row = &d[offset + stride * (signedHeight > 0 ? h - 1 - y : y)];
        for (std::size_t x = 0; x < w; ++x)
            for (std::size_t c = 0; c < 3; ++c) image.pixels[3 * (y * w + x) + c] = row[bytes * x + 2 - c];
    }
    return image;
}

Image readPnm(const std::string& path, const std::vector<unsigned char>& d)
{
    std::size_t at = 2;
    int numbers[3];
    for (int& n : numbers) {
        for (;;) {
            while (at < d.size() && std::isspace(d[at])) ++at;
            if (at >= d.size() || d[at] != '#') break;
            while (at < d.size() && d[at] != '\n') ++at;
        }
        n = 0;
        while (at < d.size() && std::isdigit(d[at]) && n < 1000000) n = 10 * n + (d[at++] - '0');
    }
    ++at;
    Image image{numbers[0], numbers[1], d[1] == '5' ? 1 : 3, {}};
    if (numbers[0] < 1 || numbers[1] < 1 || numbers[0] > 32768 || numbers[1] > 32768 || numbers[2] != 255)
        fail(path, "only PPM and PGM of 8 bits can be read");
    if (d.size() < at + static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) *
                            static_cast<std::size_t>(image.channels))
        fail(path, "the file ends early");
    resize(image);
    std::copy_n(d.begin() + static_cast<std::ptrdiff_t>(at), image.pixels.size(), image.pixels.begin());
    return image;
}

}  // namespace

void failImage(const std::string& path, const std::string& what)
{
    throw std::runtime_error("image '" + path + "': " + what);
}

Image readImage(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    std::vector<unsigned char> start(8);
    in.read(reinterpret_cast<char*>(start.data()), 8);
    if (in.gcount() < 8) fail(path, in.gcount() == 0 ? "cannot be read" : "the file ends early");
    if (std::memcmp(start.data(), "\x89PNG", 4) == 0) return readPng(path);
    if (start[0] == 0xff && start[1] == 0xd8) return readJpeg(path);
    if (isTiff(start)) return readTiff(path);
    in.clear();
    in.seekg(0);
    core::io::requireInputSize(path, std::filesystem::file_size(path));
    const std::vector<unsigned char> all((std::istreambuf_iterator<char>(in)), {});
    if (start[0] == 'B' && start[1] == 'M') return readBmp(path, all);
    if (start[0] == 'P' && (start[1] == '5' || start[1] == '6')) return readPnm(path, all);
    if (isTga(path, all)) return readTga(path, all);
    fail(path, "is neither PNG, JPEG, TIFF, TGA, BMP nor PPM/PGM");
}

bool isImageName(const std::string& path)
{
    const std::string e = extension(path);
    return e == ".png" || e == ".jpg" || e == ".jpeg" || e == ".ppm";
}

void writeImage(const std::string& path, const Image& image)
{
    const std::string e = extension(path);
    if (e == ".png") {
        writePng(path, image);
    } else if (e == ".jpg" || e == ".jpeg") {
        writeJpeg(path, opaque(image));
    } else if (e == ".ppm") {
        const Image plain = opaque(image);
        core::OutputFile out(path);
        out.write("P" + std::to_string(plain.channels == 1 ? 5 : 6) + '\n' + std::to_string(plain.width) + ' ' +
                  std::to_string(plain.height) + "\n255\n");
        out.write({reinterpret_cast<const char*>(plain.pixels.data()), plain.pixels.size()});
        out.commit();
    } else {
        fail(path, "images are written as .png, .jpg, .jpeg or .ppm");
    }
}

}  // namespace sofa::gl
