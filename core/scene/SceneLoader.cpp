// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/SceneLoader.h"
#include "core/log/Reason.h"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

#include "core/Trust.h"
#include "core/factory/Registry.h"
#include "core/io/SceneOutput.h"
#include "core/log/Phases.h"
#include "core/objectmodel/Path.h"
#include "core/scene/OldNames.h"
#include "core/scene/SceneComponents.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::core {

std::size_t LoadReport::count(Severity s) const
{
    return static_cast<std::size_t>(
        std::count_if(messages.begin(), messages.end(), [s](const Message& m) { return m.severity == s; }));
}

namespace {

bool isLoader(const Base& b)
{
    const auto e = Registry::instance().find(b.className());
    return e && e->category.find("Loader") != std::string::npos;
}

bool hasCategory(const Component& c, std::string_view category)
{
    const auto e = Registry::instance().find(c.className());
    return e && e->category == category;
}

/// Data that `src` does not link although both sides have them: what identifies or parametrises the source itself.
bool isOwnOf(const Base& source, std::string_view data)
{
    static constexpr std::string_view always[] = {"name", "type",      "filename", "printLog",
                                                  "tags", "listening", "bbox",     "componentState"};
    // A loader applies these to what it publishes; whoever takes its positions must not apply them again.
    static constexpr std::string_view ofLoaders[] = {
        "flipNormals", "triangulate", "createSubelements", "onlyAttachedPoints",
        "translation", "rotation",    "scale3d",           "transformation",
        "scale"};
    const auto among = [data](const auto& list) {
        return std::find(std::begin(list), std::end(list), data) != std::end(list);
    };
    return among(always) || (isLoader(source) && among(ofLoaders));
}

std::vector<std::string> namesOf(const Base& b, const BaseData& d)
{
    std::vector<std::string> names = b.aliasesOf(d.name());
    names.insert(names.begin(), d.name());
    return names;
}

/// Turns descriptions into nodes and components.
class GraphBuilder
{
public:
    explicit GraphBuilder(const LoadOptions& options) : m_options(options) {}

    void node(const SceneElement& e, Node& n)
    {
        ComponentDescription d = e.description;
        noteGivenName(d, n);
        n.parse(d);
        reportUnknownAttributes(n, d);
        n.resolveDataLinks(false);
        note(n, e);
        children(e, n);
    }

    void add(const SceneElement& e, Node& parent)
    {
        if (!e.isNode) {
            component(e, parent);
            return;
        }
        if (const Attribute* same = e.description.find("sameAs")) {
            if (!addSame(*same, parent, false)) m_pendingNodes.push_back({parent.shared_from_this(), *same});
            return;
        }
        if (!e.name().empty()) warnIfTaken(parent, e.name(), e.description.where);
        auto child = std::make_shared<Node>(e.name());
        child->location = e.description.where;
        parent.addChild(child);
        node(e, *child);
    }

    /// Binds what could not be bound before, and checks the whole.
    void finish(Node& root)
    {
        bindPending();
        for (Node* n : root.descendants(true)) linkLooseLoaders(*n);
        for (Node* n : root.descendants(true)) {
            checkLinks(*n);
            for (const auto& c : n->components()) checkLinks(*c);
        }
    }

    /// The same for what is in a node from these places on; then that is taken out again.
    void finishAndRemove(Node& parent, std::size_t components, std::size_t children)
    {
        bindPending();
        for (std::size_t i = components; i < parent.components().size(); ++i) checkLinks(*parent.components()[i]);
        for (std::size_t i = children; i < parent.children().size(); ++i) finish(*parent.children()[i]);
        while (parent.components().size() > components) parent.removeComponent(*parent.components().back());
        while (parent.children().size() > children) parent.removeChild(*parent.children().back());
    }

    void addDefaultLoops(Node& root) const
    {
        for (const char* category : {"AnimationLoop", "VisualLoop"}) {
            const auto loop = Registry::instance().defaultOf(category);
            const auto isOne = [category](const auto& c) { return hasCategory(*c, category); };
            if (!loop || std::ranges::any_of(root.components(), isOne)) continue;
            ComponentDescription d;
            d.type = loop->name;
            Registry::instance().createIn(root, d);
        }
    }

private:
    using DataSet = std::set<const BaseData*>;

    struct PendingSource
    {
        std::shared_ptr<Component> component;
        Attribute source;
        DataSet given;
    };

