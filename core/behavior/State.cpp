// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/State.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace sofa::core {

namespace {

/// The numbers of a vector of points, one after the other; nullptr if it is empty.
template <class V>
auto* scalarsOf(V& v)
{
    using Scalar = std::conditional_t<std::is_const_v<V>, const double, double>;
    return reinterpret_cast<Scalar*>(v.data());
}

}  // namespace

template <class D>
Data<typename D::VecCoord>& State<D>::coordData(VecCoordId id) const
{
    if (id.index >= m_coords.size() || !m_coords[id.index].data)
        throw std::logic_error(pathName() + ": coordinate vector " + std::to_string(id.index) + " is not allocated");
    return *m_coords[id.index].data;
}

template <class D>
Data<typename D::VecDeriv>& State<D>::derivData(VecDerivId id) const
{
    if (id.index >= m_derivs.size() || !m_derivs[id.index].data)
        throw std::logic_error(pathName() + ": derivative vector " + std::to_string(id.index) + " is not allocated");
    return *m_derivs[id.index].data;
}

template <class D>
void State<D>::bind(VecCoordId id, Data<VecCoord>& d)
{
    if (m_coords.size() <= id.index) m_coords.resize(id.index + 1);
    m_coords[id.index] = {&d, nullptr, 0, 0};
}

template <class D>
void State<D>::bind(VecDerivId id, Data<VecDeriv>& d)
{
    if (m_derivs.size() <= id.index) m_derivs.resize(id.index + 1);
    m_derivs[id.index] = {&d, nullptr, 0, 0};
}

template <class D>
void State<D>::allocate(VecCoordId id)
{
    if (id.isNull()) return;
    if (m_coords.size() <= id.index) m_coords.resize(id.index + 1);
    auto& slot = m_coords[id.index];
    if (!slot.data) {
        slot.owned = std::make_unique<Data<VecCoord>>(nullptr, DataInfo{"vector", "state vector of a solver"});
        slot.data = slot.owned.get();
    }
    if (slot.data->value().size() != m_size) slot.data->edit().resize(m_size);
}

template <class D>
void State<D>::allocate(VecDerivId id)
{
    if (id.isNull()) return;
    if (m_derivs.size() <= id.index) m_derivs.resize(id.index + 1);
    auto& slot = m_derivs[id.index];
    if (!slot.data) {
        slot.owned = std::make_unique<Data<VecDeriv>>(nullptr, DataInfo{"vector", "state vector of a solver"});
        slot.data = slot.owned.get();
    }
    if (slot.data->value().size() != m_size) slot.data->edit().resize(m_size);
}

template <class D>
bool State<D>::isAllocated(VecCoordId id) const
{
    return id.index < m_coords.size() && m_coords[id.index].data && m_coords[id.index].data->value().size() == m_size;
}

template <class D>
bool State<D>::isAllocated(VecDerivId id) const
{
    return id.index < m_derivs.size() && m_derivs[id.index].data && m_derivs[id.index].data->value().size() == m_size;
}

template <class D>
void State<D>::release(VecCoordId id)
{
    if (id.index < m_coords.size() && m_coords[id.index].owned) m_coords[id.index] = {};
}

template <class D>
void State<D>::release(VecDerivId id)
{
    if (id.index < m_derivs.size() && m_derivs[id.index].owned) m_derivs[id.index] = {};
}

template <class D>
void State<D>::resize(Index n)
{
    if (n == m_size) return;
    m_size = n;
    for (auto& s : m_coords)
        if (s.data && (s.owned || s.data->value().size() > 0)) s.data->edit().resize(n);
    for (auto& s : m_derivs)
        if (s.data && (s.owned || s.data->value().size() > 0)) s.data->edit().resize(n);
}

template <class D>
void State<D>::clear(VecDerivId v)
{
    auto& data = derivData(v);
    auto& slot = m_derivs[v.index];
    if (slot.zeroAt == data.counter() + 1) return;
    auto& a = data.edit();
    if (!a.empty()) std::memset(a[0].data(), 0, a.size() * sizeof(Deriv));
    slot.zeroAt = data.counter() + 1;
}

template <class D>
void State<D>::copy(VecCoordId v, VecCoordId a)
{
    if (v == a) return;
    const VecCoord& src = read(a);
    VecCoord& dst = write(v);
    dst.assign(src.begin(), src.end());
}

