// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <cstring>

#include "core/behavior/OnState.h"
#include "core/factory/Registry.h"
#include "core/io/OutputFile.h"
#include "core/math/PositionPart.h"
#include "core/objectmodel/Node.h"
#include "core/simulation/SimulationExporter.h"

namespace sofa::component {

using namespace sofa::core;

namespace {

/// Writes the point cache of a soft body or of hair for Blender: a file NAME00001_00.bphys for each export, to be put
/// into the folder blendcache_SCENE beside the .blend file. Content, in little-endian order (Blender's point cache):
///
///     "BPHYSICS", type of the simulation, number of points, what a point has (6: position and velocity; 22: rest
///     position too), then for each point, the last one first, these vectors in single precision
///
/// A strand of hair gets one more point behind its root, at unit distance along the first segment, and a file of its
/// own says once from which frame to which it goes.
template <class DataTypes>
class BlenderExporter final : public SimulationExporter
{
public:
    enum Kind
    {
        SoftBody,
        Particle,
        Cloth,
        Hair
    };

    Data<int> d_simulationType{this,
                               {.name = "simulationType",
                                .help = "0: soft body, 1: particles, 2: cloth, 3: hair",
                                .range = Range::closed(0., 3.)},
                               0};
    Data<int> d_nbPtsByHair{
        this, {.name = "nbPtsByHair", .help = "Points of a strand of hair", .range = Range::atLeast(2.)}, 20};

    BlenderExporter()
    {
        this->ignoreAttribute("path", "filename has the folder, in SOFA too");
        this->ignoreAttribute("baseName", "filename has the name, in SOFA too");
        this->ignoreAttribute("step", "exportEveryNumberOfSteps says how often, in SOFA too");
    }

    static std::string_view staticTemplateName() { return DataTypes::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return stateHasType<DataTypes>(node, desc, {}, why);
    }

    void init() override
    {
        SimulationExporter::init();
        m_state = this->node()->template get<State<DataTypes>>(Search::Local);
        if (!m_state) return fail("it needs a state of type " + std::string(DataTypes::name()) + " in its node");
        if (!isHair()) return;
        const auto points = static_cast<unsigned>(d_nbPtsByHair.value());
        if (m_state->size() % points != 0)
            return fail("the state has " + std::to_string(m_state->size()) + " points, which are no strands of " +
                        std::to_string(points) + " (nbPtsByHair)");
    }
    void handleEvent(const Event& e) override
    {
        if (isHair() && isValid() && !m_wroteFrames && dynamic_cast<const AnimateBeginEvent*>(&e)) writeFrames();
        SimulationExporter::handleEvent(e);
    }

private:
    bool isHair() const { return d_simulationType.value() == Hair; }

    template <class T>
    static void put(std::string& bytes, T value)
    {
        char raw[sizeof(T)];
        std::memcpy(raw, &value, sizeof(T));
        bytes.append(raw, sizeof(T));
    }
    static void put(std::string& bytes, const Vec3& v)
    {
        for (const double c : v) put(bytes, static_cast<float>(c));
    }

    /// Says once from which frame to which the strands go.
    void writeFrames()
    {
        std::string bytes = "BPHYSICS";
        for (const std::uint32_t v : {1u, 1u, 64u}) put(bytes, v);
        for (const float v : {0.f, 100.f, 100.f}) put(bytes, v);
        writeFile(target(baseName(), {}), bytes);
        m_wroteFrames = true;
    }

    void write() override
    {
        if (!m_state) throw std::runtime_error(pathName() + ": the state that it wrote has left the scene");
        const Index n = m_state->size();
        const auto perHair = static_cast<Index>(d_nbPtsByHair.value());
        if (isHair() && n % perHair != 0)
            throw std::runtime_error(pathName() + ": the state has " + std::to_string(n) +
                                     " points now, which are no strands of " + std::to_string(perHair) +
                                     " (nbPtsByHair)");
        const bool hair = isHair(), moves = m_state->isAllocated(vec_id::velocity),
                   rests = m_state->isAllocated(vec_id::restPosition);
        std::string bytes = "BPHYSICS";
        put(bytes, static_cast<std::uint32_t>(hair ? Cloth : d_simulationType.value()));
        put(bytes, static_cast<std::uint32_t>(hair ? n + n / perHair : n));
        put(bytes, std::uint32_t{hair ? 22u : 6u});
        const auto at = [&](Index i) { return m_state->pointPosition(i); };
        for (Index i = n; i-- > 0;) {
            if (hair && i % perHair == 0) {
                const Vec3 along = at(i + 1) - at(i), root = at(i) + along / norm(along);
                put(bytes, root);
                put(bytes, Vec3());
                put(bytes, root);
            }
            Vec3 velocity;
            if (moves)
                for (std::size_t k = 0; k < 3; ++k) velocity[k] = scalars(m_state->velocities()[i])[k];
            put(bytes, at(i));
            put(bytes, velocity);
            if (hair) put(bytes, rests ? m_state->pointPosition(i, vec_id::restPosition) : at(i));
        }
        const std::filesystem::path numbered = target(baseName(), {});
        const std::string file = numbered.string() + "_00.bphys";
        writeFile(file, bytes);
        msgInfo() << "wrote " << file;
    }

    Tracked<State<DataTypes>> m_state;
    bool m_wroteFrames = false;
};

const RegisterComponent registeredBlenderExporter =
    RegisterComponent("BlenderExporter", "Exporter", "Sofa.Component.IO.Mesh")
        .help("Writes the point cache of a soft body or of hair for Blender")
        .example("component/io/BlenderExporter.scn")
        .add<BlenderExporter<Vec3Types>>()
        .add<BlenderExporter<Rigid3Types>>();

}  // namespace

}  // namespace sofa::component
