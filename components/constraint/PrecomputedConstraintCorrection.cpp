// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/PrecomputedConstraintCorrection.h"
#include "core/log/Reason.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/Trust.h"
#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/io/OutputFile.h"
#include "core/objectmodel/Event.h"
#include "core/visitor/Operations.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using namespace core;

template <class D>
PrecomputedConstraintCorrection<D>::PrecomputedConstraintCorrection()
{
    addAlias(d_fileCompliance, "filePrefix");
    d_listening.setDefault(true);
}

template <class D>
void PrecomputedConstraintCorrection<D>::init()
{
    std::string error;
    if (!l_state.resolve(error)) return fail("mstate: " + error);
    if (!l_state) l_state.set(findMechanicalState<State<D>>(*node(), Search::Up));
    if (!l_state) fail("it needs a MechanicalObject of type " + std::string(D::name()) + " in its node or above");
}

template <class D>
std::string PrecomputedConstraintCorrection<D>::defaultFile() const
{
    std::ostringstream name;
    name << node()->name() << '-' << l_state->size() * D::derivSize << '-' << node()->dt() << ".comp";
    return (std::filesystem::path(d_fileDir.value()) / name.str()).string();
}

template <class D>
void PrecomputedConstraintCorrection<D>::bwdInit()
{
    m_compliance.clear();
    clearCaches();
    if (l_state->size() == 0) return fail("the state " + l_state->pathName() + " has no points");
    m_file = defaultFile();
    if (!d_fileCompliance.value().empty()) {
        if (const auto path = findFile(d_fileCompliance.value(), d_fileCompliance)) {
            if (!read(*path)) return;
        } else {
            message(Severity::Warning,
                    "fileCompliance: there is no file '" + d_fileCompliance.value() + "': the compliance is computed",
                    d_fileCompliance.location);
        }
    } else if (!d_recompute.value() && std::filesystem::exists(m_file)) {
        if (!read(m_file)) return;
    }
    if (!m_compliance.empty()) return;
    if (const std::string why = core::Trust::instance().whyNotWrite(m_file); !why.empty())
        return fail("the compliance would be written to '" + m_file + "': " + why);
    SolverConstraintCorrection::init();  // the compliance comes from the matrix of the body
}

template <class D>
bool PrecomputedConstraintCorrection<D>::read(const std::string& path)
{
    const std::size_t n = l_state->size() * D::derivSize;
    std::error_code error;
    const auto bytes = std::filesystem::file_size(path, error);
    if (error || bytes != n * n * sizeof(double)) {
        fail("the file '" + path + "' is no compliance of this body: it has " + (error ? "no" : std::to_string(bytes)) +
             " bytes, and " + std::to_string(n) + " scalars need " + std::to_string(n * n * sizeof(double)) +
             " (set recompute=\"true\", or remove the file)");
        return false;
    }
    m_compliance.resize(n * n);
    std::ifstream in(path, std::ios::binary);
    in.read(reinterpret_cast<char*>(m_compliance.data()), static_cast<std::streamsize>(bytes));
    const bool finite =
        std::all_of(m_compliance.begin(), m_compliance.end(), [](double c) { return std::isfinite(c); });
    if (!in || !finite) {
        fail("the file '" + path + "' " + (in ? "holds numbers that are not finite" : "cannot be read"));
        return false;
    }
    msgInfo() << "the compliance was read from " << path;
    return true;
}

template <class D>
void PrecomputedConstraintCorrection<D>::write(const std::string& path) const
{
    try {
        writeFile(path, {reinterpret_cast<const char*>(m_compliance.data()), m_compliance.size() * sizeof(double)});
        msgInfo() << "the compliance was written to " << path << ": it is read from there next time";
    } catch (const std::runtime_error& e) {
        msgWarning() << e.what() << ": the compliance will be computed next time, too";
    }
}

template <class D>
std::string PrecomputedConstraintCorrection<D>::refusal(const core::TopologyStep& step) const
{
    const core::Node& own = *l_state->node();
    const bool mine = std::ranges::any_of(step.topologies, [&](const core::BaseMeshTopology* t) {
        return t->node()->contains(own) || own.contains(*t->node());
    });
    return mine ? "its compliance is that of the whole body; LinearSolverConstraintCorrection follows the elements"
                : "";
}

template <class D>
void PrecomputedConstraintCorrection<D>::storeResetState()
{
    SolverConstraintCorrection::storeResetState();
    if (!isValid() || !m_compliance.empty()) return;
    try {
        compute();
    } catch (const std::exception& e) {
        return fail(std::string("the compliance cannot be computed: ") + core::reasonOf(e));
    }
    m_isWritten = false;
}

