// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>

#include "core/io/LineFile.h"
#include "core/objectmodel/Component.h"

namespace sofa::component {

using namespace sofa::core;

/// Reads a mouse or pedals from a device of Linux at the beginning of each step, and tells the components of its node
/// and below: motions (EV_REL) as MouseMotionEvent, its buttons (EV_KEY), which SOFA passes over, as MouseButtonEvent,
/// pedals (the value of ABS_Y: left above 156, right below 100, else none) as KeyEvent of key1 and key2, when one is
/// pressed and released.
///
/// What came in a step can be written as a line of a text, "TYPE CODE VALUE TYPE CODE VALUE ...", and read from it
/// instead of the device: the same events come in the same steps then.
class InputEventReader final : public Component
{
public:
    Data<FileName> d_filename{
        this,
        {.name = "filename", .help = "Device; not used where events are read from outputFilename"},
        FileName{"/dev/input/mouse2"}};
    Data<bool> d_inverseSense{this, {.name = "inverseSense", .help = "Turn motions of the mouse round"}, false};
    Data<bool> d_printEvent{this, {.name = "printEvent", .help = "Print each event"}, false};
    Data<std::string> d_key1{this, {.name = "key1", .help = "Key that the left pedal presses: one character"}, "0"};
    Data<std::string> d_key2{this, {.name = "key2", .help = "Key that the right pedal presses: one character"}, "1"};
    Data<bool> d_writeEvents{
        this, {.name = "writeEvents", .help = "Write the events of the device to outputFilename"}, false};
    Data<FileName> d_outputFilename{
        this,
        {.name = "outputFilename",
         .help = "Text with the events of each step, written (a relative name counts from the working directory) or, "
                 "without writeEvents, read"}};

    InputEventReader();
    ~InputEventReader() override;

    void init() override;
    void reset() override;
    void archive(Archive& a) override;
    void handleEvent(const Event& e) override;

private:
    /// An event as Linux tells it.
    struct Input
    {
        int type, code, value;
    };
    enum class Pedal : unsigned char
    {
        None,
        Left,
        Right
    };
    void readLines(const std::string& file);
    Vector<Input> fromDevice();
    void write(std::span<const Input> inputs);
    void take(std::span<const Input> inputs);

    int m_device = -1;
    std::vector<Vector<Input>> m_steps;  ///< read from a text
    LineFile m_out;
    std::uint64_t m_step = 0;     ///< number of steps since the start
    std::uint64_t m_written = 0;  ///< of them in the text
    Pedal m_pedal = Pedal::None;
};

}  // namespace sofa::component
