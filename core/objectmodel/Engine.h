// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Component.h"

namespace sofa::core {

/// A component that computes output Data from input Data, lazily: only when an output is read after an input changed.
/// An update that fails (fail(reason), or an exception) leaves no old outputs behind that look new: who reads one gets a
/// DataError with the path of the engine and the reason, until an input changes.
class Engine : public Component, public DdgNode
{
public:
    std::string ddgName() const override { return pathName(); }
    const Base* ddgOwner() const override { return this; }
    /// Brings the outputs up to date now.
    void run() { updateIfDirty(); }
    void reinit() override { setDirty(); }

protected:
    void addInput(BaseData& d) { addDependency(d); }
    void addOutput(BaseData& d) { d.addDependency(*this); }
    /// Computes every output from the inputs.
    virtual void doUpdate() = 0;

private:
    void update() final;

    bool m_updateFailed = false;
};

}  // namespace sofa::core
