// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/BaseState.h"
#include "core/behavior/VectorBuffer.h"
#include "core/math/DataTypes.h"

namespace sofa::core {

/// State with coordinates of one type. Holds the table of vectors; the vectors are Data, so that scenes can set and
/// link the named ones. Subclasses register their named vectors with bind(); others are created on demand.
template <class DataTypes>
class State : public BaseState
{
public:
    using Coord = typename DataTypes::Coord;
    using Deriv = typename DataTypes::Deriv;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;

    static std::string_view staticTemplateName() { return DataTypes::name(); }
    std::string templateName() const override { return std::string(DataTypes::name()); }
    static std::string typeLabel()
    {
        std::string s = "state of type ";  // by +=: GCC 12 warns about an overread of the temporary of a +
        s += DataTypes::name();
        return s;
    }

    /// The vectors, which must exist: for reading until the next operation that changes the vector, and for writing as
    /// long as the accessor lives. Vectors in a memory of their own are copied to the host where that is needed.
    const VecCoord& read(VecCoordId id) const { return coordData(id).value(); }
    const VecDeriv& read(VecDerivId id) const { return derivData(id).value(); }
    WriteAccessor<VecCoord> write(VecCoordId id) { return coordData(id).edit(); }
    WriteAccessor<VecDeriv> write(VecDerivId id) { return derivData(id).edit(); }
    /// Data behind a vector; throws std::logic_error if it was never allocated.
    Data<VecCoord>& coordData(VecCoordId id) const;
    Data<VecDeriv>& derivData(VecDerivId id) const;

    const VecCoord& positions() const { return read(vec_id::position); }
    const VecDeriv& velocities() const { return read(vec_id::velocity); }
    const VecDeriv& forces() const { return read(vec_id::force); }

    Index size() const override { return m_size; }
    void resize(Index n) override;
    std::size_t coordSize() const override { return DataTypes::coordSize; }
    std::size_t derivSize() const override { return DataTypes::derivSize; }

    void allocate(VecCoordId id) override;
    void allocate(VecDerivId id) override;
    bool isAllocated(VecCoordId id) const override;
    bool isAllocated(VecDerivId id) const override;
    void clear(VecDerivId v) override;
    void copy(VecCoordId v, VecCoordId a) override;
    void copy(VecDerivId v, VecDerivId a) override;
    void add(VecCoordId v, VecCoordId a, VecDerivId b, double f) override;
    void add(VecDerivId v, VecDerivId a, VecDerivId b, double f) override;
    void scale(VecDerivId v, double f) override;
    double dot(VecDerivId a, VecDerivId b) const override;
    void difference(VecDerivId v, VecCoordId a, VecCoordId b) override;
    double maxNorm(VecDerivId v) const override;
    std::size_t changesOf(VecCoordId v) const override { return coordData(v).counter(); }
    std::size_t changesOf(VecDerivId v) const override { return derivData(v).counter(); }
    Index firstNonFinite(VecCoordId v) const override;
    Index firstNonFinite(VecDerivId v) const override;
    Index firstBeyond(VecCoordId v, const Vec3& center, double distance) const override;
    Index firstFaster(VecDerivId v, double speed, double spin) const override;
    void getScalars(VecCoordId v, double* out) const override;
    void getScalars(VecDerivId v, double* out) const override;
    void setScalars(VecCoordId v, const double* in) override;
    void setScalars(VecDerivId v, const double* in) override;
    const double* scalars(VecDerivId v) const override;
    Vec3 pointPosition(Index i, VecCoordId v = vec_id::position) const override;
    BoundingBox boundingBox() const override;
    void archive(Archive& a) override;

    Undo removePoints(std::span<const Index> inOrder) override;
    Undo addPoints(const Vector<Ancestors>& from) override;
    Undo renumberPoints(std::span<const Index> now) override;
    Undo movePoints(std::span<const Index> points, const Vector<Ancestors>& to) override;
    bool hasChangedPoints() const override { return m_changed != nullptr; }
    const Vector<Index>& pointOrigin() const override { return m_changed->origin; }
    Index initialSize() const override { return m_changed ? m_changed->count : m_size; }
    Undo restorePoints() override;
    Undo assignPoints(Vector<Index> origin) override;