template <class D>
void State<D>::copy(VecDerivId v, VecDerivId a)
{
    if (v == a) return;
    const VecDeriv& src = read(a);
    const auto& from = m_derivs[a.index];
    if (from.zeroAt == from.data->counter() + 1 && derivData(v).value().size() == src.size()) return clear(v);
    VecDeriv& dst = write(v);
    dst.assign(src.begin(), src.end());
}

template <class D>
void State<D>::add(VecCoordId v, VecCoordId a, VecDerivId b, double f)
{
    // The written vector is fetched first: fetching it may move a shared array.
    VecCoord& x = write(v);
    const VecCoord& from = read(a);
    const VecDeriv& db = read(b);
    if (v != a) x.resize(from.size());
    if constexpr (std::is_same_v<Coord, Deriv>) {
        const double *p = scalarsOf(from), *d = scalarsOf(db);
        double* out = scalarsOf(x);
        const std::size_t n = x.size() * D::derivSize;
        for (std::size_t i = 0; i < n; ++i) out[i] = p[i] + d[i] * f;
    } else {
        if (v != a) std::copy(from.begin(), from.end(), x.begin());
        for (std::size_t i = 0; i < x.size(); ++i) D::add(x[i], db[i] * f);
    }
}

template <class D>
void State<D>::add(VecDerivId v, VecDerivId a, VecDerivId b, double f)
{
    const auto known = [this](VecDerivId id) {
        if (id.isNull()) return false;
        const std::size_t now = derivData(id).counter() + 1;  // throws if there is none
        return m_derivs[id.index].zeroAt == now;
    };
    if (known(b) && known(a) && std::isfinite(f) && derivData(v).value().size() == read(a).size()) return clear(v);
    // The written vector is fetched first: fetching it may move a shared array.
    VecDeriv& out = write(v);
    if (b.isNull()) {
        copy(v, a);
    } else if (a.isNull()) {
        const VecDeriv& vb = read(b);
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = vb[i] * f;
    } else {
        const double *va = scalarsOf(read(a)), *vb = scalarsOf(read(b));
        double* to = scalarsOf(out);
        const std::size_t n = out.size() * D::derivSize;
        if (f == 1.)
            for (std::size_t i = 0; i < n; ++i) to[i] = va[i] + vb[i];
        else
            for (std::size_t i = 0; i < n; ++i) to[i] = va[i] + vb[i] * f;
    }
}

template <class D>
void State<D>::scale(VecDerivId v, double f)
{
    const std::size_t now = derivData(v).counter() + 1;
    if (m_derivs[v.index].zeroAt == now && std::isfinite(f)) return;
    VecDeriv& d = write(v);
    double* to = scalarsOf(d);
    const std::size_t n = d.size() * D::derivSize;
    for (std::size_t i = 0; i < n; ++i) to[i] *= f;
}

template <class D>
double State<D>::dot(VecDerivId a, VecDerivId b) const
{
    const VecDeriv &va = read(a), &vb = read(b);
    double s = 0.;
    for (std::size_t i = 0; i < va.size(); ++i)
        for (std::size_t k = 0; k < D::derivSize; ++k) s += va[i][k] * vb[i][k];
    return s;
}

template <class D>
void State<D>::difference(VecDerivId v, VecCoordId a, VecCoordId b)
{
    const VecCoord &xa = read(a), &xb = read(b);
    VecDeriv& d = write(v);
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = D::difference(xa[i], xb[i]);
}

template <class D>
double State<D>::maxNorm(VecDerivId v) const
{
    double m = 0.;
    for (const Deriv& d : read(v))
        for (std::size_t k = 0; k < D::derivSize; ++k) m = std::max(m, std::abs(d[k]));
    return m;
}

namespace {

/// A finite sum of scalars times zero is zero; one not-finite scalar makes it NaN.
bool allFinite(const double* s, std::size_t n)
{
    constexpr std::size_t lanes = 8;
    std::array<double, lanes> probe{};
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes)
        for (std::size_t k = 0; k < lanes; ++k) probe[k] += s[i + k] * 0.;
    for (; i < n; ++i) probe[0] += s[i] * 0.;
    return std::ranges::all_of(probe, [](double p) { return p == 0.; });
}

}  // namespace

template <class D>
template <class V>
Index State<D>::firstNonFinite(const Slot<V>& slot, std::size_t scalarsPerPoint)
{
    const std::size_t now = slot.data->counter() + 1;
    if (slot.finiteAt == now) return InvalidIndex;
    const V& v = slot.data->value();
    const double* s = scalarsOf(v);
    if (allFinite(s, v.size() * scalarsPerPoint)) {
        slot.finiteAt = now;
        return InvalidIndex;
    }
    std::size_t i = 0;
    while (allFinite(s + i * scalarsPerPoint, scalarsPerPoint)) ++i;
    return static_cast<Index>(i);
}

