// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Component.h"

namespace sofa::core {

/// Says how messages are printed, from here on until the scene is closed. They count all the same: a scene with errors
/// does not start, and programs tell its exit status.
class MessageHandlerComponent : public Component
{
public:
    Data<std::string> d_handler{
        this,
        {.name = "handler",
         .help = "clang: file:line: error: ..., as without this component; sofa: [ERROR] [Class(name)] ...; rich: the "
                 "same with the place below; silent: not at all; empty: as before"}};

    void parse(ComponentDescription& desc) override;
    ~MessageHandlerComponent() override;

private:
    int m_handler = 0;
};

}  // namespace sofa::core
