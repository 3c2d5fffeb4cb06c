// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Points of states that come, go, move, and get other numbers.
#include "core/behavior/State.h"
#include "core/mesh/Renumbering.h"

namespace sofa::core {

namespace {

using Undo = BaseState::Undo;

/// All of them, the last one first.
Undo inReverse(std::vector<Undo> steps)
{
    return [steps = std::move(steps)] {
        for (auto it = steps.rbegin(); it != steps.rend(); ++it) (*it)();
    };
}

/// Coordinates of frames are combined by displacements from the first ancestor.
template <class D, class T, class V>
T combined(const Ancestors& from, const V& v)
{
    if (from.empty()) return T();
    if constexpr (D::isRigid && std::is_same_v<T, typename D::Coord>) {
        T x = v[from[0].index];
        typename D::Deriv d;
        for (const Ancestor& a : from) d += D::difference(v[a.index], v[from[0].index]) * a.weight;
        D::add(x, d);
        return x;
    } else {
        return inherited<T>(from, [&v](Index i) { return v[i]; });
    }
}

}  // namespace

template <class D>
template <class F>
void State<D>::forEachVector(F f)
{
    const auto all = [&](auto& table, const auto& before, std::initializer_list<Index> always) {
        for (Index i = 0; i < table.size(); ++i) {
            auto& slot = table[i];
            if (!slot.data || slot.data->value().size() != m_size) continue;
            // In a state that has lost all points, a vector without entries may be one that it never had.
            const bool isThere = m_size > 0 || slot.owned || !before[i].empty() ||
                                 (m_changed->count == 0 && std::ranges::find(always, i) != always.end());
            if (isThere) f(*slot.data, before[i]);
        }
    };
    using namespace vec_id;
    m_changed->coords.resize(std::max(m_changed->coords.size(), m_coords.size()));
    m_changed->derivs.resize(std::max(m_changed->derivs.size(), m_derivs.size()));
    all(m_coords, m_changed->coords, {position.index, restPosition.index});
    all(m_derivs, m_changed->derivs, {velocity.index, force.index, externalForce.index});
}

template <class D>
auto State<D>::beginPointChange() -> Undo
{
    if (m_changed) return [] {};
    auto kept = std::make_shared<ChangedPoints>();
    kept->count = m_size;
    kept->origin = identity(m_size);
    std::vector<std::pair<BaseData*, BaseData*>> links;
    const auto keep = [&links](auto& table, auto& values) {
        values.resize(table.size());
        for (std::size_t i = 0; i < table.size(); ++i) {
            if (!table[i].data || table[i].owned) continue;
            values[i] = table[i].data->value();
            if (BaseData* parent = table[i].data->parent()) links.emplace_back(table[i].data, parent);
            table[i].data->unlink();
        }
    };
    keep(m_coords, kept->coords);
    keep(m_derivs, kept->derivs);
    m_changed = std::move(kept);
    return [this, links] {
        m_changed.reset();
        for (const auto& [data, parent] : links) data->linkTo(*parent);
    };
}

template <class D>
void State<D>::setPointCount(std::size_t n)
{
    m_size = static_cast<Index>(n);
    pointCountChanged();
}

template <class D>
auto State<D>::removePoints(std::span<const Index> inOrder) -> Undo
{
    std::vector<Undo> undo{beginPointChange()};
    const Vector<Index> points(inOrder.begin(), inOrder.end());
    forEachVector([&](auto& data, const auto&) {
        undo.push_back([&data, points, removed = removeEntries(*data.edit(), points)] {
            insertEntries(*data.edit(), points, removed);
        });
    });
    undo.push_back([this, points, removed = removeEntries(m_changed->origin, points)] {
        insertEntries(m_changed->origin, points, removed);
        setPointCount(m_changed->origin.size());
    });
    setPointCount(m_changed->origin.size());
    return inReverse(std::move(undo));
}

template <class D>
auto State<D>::addPoints(const Vector<Ancestors>& from) -> Undo
{
    std::vector<Undo> undo{beginPointChange()};
    const std::size_t before = m_size, now = before + from.size();
    forEachVector([&](auto& data, const auto&) {
        auto v = data.edit();
        using T = std::remove_cvref_t<decltype(v[0])>;
        for (const Ancestors& a : from) v->push_back(combined<D, T>(a, *v));
        undo.push_back([&data, before] { data.edit()->resize(before); });
    });
    m_changed->origin.resize(now, InvalidIndex);
    undo.push_back([this, before] {
        m_changed->origin.resize(before);
        setPointCount(before);
    });
    setPointCount(now);
    return inReverse(std::move(undo));
}

template <class D>
auto State<D>::renumberPoints(std::span<const Index> now) -> Undo
{
    std::vector<Undo> undo{beginPointChange()};
    std::vector<std::pair<Index, Index>> forth, back;
    for (Index i = 0; i < now.size(); ++i) {
        forth.emplace_back(i, now[i]);
        back.emplace_back(now[i], i);
    }
    forEachVector([&](auto& data, const auto&) {
        renumberEntries(*data.edit(), forth);
        undo.push_back([&data, back] { renumberEntries(*data.edit(), back); });
    });
    renumberEntries(m_changed->origin, forth);
    undo.push_back([this, back] { renumberEntries(m_changed->origin, back); });
    return inReverse(std::move(undo));
}

template <class D>
auto State<D>::movePoints(std::span<const Index> points, const Vector<Ancestors>& to) -> Undo
{
    std::vector<Undo> undo{beginPointChange()};
    const Vector<Index> moved(points.begin(), points.end());
    forEachVector([&](auto& data, const auto&) {
        auto v = data.edit();
        std::remove_cvref_t<decltype(*v)> before, now;
        for (std::size_t k = 0; k < moved.size(); ++k) {
            before.push_back(v[moved[k]]);
            now.push_back(combined<D, std::remove_cvref_t<decltype(v[0])>>(to[k], *v));
        }
        for (std::size_t k = 0; k < moved.size(); ++k) v[moved[k]] = now[k];
        undo.push_back([&data, moved, before] {
            auto w = data.edit();
            for (std::size_t k = 0; k < moved.size(); ++k) w[moved[k]] = before[k];
        });
    });
    return inReverse(std::move(undo));
}

template <class D>
auto State<D>::restorePoints() -> Undo
{
    if (!m_changed) return [] {};
    std::vector<Undo> undo;
    const std::shared_ptr<ChangedPoints> was = m_changed;
    const Index sizeNow = m_size;
    const auto restore = [&](auto& table, auto& before, std::initializer_list<Index> constant) {
        before.resize(std::max(before.size(), table.size()));
        for (Index i = 0; i < table.size(); ++i) {
            if (!table[i].data) continue;
            auto& data = *table[i].data;
            const auto now = data.value();
            auto value = before[i];
            const bool follows = now.size() == sizeNow;
            if (table[i].owned) value.resize(follows ? was->count : 0);
            if (follows && value.size() == was->count && std::ranges::find(constant, i) == constant.end())
                for (std::size_t k = 0; k < now.size(); ++k)
                    if (was->origin[k] != InvalidIndex) value[was->origin[k]] = now[k];
            undo.push_back([&data, now] { data.setValue(now); });
            data.setValue(std::move(value));
        }
    };
    using namespace vec_id;
    restore(m_coords, was->coords, {restPosition.index, resetPosition.index});
    restore(m_derivs, was->derivs, {resetVelocity.index});
    m_changed.reset();
    setPointCount(was->count);
    undo.push_back([this, was, sizeNow] {
        m_changed = was;
        setPointCount(sizeNow);
    });
    return inReverse(std::move(undo));
}

template <class D>
auto State<D>::assignPoints(Vector<Index> origin) -> Undo
{
    (void)beginPointChange();
    forEachVector([&](auto& data, const auto&) {
        auto v = data.edit();
        std::remove_cvref_t<decltype(*v)> now(origin.size());
        for (std::size_t k = 0; k < origin.size(); ++k)
            if (origin[k] != InvalidIndex) now[k] = v[origin[k]];
        *v = std::move(now);
    });
    m_changed->origin = std::move(origin);
    setPointCount(m_changed->origin.size());
    return [this] { (void)restorePoints(); };
}

#define SOFA_INSTANTIATE(D)                                                               \
    template Undo State<D>::beginPointChange();                                           \
    template void State<D>::setPointCount(std::size_t);                                   \
    template Undo State<D>::removePoints(std::span<const Index>);                         \
    template Undo State<D>::addPoints(const Vector<Ancestors>&);                          \
    template Undo State<D>::renumberPoints(std::span<const Index>);                       \
    template Undo State<D>::movePoints(std::span<const Index>, const Vector<Ancestors>&); \
    template Undo State<D>::restorePoints();                                              \
    template Undo State<D>::assignPoints(Vector<Index>);
SOFA_STATE_TYPES(SOFA_INSTANTIATE)
#undef SOFA_INSTANTIATE

}  // namespace sofa::core
