// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/State.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "core/behavior/KeptVectors.h"
#include "core/objectmodel/Node.h"

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
    if (id.index >= m_coords.size() || !m_coords[id.index].data || m_coords[id.index].generation != id.generation)
        throw std::logic_error(pathName() + ": coordinate vector " + std::to_string(id.index) + " is not allocated");
    return *m_coords[id.index].data;
}

template <class D>
Data<typename D::VecDeriv>& State<D>::derivData(VecDerivId id) const
{
    if (id.index >= m_derivs.size() || !m_derivs[id.index].data || m_derivs[id.index].generation != id.generation)
        throw std::logic_error(pathName() + ": derivative vector " + std::to_string(id.index) + " is not allocated");
    return *m_derivs[id.index].data;
}

template <class D>
template <class V>
State<D>::Remote<V>::Remote(Data<V>& d, std::unique_ptr<VectorBuffer> b, std::size_t scalars)
    : data(d), buffer(std::move(b)), scalarsPerPoint(scalars)
{
    const bool wasDirty = d.isDirty();
    d.addDependency(*this);
    if (!wasDirty) (void)d.value();  // nothing has changed
}

template <class D>
template <class V>
void State<D>::Remote<V>::update()
{
    if (!isNewer) return;
    {
        auto v = data.edit();
        v->resize(buffer->size() / scalarsPerPoint);
        if (!v.empty()) buffer->download({reinterpret_cast<double*>(v.data()), buffer->size()});
    }
    isNewer = false;
    seen = data.changeCount() + 1;
}

template <class D>
template <class V>
void State<D>::Remote<V>::upload()
{
    if (isNewer && data.isDirty()) return;
    const V& v = data.value();
    isNewer = false;
    this->clearDirty();
    if (seen == data.changeCount() + 1) return;
    buffer->resize(v.size() * scalarsPerPoint);
    if (!v.empty()) buffer->upload({reinterpret_cast<const double*>(v.data()), buffer->size()});
    seen = data.changeCount() + 1;
}

template <class D>
template <class V>
void State<D>::Remote<V>::changed()
{
    if (buffer->forbidsStaleAccess()) {
        const auto v = data.edit();
        for (auto& x : v) std::fill_n(core::scalars(x), scalarsPerPoint, std::numeric_limits<double>::quiet_NaN());
    }
    isNewer = true;
    this->setDirty();
}

template <class D>
void State<D>::bind(VecCoordId id, Data<VecCoord>& d)
{
    if (m_coords.size() <= id.index) m_coords.resize(id.index + 1);
    m_coords[id.index].data = &d;
}

template <class D>
void State<D>::bind(VecDerivId id, Data<VecDeriv>& d)
{
    if (m_derivs.size() <= id.index) m_derivs.resize(id.index + 1);
    m_derivs[id.index].data = &d;
}

template <class D>
template <class V>
void State<D>::allocateIn(std::vector<Slot<V>>& table, Index index, std::uint32_t generation)
{
    if (index == 0) return;
    if (table.size() <= index) table.resize(index + 1);
    auto& slot = table[index];
    if (!slot.data) {
        slot.owned = std::make_unique<Data<V>>(nullptr, DataInfo{"vector", "state vector of a solver"});
        slot.data = slot.owned.get();
    }
    // What another one left, for a while or in another scene, is not what a new vector begins with.
    if ((generation == 0 || isKept(generation)) && slot.generation != generation) slot.data->setValue({});
    slot.generation = generation;
    if (slot.data->value().size() != m_size) slot.data->edit()->resize(m_size);
}

template <class D>
void State<D>::allocate(VecCoordId id)
{
    allocateIn(m_coords, id.index, id.generation);
}

template <class D>
void State<D>::allocate(VecDerivId id)
{
    allocateIn(m_derivs, id.index, id.generation);
}

