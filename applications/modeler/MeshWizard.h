// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QWizard>
#include <functional>
#include <optional>

#include "applications/modeler/MeshScene.h"

class QButtonGroup;
class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QRadioButton;
class QSpinBox;

namespace sofa::modeler {

/// Asks what is to be made of a mesh file, and makes the text of a scene of it.
class MeshWizard : public QWizard
{
    Q_OBJECT

public:
    /// `filename` tells how a file is named in the scene that is made, by whether it goes into the document that is
    /// shown; `canInsert`: whether there is one.
    MeshWizard(std::function<QString(const QString& file, bool intoDocument)> filename, bool canInsert,
               QWidget* parent = nullptr);

    /// Reads a file, as if it had been chosen.
    void setFile(const QString& path);
    /// What was chosen. Only valid while the wizard lets go on.
    const MeshFacts& mesh() const { return *m_mesh; }
    MeshSimulation simulation() const;
    /// Whether the object is to go into the document that is shown, instead of a new one.
    bool intoDocument() const;
    QString filename() const;

private:
    QWizardPage* filePage();
    QWizardPage* objectPage(bool canInsert);
    QWizardPage* previewPage();
    void fileChanged();
    void kindChanged();
    void preview();
    /// Numbers of a field, in a unit, or nothing where they cannot be read.
    std::optional<std::vector<double>> numbers(const QLineEdit* field, const char* unit, std::size_t count) const;
    static QStringList description(const MeshFacts& mesh);
    QString problem() const;
    double unitOfFile() const;
    MeshSimulation::Kind kind() const;

    std::function<QString(const QString&, bool)> m_filename;
    std::optional<MeshFacts> m_mesh;
    QLineEdit *m_file, *m_young, *m_poisson, *m_density, *m_thickness, *m_boxMin, *m_boxMax;
    QLabel *m_facts, *m_problem;
    QComboBox *m_unit, *m_solver;
    QButtonGroup* m_kinds;
    QSpinBox* m_cells;
    QCheckBox *m_fixed, *m_collision;
    QRadioButton* m_insert = nullptr;
    QPlainTextEdit* m_preview;
};

}  // namespace sofa::modeler
