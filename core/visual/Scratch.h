// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <deque>
#include <memory>
#include <typeindex>
#include <utility>
#include <vector>

#include "core/math/Vector.h"

namespace sofa::core {

/// Memory of arrays that components fill while they draw and forget afterwards. The n-th array of a component lives
/// where the n-th array of the component before lived: a frame of a scene that did not change allocates nothing.
class ScratchMemory
{
public:
    template <class T>
    struct Pool;

    /// The arrays of one type.
    template <class T>
    Pool<T>& pool()
    {
        const std::type_index type(typeid(T));
        for (const auto& p : m_pools)
            if (p->type == type) return static_cast<Pool<T>&>(*p);
        m_pools.push_back(std::make_unique<Pool<T>>());
        return static_cast<Pool<T>&>(*m_pools.back());
    }
    /// Another component draws: all arrays may be used again.
    void rewind()
    {
        for (const auto& p : m_pools) p->used = 0;
    }

    struct AnyPool
    {
        explicit AnyPool(std::type_index t) : type(t) {}
        AnyPool(const AnyPool&) = delete;
        AnyPool& operator=(const AnyPool&) = delete;
        virtual ~AnyPool() = default;
        std::type_index type;
        std::size_t used = 0;
    };
    template <class T>
    struct Pool final : AnyPool
    {
        Pool() : AnyPool(typeid(T)) {}
        std::deque<Vector<T>> arrays;  // their addresses stay
    };

private:
    std::vector<std::unique_ptr<AnyPool>> m_pools;
};

/// An array for the time of a draw(), empty at first (`DrawTool::scratch`). It is no member of a component: it must be
/// gone when draw() returns.
template <class T>
class Scratch : public Vector<T>
{
public:
    /// Without a memory it is an array like others.
    explicit Scratch(ScratchMemory* memory = nullptr)
    {
        if (!memory) return;
        m_pool = &memory->pool<T>();
        m_place = m_pool->used++;
        if (m_place == m_pool->arrays.size()) m_pool->arrays.emplace_back();
        this->swap(m_pool->arrays[m_place]);
    }
    Scratch(Scratch&& other) noexcept
        : Vector<T>(std::move(other)), m_pool(std::exchange(other.m_pool, nullptr)), m_place(other.m_place)
    {
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    Scratch& operator=(Scratch&&) = delete;
    ~Scratch()
    {
        if (!m_pool) return;
        this->clear();
        this->swap(m_pool->arrays[m_place]);
        if (m_place + 1 == m_pool->used) m_pool->used = m_place;
    }

private:
    ScratchMemory::Pool<T>* m_pool = nullptr;
    std::size_t m_place = 0;
};

}  // namespace sofa::core
