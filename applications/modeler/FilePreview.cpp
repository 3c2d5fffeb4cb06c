// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/FilePreview.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "applications/gl/Image.h"
#include "core/io/DataRepository.h"
#include "core/io/MeshOperations.h"
#include "core/io/MeshReader.h"

namespace sofa::modeler {

using namespace sofa::core;

namespace {

constexpr int pictureWidth = 132, pictureHeight = 92;  ///< of the picture [pixel]
constexpr qint64 largestMesh = 4 * 1024 * 1024;        ///< larger files are told by their size only [bytes]
constexpr int pause = 120;                             ///< before a file is read [ms]

QImage pictureOf(const gl::Image& image, const QSize& size)
{
    QImage out(image.width, image.height, QImage::Format_RGBA8888);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const unsigned char* p = image.at(x, y);
            const bool isGrey = image.channels < 3, hasAlpha = image.channels % 2 == 0;
            out.setPixelColor(
                x, y, QColor(p[0], p[isGrey ? 0 : 1], p[isGrey ? 0 : 2], hasAlpha ? p[image.channels - 1] : 255));
        }
    return out.scaled(size, Qt::KeepAspectRatio, Qt::SmoothTransformation);
}

/// The faces of a mesh, seen from above at a slant, from the back to the front.
QImage pictureOf(const io::MeshData& mesh, const QSize& size, const QColor& ink)
{
    // Right, up and towards the viewer, of a view from x, y and z.
    const Vec3 right = normalized(Vec3{0.9, 0., -0.44}), front = normalized(Vec3{0.4, 0.4, 0.82});
    const Vec3 up = cross(front, right);
    std::vector<Vec3> seen;
    Vec3 low = Vec3::filled(std::numeric_limits<double>::infinity()), high = -low;
    for (const Vec3& x : mesh.positions) {
        seen.push_back({dot(x, right), dot(x, up), dot(x, front)});
        for (std::size_t k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], seen.back()[k]);
            high[k] = std::max(high[k], seen.back()[k]);
        }
    }
    const double margin = 0.04 * size.width();
    const double scale = std::min((size.width() - 2. * margin) / std::max(high[0] - low[0], 1e-30),
                                  (size.height() - 2. * margin) / std::max(high[1] - low[1], 1e-30));
    const auto place = [&](Index i) {
        return QPointF(0.5 * size.width() + (seen[i][0] - 0.5 * (low[0] + high[0])) * scale,
                       0.5 * size.height() - (seen[i][1] - 0.5 * (low[1] + high[1])) * scale);
    };
    QImage out(size, QImage::Format_ARGB32_Premultiplied);
    out.fill(Qt::transparent);
    QPainter p(&out);
    p.setRenderHint(QPainter::Antialiasing);
    std::vector<std::pair<double, const Triangle*>> faces;
    for (const Triangle& t : mesh.triangles) faces.emplace_back(seen[t[0]][2] + seen[t[1]][2] + seen[t[2]][2], &t);
    std::ranges::sort(faces);
    for (const auto& [depth, t] : faces) {
        const Vec3 n = cross(seen[(*t)[1]] - seen[(*t)[0]], seen[(*t)[2]] - seen[(*t)[0]]);
        const double light = norm(n) > 0. ? std::abs(dot(normalized(n), normalized(Vec3{-0.3, 0.5, 0.8}))) : 0.;
        const QColor c = QColor::fromHsvF(0.58F, 0.35F, static_cast<float>(0.35 + 0.6 * light));
        p.setPen(QPen(c, 0.6));  // no gaps between neighbours
        p.setBrush(c);
        p.drawPolygon(QPolygonF{place((*t)[0]), place((*t)[1]), place((*t)[2])});
    }
    if (!faces.empty()) return out;
    p.setPen(QPen(ink, 1.));
    for (const Edge& e : mesh.edges) p.drawLine(place(e[0]), place(e[1]));
    for (Index i = 0; mesh.edges.empty() && i < seen.size(); ++i) p.drawPoint(place(i));
    return out;
}

}  // namespace

FilePreview::FilePreview(QWidget* parent) : QWidget(parent), m_picture(new QLabel), m_text(new QLabel)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 2, 0, 4);
    row->addWidget(m_picture);
    row->addWidget(m_text, 1);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_later.setSingleShot(true);
    m_later.setInterval(pause);
    connect(&m_later, &QTimer::timeout, this, &FilePreview::read);
    hide();
}

QString FilePreview::text() const { return m_text->text(); }

void FilePreview::setFile(const QString& name, const QString& folder)
{
    const auto found =
        name.isEmpty() ? std::nullopt : DataRepository::instance().find(name.toStdString(), folder.toStdString());
    const QString path = found ? QString::fromStdString(*found) : QString();
    if (path == m_path) return;
    m_path = path;
    m_image = {};
    hide();
    m_later.stop();
    if (QFileInfo(path).isFile()) m_later.start();
}

void FilePreview::read()
{
    const QFileInfo file(m_path);
    const QString size = QLocale::c().formattedDataSize(file.size());
    const QSize pixels = QSize(pictureWidth, pictureHeight) * devicePixelRatioF();
    QStringList facts;
    try {
        if (gl::isImageName(m_path.toStdString()) ||
            QStringList{"tga", "bmp", "tif", "tiff", "pgm"}.contains(file.suffix().toLower())) {
            const gl::Image image = gl::readImage(m_path.toStdString());
            m_image = pictureOf(image, pixels);
            facts << tr("%1 × %2 pixels").arg(image.width).arg(image.height) << size;
        } else if (file.size() > largestMesh) {
            facts << size;
        } else {
            io::MeshData mesh = io::readMesh(m_path.toStdString());
            if (mesh.positions.empty()) return;
            const auto add = [&](const QString& text, std::size_t n) {
                if (n > 0) facts << text.arg(n);
            };
            add(tr("%1 points"), mesh.positions.size());
            add(tr("%1 tetrahedra"), mesh.tetrahedra.size());
            add(tr("%1 hexahedra"), mesh.hexahedra.size());
            add(tr("%1 other volumes"), mesh.prisms.size() + mesh.pyramids.size());
            add(tr("%1 triangles"), mesh.triangles.size());
            add(tr("%1 quads"), mesh.quads.size());
            std::array<QString, 3> extent;
            for (std::size_t k = 0; k < 3; ++k) {
                const auto [a, b] = std::ranges::minmax(mesh.positions, {}, [k](const Vec3& x) { return x[k]; });
                extent[k] = QString::number(b[k] - a[k], 'g', 4);
            }
            facts << tr("%1 × %2 × %3 large").arg(extent[0], extent[1], extent[2]);
            mesh = io::withBorder(mesh);
            io::triangulate(mesh);
            m_image = pictureOf(mesh, pixels, palette().color(QPalette::Text));
        }
    } catch (const std::exception&) {
        return;  // no mesh, or one that the messages tell about
    }
    m_image.setDevicePixelRatio(devicePixelRatioF());
    m_picture->setPixmap(QPixmap::fromImage(m_image));
    m_picture->setVisible(!m_image.isNull());
    m_text->setText(facts.join('\n'));
    show();
}

}  // namespace sofa::modeler