template <class D>
void PrecomputedConstraintCorrection<D>::handleEvent(const core::Event& e)
{
    if (isValid() && dynamic_cast<const core::AnimateBeginEvent*>(&e) && !std::exchange(m_isWritten, true))
        write(m_file);
}

template <class D>
void PrecomputedConstraintCorrection<D>::compute()
{
    // A step into scratch vectors makes the matrix at the initial positions; the step itself is of no interest.
    std::vector<std::pair<BaseData*, std::string>> saved;
    if (l_linearSolver->className() == "CGLinearSolver") {
        for (const auto& [name, accurate] :
             {std::pair("tolerance", "1e-20"), std::pair("threshold", "1e-35"), std::pair("iterations", "5000")}) {
            BaseData* d = l_linearSolver->findData(name);
            saved.emplace_back(d, d->text());
            std::string error;
            d->read(accurate, error);
        }
    }
    Node& body = *l_odeSolver->node();
    VectorOperations vop(body);
    vop.allocate(vec_id::freePosition);
    vop.allocate(vec_id::freeVelocity);
    vop.copy(vec_id::freePosition, vec_id::position);
    vop.copy(vec_id::freeVelocity, vec_id::velocity);
    const double dt = node()->dt();
    l_odeSolver->solve(dt, vec_id::freePosition, vec_id::freeVelocity);

    // H = 1 on the state, without what projective constraints hold.
    ConstraintMatrix h;
    h.begin();
    const std::size_t n = l_state->size() * D::derivSize;
    h.addRows(static_cast<int>(n));
    for (Index i = 0; i < l_state->size(); ++i)
        for (std::size_t k = 0; k < D::derivSize; ++k) {
            Deriv one{};
            one[k] = 1.;
            h.add(*l_state, static_cast<int>(i * D::derivSize + k), i, one);
        }
    h.carry({});
    h.eliminate(ExecutionPlan::of(body).constraints());
    ConstraintParams p;
    p.dt = dt;
    const auto w = computeCompliance(p, h, false);
    m_compliance.assign(n * n, 0.);
    const double factor = l_odeSolver->positionIntegrationFactor(dt);
    const auto& free = m_rows.global;  // rows of scalars that can move
    for (std::size_t i = 0; i < free.size(); ++i)
        for (std::size_t j = 0; j < free.size(); ++j)
            m_compliance[static_cast<std::size_t>(free[i]) * n + static_cast<std::size_t>(free[j])] =
                factor * w[i * free.size() + j];

    for (auto& [d, text] : saved) {
        std::string error;
        d->read(text, error);
    }
    l_odeSolver->reset();
    l_linearSolver->reset();
}

template <class D>
void PrecomputedConstraintCorrection<D>::updateRotations()
{
    m_rotation.clear();
    if (!d_rotations.value()) return;
    if constexpr (D::isRigid) {
        const auto& x = l_state->read(vec_id::position);
        const auto& x0 = l_state->read(vec_id::restPosition);
        for (Index i = 0; i < x.size(); ++i) {
            const Quat q =
                d_restDeformations.value() ? x[i].orientation * x0[i].orientation.inverse() : x[i].orientation;
            m_rotation.push_back(q.toMatrix());
        }
    } else if constexpr (D::derivSize == 3) {
        for (const auto& c : node()->components())
            if (const auto* finder = dynamic_cast<const RotationFinder*>(c.get()))
                return finder->nodeRotations(m_rotation);
        throw std::runtime_error(pathName() + " (" + className() + "): rotations: no force field of node '" +
                                 node()->pathName() + "' knows how its points turn (a corotational one does)");
    }
}

template <class D>
typename PrecomputedConstraintCorrection<D>::Deriv PrecomputedConstraintCorrection<D>::rotated(
    [[maybe_unused]] Index point, const Deriv& d, [[maybe_unused]] bool back) const
{
    if constexpr (D::derivSize >= 3) {
        if (m_rotation.empty()) return d;
        const Mat3 r = back ? m_rotation[point].transposed() : m_rotation[point];
        Deriv out{};
        for (std::size_t block = 0; block < D::derivSize; block += 3) {
            const Vec3 v = r * Vec3(d[block], d[block + 1], d[block + 2]);
            for (std::size_t k = 0; k < 3; ++k) out[block + k] = v[k];
        }
        return out;
    } else {
        return d;
    }
}

