// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/Engine.h"

#include "core/log/Reason.h"

namespace sofa::core {

void Engine::run()
{
    try {
        updateIfDirty();
    } catch (const DataError& e) {
        if (isValid()) fail(e.what());  // what it depends on has failed
    }
}

void Engine::update()
{
    const bool wasValid = isValid() || m_updateFailed;
    setValid(true);
    m_updateFailed = true;
    try {
        doUpdate();
    } catch (const std::exception& e) {
        fail(reasonOf(e));
    }
    m_updateFailed = !isValid();
    if (m_updateFailed)
        throw DataError(pathName() + " (" + className() + "): its outputs could not be computed: " +
                        messages().back().text + (location.known() ? " (" + location.str() + ")" : std::string()));
    setValid(wasValid);
}

}  // namespace sofa::core
