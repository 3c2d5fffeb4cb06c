// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/GraphvizWriter.h"

#include <cstdio>
#include <map>
#include <stdexcept>

#include "core/io/OutputFile.h"
#include "core/scene/SceneSnapshot.h"

namespace sofa::core {

namespace {

std::string dotText(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\n')
            out += "\\n";
        else
            out += c;
    }
    return out + '"';
}

/// Pastel fill of a category: one hue for each, spread by a hash of its letters that is the same everywhere.
std::string fillOf(const std::string& category)
{
    unsigned h = 2166136261u;
    for (const unsigned char c : category) h = (h ^ c) * 16777619u;
    char text[32];
    std::snprintf(text, sizeof text, "%.3f 0.25 0.95", static_cast<double>(h % 360u) / 360.);
    return text;
}

}  // namespace

std::string writeGraphviz(const Node& root, const GraphvizOptions& options)
{
    const GraphSnapshot graph = takeGraph(root);
    std::map<ObjectId, std::string> names;  // each object once, though a node may stand below several parents
    std::string out = "digraph scene {\n  node [fontname=\"sans-serif\", fontsize=10];\n  edge [color=gray40];\n";
    std::string edges;
    std::map<ObjectId, const Base*> objects;  // whose links are still to be written
    for (Node* n : const_cast<Node&>(root).descendants(true)) {
        objects[n->id()] = n;
        for (const auto& c : n->components()) objects[c->id()] = c.get();
    }
    const auto shown = [&](const GraphEntry& e) { return e.isNode || options.components; };
    for (const GraphEntry& e : graph.entries) {
        if (!shown(e)) continue;
        const auto [it, fresh] = names.emplace(e.id, "n" + std::to_string(names.size()));
        if (fresh) {
            std::string label = e.isNode ? e.name : e.className;
            if (e.isNode && label.empty()) label = "root";
            if (!e.isNode && !e.templateName.empty()) label += "<" + e.templateName + ">";
            if (!e.isNode && e.name != e.className) label += "\n" + e.name;
            out += "  " + it->second + " [label=" + dotText(label);
            out += e.isNode ? ", shape=ellipse, style=\"filled" : ", shape=box, style=\"filled,rounded";
            if (!e.active) out += ",dashed";
            out += "\", fillcolor=" + dotText(e.isNode ? "0.000 0.00 0.90" : fillOf(e.category)) + "];\n";
        }
        if (e.parent >= 0)
            edges += "  " + names[graph.entries[static_cast<std::size_t>(e.parent)].id] + " -> " + it->second + ";\n";
    }
    if (options.components && options.links) {
        for (const GraphEntry& e : graph.entries) {
            const auto self = objects.find(e.id);
            if (self == objects.end()) continue;  // written already, below another parent
            const Base& object = *self->second;
            objects.erase(self);
            const std::string& name = names[e.id];
            const auto arrow = [&](const Base* target, std::string_view label) {
                if (!target || target == &object) return;
                const auto it = names.find(target->id());
                if (it == names.end()) return;
                edges += "  " + name + " -> " + it->second +
                         " [style=dashed, constraint=false, color=steelblue, label=" + dotText(label) +
                         ", fontsize=8];\n";
            };
            for (const BaseLink* l : object.links())
                for (const Base* t : l->targets()) arrow(t, l->name());
            for (const BaseData* d : object.data())
                if (d->parent()) arrow(d->parent()->owner(), d->name());
        }
    }
    return out + edges + "}\n";
}

void saveGraphviz(const Node& root, const std::string& path, const GraphvizOptions& options)
{
    writeFile(path, writeGraphviz(root, options));
}

}  // namespace sofa::core
