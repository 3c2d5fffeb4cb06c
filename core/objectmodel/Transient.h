// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/objectmodel/Archive.h"
#include "core/objectmodel/Base.h"

namespace sofa::core {

/// Marks a node or component that another one puts into the scene while it runs and takes away again: forces of
/// contacts, groups of objects, the hold of the mouse. Scene files hold neither it nor what is below it; checkpoints
/// do if its maker is a TransientOwner. It is marked before it is added. (Its name, by which files would refer to it,
/// is not saved: that is the mark.)
inline void setTransient(Base& object) { object.d_name.setSaved(false); }
inline bool isTransient(const Base& object) { return !object.d_name.isSaved(); }

/// The nodes that hold an object, transient ones aside.
std::vector<const Node*> permanentHolders(const Base& object);

/// Adds a child that is transient. (One that is marked later has changed the scene, which must be settled then.)
std::shared_ptr<Node> addTransientChild(Node& parent, std::string name);

/// A component that puts transient objects into the scene, and can do so again when a checkpoint is loaded.
class TransientOwner
{
public:
    virtual ~TransientOwner() = default;
    /// Saves which objects there are, or takes those that there are away and makes those of the archive. Appends the
    /// objects to `made`, in an order that loading repeats: the checkpoint restores their order in their nodes, and
    /// then the state of their components as of all others. Throws std::runtime_error for an archive of another scene.
    virtual void archiveTransients(Archive& a, std::vector<Base*>& made) = 0;
};

}  // namespace sofa::core
