// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/Language.h"

#include <QApplication>
#include <QDir>
#include <QDoubleSpinBox>
#include <QKeyEvent>
#include <QLibraryInfo>
#include <QLineEdit>
#include <QTranslator>
#include <clocale>

#include "applications/qt/Preferences.h"

#ifdef SOFA_TRANSLATIONS
static void initTranslations() { Q_INIT_RESOURCE(translations); }  // of a static library, and in no namespace
#else
static void initTranslations() {}
#endif

namespace sofa::qt {

namespace {

constexpr const char* numberProperty = "sofaNumber";

/// Makes commas points in editors of numbers.
class DecimalPoint final : public QObject
{
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* object, QEvent* e) override
    {
        if (e->type() != QEvent::KeyPress) return false;
        const auto* key = static_cast<QKeyEvent*>(e);
        if (key->text() != ",") return false;
        // Keys go to the line of a box, or to the box.
        const bool number = object->property(numberProperty).toBool() || qobject_cast<QDoubleSpinBox*>(object) ||
                            qobject_cast<QDoubleSpinBox*>(object->parent());
        if (!number) return false;
        QKeyEvent point(QEvent::KeyPress, Qt::Key_Period, key->modifiers(), QStringLiteral("."));
        QApplication::sendEvent(object, &point);
        return true;
    }
};

QString chosenLanguage(const QStringList& available)
{
    const QString preferred = Preferences::value(Preferences::language).toString();
    if (available.contains(preferred)) return preferred;
    for (const QString& one : QLocale::system().uiLanguages())
        if (const QString language = one.section('-', 0, 0); available.contains(language)) return language;
    return QStringLiteral("en");
}

/// Texts of a file, until the program ends or another language is chosen.
void install(const QString& file, const QString& folder)
{
    auto* texts = new QTranslator(qApp);
    texts->setObjectName("texts");
    if (texts->load(file, folder)) QApplication::installTranslator(texts);
}

}  // namespace

QStringList availableLanguages()
{
    initTranslations();
    QStringList all{QStringLiteral("en")};
    for (const QString& name : QDir(":/translations").entryList({"sofa_*.qm"}, QDir::Files, QDir::Name))
        all << name.section('_', 1).section('.', 0, 0);
    return all;
}

QString nameOfLanguage(const QString& language)
{
    if (language == "en") return QStringLiteral("English");
    return QLocale(language).nativeLanguageName();
}

QString startLanguage(const QString& wanted)
{
    const QStringList available = availableLanguages();
    if (!wanted.isEmpty() && !available.contains(wanted)) return {};
    std::setlocale(LC_NUMERIC, "C");
    QLocale::setDefault(QLocale::c());
    if (!qApp->findChild<QObject*>("decimalPoint")) {
        auto* point = new DecimalPoint(qApp);
        point->setObjectName("decimalPoint");
        qApp->installEventFilter(point);
    }
    const QString language = wanted.isEmpty() ? chosenLanguage(available) : wanted;
    qDeleteAll(qApp->findChildren<QTranslator*>("texts"));
    if (language != "en") {
        install("qtbase_" + language, QLibraryInfo::path(QLibraryInfo::TranslationsPath));
        install("sofa_" + language, ":/translations");
    }
    return language;
}

void takesNumber(QLineEdit& line) { line.setProperty(numberProperty, true); }

}  // namespace sofa::qt
