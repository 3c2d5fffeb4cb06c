// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/VegBinary.h"

#include <algorithm>
#include <cstring>

#include "core/io/MeshError.h"
#include "core/io/RawBytes.h"
#include "core/io/VegMaterialLine.h"

namespace sofa::core::io {

namespace {

using Kind = VegMaterial::Kind;
constexpr std::int32_t tetrahedra = 1, voxels = 2;
constexpr std::int32_t materialKinds = 3;  // of materials, from 1 in the order of VegMaterial::Kind

class Reader
{
public:
    explicit Reader(const SourceText& bytes) : m_in(bytes)
    {
        m_in.setByteSwap(m_in.binary<double>("the version") != 1.);
    }

    VegMesh run()
    {
        const std::int32_t type = integer("the type of the elements", tetrahedra, voxels);
        const std::size_t n = count("the number of vertices", 3 * sizeof(double));
        m_mesh.positions.reserve(n);
        for (std::size_t i = 0; i < n; ++i) m_mesh.positions.push_back(m_in.binaryPoint("a coordinate"));
        if (type == tetrahedra)
            elements(m_mesh.tetrahedra);
        else
            elements(m_mesh.hexahedra);
        const std::size_t materials = count("the number of materials", 4 * sizeof(double));
        for (std::size_t i = 0; i < materials; ++i) material();
        sets();
        const std::size_t regions = count("the number of regions", 2 * sizeof(std::int32_t));
        for (std::size_t i = 0; i < regions; ++i) {
            const Index m = index("a material", m_mesh.materials.size());
            m_mesh.regions.push_back({index("a set", m_mesh.sets.size()), m});
        }
        if (!m_in.atEnd())
            m_in.failBinary(m_in.offset(), "the end of the file", std::to_string(m_in.remaining()) + " more bytes");
        completeVeg(m_mesh, m_in.path(), [&](std::size_t e) { return m_in.path() + ": element " + std::to_string(e); });
        return std::move(m_mesh);
    }

private:
    std::int32_t integer(const char* what, std::int64_t low, std::int64_t high)
    {
        const std::size_t at = m_in.offset();
        const auto v = m_in.binary<std::int32_t>(what);
        if (v < low || v > high)
            m_in.failBinary(at, std::string(what) + " from " + std::to_string(low) + " to " + std::to_string(high),
                            std::to_string(v));
        return v;
    }
    Index index(const char* what, std::size_t size)
    {
        return static_cast<Index>(integer(what, 0, static_cast<std::int64_t>(size) - 1));
    }
    std::size_t count(const char* what, std::size_t bytes)
    {
        return m_in.checkCount(static_cast<std::uint64_t>(integer(what, 0, 0x7fffffff)), bytes, what);
    }
    std::string name(const char* what)
    {
        const std::size_t n = count("the length of a name", 1);
        return {m_in.bytes(n, what), n};
    }
    template <std::size_t N>
    void elements(Vector<std::array<Index, N>>& list)
    {
        constexpr auto nodes = static_cast<std::int64_t>(N);
        const std::size_t n = count("the number of elements", sizeof(std::int32_t));
        integer("the number of vertices of an element", nodes, nodes);
        m_in.checkCount(n, N * sizeof(std::int32_t), "the number of elements");
        VegSet all{"allElements", {}};
        for (std::size_t i = 0; i < n; ++i) {
            std::array<Index, N> e{};
            for (Index& v : e) v = index("a vertex of an element", m_mesh.positions.size());
            list.push_back(e);
            all.elements.push_back(static_cast<Index>(i));
        }
        m_mesh.sets.push_back(std::move(all));
    }
    void material()
    {
        const std::size_t at = m_in.offset();
        const std::string materialName = name("the name of a material");
        const auto next = [&] { return m_in.finiteBinary("a property of a material"); };
        const auto three = [&] { return m_in.binaryPoint("a property of a material"); };
        VegMaterial m;
        switch (static_cast<Kind>(integer("the kind of a material", 1, materialKinds) - 1)) {
            case Kind::Isotropic: {
                const double density = next(), young = next();
                m = VegMaterial::isotropic(materialName, density, young, next());
                break;
            }
            case Kind::Orthotropic: {
                const double density = next();
                const Vec3 moduli = three(), ratios = three(), shear = three();
                Mat3 axes;
                for (std::size_t i = 0; i < 3; ++i) axes[i] = three();
                m = VegMaterial::orthotropic(materialName, density, moduli, ratios, shear, axes);
                addOddities(m, m_in.path(), m_mesh.notes);
                break;
            }
            case Kind::MooneyRivlin: {
                const double density = next(), mu01 = next(), mu10 = next();
                m = VegMaterial::mooneyRivlin(materialName, density, mu01, mu10, next());
                break;
            }
        }
        if (const std::string problem = problemOf(m); !problem.empty())
            m_in.failBinary(at, problem, "the material " + TextScanner::quoted(materialName));
        m_mesh.materials.push_back(std::move(m));
    }
    void sets()
    {
        const std::size_t n = count("the number of sets", 0);
        for (std::size_t i = 1; i < n; ++i) {
            VegSet set{name("the name of a set"), {}};
            const std::size_t size = count("the number of elements of a set", sizeof(std::int32_t));
            for (std::size_t k = 0; k < size; ++k)
                set.elements.push_back(index("an element of a set", m_mesh.elementCount()));
            std::sort(set.elements.begin(), set.elements.end());
            set.elements.erase(std::unique(set.elements.begin(), set.elements.end()), set.elements.end());
            m_mesh.sets.push_back(std::move(set));
        }
    }

