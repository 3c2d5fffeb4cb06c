// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <sstream>

#include "components/linearsolver/KrylovLinearSolver.h"
#include "core/factory/Registry.h"
#include "core/io/OutputFile.h"
#include "core/simulation/SimulationExporter.h"
#include "core/visitor/AssembledLinearSolver.h"

namespace sofa::component {

using namespace core;

namespace {

/// Writes something of the matrix that a linear system assembled last.
class MatrixWriter : public SimulationExporter
{
public:
    Link<LinearSystem> l_linearSystem{
        this,
        {"linearSystem",
         "System whose matrix is written; default: that of the node or above, or of its linear solver"}};

    void init() override
    {
        SimulationExporter::init();
        std::string error;
        if (!l_linearSystem.resolve(error)) return fail("linearSystem: " + error);
        if (!system() && !node()->get<LinearSolver>())
            fail("there is no linear system and no linear solver in node '" + node()->pathName() + "' or above");
    }

protected:
    /// The whole matrix of the last solve; nullptr, after a message, if there is none.
    const BlockCsrMatrix* matrix() const
    {
        LinearSystem* s = system();
        if (!s || s->assembly().size() == 0 || s->assembly().matrix().rows() == 0) {
            msgWarning() << "there is no matrix to write: nothing was solved yet, or without a matrix";
            return nullptr;
        }
        if (!s->assembly().factors().empty()) {
            msgWarning() << "the matrix lacks the contributions of mapped states, which the solver keeps as factors: a "
                            "linear system that is named in the scene has them";
        }
        s->assembly().complete();
        return &s->assembly().matrix();
    }
    LinearSystem* system() const
    {
        if (l_linearSystem) return l_linearSystem.get();
        if (auto* s = node()->get<LinearSystem>()) return s;
        LinearSolver* const solver = node()->get<LinearSolver>();
        if (const auto* direct = dynamic_cast<const AssembledLinearSolver*>(solver))
            return direct->l_linearSystem.get();
        const auto* krylov = dynamic_cast<const KrylovLinearSolver*>(solver);
        return krylov ? krylov->l_linearSystem.get() : nullptr;
    }
};

/// Writes the matrix of a linear system: as text, row by row, or in the Matrix Market format (Boisvert, Pozo and
/// Remington 1996), which keeps the pattern and every bit.
class GlobalSystemMatrixExporter final : public MatrixWriter
{
public:
    Data<Options> d_format{
        this,
        {.name = "format",
         .help = "txt (rows, numbers separated by blanks), csv (by commas), or mtx (Matrix Market: only "
                 "what is stored, with all digits)"},
        Options({"txt", "csv", "mtx"})};
    Data<unsigned> d_precision{
        this, {.name = "precision", .help = "Digits of a number in txt and csv", .range = Range::closed(1., 17.)}, 6};

    void write() override
    {
        const BlockCsrMatrix* m = matrix();
        if (!m) return;
        const std::string format = d_format.value().selected();
        std::ostringstream text;
        if (format == "mtx") {
            m->writeMatrixMarket(text);
        } else {
            text.precision(static_cast<int>(d_precision.value()));
            const char separator = format == "csv" ? ',' : ' ';
            for (int i = 0; i < m->rows(); ++i)
                for (int j = 0; j < m->cols(); ++j) text << m->value(i, j) << (j + 1 < m->cols() ? separator : '\n');
        }
        OutputFile file(target(baseName(), '.' + format));
        file.write(text.str());
        file.commit();
    }
};

/// Appends a chunk of a PNG file: length, type, contents, check sum.
void addChunk(std::string& png, const std::string& type, const std::string& contents)
{
    const auto number = [&png](std::uint32_t n) {
        for (int shift = 24; shift >= 0; shift -= 8) png += static_cast<char>((n >> shift) & 0xff);
    };
    number(static_cast<std::uint32_t>(contents.size()));
    const std::string checked = type + contents;
    png += checked;
    number(static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size()))));
}