    /// The buffer of a vector that lies in a memory of its own, up to date with what was written on the host; nullptr
    /// for one on the host. For components that compute there.
    const VectorBuffer* buffer(VecCoordId id) const;
    const VectorBuffer* buffer(VecDerivId id) const;
    /// The same for writing; what the host holds is out of date then.
    VectorBuffer* editBuffer(VecCoordId id);
    VectorBuffer* editBuffer(VecDerivId id);

protected:
    /// Puts a Data member into the table under an identifier.
    void bind(VecCoordId id, Data<VecCoord>& d);
    void bind(VecDerivId id, Data<VecDeriv>& d);
    /// Sets the number of points without touching vectors that have it already.
    void setSize(Index n) { m_size = n; }
    /// Called when points came or went.
    virtual void pointCountChanged() {}
    /// A buffer for one vector, if the vectors of this class lie in a memory of their own. It may not change.
    virtual std::unique_ptr<VectorBuffer> makeBuffer() const { return nullptr; }

private:
    double* beginScalars(VecDerivId v) override;
    void endScalars(VecDerivId v) override;

    /// A vector in a memory of its own. The Data depends on it: where the buffer is newer the Data is dirty, and who
    /// reads the Data copies the scalars to the host.
    template <class V>
    struct Remote final : DdgNode
    {
        Remote(Data<V>& d, std::unique_ptr<VectorBuffer> b, std::size_t scalars);
        std::string ddgName() const override { return data.ddgName() + " (in a memory of its own)"; }
        void update() override;
        /// Brings the buffer up to date.
        void upload();
        /// The buffer was written.
        void changed();

        Data<V>& data;
        std::unique_ptr<VectorBuffer> buffer;
        std::size_t scalarsPerPoint;
        std::size_t seen = 0;  ///< changes of the Data that the buffer has
        bool isNewer = false;  ///< than the Data
    };
    template <class V>
    struct Slot
    {
        Data<V>* data = nullptr;
        std::unique_ptr<Data<V>> owned;
        /// Changes of the Data (its counter, plus one) at which the vector was zero, and at which its largest scalar
        /// was measured: it still is as long as nothing has changed it.
        std::size_t zeroAt = 0;
        mutable std::size_t measuredAt = 0;
        mutable double largest = 0.;
        std::uint32_t generation = 0;  ///< of the identifier for which it was allocated
        std::unique_ptr<Remote<V>> remote;
    };
    template <class V>
    void allocateIn(std::vector<Slot<V>>& table, Index index, std::uint32_t generation);
    template <class V, class Id>
    void archiveVector(Archive& a, std::vector<Slot<V>>& table, Id id);
    template <class V>
    VectorBuffer* bufferOf(std::vector<Slot<V>>& table, Index index, std::size_t scalarsPerPoint, bool write) const;
    /// Size of the largest scalar of a vector; not finite where one of them is not.
    template <class V>
    static double largestScalar(const Slot<V>& slot, std::size_t scalarsPerPoint);
    template <class V>
    static Index firstNonFinite(const Slot<V>& slot, std::size_t scalarsPerPoint);
    std::vector<Slot<VecCoord>> m_coords;
    std::vector<Slot<VecDeriv>> m_derivs;
    Index m_size = 0;

    /// The points of now, and the named vectors as they were before the first change.
    struct ChangedPoints
    {
        Vector<Index> origin;
        Index count = 0;
        std::vector<VecCoord> coords;
        std::vector<VecDeriv> derivs;
    };
    std::shared_ptr<ChangedPoints> m_changed;
    Undo beginPointChange();
    void setPointCount(std::size_t n);
    /// Calls f(Data, the vector before the first change) for all vectors with a value for each point.
    template <class F>
    void forEachVector(F f);
};

#define SOFA_EXTERN(D) extern template class State<D>;
SOFA_STATE_TYPES(SOFA_EXTERN)
#undef SOFA_EXTERN

}  // namespace sofa::core
