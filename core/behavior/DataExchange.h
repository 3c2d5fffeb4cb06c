// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Event.h"

namespace sofa::core {

/// Parts of a scene that step side by side have all made the step: what they have to tell each other goes over now.
class DataExchangeEvent final : public StepEvent
{
public:
    using StepEvent::StepEvent;
    const char* name() const override { return "DataExchangeEvent"; }
};

/// An animation loop that sends DataExchangeEvent at the end of each step, after the ends of the steps of its parts.
class DataExchangeSender
{
public:
    virtual ~DataExchangeSender() = default;
};

}  // namespace sofa::core
