// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/VideoExport.h"

#include <QImage>
#include <cmath>
#include <cstring>

#include "applications/qt/Session.h"
#include "applications/qt/Viewer.h"

namespace sofa::qt {

namespace {

constexpr double rate = 30.;       // images in a second of the scene
constexpr long mostAtOnce = 3000;  // images for one frame: a longer leap of time is cut

}  // namespace

VideoExport::VideoExport(Session& session, Viewer& viewer, QObject* parent)
    : QObject(parent), m_session(session), m_viewer(viewer)
{
    // The viewer was connected before, and has the frame.
    connect(&session, &Session::frameReady, this, &VideoExport::frame);
    connect(&session, &Session::closing, this, &VideoExport::stop);
}

VideoExport::~VideoExport() { stop(); }

void VideoExport::start(const QString& file)
{
    stop();
    const QImage first = m_viewer.image();
    if (!m_session.isOpen() || first.isNull()) return;
    m_width = first.width();
    m_height = first.height();
    m_file = file;
    m_begin = m_viewer.frame().time;
    m_images = 0;
    try {
        m_writer = std::make_unique<gl::VideoWriter>(file.toStdString(), m_width, m_height, rate);
    } catch (const std::exception& e) {
        Q_EMIT problem(tr("No video is made: %1").arg(e.what()));
        return;
    }
    Q_EMIT changed(true);
    add(1);
}

void VideoExport::add(int images)
{
    QImage image = m_viewer.image().convertToFormat(QImage::Format_RGB888);
    if (image.size() != QSize(m_width, m_height))
        image = image.scaled(m_width, m_height, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    gl::Image plain;
    plain.width = m_width;
    plain.height = m_height;
    plain.channels = 3;
    const auto row = static_cast<std::size_t>(m_width) * 3;
    plain.pixels.resize(row * static_cast<std::size_t>(m_height));
    for (int y = 0; y < m_height; ++y)
        std::memcpy(&plain.pixels[row * static_cast<std::size_t>(y)], image.constScanLine(y), row);
    try {
        for (int i = 0; i < images; ++i, ++m_images) m_writer->add(plain);
    } catch (const std::exception& e) {
        m_writer.reset();
        Q_EMIT changed(false);
        Q_EMIT problem(tr("The video ended: %1").arg(e.what()));
    }
}

void VideoExport::frame()
{
    if (!m_writer || !m_viewer.frame().drawList) return;
    const double passed = m_viewer.frame().time - m_begin;
    if (passed < 0.) {
        stop();  // time went back: what was seen so far is kept
        return;
    }
    const long due = static_cast<long>(std::floor(passed * rate + 1e-6)) + 1;
    if (due > m_images) add(static_cast<int>(std::min(due - m_images, mostAtOnce)));
}

void VideoExport::stop()
{
    if (!m_writer) return;
    const auto writer = std::move(m_writer);
    m_writer.reset();
    Q_EMIT changed(false);
    try {
        writer->finish();
        Q_EMIT written(m_file);
    } catch (const std::exception& e) {
        Q_EMIT problem(tr("The video ended: %1").arg(e.what()));
    }
}

}  // namespace sofa::qt
