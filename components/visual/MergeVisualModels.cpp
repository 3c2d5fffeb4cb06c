// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/visual/MergeVisualModels.h"

#include <algorithm>

#include "core/factory/Registry.h"

namespace sofa::component {

namespace {

/// Appends elements whose vertices count from `first` on.
template <class T>
void appendElements(Vector<T>& to, const Vector<T>& elements, Index first)
{
    for (T e : elements) {
        for (Index& v : e) v += first;
        to.push_back(e);
    }
}

bool isSplit(const VisualModelImpl& m) { return !m.d_vertPosIdx.value().empty(); }

std::size_t vertexCountOf(const VisualModelImpl& m)
{
    return isSplit(m) ? m.d_vertPosIdx.value().size() : m.d_position.value().size();
}

}  // namespace

MergeVisualModels::MergeVisualModels()
{
    d_listening.setDefault(true);
    d_nb.setWatched(true);
    makeInputs(d_nb.value());
}

void MergeVisualModels::makeInputs(Index n)
{
    while (m_inputs.size() < n) {
        m_names.push_back("input" + std::to_string(m_inputs.size() + 1));
        m_inputs.push_back(std::make_unique<Input>(this, LinkInfo{m_names.back(), "Visual model that is merged"}));
    }
}

void MergeVisualModels::parse(ComponentDescription& desc)
{
    // How many there are comes before what they are, in whatever order the scene has them.
    if (const Attribute* nb = desc.find(d_nb.name())) {
        std::string error;  // told when the attribute is set
        d_nb.read(nb->value, error);
    }
    OglModel::parse(desc);
}

void MergeVisualModels::dataChanged(const BaseData& d)
{
    OglModel::dataChanged(d);
    if (&d == &d_nb) makeInputs(d_nb.value());
}

MergeVisualModels::Change MergeVisualModels::look()
{
    Change change;
    change.lists = m_seen.size() != d_nb.value();
    m_seen.resize(d_nb.value());
    for (std::size_t i = 0; i < m_seen.size(); ++i) {
        Seen now;
        if (const VisualModelImpl* in = inputAt(i)) {
            now = {in->serial(),
                   versionOf({&in->d_vertPosIdx, &in->d_vertNormIdx, &in->d_texcoords, &in->d_edges, &in->d_triangles,
                              &in->d_quads}),
                   in->d_position.counter()};
        }
        change.lists = change.lists || now.serial != m_seen[i].serial || now.lists != m_seen[i].lists;
        change.positions = change.positions || change.lists || now.positions != m_seen[i].positions;
        m_seen[i] = now;
    }
    change.positions = change.positions || change.lists;
    return change;
}

bool MergeVisualModels::isItsOwnInput() const
{
    std::vector<const MergeVisualModels*> all{this};  // and those that are among its inputs
    for (std::size_t k = 0; k < all.size(); ++k)
        for (const auto& input : all[k]->m_inputs) {
            const auto* merged = dynamic_cast<const MergeVisualModels*>(input->get());
            if (merged == this) return true;
            if (merged && std::ranges::find(all, merged) == all.end()) all.push_back(merged);
        }
    return false;
}

void MergeVisualModels::init()
{
    for (std::size_t i = 0; i < d_nb.value(); ++i) {
        std::string error;
        if (!m_inputs[i]->resolve(error)) return fail(m_names[i] + ": " + error);
        if (!inputAt(i))
            return fail("give the link '" + m_names[i] + "' to a visual model: nb says that there are " +
                        std::to_string(d_nb.value()));
    }
    if (isItsOwnInput()) return fail("it is one of its own inputs, or of those of these");
    if (!d_filename.value().text.empty()) return fail("filename: what it shows are its inputs");
    if ((d_translation.value() != Vec3() || d_rotation.value() != Vec3() || d_scale.value() != Vec3{1., 1., 1.}) &&
        !tolerate("it stands where its inputs stand: give translation, rotation and scale3d to them",
                  "it is not moved"))
        return;
    for (auto* d : {&d_translation, &d_rotation, &d_scale}) d->resetToDefault();
}

void MergeVisualModels::bwdInit()
{
    if (!isValid()) return;
    m_seen.clear();
    follow();
    mergeVertices();
    if (d_position.value().empty()) {
        msgWarning() << "its inputs have nothing to show";
        return;
    }
    OglModel::init();
}

void MergeVisualModels::mergePositions()
{
    std::size_t n = 0;
    for (std::size_t i = 0; i < d_nb.value(); ++i)
        if (const VisualModelImpl* in = inputAt(i)) n += in->d_position.value().size();
    const auto x = d_position.edit();
    x->resize(n);
    auto next = x->begin();
    for (std::size_t i = 0; i < d_nb.value(); ++i)
        if (const VisualModelImpl* in = inputAt(i)) next = std::ranges::copy(in->d_position.value(), next).out;
    setSize(static_cast<Index>(n));
}

void MergeVisualModels::mergeLists()
{
    bool split = false, shared = false, textured = false;
    for (std::size_t i = 0; i < d_nb.value(); ++i)
        if (const VisualModelImpl* in = inputAt(i)) {
            split = split || isSplit(*in);
            shared = shared || in->d_vertNormIdx.value().size() == vertexCountOf(*in);
            textured = textured || in->d_texcoords.value().size() == vertexCountOf(*in);
        }
    Vector<Index> positionOf, normalOf;
    Vector<Vec<2, float>> texcoords;
    Vector<Edge> edges;
    Vector<Triangle> triangles;
    Vector<Quad> quads;
    Index vertices = 0, positions = 0, normals = 0;
    for (std::size_t i = 0; i < d_nb.value(); ++i) {
        const VisualModelImpl* in = inputAt(i);
        if (!in) continue;
        const auto n = static_cast<Index>(vertexCountOf(*in));
        for (Index v = 0; split && v < n; ++v)
            positionOf.push_back(positions + (isSplit(*in) ? in->d_vertPosIdx.value()[v] : v));
        const Vector<Index>& normal = in->d_vertNormIdx.value();
        const bool grouped = normal.size() == n && n > 0;
        for (Index v = 0; shared && v < n; ++v) normalOf.push_back(normals + (grouped ? normal[v] : v));
        normals += grouped ? *std::ranges::max_element(normal) + 1 : n;
        const auto& uv = in->d_texcoords.value();
        for (Index v = 0; textured && v < n; ++v) texcoords.push_back(uv.size() == n ? uv[v] : Vec<2, float>());
        appendElements(edges, in->d_edges.value(), vertices);
        appendElements(triangles, in->d_triangles.value(), vertices);
        appendElements(quads, in->d_quads.value(), vertices);
        vertices += n;
        positions += static_cast<Index>(in->d_position.value().size());
    }
    d_vertPosIdx.setValue(std::move(positionOf));
    d_vertNormIdx.setValue(std::move(normalOf));
    d_texcoords.setValue(std::move(texcoords));
    d_edges.setValue(std::move(edges));
    d_triangles.setValue(std::move(triangles));
    d_quads.setValue(std::move(quads));
}

/// The drawn vertices, for those who look for them before the first frame.
void MergeVisualModels::mergeVertices()
{
    Vector<Vec3> vertices;
    const Vector<Vec3>& x = d_position.value();
    for (const Index p : d_vertPosIdx.value()) vertices.push_back(p < x.size() ? x[p] : Vec3());
    d_vertices.setValue(std::move(vertices));
}

void MergeVisualModels::follow()
{
    if (!isValid() || !m_follows) return;
    for (std::size_t i = 0; i < d_nb.value(); ++i)
        if (auto* merged = dynamic_cast<MergeVisualModels*>(inputAt(i))) merged->follow();
    const bool first = m_seen.empty();
    const Change change = look();
    if (change.lists) {
        mergeLists();
        if (!first) transformTexture();  // else init() does
    }
    if (change.positions) mergePositions();
}

void MergeVisualModels::reset()
{
    // Inputs may have their turn later.
    m_follows = false;
    OglModel::reset();
    m_follows = true;
}

/// Positions are up to date after each step, drawn or not: mappings onto visual models come last.
void MergeVisualModels::handleEvent(const Event& e)
{
    OglModel::handleEvent(e);
    if (dynamic_cast<const UpdateMappingEndEvent*>(&e)) follow();
}

void MergeVisualModels::updateVisual()
{
    follow();
    OglModel::updateVisual();
}

static const RegisterComponent registeredMergeVisualModels =
    RegisterComponent("MergeVisualModels", "VisualModel", "Sofa.GL.Component.Rendering3D")
        .help("One surface made of several visual models, which it follows, with one material and texture")
        .example("component/visual/MergeVisualModels.scn")
        .add<MergeVisualModels>();

}  // namespace sofa::component
