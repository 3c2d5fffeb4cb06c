// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Component.h"

namespace sofa::core {

template <class T>
class Input;
template <class T>
class Output;
class BaseDataSeries;

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
    /// How often the outputs were computed.
    std::size_t updates() const { return m_updates; }

    void parse(ComponentDescription& desc) override;
    void init() override { prepareInputs(); }
    void reinit() override { setDirty(); }
    void undoInit() override;
    void dataChanged(const BaseData& d) override;

protected:
    /// For Data of others, and those that are made while the program runs.
    void addInput(BaseData& d) { addDependency(d); }
    void addOutput(BaseData& d) { d.addDependency(*this); }
    /// Computes every output from the inputs. What is thrown is the reason why they could not be computed.
    virtual void doUpdate() = 0;
    /// Where inputs that a scene leaves open come from (followByDefault): called once, at init() or when an output is
    /// read before. What is thrown is the reason why the engine cannot work.
    virtual void findInputs() {}
    /// Lets an input follow another Data, unless it was given a value or a link, or that Data is computed from outputs
    /// of this engine; `source` may be nullptr.
    void followByDefault(BaseData& input, BaseData* source);

    static constexpr DataInfo input(std::string_view name, std::string_view help, std::string_view unit = {},
                                    Range range = {})
    {
        return {.name = name, .help = help, .unit = unit, .range = range, .group = "Inputs"};
    }
    static constexpr DataInfo output(std::string_view name, std::string_view help, std::string_view unit = {})
    {
        return {.name = name, .help = help, .unit = unit, .group = "Outputs"};
    }
    /// What is shown, and how.
    static constexpr DataInfo display(std::string_view name, std::string_view help, std::string_view unit = {})
    {
        return {.name = name, .help = help, .unit = unit, .group = "Visualization"};
    }

private:
    void prepareInputs() final;
    void update() final;
    template <class T>
    friend class Input;
    template <class T>
    friend class Output;
    friend class BaseDataSeries;

    std::vector<BaseDataSeries*> m_series;
    std::size_t m_updates = 0;
    bool m_updateFailed = false, m_inputsFound = false;
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

/// Untyped part of DataSeries.
class BaseDataSeries
{
public:
    BaseDataSeries(Engine& engine, Data<Index>& count);
    virtual ~BaseDataSeries() = default;
    BaseDataSeries(const BaseDataSeries&) = delete;
    BaseDataSeries& operator=(const BaseDataSeries&) = delete;
    const Data<Index>& count() const { return m_count; }

protected:
    virtual void resize(std::size_t n) = 0;

private:
    friend class Engine;
    Data<Index>& m_count;
};

/// Inputs or outputs of one kind that scenes number from 1 (position1, position2, ...), as many as another Data of the
/// engine says.
///
///     Input<Index> d_nbInputs{this, input("nbInputs", "Number of inputs", {}, Range::closed(0., 1000.)), 2};
///     InputSeries<Vector<double>> d_inputs{this, d_nbInputs, input("input", "Lists that are joined")};
template <template <class> class Kind, class T>
class DataSeries final : public BaseDataSeries
{
public:
    /// The name of `info` lacks the number. `more`: so many beyond the count.
    DataSeries(Engine* engine, Data<Index>& count, const DataInfo& info, std::size_t more = 0)
        : BaseDataSeries(*engine, count), m_engine(engine), m_info(info), m_more(more)
    {
        resize(count.value());
    }
    std::size_t size() const { return m_data.size(); }
    Kind<T>& operator[](std::size_t i) { return *m_data[i]; }
    const Kind<T>& operator[](std::size_t i) const { return *m_data[i]; }

private:
    void resize(std::size_t count) override
    {
        const std::size_t n = count + m_more;
        for (; m_data.size() > n; m_data.pop_back()) m_engine->removeData(*m_data.back());
        while (m_data.size() < n) {
            const std::string name = std::string(m_info.name) + std::to_string(m_data.size() + 1);
            DataInfo info = m_info;
            info.name = name;
            m_data.push_back(std::make_unique<Kind<T>>(m_engine, info));
        }
    }

    Engine* m_engine;
    DataInfo m_info;
    std::size_t m_more;
    std::vector<std::unique_ptr<Kind<T>>> m_data;
};

template <class T>
using InputSeries = DataSeries<Input, T>;
template <class T>
using OutputSeries = DataSeries<Output, T>;

}  // namespace sofa::core
