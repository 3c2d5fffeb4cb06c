// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"
#include "tests/harness/Paths.h"

namespace sofa::test {

/// A folder with files that a test writes, and loaders in a scene file of that folder.
struct LoaderFiles
{
    void write(const std::string& name, const std::string& text) const
    {
        std::ofstream(folder.path() / name, std::ios::binary) << text;
    }
    /// A loader with these attributes, at line 3 of the scene.
    template <class T>
    T& load(const std::string& type, std::vector<std::pair<std::string, std::string>> attributes)
    {
        core::ComponentDescription desc;
        desc.type = type;
        desc.where = {std::make_shared<const std::string>((folder.path() / "scene.scn").string()), 3, 1};
        for (auto& [name, value] : attributes) desc.set(name, value, desc.where);
        auto c = core::Registry::instance().create(&root, desc);
        root.addComponent(c);
        c->parse(desc);
        return dynamic_cast<T&>(*c);
    }
    TemporaryDirectory folder;
    core::Node root{"root"};
};

}  // namespace sofa::test
