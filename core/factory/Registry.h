// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <deque>
#include <typeindex>

#include "core/objectmodel/Component.h"

namespace sofa::core {

/// One template instance of a registered component.
struct ComponentCreator
{
    std::string templ;  ///< canonical template name; empty for a class without template
    std::type_index type;
    std::shared_ptr<Component> (*create)();
    bool (*canCreate)(const Node*, const ComponentDescription&, std::string&);
};

/// All that is known of a component class.
struct ComponentEntry
{
    std::string name;
    std::string module;  ///< SOFA's module, e.g. "Sofa.Component.Mass"; also satisfied by RequiredPlugin
    std::string help;
    std::string authors;
    std::string license = "LGPL-2.1-or-later";
    std::string example;     ///< path of an example scene under scenes/
    bool isDefault = false;  ///< of its category: made where a scene needs one and has none
    std::string category;    ///< base class, for libraries and the reference: "ForceField", "Mapping", ...
    std::vector<std::string> aliases;
    std::vector<ComponentCreator> creators;  ///< the first is the default template
};

/// Thrown when a component cannot be created; the text says what was expected.
struct CreationError : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// Every component class of the program and of the loaded plugins.
class Registry
{
public:
    static Registry& instance();

    /// Entry by name or alias; nullptr if there is none.
    const ComponentEntry* find(std::string_view name) const;
    const std::map<std::string, ComponentEntry, std::less<>>& entries() const { return m_entries; }
    /// The component that is made where a scene needs one of this category and has none; nullptr if there is none.
    const ComponentEntry* defaultOf(std::string_view category) const;
    /// Names and aliases.
    std::vector<std::string> names() const;

    /// Creates the component that `desc` describes, for `node`: chooses the template (given, or deduced from the
    /// context: the first whose canCreate agrees), but neither parses attributes nor adds it. Throws CreationError.
    std::shared_ptr<Component> create(const Node* node, const ComponentDescription& desc) const;
    /// Creates a component and puts it into the node, as scenes do. Throws CreationError.
    std::shared_ptr<Component> createIn(Node& node, ComponentDescription& desc) const;
    /// Puts a component into the node and gives it place, name and attributes. Links to Data are bound as far as their
    /// targets exist. The one way by which components come into a scene, from files, editors and other components.
    static void adopt(Node& node, const std::shared_ptr<Component>& c, ComponentDescription& desc);
    /// Registered name of an object's class; empty if it is not registered.
    const std::string& nameOf(const Component& c) const;
    /// First template under which an object's class is registered; empty if there is none.
    std::string templateOf(const Component& c) const;

    /// Template name as components register it: "Vec3d" → "Vec3", "Rigid" → "Rigid3", "Mapping<A,B>" → "A,B",
    /// "ExtVec3f" → "Vec3".
    static std::string canonicalTemplate(std::string_view t);

    /// Adds a component. A name that exists already is reported as an error and listed in conflicts(); what is then
    /// added to the returned entry has no effect.
    ComponentEntry& add(std::string name);
    /// Adds another name for a component; one that is taken is reported as an error and listed in conflicts().
    void addAlias(const std::string& alias, const std::string& name);
    void addCreator(ComponentEntry& e, ComponentCreator c);
    /// What was registered although its name was taken, one text each.
    const std::vector<std::string>& conflicts() const { return m_conflicts; }
    /// Forgets a component: for unloading plugins and for tests.
    void remove(std::string_view name);

private:
    static std::shared_ptr<Component> make(const ComponentCreator& c);
    void reject(std::string text);
    bool isRegistered(const ComponentEntry& e) const;

    std::map<std::string, ComponentEntry, std::less<>> m_entries;
    std::map<std::string, std::string, std::less<>> m_aliases;
    std::map<std::type_index, std::string> m_byType;
    std::deque<ComponentEntry> m_rejected;
    std::vector<std::string> m_conflicts;
};

/// Registers a component class: one statement beside the class, its name stated once.
///
///     static const RegisterComponent registered =
///         RegisterComponent("UniformMass", "Mass", "Sofa.Component.Mass")
///             .help("The same mass for every point ...")
///             .alias("UniformMassOld")
///             .add<UniformMass<Vec3Types>>()   // the first is the default
///             .add<UniformMass<Rigid3Types>>();
class RegisterComponent
{
public:
    RegisterComponent(std::string name, std::string category, std::string module)
        : m_entry(&Registry::instance().add(std::move(name)))
    {
        m_entry->category = std::move(category);
        m_entry->module = std::move(module);
    }
    RegisterComponent& help(std::string t)
    {
        m_entry->help = std::move(t);
        return *this;
    }
    RegisterComponent& alias(const std::string& a)
    {
        if (Registry::instance().find(m_entry->name) == m_entry) Registry::instance().addAlias(a, m_entry->name);
        return *this;
    }
    /// What is made where a scene needs a component of this category and has none.
    RegisterComponent& makeDefault()
    {
        m_entry->isDefault = true;
        return *this;
    }
    RegisterComponent& authors(std::string t)
    {
        m_entry->authors = std::move(t);
        return *this;
    }
    RegisterComponent& license(std::string t)
    {
        m_entry->license = std::move(t);
        return *this;
    }
    /// Example scene, relative to scenes/.
    RegisterComponent& example(std::string t)
    {
        m_entry->example = std::move(t);
        return *this;
    }
    /// Adds a class. Its template name is T::staticTemplateName() where it has one, or the names given here.
    template <class T>
    RegisterComponent& add(std::vector<std::string> templates = {})
    {
        if (templates.empty()) {
            if constexpr (requires { T::staticTemplateName(); })
                templates = {std::string(T::staticTemplateName())};
            else
                templates = {""};
        }
        for (auto& t : templates)
            Registry::instance().addCreator(
                *m_entry, {std::move(t), typeid(T), [] { return std::shared_ptr<Component>(std::make_shared<T>()); },
                           &T::canCreate});
        return *this;
    }

private:
    ComponentEntry* m_entry;
};

}  // namespace sofa::core