/// A square image in black (true) and white, as PNG (ISO/IEC 15948) with one bit for a pixel.
std::string blackAndWhite(std::size_t size, const std::vector<bool>& black)
{
    std::string rows;
    for (std::size_t i = 0; i < size; ++i) {
        rows += '\0';  // no filter
        for (std::size_t first = 0; first < size; first += 8) {
            unsigned bits = 0;
            for (std::size_t k = 0; k < 8; ++k)
                bits = 2 * bits + (first + k < size && !black[i * size + first + k] ? 1u : 0u);
            rows += static_cast<char>(bits);
        }
    }
    uLongf length = compressBound(static_cast<uLong>(rows.size()));
    std::string packed(length, '\0');
    if (compress(reinterpret_cast<Bytef*>(packed.data()), &length, reinterpret_cast<const Bytef*>(rows.data()),
                 static_cast<uLong>(rows.size())) != Z_OK)
        throw std::runtime_error("the image cannot be compressed");
    packed.resize(length);
    std::string header;
    for (int part = 0; part < 2; ++part)
        for (int shift = 24; shift >= 0; shift -= 8) header += static_cast<char>((size >> shift) & 0xff);
    header += std::string("\1\0\0\0\0", 5);  // bits, gray, methods
    std::string png = "\x89PNG\r\n\x1a\n";
    addChunk(png, "IHDR", header);
    addChunk(png, "IDAT", packed);
    addChunk(png, "IEND", "");
    return png;
}

/// Writes which entries of the matrix of a linear system are not zero, as an image: black where there is one.
class GlobalSystemMatrixImage final : public MatrixWriter
{
public:
    Data<unsigned> d_size{
        this,
        {.name = "size",
         .help = "Largest number of pixels of a side; a pixel of a larger matrix stands for a square of "
                 "entries",
         .range = Range::closed(1., 16384.)},
        1024};
    Data<unsigned> d_nonZeros{this,
                              {.name = "nonZeros",
                               .help = "Entries of the matrix that was written last which are not zero",
                               .readOnly = true,
                               .saved = false},
                              0};

    void write() override
    {
        const BlockCsrMatrix* m = matrix();
        if (!m) return;
        const int rows = m->rows(), b = m->blockSize();
        const auto side = std::min(static_cast<std::size_t>(rows), static_cast<std::size_t>(d_size.value()));
        std::vector<bool> black(side * side);
        unsigned count = 0;
        const auto pixel = [&](int k) { return static_cast<std::size_t>(k) * side / static_cast<std::size_t>(rows); };
        for (int i = 0; i < rows / b; ++i)
            for (int k = m->rowPtr()[static_cast<std::size_t>(i)]; k < m->rowPtr()[static_cast<std::size_t>(i) + 1];
                 ++k)
                for (int e = 0; e < b * b; ++e) {
                    if (m->block(static_cast<std::size_t>(k))[e] == 0.) continue;
                    ++count;
                    const int column = m->colIdx()[static_cast<std::size_t>(k)] * b + e % b;
                    black[pixel(i * b + e / b) * side + pixel(column)] = true;
                }
        d_nonZeros.setValue(count);
        OutputFile file(target(baseName(), ".png"));
        file.write(blackAndWhite(side, black));
        file.commit();
    }
};

const char* const matrixExample = "component/linearsolver/GlobalSystemMatrix.scn";

const RegisterComponent registeredGlobalSystemMatrixExporter =
    RegisterComponent("GlobalSystemMatrixExporter", "Exporter", "SofaMatrix")
        .help("Writes the matrix of a linear system as text or in the Matrix Market format")
        .example(matrixExample)
        .add<GlobalSystemMatrixExporter>();
const RegisterComponent registeredGlobalSystemMatrixImage =
    RegisterComponent("GlobalSystemMatrixImage", "Exporter", "SofaMatrix")
        .help("Writes an image of the entries of a linear system's matrix that are not zero")
        .example(matrixExample)
        .add<GlobalSystemMatrixImage>();

}  // namespace

}  // namespace sofa::component
