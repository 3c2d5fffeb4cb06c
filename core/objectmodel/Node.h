// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <unordered_set>

#include "core/objectmodel/Component.h"
#include "core/objectmodel/NameIndex.h"
#include "core/parallel/Parallel.h"

namespace sofa::core {

/// Where typed look-ups search, starting from a node.
enum class Search
{
    Local,  ///< the node itself
    Up,     ///< the node, then its ancestors, nearest first
    Down,   ///< the node and everything below it
    Root    ///< everything below the root
};

/// Something computed from the structure of a sub-graph and kept until that structure changes.
struct NodeCache
{
    virtual ~NodeCache() = default;
};

/// Node of the scene graph: holds components and child nodes. The graph is directed and acyclic; a node may have
/// several parents. Nodes and components are owned jointly by the graph (shared_ptr).
class Node : public Base, public std::enable_shared_from_this<Node>
{
public:
    explicit Node(std::string name = {});
    ~Node() override;

    Data<Vec3> d_gravity{
        this,
        {.name = "gravity", .help = "Gravity; the root's value holds in the whole graph", .unit = "m/s^2"},
        Vec3{0., -9.81, 0.}};
    Data<double> d_dt{this,
                      {.name = "dt",
                       .help = "Time step; the root's value holds in the whole graph",
                       .unit = "s",
                       .range = Range::nonNegative()},
                      0.01};
    Data<double> d_time{this, {.name = "time", .help = "Present time", .unit = "s"}, 0.};
    Data<bool> d_animate{this, {.name = "animate", .help = "Start the animation when the scene is opened"}, false};
    Data<bool> d_activated{
        this, {.name = "activated", .help = "Whether algorithms visit this node and what is below it"}, true};
    Data<FileName> d_checkpoint{
        this,
        {.name = "checkpoint",
         .help = "State with which the scene begins, as it was saved with it; of the root (docs/scene-format.md)"}};
    Data<Options> d_compatibility{
        this,
        {.name = "compatibility",
         .help = "exact, or sofa: SOFA's numbers also where it rounds them, as the attributes that it reads in single "
                 "precision; the root's value holds in the whole graph, from the time the scene is loaded"},
        Options({"exact", "sofa"})};
    Data<Vector<double>> d_bbox{this, {.name = "bbox", .help = "Bounding box of the scene: two corners", .unit = "m"}};

    std::string className() const override { return "Node"; }
    std::string pathName() const override;
    Node* linkContext() const override { return const_cast<Node*>(this); }
    void setDeclared(std::string_view name, std::string_view text) override;
    void parse(ComponentDescription& desc) override;
    void dataChanged(const BaseData& d) override;
    static std::string_view typeLabel() { return "node"; }

    // --- Structure ------------------------------------------------------------------------------------------------
    const std::vector<std::shared_ptr<Node>>& children() const { return m_children; }
    const std::vector<Node*>& parents() const { return m_parents; }
    const std::vector<std::shared_ptr<Component>>& components() const { return m_components; }

    //
    // What leaves a scene lets go of what stays, and is let go: links and Data that led there become empty. Between
    // init and cleanup of a Simulation what was removed is kept alive until the next step, which begins with
    // Simulation::settle.

    static constexpr std::size_t atEnd = std::numeric_limits<std::size_t>::max();
    /// Adds a child (which may have other parents) before those from `place` on; gives it the name "NodeN" (N counted
    /// in this node) if it has none. Throws CycleError if it is an ancestor.
    void addChild(std::shared_ptr<Node> child, std::size_t place = atEnd);
    std::shared_ptr<Node> createChild(std::string name);
    void removeChild(Node& child);
    /// Moves a child of this node below another node of the scene, or to another place here; it never leaves the scene.
    void moveChild(Node& child, Node& to, std::size_t place = atEnd);
    /// Adds a component before those from `place` on; gives it the name "ClassN" (N counted in this node) if it has
    /// none. One that is in a node already is moved: it does not leave the scene.
    void addComponent(std::shared_ptr<Component> c, std::size_t place = atEnd);
    void removeComponent(Component& c);
    /// The same for several, in the time that one takes.
    void removeComponents(std::span<Component* const> components);
    struct ComponentMove
    {
        Component* component;
        Node* to;
    };
    /// Moves components, each of which comes once, to the ends of other nodes of their scene, in the order of the list.
    /// All that one node gives away takes the time of one component.
    static void moveComponents(std::span<const ComponentMove> moves);
    /// Place of an object among the children or components; atEnd if it is not there.
    std::size_t placeOf(const Node& child) const;
    std::size_t placeOf(const Component& c) const;
    /// Creates a component of type T in this node.
    template <class T, class... A>
    T& create(A&&... args)
    {
        auto c = std::make_shared<T>(std::forward<A>(args)...);
        addComponent(c);
        return *c;
    }

    Node* child(std::string_view name) const;
    Component* component(std::string_view name) const;
    Node& root();
    const Node& root() const { return const_cast<Node*>(this)->root(); }
    /// True if `n` is this node or below it.
    bool contains(const Node& n) const;
    bool isActive() const { return d_activated.value(); }

