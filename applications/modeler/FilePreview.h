// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QImage>
#include <QTimer>
#include <QWidget>

class QLabel;

namespace sofa::modeler {

/// What a file that a component names holds: of a mesh, a drawing, how much of what, and its size; of an image, itself.
/// Empty, and hidden, for other files and for those that are not there.
class FilePreview : public QWidget
{
    Q_OBJECT

public:
    explicit FilePreview(QWidget* parent = nullptr);
    /// The file `name` as it is found from a folder; reads it when nothing else was asked for a moment.
    void setFile(const QString& name, const QString& folder);
    QString text() const;
    const QImage& image() const { return m_image; }

private:
    void read();

    QLabel *m_picture, *m_text;
    QTimer m_later;
    QString m_path;
    QImage m_image;
};

}  // namespace sofa::modeler