    TextScanner m_in;
    VegMesh m_mesh;
};

template <class T>
void append(std::string& out, T v)
{
    appendRaw(out, v);
}
void append(std::string& out, std::size_t v) { append(out, static_cast<std::int32_t>(v)); }
void append(std::string& out, const Vec3& v)
{
    for (const double c : v) append(out, c);
}
void append(std::string& out, const std::string& name)
{
    append(out, name.size());
    out += name;
}
void append(std::string& out, const VegMaterial& m)
{
    append(out, m.name);
    append(out, static_cast<std::int32_t>(m.kind) + 1);
    append(out, m.density);
    switch (m.kind) {
        case Kind::Isotropic:
            for (const double v : {m.youngModulus, m.poissonRatio}) append(out, v);
            break;
        case Kind::Orthotropic:
            for (const Vec3& v : {m.moduli, m.ratios, m.shearModuli, m.axes[0], m.axes[1], m.axes[2]}) append(out, v);
            break;
        case Kind::MooneyRivlin:
            for (const double v : {m.mu01, m.mu10, m.v1}) append(out, v);
            break;
    }
}

}  // namespace

bool isVegBinary(const SourceText& bytes)
{
    for (const bool swap : {false, true}) {
        if (bytes.text.size() < sizeof(double)) return false;
        TextScanner in(bytes);
        in.setByteSwap(swap);
        if (in.binary<double>("the version") == 1.) return true;
    }
    return false;
}

VegMesh parseVegBinary(const SourceText& bytes) { return Reader(bytes).run(); }

void writeVegBinary(const std::filesystem::path& path, const VegMesh& mesh)
{
    checkVegForWriting(path.string(), mesh);
    std::string out;
    append(out, 1.);
    append(out, mesh.hexahedra.empty() ? tetrahedra : voxels);
    append(out, mesh.positions.size());
    for (const Vec3& p : mesh.positions) append(out, p);
    append(out, mesh.elementCount());
    append(out, mesh.hexahedra.empty() ? 4 : 8);
    const auto vertices = [&](const auto& list) {
        for (const auto& e : list)
            for (const Index v : e) append(out, static_cast<std::int32_t>(v));
    };
    vertices(mesh.tetrahedra);
    vertices(mesh.hexahedra);
    append(out, mesh.materials.size());
    for (const VegMaterial& m : mesh.materials) append(out, m);
    append(out, mesh.sets.size());
    for (std::size_t i = 1; i < mesh.sets.size(); ++i) {
        append(out, mesh.sets[i].name);
        append(out, mesh.sets[i].elements.size());
        for (const Index e : mesh.sets[i].elements) append(out, static_cast<std::int32_t>(e));
    }
    append(out, mesh.regions.size());
    for (const VegRegion& r : mesh.regions) {
        append(out, static_cast<std::int32_t>(r.material));
        append(out, static_cast<std::int32_t>(r.set));
    }
    saveText(path, out);
}

}  // namespace sofa::core::io
