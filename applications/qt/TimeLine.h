// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QWidget>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "applications/qt/Session.h"

namespace sofa::qt {

/// The time of the scene as a line, with moments to which one can go back: checkpoints with the state of all components
/// (core/simulation/Checkpoint.h), in a temporary folder. They are kept by themselves while the scene goes on, or when
/// the user asks for one. Together they take no more room than a limit: then every second one is dropped. Steps that
/// are done after going back make another future: what was kept of the old one is dropped.
class TimeLine : public QWidget
{
    Q_OBJECT

public:
    explicit TimeLine(Session& session, QWidget* parent = nullptr);
    ~TimeLine() override;

    /// Whether moments are kept by themselves: one in half a second of the scene, and in two of the clock, at most.
    void setAutomatic(bool on) { *m_automatic = on; }
    /// Keeps the present moment.
    void keep();
    /// To the last kept moment before the present one, or the first after it.
    void goBack();
    void goForward();
    /// Kept moments [s], in their order.
    std::vector<double> moments() const;
    /// Most room of all moments [bytes].
    void setLimit(qint64 bytes);

    QSize sizeHint() const override { return {300, fontMetrics().height() + 6}; }
    QSize minimumSizeHint() const override { return {100, sizeHint().height()}; }

Q_SIGNALS:
    void problem(const QString& text);
    /// The scene stands at a kept moment again [s].
    void wentTo(double time);

protected:
    void paintEvent(QPaintEvent* e) override;
    void mousePressEvent(QMouseEvent* e) override;
    bool event(QEvent* e) override;

private:
    struct Kept;

    void goTo(std::size_t moment);
    std::optional<std::size_t> nearest(double x) const;
    double end() const;
    double placeOf(double time) const;

    Session& m_session;
    std::shared_ptr<Kept> m_kept;
    std::shared_ptr<std::atomic<bool>> m_automatic = std::make_shared<std::atomic<bool>>(true);
    qint64 m_limit = 500'000'000;
    double m_now = 0.;  ///< of the frame that is shown [s]
};

}  // namespace sofa::qt
