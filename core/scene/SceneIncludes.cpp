// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/SceneIncludes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/io/OutputFile.h"
#include "core/scene/ElementEdits.h"
#include "core/scene/OldNames.h"
#include "core/scene/SceneParser.h"

namespace fs = std::filesystem;

namespace sofa::core {

std::string nameFrom(const std::string& file, const fs::path& folder)
{
    // ".." behind a symbolic link leads elsewhere than the text says: then only the whole path is right.
    const std::string relative = fs::path(file).lexically_relative(folder).string();
    std::error_code ignored;
    return !relative.empty() && fs::equivalent(folder / relative, file, ignored) ? relative : file;
}

namespace {

std::string folderOf(const std::string& path) { return fs::path(path).parent_path().string(); }

std::optional<std::string> found(const std::string& name, const std::vector<std::string>& folders)
{
    for (const std::string& f : folders)
        if (const auto there = DataRepository::instance().find(name, f)) return canonicalPath(*there);
    return std::nullopt;
}

/// A scene as the loader reads it from a text.
struct Parsed
{
    Parsed(std::string bytes, const std::string& path)
    {
        const MessageCapture messages;
        root = parseSceneText(std::move(bytes), path, {}, &document);
        for (const Message& m : messages.messages())
            if (m.severity == Severity::Error) errors.push_back(m);
    }

    const XmlDocument& xml(std::uint32_t file = 0) const { return document.xml(file); }
    std::string folder(std::uint32_t file) const { return folderOf(xml(file).path()); }
    const SceneInclude& include(std::uint32_t i) const { return document.includes()[i]; }
    /// Whether something came through this include, or one within it.
    bool isThrough(const ElementPlace& place, std::uint32_t number) const
    {
        for (std::uint32_t i = place.include; i != 0; i = include(i).by.include)
            if (i == number) return true;
        return false;
    }
    /// The include that an element is; 0 if it is none.
    std::uint32_t numberOf(const ElementPlace& place) const
    {
        for (std::uint32_t i = 1; i < document.includes().size(); ++i)
            if (include(i).by == place) return i;
        return 0;
    }

    SceneDocument document;
    SceneElement root;
    std::vector<Message> errors;
};

void forEach(const SceneElement& e, const std::function<void(const SceneElement&)>& f)
{
    f(e);
    for (const SceneElement& c : e.children) forEach(c, f);
}

/// The element that gives an attribute, and the name that it has there.
GivenElsewhere giverOf(const SceneElement& e, const std::string& attribute)
{
    for (auto g = e.elsewhere.rbegin(); g != e.elsewhere.rend(); ++g)
        if (g->name == attribute) return *g;
    return {attribute, e.place, attribute};
}

/// Whether an attribute of a component is the name of a file.
bool isFileName(const SceneElement& e, const std::string& attribute)
{
    if (e.isNode) return false;
    static const auto ask = [](const std::string& type) {
        std::set<std::string, std::less<>> names{"filename", "fileName"};
        const std::string_view now = currentComponentName(type);
        const ComponentEntryPtr entry = Registry::instance().find(now.empty() ? type : std::string(now));
        if (!entry || entry->creators.empty()) return names;
        const std::shared_ptr<Component> made = entry->creators.front().create();
        for (const BaseData* d : made->data())
            if (dynamic_cast<const Data<FileName>*>(d)) names.insert(d->name());
        for (const char* old : {"filename", "fileMesh", "texturename"})
            if (dynamic_cast<const Data<FileName>*>(made->findData(old))) names.insert(old);
        return names;
    };
    thread_local std::map<std::string, std::set<std::string, std::less<>>> kept;
    const auto it = kept.find(e.description.type);
    const auto& names = it != kept.end() ? it->second : kept[e.description.type] = ask(e.description.type);
    return names.contains(attribute);
}

/// The file that a value means; none for a link and for what is not found.
std::optional<std::string> meant(const Parsed& p, const SceneElement& e, const Attribute& a)
{
    if (a.value.empty() || a.value.front() == '@' || !isFileName(e, a.name)) return std::nullopt;
    return found(a.value, {p.folder(e.place.file), p.folder(giverOf(e, a.name).by.file)});
}

/// Whether two descriptions make the same objects.
bool isSame(const Parsed& p, const SceneElement& a, const Parsed& q, const SceneElement& b)
{
    if (a.isNode != b.isNode || a.description.type != b.description.type) return false;
    const auto &as = a.description.attributes, &bs = b.description.attributes;
    if (as.size() != bs.size() || a.children.size() != b.children.size()) return false;
    for (const Attribute& x : as) {
        const Attribute* y = b.description.find(x.name);
        if (!y) return false;
        const auto one = meant(p, a, x), other = meant(q, b, *y);
        if (one != other || (!one && x.value != y->value)) return false;
    }
    for (std::size_t i = 0; i < a.children.size(); ++i)
        if (!isSame(p, a.children[i], q, b.children[i])) return false;
    return true;
}

std::string after(const std::string& bytes, const TextEdit& e)
{
    return bytes.substr(0, e.at) + e.text + bytes.substr(e.at + e.length);
}

/// A piece of a file that was copied elsewhere: parts [first, end) of `file`, as it came through `include`, are those
/// from `at` on in `text`.
struct Piece
{
    XmlDocument& text;
    std::uint32_t file = 0, include = 0;
    std::uint32_t first = 0, end = 0, at = 0;

