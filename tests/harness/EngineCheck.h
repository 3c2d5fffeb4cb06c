// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <catch2/catch.hpp>

#include "core/objectmodel/Engine.h"
#include "tests/harness/Numerics.h"
#include "tests/harness/TestGraph.h"

/// Opens the conformance test case of an engine class; see HARNESS_FORCE_FIELD. It fails if checkEngine() was not
/// called for a template of the class.
#define HARNESS_ENGINE(Name) HARNESS_ENGINE_BODY(Name, INTERNAL_CATCH_UNIQUE_NAME(conformance))
#define HARNESS_ENGINE_BODY(Name, body)                                            \
    static void body();                                                            \
    TEST_CASE("conformance of the engine " Name)                                   \
    {                                                                              \
        body();                                                                    \
        CHECK(sofa::test::uncheckedTemplates(Name) == std::vector<std::string>()); \
    }                                                                              \
    static void body()

namespace sofa::test {

/// An engine seen through its Data, as scenes see it.
class EngineAccess
{
public:
    explicit EngineAccess(core::Engine& engine) : m_engine(engine) {}
    core::Engine& engine() const { return m_engine; }
    core::BaseData& data(std::string_view name) const;
    /// Value of a Data of this very type.
    template <class T>
    const T& get(std::string_view name) const
    {
        return typed<T>(name).value();
    }
    template <class T>
    void set(std::string_view name, T value) const
    {
        typed<T>(name).setValue(std::move(value));
    }
    core::Vector<core::Index> indices(std::string_view name) const { return get<core::Vector<core::Index>>(name); }
    core::Vector<core::Vec3> points(std::string_view name) const { return get<core::Vector<core::Vec3>>(name); }

private:
    template <class T>
    core::Data<T>& typed(std::string_view name) const
    {
        auto* d = dynamic_cast<core::Data<T>*>(&data(name));
        if (!d)
            throw std::logic_error(std::string(name) + " is of type " + data(name).typeName() + ", not " +
                                   core::TypeName<T>::get());
        return *d;
    }
    core::Engine& m_engine;
};

/// Random values for inputs.
class RandomInput
{
public:
    explicit RandomInput(unsigned seed) : m_random(seed) {}
    double number(double low = -1., double high = 1.) { return low + (high - low) * 0.5 * (m_random() + 1.); }
    /// In [0, end).
    core::Index index(std::size_t end)
    {
        return static_cast<core::Index>(std::min(number(0., static_cast<double>(end)), static_cast<double>(end) - 1.));
    }
    /// `count` indices in [0, end), with repetitions.
    core::Vector<core::Index> indices(std::size_t count, std::size_t end);
    /// Different ones, in no order.
    core::Vector<core::Index> subset(std::size_t count, std::size_t end);
    core::Vec3 point(double size = 1.) { return {number(-size, size), number(-size, size), number(-size, size)}; }
    core::Vector<core::Vec3> points(std::size_t count, double size = 1.);
    core::Vector<double> numbers(std::size_t count, double low = -1., double high = 1.);
    core::Quat rotation() { return core::Quat::fromRotationVector(point(3.)); }
    /// Elements of N different points of `points`.
    template <std::size_t N>
    core::Vector<std::array<core::Index, N>> elements(std::size_t count, std::size_t points)
    {
        core::Vector<std::array<core::Index, N>> list(count);
        for (auto& e : list) {
            const auto corners = subset(N, points);
            std::copy(corners.begin(), corners.end(), e.begin());
        }
        return list;
    }

private:
    Random m_random;
};

/// What a check of an engine needs.
struct EngineCase
{
    std::string type;       ///< registered name
    Attributes attributes;  ///< of each instance, "template" among them
    /// Gives values to all inputs that matter.
    std::function<void(const EngineAccess&, RandomInput&)> fill;
    /// Compares the outputs with what follows from the inputs, computed in the simplest way.
    std::function<void(const EngineAccess&)> verify;
    /// Attributes that cannot work, and a part of the message: reading any output fails with it, and says where.
    std::vector<std::pair<Attributes, std::string>> mistakes = {};
    unsigned seeds = 5;
    /// What the engine needs in its root or below, before it is made: states.
    std::function<void(core::Node& root)> scene = {};
};

/// Checks what holds for every engine:
///   1. its outputs are what `verify` expects, for random inputs;
///   2. nothing is computed before an output is read, and nothing twice;
///   3. inputs that follow Data of others give the same results, also when these change; when links are cut, or what
///      they lead to leaves the scene, the results stay;
///   4. with lists of elements that follow meshes, when elements go: it gives what a new one gives, results or an
///   error;
///   5. without inputs, outputs are read or a DataError says why not and where; so it is for each of the mistakes.
void checkEngine(const EngineCase& c);

/// The templates of a class for which checkEngine() was not called.
std::vector<std::string> uncheckedTemplates(const std::string& type);

}  // namespace sofa::test
