// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/SceneWriter.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/io/OutputFile.h"
#include "core/objectmodel/Transient.h"
#include "core/scene/XmlText.h"

namespace fs = std::filesystem;

namespace sofa::core {

namespace {

class Writer
{
public:
    explicit Writer(const WriteOptions& options) : m_options(options) {}

    /// `path` is that of the node in what is written.
    void node(const Node& n, const std::string& path, int depth)
    {
        const auto [first, isNew] = m_written.emplace(&n, path);
        open("Node", depth);
        if (!isNew) {
            attribute("sameAs", '@' + first->second);
            m_out += "/>\n";
            return;
        }
        attributes(n);
        if (depth == 0 && !m_options.checkpoint.empty()) attribute("checkpoint", m_options.checkpoint);
        if (n.components().empty() && n.children().empty()) {
            m_out += "/>\n";
            return;
        }
        m_out += ">\n";
        // In the order in which they were made: a component may need a child that stands before it.
        auto c = n.components().begin();
        auto k = n.children().begin();
        while (c != n.components().end() || k != n.children().end()) {
            const bool isChild =
                c == n.components().end() || (k != n.children().end() && (*k)->serial() < (*c)->serial());
            if (isChild) {
                if (!isTransient(**k)) node(**k, (path.size() > 1 ? path : "") + '/' + (*k)->name(), depth + 1);
                ++k;
            } else {
                if (!isTransient(**c)) component(**c, depth + 1);
                ++c;
            }
        }
        m_out.append(static_cast<std::size_t>(2 * depth), ' ');
        m_out += "</Node>\n";
    }

    void component(const Component& c, int depth)
    {
        const std::string name = c.className();
        if (name.empty()) {
            c.message(Severity::Warning, "the class of this component is not registered; it is not written");
            return;
        }
        open(name, depth);
        if (c.d_name.isSet()) attribute("name", c.name());
        const auto e = Registry::instance().find(name);
        if (e && e->creators.size() > 1 && !c.templateName().empty()) attribute("template", c.templateName());
        attributes(c);
        m_out += "/>\n";
    }

    std::string take() { return std::move(m_out); }

private:
    void open(std::string_view name, int depth)
    {
        m_out.append(static_cast<std::size_t>(2 * depth), ' ');
        m_out += '<';
        m_out += name;
    }
    void attribute(std::string_view name, std::string_view value)
    {
        m_out += ' ';
        m_out += name;
        m_out += "=\"" + escapeXml(value) + '"';
    }

    void attributes(const Base& b)
    {
        const bool isNode = dynamic_cast<const Node*>(&b) != nullptr;
        if (isNode && b.d_name.isSet()) attribute("name", b.name());
        std::set<std::string_view> done{"name"};
        if (!m_options.checkpoint.empty()) done.insert("checkpoint");
        for (const auto& [name, text] : b.givenAttributes()) {
            if (!done.insert(name).second) continue;
            attribute(name, fileNames(b.findData(name), text));
        }
        if (b.location.known()) return;
        // Objects that code made.
        for (const BaseData* d : b.data()) {
            if (!done.insert(d->name()).second || !d->isSet() || !d->isSaved() || d->isReadOnly()) continue;
            if (!d->linkPath().empty()) {
                attribute(d->name(), d->linkPath());
                continue;
            }
            if (!d->inputs().empty()) continue;  // computed by an engine or linked by code, which does it again
            if (const std::string text = d->text(); text != d->defaultText()) attribute(d->name(), fileNames(d, text));
        }
        for (const BaseLink* l : b.links())
            if (l->isSet() && done.insert(l->name()).second) attribute(l->name(), l->path());
    }

    /// The text of a Data with the names of files as they are seen from the new folder.
    std::string fileNames(const BaseData* d, std::string text) const
    {
        if (!d || m_options.folder.empty() || text.empty() || text.front() == '@') return text;
        if (dynamic_cast<const Data<FileName>*>(d) == nullptr || fs::path(text).is_absolute()) return text;
        const auto meant = findFile(text, *d);
        if (!meant) return text;
        const auto there = DataRepository::instance().find(text, m_options.folder);
        if (there && *there == *meant) return text;
        // ".." behind a symbolic link leads elsewhere than the text says: then only the whole path is right.
        const std::string relative = fs::path(*meant).lexically_relative(m_options.folder).string();
        std::error_code ignored;
        return fs::equivalent(fs::path(m_options.folder) / relative, *meant, ignored) ? relative : *meant;
    }

    WriteOptions m_options;
    std::string m_out;
    std::map<const Node*, std::string> m_written;  ///< and the path; to look nodes up
};

}  // namespace

std::string writeScene(const Node& root, const WriteOptions& options)
{
    Writer w(options);
    w.node(root, "/", 0);
    return "<?xml version=\"1.0\"?>\n" + w.take();
}

std::string writeElement(const Base& object)
{
    Writer w({});
    if (const auto* n = dynamic_cast<const Node*>(&object))
        w.node(*n, n->pathName(), 0);
    else
        w.component(dynamic_cast<const Component&>(object), 0);
    std::string text = w.take();
    if (text.ends_with('\n')) text.pop_back();
    return text;
}

void saveScene(Node& root, const std::string& path, const SaveOptions& options)
{
    if (root.parents().empty() && root.scene().document) return root.scene().document->save(root, path, options);
    const fs::path target = fs::absolute(path).lexically_normal();
    writeFile(target, writeScene(root, {target.parent_path().string(), options.checkpoint}));
}

}  // namespace sofa::core
