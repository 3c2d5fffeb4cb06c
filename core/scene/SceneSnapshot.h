// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>

#include "core/objectmodel/Node.h"

/// Copies of what editors show of a scene, taken between two steps: a window reads them while the next step runs.
namespace sofa::core {

/// An object of the scene, as far as it still exists. Only to be locked between steps.
using ObjectHandle = std::weak_ptr<Base>;

/// A node or component in the tree of a scene.
struct GraphEntry
{
    ObjectHandle object;
    ObjectId id = 0;  ///< of the object, in all snapshots
    int parent = -1;  ///< index of the node above, −1 for the root
    int depth = 0;
    std::string name, path;
    std::string className, templateName;
    std::string category;  ///< "Node", or the category of the component's class ("ForceField", ...)
    bool isNode = false;
    bool active = true;  ///< the node is visited; of a component: it is able to work
    bool transient = false;
    std::size_t warnings = 0, errors = 0;  ///< messages that it sent
};

/// The tree of a scene: a node before its components, these before its child nodes. A node with several parents stands
/// below each of them.
struct GraphSnapshot
{
    std::uint64_t version = 0;  ///< Node::changeCount of the root: equal ones mean the same entries
    std::vector<GraphEntry> entries;
};
/// `handle`: of the root, which the graph itself does not own.
GraphSnapshot takeGraph(const Node& root, ObjectHandle handle = {});

/// A Data as editors show it.
struct DataEntry
{
    std::string name, help, unit, group, typeName, range;
    std::string text;  ///< its value; of long ones the beginning
    std::string defaultText;
    std::string linkPath;  ///< "@..." if it follows another Data
    std::vector<std::string> choices;
    std::size_t counter = 0;  ///< grows with every change
    std::size_t length = 0;   ///< of the whole text
    bool readOnly = false, required = false, isSet = false;

    bool complete() const { return length == text.size(); }
};

/// A link to other objects.
struct LinkEntry
{
    std::string name, help, typeName;
    std::string path;                  ///< as the scene gave it
    std::vector<std::string> targets;  ///< paths of the objects
    bool required = false;
};

/// Everything that a property window shows of one object.
struct ObjectSnapshot
{
    std::string name, path, className, templateName, category, module, help, location;
    bool valid = true;
    std::vector<DataEntry> data;  ///< those that are displayed, in the order of declaration
    std::vector<LinkEntry> links;
    std::vector<Message> messages;  ///< that it sent, oldest first
};
/// `longest`: texts are cut after so many bytes.
ObjectSnapshot takeObject(const Base& object, std::size_t longest = 20'000);
/// The whole text of one Data or link; empty if there is none of this name.
std::string wholeText(const Base& object, std::string_view name);

/// New texts of Data and links by name; a text that begins with '@' makes a Data follow another one.
using Edits = std::vector<std::pair<std::string, std::string>>;
/// What of the edits was refused, by name; the name is empty for what reinit reported.
using EditErrors = std::vector<std::pair<std::string, std::string>>;

/// Gives an object new values, as if the scene had them, and calls its reinit if it is initialised. Nothing is changed
/// if one of them is refused. The scene writer then writes the new texts.
EditErrors applyEdits(Base& object, const Edits& edits);

/// First object at this path ("/body/fem"), nullptr if there is none.
Base* findObject(Node& root, std::string_view path);

}  // namespace sofa::core