template <class D>
Index State<D>::firstNonFinite(VecCoordId v) const
{
    coordData(v);  // throws if there is none
    return firstNonFinite(m_coords[v.index], D::coordSize);
}

template <class D>
Index State<D>::firstNonFinite(VecDerivId v) const
{
    derivData(v);
    return firstNonFinite(m_derivs[v.index], D::derivSize);
}

template <class D>
Index State<D>::firstBeyond(VecCoordId v, const Vec3& center, double distance) const
{
    const VecCoord& x = read(v);
    for (std::size_t i = 0; i < x.size(); ++i)
        if (norm2(D::position(x[i]) - center) > distance * distance) return static_cast<Index>(i);
    return InvalidIndex;
}

template <class D>
Index State<D>::firstFaster(VecDerivId v, double speed, double spin) const
{
    constexpr std::size_t linear = D::isRigid ? D::spatialDimensions : D::derivSize;
    const VecDeriv& d = read(v);
    for (std::size_t i = 0; i < d.size(); ++i) {
        double straight = 0., turning = 0.;
        for (std::size_t k = 0; k < linear; ++k) straight += d[i][k] * d[i][k];
        for (std::size_t k = linear; k < D::derivSize; ++k) turning += d[i][k] * d[i][k];
        if (straight > speed * speed || turning > spin * spin) return static_cast<Index>(i);
    }
    return InvalidIndex;
}

template <class D>
void State<D>::getScalars(VecCoordId v, double* out) const
{
    const VecCoord& x = read(v);
    for (std::size_t i = 0; i < x.size(); ++i)
        std::memcpy(out + i * D::coordSize, &x[i], D::coordSize * sizeof(double));
}

template <class D>
void State<D>::getScalars(VecDerivId v, double* out) const
{
    const VecDeriv& d = read(v);
    if (!d.empty()) std::memcpy(out, d[0].data(), d.size() * D::derivSize * sizeof(double));
}

template <class D>
void State<D>::setScalars(VecCoordId v, const double* in)
{
    VecCoord& x = write(v);
    for (std::size_t i = 0; i < x.size(); ++i)
        std::copy(in + i * D::coordSize, in + (i + 1) * D::coordSize, core::scalars(x[i]));
}

template <class D>
void State<D>::setScalars(VecDerivId v, const double* in)
{
    VecDeriv& d = write(v);
    if (!d.empty()) std::memcpy(d[0].data(), in, d.size() * D::derivSize * sizeof(double));
}

template <class D>
const double* State<D>::scalars(VecDerivId v) const
{
    const VecDeriv& d = read(v);
    return d.empty() ? nullptr : d[0].data();
}

template <class D>
double* State<D>::editScalars(VecDerivId v)
{
    VecDeriv& d = write(v);
    return d.empty() ? nullptr : d[0].data();
}

template <class D>
Vec3 State<D>::pointPosition(Index i, VecCoordId v) const
{
    return D::position(read(v)[i]);
}

template <class D>
BoundingBox State<D>::boundingBox() const
{
    BoundingBox b;
    if (isAllocated(vec_id::position))
        for (const Coord& c : positions()) b.include(D::position(c));
    return b;
}

template <class D>
void State<D>::archive(Archive& a)
{
    // Every vector that exists, with its identifier: named ones and those of solvers (warm starts).
    const auto vectors = [&](auto& table, auto makeId) {
        std::uint32_t count = 0;
        for (const auto& s : table) count += s.data ? 1 : 0;
        a(count);
        for (std::uint32_t k = 0, i = 0; k < count; ++k, ++i) {
            if (!a.loading())
                while (!table[i].data) ++i;
            a(i);
            if (a.loading() && (i >= table.size() || !table[i].data)) allocate(makeId(i));
            auto values = table[i].data->value();
            a(values);
            if (a.loading()) table[i].data->setValue(std::move(values));
        }
    };
    a(m_size);
    vectors(m_coords, [](Index i) { return VecCoordId{i}; });
    vectors(m_derivs, [](Index i) { return VecDerivId{i}; });
}

template class State<Vec1Types>;
template class State<Vec2Types>;
template class State<Vec3Types>;
template class State<Vec6Types>;
template class State<Rigid2Types>;
template class State<Rigid3Types>;

}  // namespace sofa::core