    /// Of what SOFA tolerates.
    Severity unlessLenient() const { return m_options.lenient ? Severity::Warning : Severity::Error; }
    bool reportsOldNames() const { return m_options.strict || m_options.reportOldNames; }
    Severity ifStrict() const { return m_options.strict ? Severity::Error : Severity::Warning; }

    void bindPending()
    {
        for (const auto& [parent, same] : std::exchange(m_pendingNodes, {})) addSame(same, *parent, true);
        for (const PendingSource& p : std::exchange(m_pendingSources, {}))
            bindSource(*p.component, p.source, p.given, true);
    }

    static void note(const Base& object, const SceneElement& e)
    {
        if (!e.place.known()) return;
        const auto& document = object.linkContext()->scene().document;
        if (!document) return;
        document->note(object, e);
        document->settle(object);
    }

    /// Adds the node that `sameAs` names to another parent. False if there is none (yet); with `last`, that is an
    /// error.
    static bool addSame(const Attribute& same, Node& parent, bool last)
    {
        std::string path = same.value, error;
        if (!path.starts_with('@')) path.insert(0, 1, '@');
        const std::vector<Base*> found = findByPath(parent, path, error);
        auto* node = found.empty() ? nullptr : dynamic_cast<Node*>(found.front());
        if (!node) {
            if (error.empty()) error = "'" + path + "' is no node";
            if (last) parent.message(Severity::Error, "attribute 'sameAs': " + error, same.where);
            return false;
        }
        try {
            parent.addChild(node->shared_from_this());
            if (const auto& document = parent.scene().document) document->settle(*node);
        } catch (const CycleError& e) {
            parent.message(Severity::Error, "attribute 'sameAs': " + std::string(e.what()), same.where);
        }
        return true;
    }

    void children(const SceneElement& e, Node& n)
    {
        for (const SceneElement& c : e.children) add(c, n);
    }

    /// The object has its name already: setting it once more would be a renaming in its node.
    static void noteGivenName(ComponentDescription& d, Base& b)
    {
        Attribute* a = d.find("name");
        if (!a) return;
        a->used = true;
        b.d_name.location = a->where;
    }

    static void warnIfTaken(const Node& parent, const std::string& name, const SourceLocation& where)
    {
        const Base* other = parent.child(name);
        if (!other) other = parent.component(name);
        if (!other) return;
        std::string text = "the name '" + name + "' is taken already in node '" + parent.pathName() + "'";
        if (other->location.known()) text += " (" + other->location.str() + ")";
        MessageLog::emit(Severity::Warning, text + "; paths lead to the first", where);
    }

    // --- Components
    // ---------------------------------------------------------------------------------------------------
    void noteOldName(const ComponentDescription& d, const std::string& text) const
    {
        if (reportsOldNames()) MessageLog::emit(Severity::Deprecated, "component '" + d.type + "': " + text, d.where);
    }

    void component(const SceneElement& e, Node& node)
    {
        ComponentDescription d = e.description;
        if (const Attribute* t = d.find("template")) {
            d.templ = t->value;
            std::erase_if(d.attributes, [](const Attribute& a) { return a.name == "template"; });
        }
        for (const char* object : {"object1", "object2"})
            if (Attribute* a = d.find(object)) a->value = currentPath(a->value);
        if (Registry::instance().find(d.type)) {
            create(std::move(d), node, e);
            return;
        }
        if (d.type == "MeshLoader") {
            const std::string_view loader = loaderForFile(d.get("filename"));
            if (!loader.empty()) {
                noteOldName(d, "today " + std::string(loader) + " reads this file");
                d.type = loader;
            }
        } else if (const OldComponent* old = findOldComponent(d.type)) {
            if (old->refused)
                MessageLog::emit(unlessLenient(),
                                 "there is no component '" + d.type + "' any more: " + std::string(old->reason) +
                                     (m_options.lenient ? "; it is left out" : ""),
                                 d.where);
            else
                expand(*old, d, node, e);
            return;
        } else if (std::string_view now = currentComponentName(d.type); !now.empty()) {
            // It once made frames of positions and orientations.
            if (d.type == "RigidEngine" && (d.find("orientations") || d.find("orientation"))) now = "QuatToRigidEngine";
            noteOldName(d, "its name today is '" + std::string(now) + "'");
            if (Registry::instance().find(now)) d.type = now;
        }
        create(std::move(d), node, e);
    }