    /// Whether what SOFA tolerates is a warning in this scene instead of an error (LoadOptions::lenient, --lenient).
    bool isLenient() const { return root().m_lenient; }
    void setLenient(bool on) { root().m_lenient = on; }

    /// Grows whenever a node or component below this node is added, removed, activated or re-tagged, or begins or ends
    /// to listen.
    std::size_t version() const { return m_version; }
    /// Records a change of structure here and in every ancestor.
    void touch();

    /// What the whole scene shares; of the root.
    SceneState& scene() { return root().ownScene(); }
    /// The object of a number in the whole scene; nullptr if there is none.
    Base* findById(ObjectId id);
    /// A listener of this scene, of which this is the root, until it is taken away. It may not come or go while it is
    /// told something.
    void addListener(SceneListener& l);
    void removeListener(SceneListener& l);
    /// Grows with everything that listeners of this scene, of which this is the root, would hear, but for values.
    std::uint64_t changeCount() const { return m_scene ? m_scene->changes.load() : 0; }
    using Base::tell;
    /// Tells the listeners of this scene, of which this is the root.
    void tell(const SceneChange& change);

    // --- Look-up --------------------------------------------------------------------------------------------------
    /// First component of type T (a class or an interface), in the order of the scene; nullptr if there is none. Of a
    /// type that declares `lastInNodeWins` (topologies), the last one of the node itself comes before all others: a
    /// node that derives one mesh from another works on the derived one.
    template <class T>
    T* get(Search where = Search::Up) const
    {
        if constexpr (requires { T::lastInNodeWins; })
            if (T* last = lastOwn<T>()) return last;
        T* found = nullptr;
        if (where == Search::Root)
            withAll<T>(where, [&](std::span<T* const> all) { found = all.empty() ? nullptr : all.front(); });
        else
            visitNodes(where, [&](const Node& n) { return !(found = n.firstOwn<T>()); });
        return found;
    }
    /// Every component of type T.
    template <class T>
    std::vector<T*> getAll(Search where = Search::Local) const
    {
        std::vector<T*> out;
        withAll<T>(where, [&](std::span<T* const> some) { out.insert(out.end(), some.begin(), some.end()); });
        return out;
    }
    /// Calls `f` on every component of type T of this node, which must not lose or get any meanwhile.
    template <class T, class F>
    void forOwn(const F& f) const
    {
        withOwn<T>([&f](std::span<T* const> own) {
            for (T* t : own) f(*t);
        });
    }
    /// Calls `f` on components until it returns false.
    void visit(Search where, const std::function<bool(Component&)>& f) const;
    /// Nodes at and below this one, each once, parents before children (depth first, in the order of the scene; a node
    /// with several parents comes after all of them). Inactive sub-graphs are left out unless asked for.
    std::vector<Node*> descendants(bool includeInactive = false) const;
    /// This node and those above it, each once, a node before its parents and these in their order: where look-ups
    /// upwards search. With one parent each, the way to the root.
    std::vector<Node*> ancestors() const;

    // --- Simulation context ---------------------------------------------------------------------------------------
    /// Gravity [m/s²], time step [s] and time [s] that hold here: those of the root, unless a component of this node or
    /// an ancestor overrides gravity.
    Vec3 gravity() const;
    double dt() const;
    double time() const;
    void overrideGravity(std::optional<Vec3> g) { m_gravityOverride = g; }
    /// What the root's `compatibility` was when it was first asked for: later changes of the Data have no effect, so
    /// that all components get the same answer, while they are parsed and later.
    Compatibility compatibility() const;

    /// Sends an event to every listening component at and below this node, top-down.
    void propagateEvent(const Event& e);

    /// Old display attributes ("showBehaviorModels", ...) as the scene wrote them, for viewers.
    const std::map<std::string, std::string>& displayAttributes() const { return m_display; }

    /// Cache slot for what algorithms compile from the structure; the caller checks version().
    std::shared_ptr<NodeCache> cache;

private:
    using NodeFunction = FunctionRef<bool(const Node&)>;
    /// Calls `f` on the nodes of a search in their order until it returns false.
    void visitNodes(Search where, NodeFunction f) const;
    using NodeSet = std::unordered_set<const Node*>;  ///< to look nodes up, never to go through
    bool visitDown(NodeSet& seen, NodeFunction f) const;

