// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/playback/InputEventReader.h"

#include <fcntl.h>
#include <linux/input.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/factory/Registry.h"
#include "core/interaction/MouseButtonEvent.h"
#include "core/interaction/MouseMotionEvent.h"
#include "core/io/CompressedFile.h"
#include "core/io/DataRepository.h"
#include "core/io/SceneOutput.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

InputEventReader::InputEventReader() { d_listening.setDefault(true); }

InputEventReader::~InputEventReader()
{
    if (m_device >= 0) close(m_device);
}

void InputEventReader::init()
{
    for (const auto* key : {&d_key1, &d_key2})
        if (key->value().size() != 1)
            return fail(key->name() + ": one character was expected, found '" + key->value() + "'");
    const bool named = !d_outputFilename.value().text.empty();
    if (d_writeEvents.value() && !named) return fail("writeEvents needs outputFilename, the file to write");
    m_steps.clear();
    try {
        if (named && !d_writeEvents.value()) return readLines(requireFile(d_outputFilename));
        if (named) checkOutput(d_outputFilename.value().text);
    } catch (const std::exception& e) {
        return fail(std::string("outputFilename: ") + e.what());
    }
    if (m_device >= 0) return;  // initialised once more while it runs
    const std::string& device = d_filename.value().text;
    m_device = open(device.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (m_device < 0)
        fail("filename: cannot read '" + device + "': " + std::strerror(errno) +
             "; with outputFilename events come from a text");
}

void InputEventReader::readLines(const std::string& file)
{
    const io::SourceText source = io::loadCompressed(file);
    io::TextScanner in(source);
    in.stayOnLine(true);
    for (; !in.atEnd(); in.skipLine()) {
        auto& step = m_steps.emplace_back();
        const auto number = [&](const char* what) {
            const auto n = in.integer(what);
            if (n < -0x80000000LL || n > 0x7fffffffLL) in.fail(what, in.found());
            return static_cast<int>(n);
        };
        while (!in.atLineEnd()) {
            const int type = number("the type of an event"), code = number("its code");
            step.push_back({type, code, number("its value")});
        }
    }
}

void InputEventReader::reset()
{
    m_step = 0;
    m_pedal = Pedal::None;
}

void InputEventReader::archive(Archive& a)
{
    a(m_step);
    a(m_pedal);
}

Vector<InputEventReader::Input> InputEventReader::fromDevice()
{
    Vector<Input> inputs;
    pollfd waiting{m_device, POLLIN, 0};
    input_event e{};
    while (poll(&waiting, 1, 0) > 0 && (waiting.revents & POLLIN) != 0) {
        const ssize_t n = read(m_device, &e, sizeof e);
        if (n == 0 || (n < 0 && (errno == EAGAIN || errno == EINTR))) break;  // a file that ends; nothing more
        if (n != static_cast<ssize_t>(sizeof e))
            throw std::runtime_error(pathName() + ": '" + d_filename.value().text +
                                     "' is no input device: " + (n < 0 ? std::strerror(errno) : "events are cut off"));
        inputs.push_back({e.type, e.code, e.value});
    }
    return inputs;
}

void InputEventReader::write(std::span<const Input> inputs)
{
    if (!m_out.isOpen() || m_step < m_written) {  // at the first step, and after a reset
        m_out = LineFile(d_outputFilename.value().text);
        m_written = 0;
    }
    std::string line;
    for (const Input& i : inputs) {
        if (!line.empty()) line += ' ';
        line += std::to_string(i.type) + ' ' + std::to_string(i.code) + ' ' + std::to_string(i.value);
    }
    m_out.write(line);
    m_written = m_step + 1;
}

static std::optional<MouseButton> buttonOf(int code)
{
    switch (code) {
        case BTN_LEFT:
            return MouseButton::Left;
        case BTN_MIDDLE:
            return MouseButton::Middle;
        case BTN_RIGHT:
            return MouseButton::Right;
        default:
            return {};
    }
}

void InputEventReader::take(std::span<const Input> inputs)
{
    int dx = 0, dy = 0;
    const auto tellMotion = [&] {
        if (dx != 0 || dy != 0) node()->propagateEvent(MouseMotionEvent(dx, dy));
        dx = dy = 0;
    };
    const int sense = d_inverseSense.value() ? -1 : 1;
    const Pedal before = m_pedal;
    for (const Input& i : inputs) {
        if (d_printEvent.value())  // asked for, with printLog or not
            MessageLog::emit(Severity::Info,
                             "event of type " + std::to_string(i.type) + ", code " + std::to_string(i.code) +
                                 ", value " + std::to_string(i.value),
                             location, pathName() + " (InputEventReader)");
        if (i.type == EV_REL && i.code == REL_X) dx += sense * i.value;
        if (i.type == EV_REL && i.code == REL_Y) dy += sense * i.value;
        if (i.type == EV_KEY && (i.value == 0 || i.value == 1))
            if (const auto button = buttonOf(i.code)) {
                tellMotion();  // that came before
                node()->propagateEvent(MouseButtonEvent(*button, i.value == 1));
            }
        if (i.type == EV_ABS && i.code == ABS_Y)
            m_pedal = i.value > 156 ? Pedal::Left : i.value < 100 ? Pedal::Right : Pedal::None;
    }
    tellMotion();
    if (m_pedal == before) return;
    const auto keyOf = [this](Pedal p) { return (p == Pedal::Left ? d_key1 : d_key2).value().front(); };
    if (before != Pedal::None) node()->propagateEvent(KeyEvent(keyOf(before), false));
    if (m_pedal != Pedal::None) node()->propagateEvent(KeyEvent(keyOf(m_pedal), true));
}

void InputEventReader::handleEvent(const Event& e)
{
    if (!dynamic_cast<const AnimateBeginEvent*>(&e) || !isValid()) return;
    if (m_device >= 0) {
        const Vector<Input> inputs = fromDevice();
        if (d_writeEvents.value()) write(inputs);
        take(inputs);
    } else if (m_step < m_steps.size()) {
        take(m_steps[m_step]);
    }
    ++m_step;
}

static const RegisterComponent registeredInputEventReader =
    RegisterComponent("InputEventReader", "Controller", "Sofa.Component.Playback")
        .help("Tells the scene what a mouse or pedals do, from a device or a recording")
        .example("component/playback/InputEventReader.scn")
        .add<InputEventReader>();

}  // namespace sofa::component