    void expand(const OldComponent& old, const ComponentDescription& d, Node& node, const SceneElement& e)
    {
        std::string text(old.reason);
        if (!old.successors.empty()) text += ": " + std::string(old.successors);
        noteOldName(d, text);
        std::istringstream successors{std::string(old.successors)};
        bool first = true;
        for (std::string type; successors >> type; first = false) {
            ComponentDescription one = d;
            one.type = type;
            if (!first) std::erase_if(one.attributes, [](const Attribute& a) { return a.name == "name"; });
            create(std::move(one), node, e);
        }
    }

    static bool isTemplate(const std::string& name)
    {
        const Registry& registry = Registry::instance();
        const std::string wanted = Registry::canonicalTemplate(name);
        return std::ranges::any_of(registry.names(), [&](const std::string& type) {
            const auto entry = registry.find(type);
            return entry &&
                   std::ranges::find(entry->creators, wanted, &ComponentCreator::templ) != entry->creators.end();
        });
    }

    std::shared_ptr<Component> instantiate(ComponentDescription& d, const Node& node)
    {
        const Registry& registry = Registry::instance();
        const bool known = registry.find(d.type) != nullptr;
        try {
            auto c = registry.create(&node, d);
            // A class without templates takes any that another class has.
            if (m_options.strict && c->templateName().empty() && !d.templ.empty() && !isTemplate(d.templ))
                MessageLog::emit(Severity::Error, "no component has a template '" + d.templ + "'", d.where);
            return c;
        } catch (const CreationError& e) {
            if (known && !d.templ.empty()) {
                // SOFA falls back to another template, and scenes rely on it.
                ComponentDescription other = d;
                other.templ.clear();
                try {
                    auto c = registry.create(&node, other);
                    MessageLog::emit(ifStrict(), std::string(e.what()) + "; using '" + c->templateName() + "'",
                                     d.where);
                    return c;
                } catch (const CreationError&) {
                    // The first reason tells more.
                }
            }
            std::string text = e.what();
            if (!known)
                if (const std::string_view now = currentComponentName(d.type); !now.empty())
                    text += "; it is an old name of '" + std::string(now) + "', which does not exist here";
            MessageLog::emit(unlessLenient(), text + (m_options.lenient ? "; it is left out" : ""), d.where);
            return nullptr;
        }
    }

    void create(ComponentDescription d, Node& node, const SceneElement& element)
    {
        const std::shared_ptr<Component> c = instantiate(d, node);
        if (!c) return;
        const PhaseScope phase(Registry::instance().nameOf(*c).c_str());
        if (const std::string name = d.get("name"); !name.empty())
            warnIfTaken(node, name, d.where);
        else
            std::erase_if(d.attributes, [](const Attribute& a) { return a.name == "name"; });
        try {
            std::optional<Attribute> source;
            if (const Attribute* a = d.find("src"); a && !c->findData("src") && !c->findLink("src")) {
                source = *a;
                std::erase_if(d.attributes, [](const Attribute& x) { return x.name == "src"; });
            }
            Registry::adopt(node, c, d);
            if (source) {
                c->recordAttribute("src", source->value);
                DataSet given;  // what the element mentions, even without a value, is not linked
                for (const Attribute& a : d.attributes) given.insert(c->findData(a.name));
                if (!bindSource(*c, *source, given, false)) m_pendingSources.push_back({c, *source, given});
            }
            reportUnknownAttributes(*c, d);
            c->resolveDataLinks(false);
        } catch (const std::exception& e) {
            c->message(Severity::Error, reasonOf(e), d.where);
        }
        if (c->node()) note(*c, element);  // for want of memory it may be in none
    }

    // --- Attributes
    // ---------------------------------------------------------------------------------------------------
    void reportUnknownAttributes(Base& b, ComponentDescription& d)
    {
        for (Attribute& a : d.attributes) {
            if (a.used && reportsOldNames()) noteOldSpelling(b, a);
            // Two prefixes by which scenes disable an attribute.
            if (a.used || a.name.starts_with('_') || a.name.starts_with("NO")) continue;
            a.used = true;
            if (applyOldAttribute(b, a, d)) continue;
            b.message(ifStrict(),
                      "'" + a.name + "' is no attribute of " + b.className() + didYouMean(a.name, b.attributeNames()),
                      a.where);
        }
    }

    /// An old name that the component still knows as another name of its Data.
    static void noteOldSpelling(Base& b, const Attribute& a)
    {
        const OldAttribute* old = findOldAttribute(b.className(), a.name);
        const BaseData* data = b.findData(a.name);
        if (old && data && data->name() == old->now) noteOldAttribute(b, a, *old);
    }
    static void noteOldAttribute(Base& b, const Attribute& a, const OldAttribute& old)
    {
        b.message(Severity::Deprecated, "attribute '" + a.name + "' is called '" + std::string(old.now) + "' today",
                  a.where);
    }

