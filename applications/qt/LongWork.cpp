// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/LongWork.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QProgressDialog>
#include <QTimer>
#include <atomic>
#include <exception>
#include <memory>
#include <stdexcept>
#include <thread>

#include "core/log/Phases.h"

namespace sofa::qt {

void doLongWork(const QString& title, const std::function<void()>& work)
{
    std::atomic<core::Phases*> phases{nullptr};
    std::atomic<bool> done{false};
    std::exception_ptr error;
    std::jthread thread([&] {
        phases = &core::Phases::ofThisThread();
        try {
            work();
        } catch (const core::Interrupted&) {
            error = std::make_exception_ptr(std::runtime_error("it was interrupted"));
        } catch (...) {
            error = std::current_exception();
        }
        done = true;
        QMetaObject::invokeMethod(
            qApp, [] {}, Qt::QueuedConnection);  // wakes the loop below
    });
    std::unique_ptr<QProgressDialog> dialog;
    QElapsedTimer clock;
    clock.start();
    QTimer tick;
    tick.start(200);
    while (!done) {
        // Until the dialog keeps other input away, it waits.
        QApplication::processEvents(QEventLoop::WaitForMoreEvents |
                                    (dialog ? QEventLoop::AllEvents : QEventLoop::ExcludeUserInputEvents));
        if (done || clock.elapsed() < 2000) continue;
        if (!dialog) {
            dialog = std::make_unique<QProgressDialog>(QApplication::activeWindow());
            dialog->setObjectName("longWork");
            dialog->setWindowTitle(title);
            dialog->setWindowModality(Qt::ApplicationModal);
            dialog->setRange(0, 0);
            dialog->setCancelButtonText(QProgressDialog::tr("&Interrupt"));
            dialog->setAutoReset(false);
            dialog->setMinimumWidth(400);
            QObject::connect(dialog.get(), &QProgressDialog::canceled, dialog.get(),
                             [&phases] { phases.load()->interrupt(); });
            QApplication::setOverrideCursor(Qt::ArrowCursor);
            dialog->show();
        }
        dialog->setLabelText(QProgressDialog::tr("%1 s so far\n%2")
                                 .arg(clock.elapsed() / 1000)
                                 .arg(QString::fromStdString(phases.load()->path())));
    }
    if (dialog) QApplication::restoreOverrideCursor();
    thread.join();
    if (error) std::rethrow_exception(error);
}

}  // namespace sofa::qt
