// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "core/objectmodel/Data.h"

namespace sofa::core {

/// Computes a Data of a component from others, lazily: when it is read after one of these changed. For results that
/// few scenes look at. It is a member of the component, declared behind the Data:
///
///     DerivedValue m_mean{d_mean, [this] { d_mean.setValue(meanOf(d_values.value())); }};
///     ...
///     m_mean.addDependency(d_values);   // in the constructor
class DerivedValue : public DdgNode
{
public:
    /// `compute` writes `output`.
    DerivedValue(BaseData& output, std::function<void()> compute) : m_output(output), m_compute(std::move(compute))
    {
        output.addDependency(*this);
    }
    std::string ddgName() const override { return m_output.ddgName() + " (computed)"; }
    const Base* ddgOwner() const override { return m_output.owner(); }

protected:
    void update() override { m_compute(); }

private:
    BaseData& m_output;
    std::function<void()> m_compute;
};

}  // namespace sofa::core