    bool applyOldAttribute(Base& b, const Attribute& a, const ComponentDescription& d) const
    {
        const OldAttribute* old = findOldAttribute(b.className(), a.name);
        if (!old) return false;
        if (old->now.empty()) {
            b.message(Severity::Deprecated, "attribute '" + a.name + "' has no effect: " + std::string(old->reason),
                      a.where);
            return true;
        }
        const std::string now(old->now);
        if (d.find(now) || !b.setAttribute(now, a.value, a.where)) return false;
        if (reportsOldNames()) noteOldAttribute(b, a, *old);
        return true;
    }

    // --- Links
    // --------------------------------------------------------------------------------------------------------
    /// src="@loader": links every Data that the source has too and the element does not set. False if there is no such
    /// component (yet); with `last`, that is an error.
    bool bindSource(Component& c, const Attribute& a, const DataSet& given, bool last) const
    {
        std::string path = a.value;
        path.erase(0, std::min(path.find_first_not_of(" \t\r\n"), path.size()));
        if (path.empty() || path == "@") return true;  // the placeholder in prefabs
        if (path.front() != '@') path.insert(0, 1, '@');
        std::string error;
        Component* source = nullptr;
        const std::vector<Base*> found = findByPath(c, path, error);
        for (Base* b : found)
            if (auto* candidate = dynamic_cast<Component*>(b); candidate && (found.size() == 1 || isLoader(*b))) {
                source = candidate;
                break;
            }
        if (!source || source == &c) {
            if (!last) return false;
            if (error.empty()) error = "there is no component to take Data from";
            c.message(unlessLenient(), "attribute 'src': broken link \"" + a.value + "\": " + error, a.where);
            return false;
        }
        linkData(c, *source, path, a.where, given);
        return true;
    }

    static void linkData(Component& c, const Component& source, const std::string& path, const SourceLocation& where,
                         const DataSet& given)
    {
        for (BaseData* from : source.data()) {
            if (isOwnOf(source, from->name())) continue;
            for (const std::string& name : namesOf(source, *from)) {
                BaseData* to = c.findData(name);
                if (!to || to->isSet() || to->parent() || !to->linkPath().empty() || given.count(to)) continue;
                try {
                    to->linkTo(*from);
                    to->setLinkPath(path + '.' + name);
                    to->location = where;
                } catch (const std::exception& e) {
                    c.message(Severity::Error, "attribute 'src': " + reasonOf(e), where);
                }
            }
        }
    }

    /// A loader that nothing refers to fills the state and the topology beside it, as in scenes of SOFA before 2011.
    static void linkLooseLoaders(const Node& n)
    {
        const auto& list = n.components();
        const auto loader = std::find_if(list.begin(), list.end(), [](const auto& c) { return isLoader(*c); });
        if (loader == list.end() || isReferred(**loader)) return;
        std::vector<Component*> receivers;
        for (const auto& c : list) {
            const bool isTopology = dynamic_cast<BaseMeshTopology*>(c.get()) != nullptr;
            if (!isTopology && !c->takesLooseMesh()) continue;
            const BaseData* position = c->findData("position");
            const BaseData* file = c->findData("filename");
            const bool empty =
                position && !position->isSet() && position->linkPath().empty() && !(file && file->isSet());
            if (isTopology && !(empty && c->takesLooseMesh())) return;  // the node has its points from elsewhere
            if (empty) receivers.push_back(c.get());
        }
        for (Component* c : receivers) linkData(*c, **loader, '@' + (*loader)->name(), (*loader)->location, {});
    }

    static bool isReferred(const Component& loader)
    {
        return std::any_of(loader.data().begin(), loader.data().end(), [](const BaseData* d) {
            return std::any_of(d->outputs().begin(), d->outputs().end(), [d](const DdgNode* o) {
                const auto* follower = dynamic_cast<const BaseData*>(o);
                return follower && follower->owner() != d->owner();
            });
        });
    }

    void checkLinks(Base& b) const
    {
        if (m_options.lenient)
            resolveLeniently(b);
        else
            b.resolveDataLinks(true);
        for (BaseLink* l : b.links()) {
            std::string error;
            if (!l->isSet() || l->resolve(error)) continue;
            b.message(unlessLenient(),
                      "link '" + std::string(l->name()) + "': broken link \"" + l->path() + "\": " + error,
                      l->location);
            if (m_options.lenient) l->setPath({}, l->location);
        }
    }

