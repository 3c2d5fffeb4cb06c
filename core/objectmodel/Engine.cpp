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
        if (isValid()) fail(e);  // what it depends on has failed
    }
}

void Engine::parse(ComponentDescription& desc)
{
    // How many there are comes before what they are, in whatever order the scene has them.
    for (const BaseDataSeries* s : m_series)
        if (const Attribute* count = desc.find(s->count().name())) {
            std::string error;  // told when the attribute is set
            s->m_count.read(count->value, error);
        }
    Component::parse(desc);
}

void Engine::dataChanged(const BaseData& d)
{
    Component::dataChanged(d);
    for (BaseDataSeries* s : m_series)
        if (&d == &s->m_count && !d.isDirty()) s->resize(s->m_count.value());
}

void Engine::undoInit()
{
    Component::undoInit();
    m_inputsFound = false;
}

void Engine::prepareInputs()
{
    if (m_inputsFound || !node()) return;
    m_inputsFound = true;
    try {
        findInputs();
    } catch (const std::exception& e) {
        fail(reasonOf(e));
    }
}

void Engine::followByDefault(BaseData& input, BaseData* source)
{
    if (!source || input.isSet() || !input.linkPath().empty()) return;
    try {
        input.linkTo(*source);
    } catch (const CycleError&) {
        msgInfo() << input.name() << ": not " << source->ddgName()
                  << ", which is computed from what this component tells";
    } catch (const std::exception& e) {
        throw std::runtime_error(input.name() + ": " + reasonOf(e));
    }
}

BaseDataSeries::BaseDataSeries(Engine& engine, Data<Index>& count) : m_count(count)
{
    engine.m_series.push_back(this);
    count.setWatched(true);
}

void Engine::update()
{
    const bool wasValid = isValid() || m_updateFailed;
    setValid(true);
    m_updateFailed = true;
    ++m_updates;
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
