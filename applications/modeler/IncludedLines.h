// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QDateTime>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/scene/TextLinks.h"

namespace sofa::modeler {

using namespace sofa::core;

/// Lines of a document's tree that stand in other files: what includes and prefabs bring. A file is read when somebody
/// looks below the element that stands for it; files within files are, too.
///
/// Lines have numbers beyond those of a document's elements, and keep them until the file is read again.
class IncludedLines
{
public:
    using Number = quintptr;
    static bool isLine(Number n) { return n > 0xffffffffu; }

    /// The text of a file, as it was read.
    struct Text
    {
        Text(std::string bytes, const std::string& path) : xml(std::move(bytes), path), names(xml) {}
        XmlDocument xml;
        TextLinks names;
    };
    struct Line
    {
        Number above = 0;    ///< the line, or the element of the document, below which it is
        bool isTop = false;  ///< that stands for the file
        int row = 0;         ///< among what is in the same element, or in the root of the file
        std::uint32_t part = 0;
        std::shared_ptr<const Text> text;
        std::vector<Number> children;
    };
    /// A file that was read for an element or line that stands for it.
    struct File
    {
        std::string path;
        QDateTime changed;
        qint64 size = -1;
        std::vector<Number> lines;  ///< those of the root; none if the file cannot be read
    };

    /// nullptr if there is no such line.
    const Line* find(Number line) const;
    /// What was read for an element or line; nullptr if nothing was.
    const File* file(Number include) const;
    /// The elements and lines for which files were read.
    std::vector<Number> includes() const;

    /// Reads a file whose lines are below an element or line from attach() on.
    File read(Number include, const std::string& path);
    void attach(Number include, File file) { m_files[include] = std::move(file); }
    /// Takes away what was read, with all below.
    void forget(Number include);
    /// Whether another file, or another text of it, is there now.
    static bool isStale(const File& file, const std::string& path);

private:
    void forgetLine(Number line);

    std::unordered_map<Number, Line> m_lines;  ///< looked up only
    std::unordered_map<Number, File> m_files;
    Number m_last = Number{1} << 32;
};

/// Whether trees show a part of a document: elements, and comments that hold one.
bool isShownInTrees(const XmlDocument& x, std::uint32_t part);

}  // namespace sofa::modeler
