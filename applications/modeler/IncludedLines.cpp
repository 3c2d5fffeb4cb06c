// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/IncludedLines.h"

#include <QFileInfo>
#include <algorithm>

#include "core/scene/ElementEdits.h"

namespace sofa::modeler {

bool isShownInTrees(const XmlDocument& x, std::uint32_t part)
{
    const XmlItem& p = x.items()[part];
    return p.isElement() || (p.kind == XmlItem::Kind::Comment && p.parent != XmlItem::none && !elementIn(x, p).empty());
}

const IncludedLines::Line* IncludedLines::find(Number line) const
{
    const auto it = m_lines.find(line);
    return it == m_lines.end() ? nullptr : &it->second;
}

const IncludedLines::File* IncludedLines::file(Number include) const
{
    const auto it = m_files.find(include);
    return it == m_files.end() ? nullptr : &it->second;
}

std::vector<IncludedLines::Number> IncludedLines::includes() const
{
    std::vector<Number> out;
    for (const auto& [include, file] : m_files) out.push_back(include);
    std::ranges::sort(out);  // those around others first
    return out;
}

bool IncludedLines::isStale(const File& file, const std::string& path)
{
    const QFileInfo now(QString::fromStdString(path));
    return path != file.path || now.lastModified() != file.changed || now.size() != file.size;
}

IncludedLines::File IncludedLines::read(Number include, const std::string& path)
{
    const QFileInfo now(QString::fromStdString(path));
    File out{path, now.lastModified(), now.size(), {}};
    std::shared_ptr<const Text> text;
    try {
        text = std::make_shared<const Text>(readBytes(path), path);
    } catch (const SceneError&) {
        return out;  // the messages say why
    }
    // The element stands for the root of the file.
    const XmlDocument& x = text->xml;
    const std::uint32_t root = x.root();
    const bool isNode = text->names.isNode(root);
    std::unordered_map<std::uint32_t, Number> numbers;
    for (std::uint32_t i = isNode ? root + 1 : root; i < x.items()[root].next; ++i) {
        if (!isShownInTrees(x, i)) continue;
        const bool isTop = i == root || (isNode && x.items()[i].parent == root);
        const Number above = isTop ? include : numbers.at(x.items()[i].parent);
        std::vector<Number>& beside = isTop ? out.lines : m_lines.at(above).children;
        const Number number = ++m_last;
        const int row = static_cast<int>(beside.size());
        beside.push_back(number);
        numbers[i] = number;
        m_lines[number] = {above, isTop, row, i, text, {}};
    }
    return out;
}

void IncludedLines::forget(Number include)
{
    const auto it = m_files.find(include);
    if (it == m_files.end()) return;
    const std::vector<Number> lines = std::move(it->second.lines);
    m_files.erase(it);
    for (const Number line : lines) forgetLine(line);
}

void IncludedLines::forgetLine(Number line)
{
    const std::vector<Number> children = std::move(m_lines.at(line).children);
    for (const Number child : children) forgetLine(child);
    forget(line);
    m_lines.erase(line);
}

}  // namespace sofa::modeler
