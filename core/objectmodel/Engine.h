// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Component.h"

namespace sofa::core {

template <class T>
class Input;
template <class T>
class Output;

/// A component that computes output Data from input Data, lazily: only when an output is read after an input changed.
/// An update that fails (fail(reason), or an exception) leaves no old outputs behind that look new: who reads one gets
/// a DataError with the path of the engine and the reason, until an input changes. Which is which the members say:
/// Input<T> and Output<T> in place of Data<T>.
class Engine : public Component, public DdgNode
{
public:
    std::string ddgName() const override { return pathName(); }
    const Base* ddgOwner() const override { return this; }
    /// Brings the outputs up to date now. If that fails the engine says why, and is not valid.
    void run();
    void reinit() override { setDirty(); }

protected:
    /// For Data of others, and those that are made while the program runs.
    void addInput(BaseData& d) { addDependency(d); }
    void addOutput(BaseData& d) { d.addDependency(*this); }
    /// Computes every output from the inputs.
    virtual void doUpdate() = 0;

private:
    void update() final;
    template <class T>
    friend class Input;
    template <class T>
    friend class Output;

    bool m_updateFailed = false;
};

/// A Data on which the outputs of its engine depend.
template <class T>
class Input : public Data<T>
{
public:
    Input(Engine* engine, const DataInfo& info, T defaultValue = T()) : Data<T>(engine, info, std::move(defaultValue))
    {
        engine->addInput(*this);
    }
};

/// A Data that its engine computes: it can only be read, and is neither saved nor archived.
template <class T>
class Output : public Data<T>
{
public:
    Output(Engine* engine, DataInfo info, T defaultValue = T())
        : Data<T>(engine, computed(info), std::move(defaultValue))
    {
        engine->addOutput(*this);
    }

private:
    static DataInfo computed(DataInfo info)
    {
        info.readOnly = true;
        info.saved = false;
        return info;
    }
};

}  // namespace sofa::core