    static void resolveLeniently(Base& b)
    {
        b.resolveDataLinks(false);
        for (BaseData* d : b.data()) {
            if (d->parent() || d->linkPath().empty()) continue;
            b.message(Severity::Warning,
                      "attribute '" + d->name() + "': broken link \"" + d->linkPath() + "\" is left out", d->location);
            d->setLinkPath({});
        }
    }

    LoadOptions m_options;
    std::vector<PendingSource> m_pendingSources;
    std::vector<std::pair<std::shared_ptr<Node>, Attribute>> m_pendingNodes;  ///< references to what comes later
};

std::shared_ptr<Node> build(const SceneElement& element, const LoadOptions& options,
                            std::shared_ptr<SceneDocument> document = nullptr)
{
    if (!element.isNode)
        throw SceneError(element.description.where,
                         "the root of a scene is <Node>, found <" + element.description.type + ">");
    std::optional<FileMessageHandlerComponent::Silence> silence;
    std::optional<Trust::Look> look;
    if (options.draft) {
        silence.emplace();
        look.emplace();
    }
    const SceneOutput output(SceneOutput::Nothing);
    GraphBuilder builder(options);
    auto root = std::make_shared<Node>(element.name().empty() ? std::string("root") : element.name());
    if (element.name().empty()) root->d_name.setIsSet(false);
    const PhaseScope phase("Loading");
    root->location = element.description.where;
    root->scene().document = std::move(document);
    root->setLenient(options.lenient);
    // Before anything is parsed: reading attributes depends on it.
    if (!options.compatibility.empty()) root->setAttribute("compatibility", options.compatibility, {});
    builder.node(element, *root);
    if (const auto& d = root->scene().document;
        d && !options.compatibility.empty() && !element.description.find("compatibility"))
        d->unsettle(*root, "compatibility");
    builder.finish(*root);
    root->d_compatibility.setReadOnly(true);
    const std::uint64_t first = Base::nextSerial();
    if (options.addDefaultLoops) builder.addDefaultLoops(*root);
    if (root->scene().document) root->scene().document->leaveOut(first);
    return root;
}

/// Copies what was recorded into the report, whatever happens.
class Reporter
{
public:
    explicit Reporter(LoadReport* report) : m_report(report) {}
    ~Reporter()
    {
        if (m_report)
            m_report->messages.insert(m_report->messages.end(), m_recorder.messages().begin(),
                                      m_recorder.messages().end());
    }
    Reporter(const Reporter&) = delete;
    Reporter& operator=(const Reporter&) = delete;

private:
    LoadReport* m_report;
    MessageRecorder m_recorder;
};

}  // namespace

std::shared_ptr<Node> loadScene(const std::string& path, const LoadOptions& options, LoadReport* report)
{
    const Reporter reporter(report);
    auto document = std::make_shared<SceneDocument>();
    const SceneElement element = parseSceneFile(path, {options.strict, options.lenient}, document.get());
    return build(element, options, std::move(document));
}

std::shared_ptr<Node> loadSceneText(std::string text, const std::string& path, const LoadOptions& options,
                                    LoadReport* report)
{
    const Reporter reporter(report);
    auto document = std::make_shared<SceneDocument>();
    const SceneElement element =
        parseSceneText(std::move(text), path, {options.strict, options.lenient, options.draft}, document.get());
    return build(element, options, std::move(document));
}

std::shared_ptr<Node> buildScene(const SceneElement& root, const LoadOptions& options, LoadReport* report)
{
    const Reporter reporter(report);
    return build(root, options);
}

void buildInto(Node& parent, const SceneElement& element, const LoadOptions& options, LoadReport* report)
{
    const Reporter reporter(report);
    const SceneOutput output(SceneOutput::Nothing);
    GraphBuilder builder(options);
    builder.add(element, parent);
    builder.finish(parent);
}

std::vector<Message> tryElement(Node& parent, const SceneElement& element, const LoadOptions& options)
{
    const MessageCapture capture;
    const FileMessageHandlerComponent::Silence silence;
    const Trust::Look look;
    const SceneOutput output(SceneOutput::Nothing);
    GraphBuilder builder(options);
    const std::size_t components = parent.components().size(), children = parent.children().size();
    builder.add(element, parent);
    builder.finishAndRemove(parent, components, children);
    return capture.messages();
}

}  // namespace sofa::core