/// A vector gets its buffer when that is asked for first: a constructor, which binds the named ones, cannot know.
template <class D>
template <class V>
VectorBuffer* State<D>::bufferOf(std::vector<Slot<V>>& table, Index index, std::size_t scalarsPerPoint,
                                 bool write) const
{
    if (index == 0 || index >= table.size() || !table[index].data) return nullptr;
    auto& remote = table[index].remote;
    if (!remote) {
        auto made = makeBuffer();
        if (!made) return nullptr;
        remote = std::make_unique<Remote<V>>(*table[index].data, std::move(made), scalarsPerPoint);
    }
    remote->upload();
    if (write) remote->changed();
    return remote->buffer.get();
}

template <class D>
const VectorBuffer* State<D>::buffer(VecCoordId id) const
{
    return bufferOf(const_cast<State*>(this)->m_coords, id.index, D::coordSize, false);
}

template <class D>
const VectorBuffer* State<D>::buffer(VecDerivId id) const
{
    return bufferOf(const_cast<State*>(this)->m_derivs, id.index, D::derivSize, false);
}

template <class D>
VectorBuffer* State<D>::editBuffer(VecCoordId id)
{
    return bufferOf(m_coords, id.index, D::coordSize, true);
}

template <class D>
VectorBuffer* State<D>::editBuffer(VecDerivId id)
{
    return bufferOf(m_derivs, id.index, D::derivSize, true);
}

template <class D>
bool State<D>::isAllocated(VecCoordId id) const
{
    return id.index < m_coords.size() && m_coords[id.index].data && m_coords[id.index].generation == id.generation &&
           m_coords[id.index].data->value().size() == m_size;
}

template <class D>
bool State<D>::isAllocated(VecDerivId id) const
{
    return id.index < m_derivs.size() && m_derivs[id.index].data && m_derivs[id.index].generation == id.generation &&
           m_derivs[id.index].data->value().size() == m_size;
}

template <class D>
void State<D>::resize(Index n)
{
    if (n == m_size) return;
    m_size = n;
    for (auto& s : m_coords)
        if (s.data && (s.owned || s.data->value().size() > 0)) s.data->edit()->resize(n);
    for (auto& s : m_derivs)
        if (s.data && (s.owned || s.data->value().size() > 0)) s.data->edit()->resize(n);
}

template <class D>
void State<D>::clear(VecDerivId v)
{
    auto& data = derivData(v);
    auto& slot = m_derivs[v.index];
    if (VectorBuffer* b = editBuffer(v)) return b->clear();
    if (slot.zeroAt == data.counter() + 1) return;
    if (auto a = data.edit(); !a.empty()) std::memset(a[0].data(), 0, a.size() * sizeof(Deriv));
    slot.zeroAt = data.counter() + 1;
}

template <class D>
void State<D>::copy(VecCoordId v, VecCoordId a)
{
    if (v == a) return;
    if (const VectorBuffer* from = buffer(a))
        if (VectorBuffer* to = editBuffer(v)) {
            to->resize(from->size());
            return to->copy(*from);
        }
    const VecCoord& src = read(a);
    write(v)->assign(src.begin(), src.end());
}

template <class D>
void State<D>::copy(VecDerivId v, VecDerivId a)
{
    if (v == a) return;
    if (const VectorBuffer* from = buffer(a))
        if (VectorBuffer* to = editBuffer(v)) {
            to->resize(from->size());
            return to->copy(*from);
        }
    const VecDeriv& src = read(a);
    const auto& from = m_derivs[a.index];
    if (from.zeroAt == from.data->counter() + 1 && derivData(v).value().size() == src.size()) return clear(v);
    write(v)->assign(src.begin(), src.end());
}