    // Steps of a simulation ask for the same types again and again: each node keeps its components of the types that it
    // was asked for, and a root those of the whole graph until that changes. Look-ups may come
    // from several threads, changes not.
    struct TypeList
    {
        virtual ~TypeList() = default;
        virtual void add(Component& c) = 0;
        virtual void remove(std::span<Component* const> gone) = 0;
    };
    template <class T>
    struct TypeListOf final : TypeList
    {
        std::vector<T*> components;
        void add(Component& c) override
        {
            if (auto* t = dynamic_cast<T*>(&c)) components.push_back(t);
        }
        void remove(std::span<Component* const> gone) override
        {
            std::vector<T*> mine;
            for (Component* c : gone)
                if (auto* t = dynamic_cast<T*>(c)) mine.push_back(t);
            if (mine.empty()) return;
            if (mine.size() == 1) {
                std::erase(components, mine[0]);
                return;
            }
            std::ranges::sort(mine, std::less<>());
            std::erase_if(components, [&](T* t) { return std::ranges::binary_search(mine, t, std::less<>()); });
        }
    };
    struct TypeLists;
    using KeptTypes = std::atomic<TypeLists*>;
    /// Lists of some types, and those of later ones.
    struct TypeLists
    {
        std::array<std::atomic<TypeList*>, 64> lists{};
        KeptTypes more{nullptr};
        ~TypeLists()
        {
            for (auto& l : lists) delete l.load();
            delete more.load();
        }
    };
    /// Numbers types in the order in which they are asked for first.
    static std::size_t nextTypeNumber();
    template <class T>
    static std::size_t typeNumber()
    {
        static const std::size_t number = nextTypeNumber();
        return number;
    }
    static std::atomic<TypeList*>& listOf(KeptTypes& kept, std::size_t number);
    static void forEachList(const KeptTypes& kept, const std::function<void(TypeList&)>& f);
    static void forget(KeptTypes& kept) { delete kept.exchange(nullptr); }

    /// Gives `f` the components of type T, from what is kept if they were asked for before; `fill` lists them else.
    template <class T, class Fill, class F>
    static void withKept(KeptTypes& kept, const Fill& fill, const F& f)
    {
        const std::size_t number = typeNumber<T>();
        std::atomic<TypeList*>& place = listOf(kept, number);
        TypeList* list = place.load(std::memory_order_acquire);
        if (!list) {
            auto fresh = std::make_unique<TypeListOf<T>>();
            fill(*fresh);
            if (place.compare_exchange_strong(list, fresh.get(), std::memory_order_acq_rel)) list = fresh.release();
        }
        f(std::span<T* const>(static_cast<TypeListOf<T>*>(list)->components));
    }
    /// Gives `f` the components of type T of this node.
    template <class T, class F>
    void withOwn(const F& f) const
    {
        if (m_components.empty()) return;
        const auto fill = [this](TypeListOf<T>& list) {
            for (const auto& c : m_components) list.add(*c);
        };
        withKept<T>(m_types, fill, f);
    }
    /// Gives `f` the components of type T of the search.
    template <class T, class F>
    void withAll(Search where, const F& f) const
    {
        const auto visitAll = [this, where](const auto& g) {
            visitNodes(where, [&](const Node& n) {
                n.withOwn<T>(g);
                return true;
            });
        };
        if (where == Search::Local) return withOwn<T>(f);
        if (where != Search::Root && !(where == Search::Down && m_parents.empty())) return visitAll(f);
        const auto fill = [&](TypeListOf<T>& list) {
            visitAll([&](std::span<T* const> own) {
                list.components.insert(list.components.end(), own.begin(), own.end());
            });
        };
        withKept<T>(root().m_typesBelow, fill, f);
    }
    template <class T>
    T* firstOwn() const
    {
        T* first = nullptr;
        withOwn<T>([&](std::span<T* const> own) { first = own.empty() ? nullptr : own.front(); });
        return first;
    }
    template <class T>
    T* lastOwn() const
    {
        T* last = nullptr;
        withOwn<T>([&](std::span<T* const> own) { last = own.empty() ? nullptr : own.back(); });
        return last;
    }

    SceneState& ownScene();
    /// Gives a number to an object that has none of this scene, and to what is below it.
    void number(Base& object);
    /// After an object left this node and the scene.
    void left(const std::shared_ptr<Base>& object, bool transient);
    void changedStructure(SceneChange::Kind kind, Base& object, bool transient);
    bool hasParentIn(const Node& scene, const Node* otherThan = nullptr) const;
    /// Takes components of this node out of the list; in their order.
    std::vector<std::shared_ptr<Component>> take(std::span<Component* const> components);
    std::shared_ptr<Node> take(Node& child);
    void put(std::shared_ptr<Component> c, std::size_t place);
    void put(std::shared_ptr<Node> child, std::size_t place);

    template <class T>
    void giveName(T& object, const std::string& base, const NameIndex<T>& names,
                  const std::vector<std::shared_ptr<T>>& list);

    std::vector<std::shared_ptr<Node>> m_children;
    std::vector<Node*> m_parents;
    std::vector<std::shared_ptr<Component>> m_components;
    NameIndex<Node> m_childNames;
    NameIndex<Component> m_componentNames;
    std::map<std::string, int> m_nameCounters;
    std::map<std::string, std::string> m_display;
    std::optional<Vec3> m_gravityOverride;
    mutable std::optional<Compatibility> m_compatibility;
    std::size_t m_version = 0;
    std::unique_ptr<SceneState> m_scene;  ///< of the root
    bool m_lenient = false;               ///< of the root
    mutable KeptTypes m_types{nullptr}, m_typesBelow{nullptr};
    std::vector<std::weak_ptr<Component>> m_listeners;  ///< at and below this node, in m_listenersVersion
    std::size_t m_listenersVersion = 0;
    friend class Component;
    friend class Leaving;
};

}  // namespace sofa::core