template <class D>
std::span<const double> PrecomputedConstraintCorrection<D>::regularCompliance(const ConstraintParams& p,
                                                                              const ConstraintMatrix& h)
{
    m_rows.global.clear();
    const auto* part = h.part(*l_state);
    if (!part || part->empty()) return {};
    if (m_compliance.empty()) throw std::runtime_error(pathName() + " (" + className() + ") has no compliance");
    updateRotations();
    constexpr std::size_t d = D::derivSize;
    m_rows.global = part->rows;
    m_turned.ptr.resize(part->start.size());
    for (std::size_t r = 0; r < part->start.size(); ++r) m_turned.ptr[r] = static_cast<int>(part->start[r]);
    m_turned.columns.clear();
    m_turned.values.clear();
    for (std::size_t e = 0; e < part->points.size(); ++e) {
        Deriv entry{};
        std::copy_n(part->values.data() + e * d, d, entry.data());
        entry = rotated(part->points[e], entry, true);
        for (std::size_t a = 0; a < d; ++a) {
            m_turned.columns.push_back(static_cast<int>(part->points[e] * d + a));
            m_turned.values.push_back(entry[a]);
        }
    }
    for (int& start : m_turned.ptr) start *= static_cast<int>(d);
    const double factor = complianceFactor(p);
    ComplianceCache& kept = cache(p);
    kept.expect(1, factor);
    if (!d_cacheCompliance.value()) kept.clear();
    if (!kept.begin({m_turned.ptr, m_turned.columns, m_turned.values})) {
        computeFresh(factor, kept);
        kept.finish();
    }
    reportCache(kept);
    return regularized(kept.values());
}

template <class D>
void PrecomputedConstraintCorrection<D>::computeFresh(double factor, ComplianceCache& cache) const
{
    const std::size_t n = l_state->size() * D::derivSize, k = m_rows.global.size();
    const auto w = cache.values();
    const auto entries = [&](std::size_t row) {
        return std::pair(static_cast<std::size_t>(m_turned.ptr[row]), static_cast<std::size_t>(m_turned.ptr[row + 1]));
    };
    for (std::size_t r = 0; r < k; ++r) {
        const auto [firstR, lastR] = entries(r);
        for (std::size_t s = r; s < k; ++s) {
            if (!cache.isFresh(static_cast<int>(r)) && !cache.isFresh(static_cast<int>(s))) continue;
            const auto [firstS, lastS] = entries(s);
            double sum = 0.;
            for (std::size_t e = firstS; e < lastS; ++e) {
                if (m_turned.values[e] == 0.) continue;
                const double* row = m_compliance.data() + static_cast<std::size_t>(m_turned.columns[e]) * n;
                double motion = 0.;
                for (std::size_t f = firstR; f < lastR; ++f) motion += row[m_turned.columns[f]] * m_turned.values[f];
                sum += m_turned.values[e] * motion;
            }
            w[r * k + s] = w[s * k + r] = factor * sum;
        }
    }
}

template <class D>
void PrecomputedConstraintCorrection<D>::computeMotion(const ConstraintParams&, const ConstraintMatrix& h,
                                                       std::span<const double> lambda, VecDerivId dx)
{
    constexpr std::size_t d = D::derivSize;
    State<D>& s = *l_state;
    s.clear(dx);
    const auto* part = h.part(s);
    if (!part || part->empty()) return;
    h.addForce(s, dx, lambda);
    const auto motion = s.write(dx);
    Vector<Index> points(part->points.begin(), part->points.end());
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    Vector<Deriv> force;
    for (const Index i : points) force.push_back(rotated(i, motion[i], true));
    const std::size_t n = s.size() * d;
    for (Index i = 0; i < s.size(); ++i) {
        Deriv v{};
        for (std::size_t a = 0; a < d; ++a) {
            const double* row = m_compliance.data() + (i * d + a) * n;
            for (std::size_t f = 0; f < points.size(); ++f)
                for (std::size_t b = 0; b < d; ++b) v[a] += row[points[f] * d + b] * force[f][b];
        }
        motion[i] = rotated(i, v, false);
    }
}

template <class D>
void PrecomputedConstraintCorrection<D>::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::BehaviorModels) || !d_rotations.value() || !l_state) return;
    auto frames = tool.scratch<core::RigidCoord3>();
    for (core::Index i = 0; i < l_state->size() && i < m_rotation.size(); ++i) {
        core::RigidCoord3 f;
        f.center = l_state->pointPosition(i);
        f.orientation = core::Quat::fromMatrix(m_rotation[i]);
        frames.push_back(f);
    }
    tool.frames(frames, d_debugViewFrameScale.value());
}

static const RegisterComponent registeredPrecomputedConstraintCorrection =
    RegisterComponent("PrecomputedConstraintCorrection", "ConstraintCorrection",
                      "Sofa.Component.Constraint.Lagrangian.Correction")
        .help("Moves one state by constraint forces through a compliance that was computed once and is kept in a file")
        .example("component/constraint/PrecomputedConstraintCorrection.scn")
        .add<PrecomputedConstraintCorrection, Vec3Types, Vec1Types, Rigid3Types>();

}  // namespace sofa::component
