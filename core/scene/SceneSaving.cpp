// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// Writing the files of a scene: names of files and includes that are found from where it is written.
#include "core/io/DataRepository.h"
#include "core/io/OutputFile.h"
#include "core/scene/SceneDocument.h"
#include "core/scene/SceneIncludes.h"
#include "core/scene/SceneWriter.h"

namespace fs = std::filesystem;

namespace sofa::core {

void SceneDocument::checkSave(const std::string& path) const
{
    const std::string name = canonicalPath(fs::absolute(path).string());
    for (std::uint32_t i = 1; i < m_files.size(); ++i)
        if (m_files[i]->name == name)
            throw std::runtime_error("'" + path + "' is part of the scene: save it under another name");
    if (!m_files.empty() && m_files.front()->name == name) checkUnchanged(0);
}

void SceneDocument::checkUnchanged(std::uint32_t file) const
{
    if (m_files[file]->onDisk && m_files[file]->changed()) throw FileChanged(m_files[file]->xml.path());
}

void SceneDocument::moveFileNames(Node& root, const fs::path& folder)
{
    const auto move = [&](const Base& b) {
        const SceneOrigin* o = origin(b);
        if (!o) return;
        for (const auto& [name, text] : std::vector(b.givenAttributes())) {
            const auto* d = dynamic_cast<const Data<FileName>*>(b.findData(name));
            if (!d || text.empty() || text.front() == '@' || fs::path(text).is_absolute()) continue;
            const GivenElsewhere g = giver(b, name);
            const auto meant = findFile(text, *d);
            if (!g.by.known() || g.by.file != 0 || !meant) continue;
            std::vector<fs::path> folders{folder};
            if (o->place.file != 0) folders.insert(folders.begin(), fs::path(xml(o->place.file).path()).parent_path());
            const auto found = [&](const std::string& file) {
                for (const fs::path& f : folders)
                    if (const auto there = DataRepository::instance().find(file, f.string())) return *there == *meant;
                return false;
            };
            if (found(text)) continue;
            std::string now = nameFrom(*meant, folder);
            std::error_code ignored;
            if (folders.size() > 1 && fs::exists(folders.front() / now, ignored)) now = *meant;
            setAttribute(g.by, g.spelling, now);
        }
    };
    for (const Node* n : root.descendants(true)) {
        move(*n);
        for (const auto& c : n->components()) move(*c);
    }
}

void SceneDocument::moveIncludes(const fs::path& folder)
{
    const std::string here = fs::path(xml(0).path()).parent_path().string();
    const DataRepository& repository = DataRepository::instance();
    std::vector<std::pair<ElementPlace, std::string>> includes;
    for (const XmlItem& i : xml(0).items()) {
        if (!i.isElement() || xml(0).name(i) != "include") continue;
        const XmlAttribute* href = xml(0).attribute(i, "href");
        const auto meant = href ? repository.find(xml(0).value(*href), here) : std::nullopt;
        if (!meant || repository.find(xml(0).value(*href), folder.string()) == meant) continue;
        includes.push_back({{0, i.id, 0}, nameFrom(*meant, folder)});
    }
    for (const auto& [place, name] : includes) setAttribute(place, "href", name);
    // A prefab that is not found from there any more is an include that names its file.
    for (const SceneInclude& i : std::vector(m_includes)) {
        if (i.isPrefab && i.by.file != 0) {
            const fs::path file(m_files[i.file]->name);
            const std::string from = fs::path(xml(i.by.file).path()).parent_path().string();
            const auto found = repository.find("Objects/" + file.filename().string(), from);
            if (!found || canonicalPath(*found) != file)
                MessageLog::emit(Severity::Warning,
                                 "the prefab '" + file.string() + "' is not found from the folder of the saved scene",
                                 xml(i.by.file).where(item(i.by).begin));
            continue;
        }
        if (!i.isPrefab || i.by.file != 0 || xml(0).find(i.by.element) == XmlItem::none) continue;
        const XmlItem& e = item(i.by);
        const bool isObject = xml(0).name(e) == "Object";
        const XmlAttribute* type = isObject ? xml(0).attribute(e, "type") : nullptr;
        const std::string prefab = type ? xml(0).value(*type) : std::string(xml(0).name(e));
        const std::string file = m_files[i.file]->name;
        const auto there = repository.find("Objects/" + prefab + ".xml", folder.string());
        if (there && canonicalPath(*there) == file) continue;
        if (isObject) clearAttribute(i.by, "type");
        const XmlDocument& x = xml(i.file);
        const XmlAttribute* name = x.attribute(x.items()[x.root()], "name");
        if (name && (x.value(*name) == "Group" || x.value(*name) == "_Group_")) clearAttribute(i.by, "name");
        const XmlItem& now = item(i.by);
        std::vector<TextEdit> edits{{now.begin + std::size_t{1}, now.nameEnd - now.begin - std::size_t{1},
                                     "include href=\"" + xml(0).encoded(nameFrom(file, folder), '"') + '"'}};
        if (!now.isEmptyTag()) edits.push_back({now.closeBegin, now.end - now.closeBegin, "</include>"});
        edit(0, std::move(edits));
    }
}

void SceneDocument::save(Node& root, const std::string& path, const SaveOptions& options)
{
    const fs::path target = fs::absolute(path).lexically_normal();
    const std::string name = canonicalPath(target.string());
    const bool inPlace = !m_files.empty() && m_files.front()->name == name;
    if (!options.overwrite) checkSave(path);
    const Known* known = m_files.empty() ? nullptr : this->known(root);
    if (!known || known->origin.place.include != 0) {
        const WriteOptions written{target.parent_path().string(), options.checkpoint};
        return writeFile(target, writeScene(root, written));
    }
    update(root, options.presentValues);
    for (std::uint32_t i = 1; i < m_files.size(); ++i)
        if (isEdited(i) && !options.overwrite) checkUnchanged(i);
    begin("save");
    std::string bytes;
    try {
        if (!options.checkpoint.empty())
            setAttribute(this->known(root)->origin.place, "checkpoint", options.checkpoint);
        if (const fs::path folder = target.parent_path();
            folder != fs::path(m_files.front()->xml.path()).parent_path()) {
            moveIncludes(folder);
            moveFileNames(root, folder);
        }
        bytes = xml(0).bytes();
    } catch (...) {
        rollBack();
        throw;
    }
    try {
        writeFile(target, bytes);
        for (std::uint32_t i = 1; i < m_files.size(); ++i) {
            if (!isEdited(i)) continue;
            writeFile(m_files[i]->name, xml(i).bytes());
            m_files[i]->stamp();
        }
    } catch (...) {
        rollBack();
        throw;
    }
    if (!inPlace) return rollBack();  // the document is still that of its own file
    commit();
    m_files.front()->stamp();
}

}  // namespace sofa::core
