// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QDateTime>
#include <QProcess>
#include <QRandomGenerator>
#include <algorithm>
#include <csignal>

#include "applications/modeler/Recovery.h"
#include "tests/applications/modeler/ModelerWindowTest.h"

namespace sofa::modeler {

/// A Modeler that is killed while somebody types loses ten seconds at most.
class KillTest : public ModelerWindowTest
{
    Q_OBJECT

    static constexpr qint64 mostLost = 10'000;  ///< [ms]
    static QByteArray scene(int digits)
    {
        return "<Node name=\"root\">\n  <!-- " + QByteArray(digits, '7') + " -->\n</Node>\n";
    }

private Q_SLOTS:
    void typesUntilItIsKilled();
    void losesTenSecondsAtMost_data();
    void losesTenSecondsAtMost();
};

/// The process that is killed: it writes down when it typed each digit.
void KillTest::typesUntilItIsKilled()
{
    const QString log = qEnvironmentVariable("SOFA_KILLED_LOG");
    if (log.isEmpty()) QSKIP("a part of the other test");
    openWindow();
    window->open(qEnvironmentVariable("SOFA_KILLED_SCENE"));
    clickText("<!-- ");
    QFile file(log);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    for (;;) {
        QTest::keyClicks(&source(), "7");
        file.write(QByteArray::number(QDateTime::currentMSecsSinceEpoch()) + '\n');
        QTest::qWait(20);
    }
}

void KillTest::losesTenSecondsAtMost_data()
{
    QTest::addColumn<int>("after");
    // Before the first copy, and anywhere around the next ones.
    for (const int from : {100, 4'000, 6'000}) {
        const int after = from + QRandomGenerator::system()->bounded(3'000);
        QTest::newRow(qPrintable(QString("%1 ms").arg(after))) << after;
    }
}

void KillTest::losesTenSecondsAtMost()
{
    QFETCH(int, after);
    const QString path = write("scene.scn", scene(0)), log = folder->filePath("log");
    QProcess editor;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("SOFA_TEST_HOME", QDir::homePath());
    environment.insert("SOFA_KILLED_SCENE", path);
    environment.insert("SOFA_KILLED_LOG", log);
    editor.setProcessEnvironment(environment);
    editor.start(QCoreApplication::applicationFilePath(), {"KillTest", "typesUntilItIsKilled"});
    QVERIFY(editor.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(log).size() > 0, 60'000);
    QTest::qWait(after);
    QCOMPARE(kill(static_cast<pid_t>(editor.processId()), SIGKILL), 0);
    const qint64 end = QDateTime::currentMSecsSinceEpoch();
    QVERIFY(editor.waitForFinished());
    const QList<QByteArray> times = read(log).split('\n');
    // The next start.
    window = std::make_unique<ModelerWindow>();
    window->show();
    window->restoreSession();
    int digits = 0;
    if (window->tabs().count() > 0) {
        QCOMPARE(document().path(), path);
        digits = static_cast<int>(bytes().count('7'));
        QCOMPARE(bytes(), scene(digits));
        document().undo();
        QCOMPARE(bytes(), scene(0));
    }
    QCOMPARE(read(path), scene(0));  // nobody has saved
    QVERIFY(times.size() > 2);
    const auto firstLost = std::min<qsizetype>(digits, times.size() - 2);
    const qint64 lost = end - times[firstLost].toLongLong();
    QVERIFY2(lost < mostLost, qPrintable(QString("%1 ms lost").arg(lost)));
    QVERIFY(after < 6'000 || digits > 0);
}

const bool registered = qt::registerWindowTest<KillTest>();

}  // namespace sofa::modeler

#include <KillTest.moc>