template <class D>
void State<D>::add(VecCoordId v, VecCoordId a, VecDerivId b, double f)
{
    // The written vector is fetched first: fetching it may move a shared array.
    if constexpr (std::is_same_v<Coord, Deriv>)
        if (const VectorBuffer* from = buffer(a), *db = buffer(b); from && db && buffer(v)) {
            VectorBuffer* to = editBuffer(v);
            to->resize(from->size());
            return to->add(from, db, f);
        }
    const auto x = write(v);
    const VecCoord& from = read(a);
    const VecDeriv& db = read(b);
    if (v != a) x->resize(from.size());
    if constexpr (std::is_same_v<Coord, Deriv>) {
        const double *p = scalarsOf(from), *d = scalarsOf(db);
        double* out = scalarsOf(*x);
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
    derivData(v);  // throws if there is none
    if (buffer(v)) {
        const VectorBuffer *from = buffer(a), *db = buffer(b);
        return editBuffer(v)->add(from, db, f);
    }
    const auto known = [this](VecDerivId id) {
        if (id.isNull()) return false;
        const std::size_t now = derivData(id).counter() + 1;  // throws if there is none
        return m_derivs[id.index].zeroAt == now;
    };
    if (known(b) && known(a) && std::isfinite(f) && derivData(v).value().size() == read(a).size()) return clear(v);
    // The written vector is fetched first: fetching it may move a shared array.
    if (b.isNull()) return copy(v, a);
    const auto out = write(v);
    if (a.isNull()) {
        const VecDeriv& vb = read(b);
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = vb[i] * f;
    } else {
        const double *va = scalarsOf(read(a)), *vb = scalarsOf(read(b));
        double* to = scalarsOf(*out);
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
    derivData(v);  // throws if there is none
    if (VectorBuffer* b = editBuffer(v)) return b->scale(f);
    const std::size_t now = derivData(v).counter() + 1;
    if (m_derivs[v.index].zeroAt == now && std::isfinite(f)) return;
    const auto d = write(v);
    double* to = scalarsOf(*d);
    const std::size_t n = d.size() * D::derivSize;
    for (std::size_t i = 0; i < n; ++i) to[i] *= f;
}

template <class D>
double State<D>::dot(VecDerivId a, VecDerivId b) const
{
    if (const VectorBuffer* ba = buffer(a), *bb = buffer(b); ba && bb) return ba->dot(*bb);
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
    const auto d = write(v);
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

/// Size of the largest of n scalars; not finite where one of them is not: that one times zero is NaN.
double largestOf(const double* s, std::size_t n)
{
    constexpr std::size_t lanes = 8;
    std::array<double, lanes> probe{}, largest{};
    const auto take = [&](std::size_t k, double x) {
        probe[k] += x * 0.;
        largest[k] = std::abs(x) > largest[k] ? std::abs(x) : largest[k];
    };
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes)
        for (std::size_t k = 0; k < lanes; ++k) take(k, s[i + k]);
    for (; i < n; ++i) take(0, s[i]);
    return std::ranges::max(largest) + std::accumulate(probe.begin(), probe.end(), 0.);
}

}  // namespace

template <class D>
template <class V>
double State<D>::largestScalar(const Slot<V>& slot, std::size_t scalarsPerPoint)
{
    const std::size_t now = slot.data->counter() + 1;
    if (slot.measuredAt != now) {
        const V& v = slot.data->value();
        slot.largest = largestOf(scalarsOf(v), v.size() * scalarsPerPoint);
        slot.measuredAt = now;
    }
    return slot.largest;
}

template <class D>
template <class V>
Index State<D>::firstNonFinite(const Slot<V>& slot, std::size_t scalarsPerPoint)
{
    if (std::isfinite(largestScalar(slot, scalarsPerPoint))) return InvalidIndex;
    const double* s = scalarsOf(slot.data->value());
    std::size_t i = 0;
    while (std::isfinite(largestOf(s + i * scalarsPerPoint, scalarsPerPoint))) ++i;
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
    if (std::sqrt(3.) * largestScalar(m_coords[v.index], D::coordSize) + norm(center) <= distance) return InvalidIndex;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (norm2(D::position(x[i]) - center) > distance * distance) return static_cast<Index>(i);
    return InvalidIndex;
}

template <class D>
Index State<D>::firstFaster(VecDerivId v, double speed, double spin) const
{
    constexpr std::size_t linear = D::isRigid ? D::spatialDimensions : D::derivSize;
    const VecDeriv& d = read(v);
    if (std::sqrt(double{D::derivSize}) * largestScalar(m_derivs[v.index], D::derivSize) <= std::min(speed, spin))
        return InvalidIndex;
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
    const auto x = write(v);
    for (std::size_t i = 0; i < x.size(); ++i)
        std::copy(in + i * D::coordSize, in + (i + 1) * D::coordSize, core::scalars(x[i]));
}

template <class D>
void State<D>::setScalars(VecDerivId v, const double* in)
{
    const auto d = write(v);
    if (!d.empty()) std::memcpy(d[0].data(), in, d.size() * D::derivSize * sizeof(double));
}

template <class D>
const double* State<D>::scalars(VecDerivId v) const
{
    const VecDeriv& d = read(v);
    return d.empty() ? nullptr : d[0].data();
}

template <class D>
double* State<D>::beginScalars(VecDerivId v)
{
    const auto d = write(v);
    return d.empty() ? nullptr : d[0].data();
}

template <class D>
void State<D>::endScalars(VecDerivId v)
{
    (void)write(v);  // what depends on it is marked
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
    // The named vectors that exist, with their identifiers, and those that components keep.
    const auto named = [&](auto& table, auto makeId, Index first) {
        const std::size_t end = std::min<std::size_t>(table.size(), first);
        std::uint32_t count = 0;
        for (std::size_t i = 0; i < end; ++i) count += table[i].data ? 1 : 0;
        a(count);
        for (std::uint32_t k = 0, i = 0; k < count; ++k, ++i) {
            if (!a.loading())
                while (!table[i].data) ++i;
            a(i);
            archiveVector(a, table, makeId(i));
        }
    };
    SceneState* scene = node() ? &node()->scene() : nullptr;
    const std::uint32_t generation = scene ? keptGeneration(*scene) : 0;
    const auto kept = [&](auto& table, auto makeId, NumberPool* pool) {
        using Kept = std::pair<NumberPool::Key, Index>;
        std::vector<Kept> list;
        if (pool)
            for (const auto& [key, number] : pool->kept())
                if (number < table.size() && table[number].data && table[number].generation == generation)
                    list.emplace_back(key, number);
        auto count = static_cast<std::uint32_t>(list.size());
        a(count);
        for (std::uint32_t k = 0; k < count; ++k) {
            NumberPool::Key key = a.loading() ? NumberPool::Key() : list[k].first;
            a(key.first);
            a(key.second);
            if (a.loading() && !pool) throw std::runtime_error("a state outside a scene has no kept vectors");
            auto id = makeId(a.loading() ? pool->keep(key) : list[k].second);
            id.generation = generation;
            archiveVector(a, table, id);
        }
    };
    VectorNumbers* numbers = scene ? scene->vectors.get() : nullptr;
    const auto coord = [](Index i) { return VecCoordId{i}; };
    const auto deriv = [](Index i) { return VecDerivId{i}; };
    a(m_size);
    named(m_coords, coord, VectorNumbers::firstCoord);
    named(m_derivs, deriv, VectorNumbers::firstDeriv);
    kept(m_coords, coord, numbers ? &numbers->coord : nullptr);
    kept(m_derivs, deriv, numbers ? &numbers->deriv : nullptr);
}

template <class D>
template <class V, class Id>
void State<D>::archiveVector(Archive& a, std::vector<Slot<V>>& table, Id id)
{
    if (a.loading() &&
        (id.index >= table.size() || !table[id.index].data || table[id.index].generation != id.generation))
        allocate(id);
    auto values = table[id.index].data->value();
    a(values);
    if (a.loading()) table[id.index].data->setValue(std::move(values));
}

#define SOFA_INSTANTIATE(D) template class State<D>;
SOFA_STATE_TYPES(SOFA_INSTANTIATE)
#undef SOFA_INSTANTIATE

}  // namespace sofa::core
