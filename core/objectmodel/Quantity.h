// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <memory>

#include "core/objectmodel/Base.h"
#include "core/objectmodel/DerivedValue.h"

namespace sofa::core {

/// Something that objects of a class tell beside their Data, such as energy, stress or force. Who asks for it by name
/// (a link "@FEM.stress", a probe, an exporter, Monitor) gets a Data, which the object then has: it is computed when it
/// is read after a step, or after a change of the object, of a state or mesh that it is linked to, or of the time.
/// Nothing is kept or computed for quantities that nobody asks for.
struct Quantity
{
    std::string name, help, unit;
    /// Whether an object tells it, and its Data.
    std::function<bool(const Base&)> isOf;
    std::function<std::unique_ptr<BaseData>(Base&)> make;
};

/// Computes the Data of a quantity of an object.
class QuantityValue final : public DerivedValue
{
public:
    QuantityValue(BaseData& result, Base& object, std::function<void()> compute);
    void lose(DdgNode& input) override
    {
        m_followed.clear();
        removeDependency(input);
    }

private:
    /// What the object is linked to is known when it is initialised, and may change.
    void prepareInputs() override;
    void update() override;

    Base& m_object;
    std::vector<std::uint64_t> m_followed;  ///< serial numbers of the objects whose Data are the inputs
};

/// The quantities that an object tells, in the order of their names.
std::vector<std::shared_ptr<const Quantity>> quantitiesOf(const Base& object);

/// Registers a quantity while it lives. In a source file:
///
///     const RegisterQuantity energy({.name = "kineticEnergy", .help = "Kinetic energy", .unit = "J"},
///                                   [](BaseMass& m) { return m.kineticEnergy(MechanicalParams()); });
///
/// The type of the argument says which objects tell it, that of the result which Data they get. What the function
/// throws is the reason that readers get (DataError). Several may have the same name, for objects of different classes.
class RegisterQuantity
{
public:
    template <class F>
    RegisterQuantity(const DataInfo& info, F value) : RegisterQuantity(info, std::function(std::move(value)))
    {
    }
    template <class T, class Object>
    RegisterQuantity(const DataInfo& info, std::function<T(Object&)> value)
    {
        Quantity q;
        q.name = info.name;
        q.help = info.help;
        q.unit = info.unit;
        q.isOf = [](const Base& b) { return dynamic_cast<const Object*>(&b) != nullptr; };
        q.make = [info, value](Base& b) {
            return std::make_unique<QuantityData<T>>(
                b, info, [value, object = dynamic_cast<Object*>(&b)] { return value(*object); });
        };
        add(std::move(q));
    }
    ~RegisterQuantity();
    RegisterQuantity(const RegisterQuantity&) = delete;
    RegisterQuantity& operator=(const RegisterQuantity&) = delete;

private:
    template <class T>
    class QuantityData final : public Data<T>
    {
    public:
        QuantityData(Base& owner, DataInfo info, std::function<T()> value)
            : Data<T>(&owner, computed(info)),
              m_value(*this, owner, [this, value = std::move(value)] { this->setValue(value()); })
        {
        }

    private:
        QuantityValue m_value;
    };
    static DataInfo computed(DataInfo info)
    {
        info.readOnly = true;
        info.saved = false;
        return info;
    }
    void add(Quantity q);

    std::shared_ptr<const Quantity> m_quantity;
};

}  // namespace sofa::core
