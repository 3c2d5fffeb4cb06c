// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/scene/SceneDocument.h"

/// What names objects by their paths, links and references to nodes, follows them when they are renamed and moved.
namespace sofa::core {

/// The links of a scene that its text gives, and what they lead to before names and places change.
class GivenLinks
{
public:
    explicit GivenLinks(Node& root);

    /// A text of a link that leads elsewhere now, and the one that leads where it did.
    struct Correction
    {
        Base* object;
        std::string name, given, before, after;
    };
    std::vector<Correction> corrections(const std::string& oldName, const std::string& newName) const;

    /// Makes a link have another text, as `given`; it leads where it did.
    static void write(Base& b, const std::string& name, const std::string& before, const std::string& after,
                      const std::string& given);

private:
    struct One
    {
        Base* object;
        std::string name, given, text;
        bool isData;
        std::vector<std::string> paths;
        std::vector<const void*> targets;
        std::vector<Base*> objects;
    };

    static std::pair<const void*, Base*> target(const Base& from, const std::string& path, bool isData);
    static std::string corrected(const One& l, std::size_t i, const std::string& oldName, const std::string& newName);
    void look(Base& b);

    std::vector<One> m_links;
};

using LinkCorrections = std::vector<GivenLinks::Correction>;

/// A correction that undo and redo repeat: it keeps its object.
struct HeldLinkCorrection
{
    std::shared_ptr<Base> object;
    std::string name, given, before, after;
};

/// Corrects links in the graph and in the document; what undo and redo need.
std::vector<HeldLinkCorrection> correctLinks(SceneDocument& document, Node& root, const LinkCorrections& corrections,
                                             EditWhere where);
/// Does that again (`forward`), or takes it back, in the graph.
void writeLinks(SceneDocument& document, const std::vector<HeldLinkCorrection>& held, bool forward);

/// The references to nodes with several parents (`sameAs`), as they are before names and places change.
class NodeReferences
{
public:
    NodeReferences(const SceneDocument& document, Node& root);
    void correct(SceneDocument& document, const Node& root) const;

private:
    std::vector<std::pair<const Node*, ElementPlace>> m_all;
};

}  // namespace sofa::core
