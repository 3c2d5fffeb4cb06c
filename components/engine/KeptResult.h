// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Engine.h"

namespace sofa::component {

/// An engine whose outputs can stay what they were at the start, though inputs change: then they are computed at
/// init(), and again by reinit() only.
class KeptResult : public core::Engine
{
public:
    void init() override
    {
        Engine::init();
        if (isValid() && keepsResult()) run();
    }
    void reinit() override
    {
        m_computed = false;
        Engine::reinit();
    }
    void undoInit() override
    {
        m_computed = false;
        Engine::undoInit();
    }

protected:
    /// Whether they stay; a Data says so.
    virtual bool keepsResult() const = 0;
    virtual void compute() = 0;

private:
    void doUpdate() final
    {
        if (m_computed && keepsResult()) return;
        m_computed = false;
        compute();
        m_computed = true;
    }

    bool m_computed = false;
};

}  // namespace sofa::component
