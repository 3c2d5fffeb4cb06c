// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Component.h"

namespace sofa::core {

/// A component that computes output Data from input Data, lazily: only when an output is read after an input changed.
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
    void update() final
    {
        // Inputs first, and outputs marked clean, so that doUpdate may both read its inputs and write its outputs.
        for (DdgNode* in : inputs()) in->updateIfDirty();
        doUpdate();
    }
};

}  // namespace sofa::core
