// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/NumpyFile.h"

#include <zlib.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace sofa::core {

// Format: NEP 1 (.npy versions 1.0 and 2.0); .npz is a ZIP archive of .npy files without compression.

static_assert(std::endian::native == std::endian::little, "the header says '<f8'");

namespace {

/// "\x93NUMPY", version, length and a dictionary, padded with blanks to a multiple of 64 bytes.
std::string npyHeader(const std::string& type, std::size_t rows, const std::vector<std::size_t>& shape)
{
    std::string sizes = std::to_string(rows) + ',';
    for (std::size_t n : shape) sizes += ' ' + std::to_string(n) + ',';
    std::string text = "{'descr': " + type + ", 'fortran_order': False, 'shape': (" + sizes + "), }";
    const bool wide = text.size() + 76 > 65535;
    const std::size_t prefix = wide ? 12 : 10;
    const std::size_t total = (prefix + text.size() + 1 + 63) / 64 * 64;
    const auto length = static_cast<std::uint32_t>(total - prefix);
    text.resize(length - 1, ' ');
    std::string out = std::string("\x93NUMPY") + static_cast<char>(wide ? 2 : 1) + '\0';
    out.append(reinterpret_cast<const char*>(&length), wide ? 4 : 2);
    return out + text + '\n';
}

/// Type of a record: "[('name', '<f8'), ...]".
std::string recordType(const std::vector<std::string>& columns)
{
    std::string type = "[";
    for (const std::string& c : columns) {
        std::string name;
        for (const char letter : c) {
            if (letter == '\'' || letter == '\\') name += '\\';
            name += letter;
        }
        type += "('" + name + "', '<f8'), ";
    }
    return type + ']';
}

std::string_view bytesOf(std::span<const double> values)
{
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

template <class T>
void put(std::string& out, T value)
{
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// What the local and the central header of a member share, from the version on; sizes are in the ZIP64 field.
std::string zipMember(std::uint32_t crc, std::size_t nameLength, std::size_t extra)
{
    std::string out;
    put<std::uint16_t>(out, 45);     // version needed: ZIP64
    put<std::uint16_t>(out, 0x800);  // names are UTF-8
    put<std::uint16_t>(out, 0);      // stored
    put<std::uint16_t>(out, 0);      // no time
    put<std::uint16_t>(out, 0x21);   // 1 January 1980
    put<std::uint32_t>(out, crc);
    put<std::uint32_t>(out, 0xffffffff);
    put<std::uint32_t>(out, 0xffffffff);
    put<std::uint16_t>(out, static_cast<std::uint16_t>(nameLength));
    put<std::uint16_t>(out, static_cast<std::uint16_t>(extra));
    return out;
}

}  // namespace

NpyTable::NpyTable(const std::string& path, const std::vector<std::string>& columns)
    : m_out(path), m_records(m_out), m_columns(columns)
{
}

void NpyTable::append(std::span<const double> row)
{
    m_records.write(bytesOf(row));
    ++m_rows;
}

void NpyTable::commit()
{
    m_out.write(npyHeader(recordType(m_columns), m_rows, {}));
    m_records.appendTo(m_out);
    m_out.commit();
}

struct NpzArchive::Array
{
    std::string name;
    std::vector<std::size_t> shape;
    ScratchFile values;
    std::size_t entry = 1;  ///< numbers of an entry
    std::size_t rows = 0;
    uLong crc = 0;  ///< of the values

    Array(std::string n, std::vector<std::size_t> s, const OutputFile& archive)
        : name(std::move(n)), shape(std::move(s)), values(archive)
    {
        for (std::size_t k : shape) entry *= k;
    }
};

NpzArchive::NpzArchive(const std::string& path) : m_out(path) {}
NpzArchive::~NpzArchive() = default;

std::size_t NpzArchive::add(const std::string& name, std::vector<std::size_t> shape)
{
    m_arrays.push_back(std::make_unique<Array>(name, std::move(shape), m_out));
    return m_arrays.size() - 1;
}

void NpzArchive::append(std::size_t array, std::span<const double> values)
{
    Array& a = *m_arrays[array];
    if (values.size() != a.entry)
        throw std::runtime_error("'" + a.name + "' had " + std::to_string(a.entry) + " numbers and has " +
                                 std::to_string(values.size()) + " now: an array of NumPy cannot hold that");
    const std::string_view bytes = bytesOf(values);
    a.values.write(bytes);
    a.crc = crc32_z(a.crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    ++a.rows;
}

void NpzArchive::commit()
{
    std::string directory;
    std::uint64_t offset = 0;
    for (const auto& a : m_arrays) {
        const std::string name = a->name + ".npy", header = npyHeader("'<f8'", a->rows, a->shape);
        const std::uint64_t values = std::uint64_t{8} * a->rows * a->entry, size = header.size() + values;
        const uLong ofHeader = crc32_z(0, reinterpret_cast<const Bytef*>(header.data()), header.size());
        const auto crc = static_cast<std::uint32_t>(crc32_combine(ofHeader, a->crc, static_cast<z_off_t>(values)));
        std::string local;
        put<std::uint32_t>(local, 0x04034b50);
        local += zipMember(crc, name.size(), 20) + name;
        put<std::uint16_t>(local, 1);  // ZIP64
        put<std::uint16_t>(local, 16);
        put(local, size);
        put(local, size);
        m_out.write(local + header);
        a->values.appendTo(m_out);

        put<std::uint32_t>(directory, 0x02014b50);
        put<std::uint16_t>(directory, 45);  // made by
        directory += zipMember(crc, name.size(), 28);
        put<std::uint16_t>(directory, 0);  // comment
        put<std::uint16_t>(directory, 0);  // disk
        put<std::uint16_t>(directory, 0);  // internal attributes
        put<std::uint32_t>(directory, 0);  // external attributes
        put<std::uint32_t>(directory, 0xffffffff);
        directory += name;
        put<std::uint16_t>(directory, 1);
        put<std::uint16_t>(directory, 24);
        put(directory, size);
        put(directory, size);
        put(directory, offset);
        offset += local.size() + size;
    }
    std::string end;
    put<std::uint32_t>(end, 0x06064b50);
    put<std::uint64_t>(end, 44);
    put<std::uint16_t>(end, 45);
    put<std::uint16_t>(end, 45);
    put<std::uint32_t>(end, 0);
    put<std::uint32_t>(end, 0);
    put<std::uint64_t>(end, m_arrays.size());
    put<std::uint64_t>(end, m_arrays.size());
    put<std::uint64_t>(end, directory.size());
    put(end, offset);
    put<std::uint32_t>(end, 0x07064b50);
    put<std::uint32_t>(end, 0);
    put<std::uint64_t>(end, offset + directory.size());
    put<std::uint32_t>(end, 1);
    put<std::uint32_t>(end, 0x06054b50);
    put<std::uint16_t>(end, 0);
    put<std::uint16_t>(end, 0);
    put<std::uint16_t>(end, 0xffff);
    put<std::uint16_t>(end, 0xffff);
    put<std::uint32_t>(end, 0xffffffff);
    put<std::uint32_t>(end, 0xffffffff);
    put<std::uint16_t>(end, 0);
    m_out.write(directory + end);
    m_out.commit();
}

}  // namespace sofa::core
