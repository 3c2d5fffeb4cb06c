// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/factory/Registry.h"
#include "core/scene/SceneSnapshot.h"

namespace sofa::modeler {

using namespace sofa::core;

/// What elements of one class may say: their attributes, with types, units and defaults. It asks an object of the class
/// that is in no scene.
class Prototype
{
public:
    /// Of a component's class (or an old name or alias of it) and template, or of "Node"; nullptr for what is not
    /// registered. Prototypes are kept.
    static std::shared_ptr<const Prototype> of(const std::string& className, const std::string& templateName = {});

    /// nullptr for a node.
    const ComponentEntryPtr& entry() const { return m_entry; }
    const std::string& help() const { return m_help; }
    std::vector<std::string> templates() const;
    /// Those that property editors show; the texts are the defaults.
    const std::vector<DataEntry>& data() const { return m_data; }
    /// What it computes, for others to follow: names and types.
    const std::vector<DataEntry>& outputs() const { return m_outputs; }
    const std::vector<LinkEntry>& links() const { return m_links; }
    /// Attributes that are no Data, with their help.
    const std::vector<std::pair<std::string, std::string>>& others() const { return m_others; }
    /// Today's name of an attribute: of a Data, link or other that is known by this name, alias or old name; empty if
    /// the class does not know it.
    std::string canonical(const std::string& attribute) const;
    /// Why an attribute has no effect any more; empty if it has.
    std::string ineffective(const std::string& attribute) const;
    /// What is wrong with a value, as the loader would say it; empty if nothing is. Links are not followed.
    std::string problem(const std::string& attribute, const std::string& value) const;
    /// The numbers of a text for an attribute, in its unit, one after the other; nothing if it does not read as such.
    /// An attribute that is no Data has one.
    std::optional<std::vector<double>> numbers(const std::string& attribute, const std::string& value) const;

private:
    Prototype() = default;

    ComponentEntryPtr m_entry;
    std::shared_ptr<Base> m_object;
    std::string m_help;
    std::vector<DataEntry> m_data, m_outputs;
    std::vector<LinkEntry> m_links;
    std::vector<std::pair<std::string, std::string>> m_others;
};

}  // namespace sofa::modeler
