// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/TableFile.h"

#include "core/objectmodel/DataText.h"

namespace sofa::core {

namespace {

/// A name as CSV has it: in quotes where it holds a comma or quotes.
std::string cell(const std::string& name)
{
    if (name.find_first_of(",\"\n") == std::string::npos) return name;
    std::string out = "\"";
    for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + '"';
}

}  // namespace

TableFile::TableFile(const std::string& path, const std::vector<std::string>& columns)
{
    if (path.ends_with(".npy")) {
        m_npy.emplace(path, columns);
    } else if (path.ends_with(".npz")) {
        m_npz = std::make_unique<NpzArchive>(path);
        for (const std::string& c : columns) m_npz->add(c);
    } else {
        m_text.emplace(path);
        std::string line;
        for (const std::string& c : columns) line += (line.empty() ? "" : ",") + cell(c);
        m_text->write(line + '\n');
    }
}

void TableFile::append(std::span<const double> row)
{
    if (m_npy) m_npy->append(row);
    for (std::size_t i = 0; m_npz && i < row.size(); ++i) m_npz->append(i, row.subspan(i, 1));
    if (!m_text) return;
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (i > 0) line += ',';
        writeValue(line, row[i]);
    }
    m_text->write(line + '\n');
}

void TableFile::commit()
{
    if (m_npy) m_npy->commit();
    if (m_npz) m_npz->commit();
    if (m_text) m_text->commit();
}

}  // namespace sofa::core