    /// Index in the piece of an element; none for others.
    std::optional<std::uint32_t> find(const Parsed& p, const ElementPlace& place) const
    {
        if (place.file != file || place.include != include || !place.known()) return std::nullopt;
        const std::uint32_t i = p.xml(file).find(place.element);
        if (i < first || i >= end) return std::nullopt;
        return at + (i - first);
    }
    void set(std::uint32_t i, const std::string& name, const std::string& value)
    {
        if (auto e = attributeEdit(text, i, name, value)) text.apply({*std::move(e)});
    }
};

/// Makes names of files in a piece right for a file in another folder.
void moveFileNames(Piece& piece, const Parsed& p, const std::string& to)
{
    forEach(p.root, [&](const SceneElement& e) {
        for (const Attribute& a : e.description.attributes) {
            const GivenElsewhere g = giverOf(e, a.name);
            const auto giver = piece.find(p, g.by);
            const auto file = giver ? meant(p, e, a) : std::nullopt;
            if (!file) continue;
            const std::string beside = piece.find(p, e.place) ? to : p.folder(e.place.file);
            if (found(a.value, {beside, to}) == file) continue;
            const std::string now = nameFrom(*file, to);
            piece.set(*giver, g.spelling, found(now, {beside, to}) == file ? now : *file);
        }
    });
    const XmlDocument& x = p.xml(piece.file);
    for (std::uint32_t i = piece.first; i < piece.end; ++i) {
        if (!x.items()[i].isElement() || x.name(x.items()[i]) != "include") continue;
        const XmlAttribute* href = x.attribute(x.items()[i], "href");
        const auto file = href ? found(x.value(*href), {p.folder(piece.file)}) : std::nullopt;
        if (file && found(x.value(*href), {to}) != file)
            piece.set(piece.at + (i - piece.first), "href", nameFrom(*file, to));
    }
}

/// The parts in an element, with the blank lines between them.
std::string contentOf(const XmlDocument& x, std::uint32_t element)
{
    std::string out;
    std::size_t end = 0;
    for (std::uint32_t i = x.firstIn(element); i < x.endIn(element); i = x.items()[i].next) {
        const std::string_view gap = std::string_view(x.bytes()).substr(end, x.items()[i].begin - end);
        const auto lines = end == 0 ? 0 : std::ranges::count(gap, '\n');
        if (!out.empty()) out += lines > 1 ? "\n\n" : lines > 0 ? "\n" : " ";
        out += unindented(x, i);
        end = x.items()[i].end;
    }
    return out;
}

/// What the loader made of an element, as text.
void write(std::string& out, const Parsed& p, const SceneElement& e, const std::string& folder,
           const std::string& indent)
{
    if (!out.empty()) out += '\n';
    out += indent + '<' + e.description.type;
    for (const Attribute& a : e.description.attributes) {
        const auto file = meant(p, e, a);
        const bool moves = file && found(a.value, {folder}) != file;
        out += ' ' + a.name + "=\"" + escapedXml(moves ? nameFrom(*file, folder) : a.value) + '"';
    }
    if (e.children.empty()) {
        out += "/>";
        return;
    }
    out += '>';
    for (const SceneElement& c : e.children) write(out, p, c, folder, indent + "  ");
    out += '\n' + indent + "</" + e.description.type + '>';
}

/// The elements of the scene that came through an include: those that stand in its place.
std::vector<const SceneElement*> broughtBy(const Parsed& p, const SceneElement& e, std::uint32_t number)
{
    if (p.isThrough(e.place, number)) return {&e};
    std::vector<const SceneElement*> out;
    for (const SceneElement& c : e.children)
        for (const SceneElement* found : broughtBy(p, c, number)) out.push_back(found);
    return out;
}

/// The text of an included file for the place of its include.
std::string includedText(const Parsed& p, std::uint32_t number, const std::string& to)
{
    const SceneInclude& include = p.include(number);
    const XmlDocument& x = p.xml(include.file);
    const std::uint32_t root = x.root();
    XmlDocument text(unindented(x, root), x.path());
    Piece piece{text, include.file, number, root, x.items()[root].next, 0};
    moveFileNames(piece, p, to);
    // What the include gives, to the elements or to includes within.
    forEach(p.root, [&](const SceneElement& e) {
        if (!p.isThrough(e.place, number)) return;
        for (const GivenElsewhere& g : e.elsewhere) {
            if (g.by != include.by) continue;
            const Attribute* a = e.description.find(g.name);
            if (const auto own = piece.find(p, e.place)) {
                const auto file = meant(p, e, *a);
                const bool moves = file && found(a->value, {to}) != file;
                piece.set(*own, g.name, moves ? nameFrom(*file, to) : a->value);
                continue;
            }
            std::uint32_t inner = e.place.include;
            while (p.include(inner).by.include != number) inner = p.include(inner).by.include;
            if (const auto there = piece.find(p, p.include(inner).by)) piece.set(*there, g.spelling, a->value);
        }
    });
    const bool isNode = text.name(text.items()[0]) == "Node";
    const XmlAttribute* name = text.attribute(text.items()[0], "name");
    const XmlDocument& around = p.xml(include.by.file);
    const XmlAttribute* given = around.attribute(around.items()[around.find(include.by.element)], "name");
    // A name makes a group a node, but for prefabs.
    std::string joins = name ? text.value(*name) : std::string();
    if (given && !(include.isPrefab && (joins == "Group" || joins == "_Group_"))) joins = around.value(*given);
    if (isNode && joins == "_Merge_")
        throw EditError("this file is merged with the node around it: its text cannot stand there");
    if (isNode && (joins == "Group" || joins == "_Group_")) return contentOf(text, 0);
    return text.bytes();
}

}  // namespace

std::optional<IncludedFile> includedFile(const XmlDocument& x, std::uint32_t element)
{
    const XmlItem& e = x.items()[element];
    if (!e.isElement()) return std::nullopt;
    const std::string folder = folderOf(x.path());
    const auto there = [&](const std::string& name) {
        return name.empty() ? std::string() : DataRepository::instance().find(name, folder).value_or(std::string());
    };
    std::string type(x.name(e));
    if (type == "include") {
        const XmlAttribute* href = x.attribute(e, "href");
        return IncludedFile{there(href ? x.value(*href) : std::string()), false};
    }
    if (type == "Object")
        if (const XmlAttribute* a = x.attribute(e, "type")) type = x.value(*a);
    const bool inNode = e.parent == XmlItem::none || x.name(x.items()[e.parent]) == "Node";
    if (!inNode || type == "Node" || type.empty() || Registry::instance().find(type)) return std::nullopt;
    std::string file = there("Objects/" + type + ".xml");
    if (file.empty()) return std::nullopt;
    return IncludedFile{std::move(file), true};
}

std::vector<Overridable> overridable(const SceneText& text, XmlId include)
{
    const XmlDocument& x = text.treeToEdit();
    const std::uint32_t i = x.find(include);
    if (i == XmlItem::none) return {};
    // The element alone, without what it replaces now.
    XmlDocument alone("<Node>" + x.utf8(x.text(x.items()[i])) + "</Node>", text.path());
    std::vector<std::string> given;
    for (const XmlAttribute& a : alone.attributes(alone.items()[1])) given.emplace_back(alone.name(a));
    for (const std::string& name : given)
        if (name != "href" && name != "type" && name != "name")
            if (auto e = attributeRemoval(alone, 1, name)) alone.apply({*std::move(e)});
    std::vector<Overridable> out;
    try {
        const Parsed p(alone.bytes(), text.path());
        if (!p.errors.empty()) throw EditError(p.errors.front().text);
        std::map<std::string, int> count;
        const auto visit = [&](const auto& f) {
            forEach(p.root, [&](const SceneElement& e) {
                if (e.isNode) return;
                for (const Attribute& a : e.description.attributes)
                    if (a.name != "name") f(e, a);
            });
        };
        visit([&](const SceneElement&, const Attribute& a) { ++count[a.name]; });
        std::set<std::string> listed;
        visit([&](const SceneElement& e, const Attribute& a) {
            const bool one = count[a.name] == 1;
            Overridable o{
                a.name, a.name, one ? e.name() : std::string(), e.description.type, e.description.get("template"),
                a.value};
            if (listed.insert(a.name).second) out.push_back(o);
            if (one || e.name().empty()) return;
            o.component = e.name();
            o.spelling = o.component + "__" + a.name;
            if (listed.insert(o.spelling).second) out.push_back(std::move(o));
        });
    } catch (const SceneError& e) {
        throw EditError(e.what());
    }
    // Names that cannot be written as an attribute.
    std::erase_if(out,
                  [](const Overridable& o) { return o.spelling.find_first_of(" \t\r\n/<>&\"'=") != o.spelling.npos; });
    return out;
}

void inlineIncluded(SceneText& text, XmlId element)
{
    const XmlDocument& x = text.treeToEdit();
    const std::uint32_t i = x.find(element);
    if (i == XmlItem::none || !includedFile(x, i)) throw EditError("only includes and prefabs can be inlined");
    try {
        const Parsed before(text.bytes(), text.path());
        const std::uint32_t number = before.numberOf({0, before.xml().items()[i].id, 0});
        if (number == 0) {
            const int line = x.position(x.items()[i].begin).line;
            for (const Message& m : before.errors)
                if (m.where.line == line) throw EditError(m.text);
            throw EditError("the file cannot be read");
        }
        const std::string folder = folderOf(text.path());
        const auto put = [&](const std::string& piece) {
            const bool isEmpty = piece.find_first_not_of(" \t\r\n") == std::string::npos;
            return isEmpty ? removal(x, i) : replacement(x, i, piece);
        };
        const auto keeps = [&](const TextEdit& e) {
            const Parsed now(after(text.bytes(), e), text.path());
            return isSame(before, before.root, now, now.root);
        };
        TextEdit edit = put(includedText(before, number, folder));
        if (!keeps(edit)) {
            // Includes within cannot say it: everything is written out.
            std::string piece;
            for (const SceneElement* e : broughtBy(before, before.root, number)) write(piece, before, *e, folder, "");
            edit = put(piece);
            if (!keeps(edit)) throw EditError("the scene would not be the same with the text of this file in it");
        }
        text.edit({std::move(edit)},
                  "inline " + fs::path(before.xml(before.include(number).file).path()).filename().string());
    } catch (const EditError&) {
        throw;
    } catch (const std::runtime_error& e) {
        throw EditError(e.what());
    }
}

std::vector<TextLink> linksLeadingOut(const XmlDocument& x, const std::vector<XmlId>& elements)
{
    const TextLinks links(x);
    std::vector<TextLink> out;
    const auto isInside = [&](std::uint32_t i) {
        return std::ranges::any_of(elements, [&](XmlId id) {
            const std::uint32_t e = x.find(id);
            return e != XmlItem::none && i >= e && i < x.items()[e].next;
        });
    };
    for (const XmlId id : elements)
        if (const std::uint32_t i = x.find(id); i != XmlItem::none)
            for (TextLink& l : links.linksIn(i))
                if (l.target != 0 && !isInside(x.find(l.target))) out.push_back(std::move(l));
    return out;
}

namespace {

/// First and behind the last part of a row of siblings. Throws EditError if they are none.
std::pair<std::uint32_t, std::uint32_t> rowOf(const XmlDocument& x, const std::vector<XmlId>& elements)
{
    std::vector<std::uint32_t> all(elements.size());
    std::ranges::transform(elements, all.begin(), [&x](XmlId id) { return x.find(id); });
    std::ranges::sort(all);
    if (all.empty() || all.back() == XmlItem::none) throw EditError("nothing is selected");
    const std::uint32_t parent = x.items()[all.front()].parent;
    if (parent == XmlItem::none) throw EditError("the root of a scene cannot be a prefab of it");
    if (x.name(x.items()[parent]) != "Node") throw EditError("only nodes and components can be a prefab");
    std::uint32_t end = all.front();
    for (const std::uint32_t i : all) {
        while (end < i && x.items()[end].parent == parent && !x.items()[end].isElement()) end = x.items()[end].next;
        if (i != end) throw EditError("what becomes a prefab must stand behind each other in one node");
        end = x.items()[i].next;
    }
    return {all.front(), end};
}

}  // namespace

Extracted extractPrefab(SceneText& text, const std::vector<XmlId>& elements, const std::string& path)
{
    const XmlDocument& x = text.treeToEdit();
    const auto [first, end] = rowOf(x, elements);
    Extracted done;
    done.leadsOut = linksLeadingOut(x, elements);
    const fs::path file = fs::absolute(path).lexically_normal();
    const std::string to = file.parent_path().string(), here = folderOf(text.path());
    std::string old;
    std::error_code ignored;
    const bool existed = fs::exists(file, ignored);
    bool written = false;
    const auto restore = [&] {
        if (!written) return;
        if (existed)
            writeFile(file, old);
        else
            fs::remove(file, ignored);
    };
    try {
        const Parsed before(text.bytes(), text.path());
        for (std::uint32_t f = 0; f < before.document.fileCount(); ++f)
            if (canonicalPath(before.xml(f).path()) == canonicalPath(file.string()))
                throw EditError("'" + file.string() + "' is part of the scene");
        // The new file: a node, or a group of what is selected.
        const XmlItem& top = x.items()[first];
        const XmlAttribute* name = x.attribute(top, "name");
        const std::string called = name ? x.value(*name) : std::string();
        const bool isNode = top.isElement() && x.name(top) == "Node" && top.next == end && called != "Group" &&
                            called != "_Group_" && called != "_Merge_";
        const std::string head = "<?xml version=\"1.0\"?>\n";
        std::string bytes = head + (isNode ? unindented(x, first) : "<Node name=\"Group\">\n</Node>") + '\n';
        if (!isNode) {
            std::string content;
            for (std::uint32_t i = first; i < end; i = x.items()[i].next)
                content += (content.empty() ? "" : "\n") + unindented(x, i);
            const XmlDocument group(bytes, file.string());
            bytes = after(bytes, insertion(group, group.root(), XmlItem::none, content));
        }
        fs::create_directories(file.parent_path());  // names of files are relative to a folder that there is
        XmlDocument made(bytes, file.string());
        Piece piece{made, 0, 0, first, end, made.root() + (isNode ? 0 : 1)};
        moveFileNames(piece, before, to);
        if (existed) old = readBytes(file.string());
        written = true;
        writeFile(file, made.bytes());

        const std::string stem = file.stem().string();
        const auto prefab = DataRepository::instance().find("Objects/" + stem + ".xml", here);
        const bool isName = stem.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") ==
                                std::string::npos &&
                            std::string_view("0123456789").find(stem.front()) == std::string_view::npos;
        const bool isFree = !Registry::instance().find(stem) && currentComponentName(stem).empty() &&
                            !findOldComponent(stem) && stem != "Node" && stem != "include" && stem != "Object";
        const bool byName = isName && isFree && prefab && canonicalPath(*prefab) == canonicalPath(file.string());
        const std::string there =
            byName ? '<' + stem + "/>" : "<include href=\"" + escapedXml(nameFrom(file.string(), here)) + "\"/>";
        const std::size_t begin = x.items()[first].begin;
        std::uint32_t last = first;
        while (x.items()[last].next < end) last = x.items()[last].next;
        TextEdit edit{begin, x.items()[last].end - begin, x.transcoded(there)};
        const Parsed now(after(text.bytes(), edit), text.path());
        if (!isSame(before, before.root, now, now.root))
            throw EditError("the scene would not be the same with this part in another file");
        text.edit({std::move(edit)}, "make prefab " + stem);
        for (const XmlId id : elementsBetween(*text.tree(), begin, begin + there.size())) done.element = id;
    } catch (const EditError&) {
        restore();
        throw;
    } catch (const std::runtime_error& e) {
        restore();
        throw EditError(e.what());
    }
    return done;
}

}  // namespace sofa::core
