// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/visual/Shaders.h"

#include <algorithm>
#include <atomic>

#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/objectmodel/NoEffect.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

OglShader::OglShader()
{
    d_vertexShaders.setDefault({"shaders/toonShading.vert"});
    d_fragmentShaders.setDefault({"shaders/toonShading.frag"});
    addAlias(d_vertexShaders, "vertFilename");
    addAlias(d_vertexShaders, "fileVertexShader");
    addAlias(d_fragmentShaders, "fragFilename");
    addAlias(d_fragmentShaders, "fileFragmentShader");
    addAlias(d_geometryShaders, "geoFilename");
    addAlias(d_geometryShaders, "fileGeometryShader");
    addAlias(d_tessellationControl, "fileTessellationControlShader");
    addAlias(d_tessellationEvaluation, "fileTessellationEvaluationShader");
    addAlias(d_outerLevel, "tessellationLevel");
}

void OglShader::init()
{
    using Stage = std::string ShaderDescription::Program::*;
    using Program = ShaderDescription::Program;
    const std::pair<const Data<Vector<std::string>>*, Stage> stages[] = {
        {&d_vertexShaders, &Program::vertex},
        {&d_fragmentShaders, &Program::fragment},
        {&d_geometryShaders, &Program::geometry},
        {&d_tessellationControl, &Program::tessellationControl},
        {&d_tessellationEvaluation, &Program::tessellationEvaluation}};
    std::size_t count = 0;
    for (const auto& [files, stage] : stages) count = std::max(count, files->value().size());
    m_programs.assign(count, {});
    m_description = nullptr;
    // A stage with fewer files than others repeats its last one.
    bool complete = true;
    for (const auto& [files, stage] : stages)
        for (std::size_t i = 0; i < count && !files->value().empty(); ++i) {
            const std::size_t place = std::min(i, files->value().size() - 1);
            const std::string& name = files->value()[place];
            const auto path = findFile(name, *files);
            if (!path && i == place)
                message(Severity::Warning, "the shader file '" + name + "' is not found; the default shading is used",
                        files->location);
            complete = complete && path;
            m_programs[i].*stage = path.value_or("");
        }
    if (!complete) m_programs.clear();
}

void OglShader::files(ShaderDescription& shader) const { shader.programs = m_programs; }

void OglShader::tellUnusedFiles() const
{
    tellWithoutEffect(
        *this,
        {&d_vertexShaders, &d_fragmentShaders, &d_geometryShaders, &d_tessellationControl, &d_tessellationEvaluation},
        "the viewer's own shader is used");
}

const std::vector<const ShaderElement*>& OglShader::elements()
{
    const std::size_t scene = node() ? node()->root().version() : 0;
    if (scene == m_sceneVersion && m_linksVersion == ShaderElement::linksVersion()) return m_elements;
    m_sceneVersion = scene;
    m_linksVersion = ShaderElement::linksVersion();
    m_elements.clear();
    if (!node()) return m_elements;
    // A link may reach from anywhere.
    for (const ShaderElement* e : node()->getAll<ShaderElement>(Search::Root))
        if (e->target() == this) m_elements.push_back(e);
    return m_elements;
}

std::shared_ptr<const ShaderDescription> OglShader::description()
{
    const auto& belonging = elements();
    std::uint64_t version =
        versionOf({&d_passive, &d_indexActiveShader, &d_backfaceWriting, &d_clampVertexColor, &d_geometryInputType,
                   &d_geometryOutputType, &d_geometryVerticesOut, &d_outerLevel, &d_innerLevel});
    for (const ShaderElement* e : belonging)
        version = version * 1099511628211u + (e->d_enable.value() ? e->version() + 1 : 0);
    if (m_description && m_version == version) return m_description;
    m_version = version;
    auto shader = std::make_shared<ShaderDescription>();
    shader->path = pathName();
    files(*shader);
    shader->active = static_cast<int>(d_indexActiveShader.value());
    shader->passive = d_passive.value();
    shader->backfaceWriting = d_backfaceWriting.value();
    shader->clampVertexColor = d_clampVertexColor.value();
    shader->geometryInput = d_geometryInputType.value();
    shader->geometryOutput = d_geometryOutputType.value();
    shader->geometryVertices = d_geometryVerticesOut.value();
    shader->tessellationOuter = d_outerLevel.value();
    shader->tessellationInner = d_innerLevel.value();
    for (const ShaderElement* e : belonging)
        if (e->d_enable.value()) e->describe(*shader);
    m_description = std::move(shader);
    return m_description;
}

void OglShader::draw(DrawTool& tool)
{
    if (d_enable.value() && d_turnOn.value()) tool.scope().shaders.push_back(description());
}

namespace {

std::atomic<std::size_t> resolvedLinks{1};

}  // namespace

std::size_t ShaderElement::linksVersion() { return resolvedLinks; }

void ShaderElement::init()
{
    ++resolvedLinks;
    std::string error;
    if (!l_shader.resolve(error)) return fail("shader: " + error);
    if (l_shader && !dynamic_cast<const OglShader*>(l_shader.get()))
        return fail("shader: " + l_shader->pathName() + " is a " + l_shader->className() + ", not a shader");
    if (!target())
        msgWarning() << "there is no shader in its node or above" << (d_tags.value().empty() ? "" : " with its tags")
                     << ": it has no effect";
}

const OglShader* ShaderElement::target() const
{
    if (l_shader) return dynamic_cast<const OglShader*>(l_shader.get());
    if (!node()) return nullptr;
    for (const OglShader* s : node()->getAll<OglShader>(Search::Up))
        if (std::all_of(d_tags.value().begin(), d_tags.value().end(),
                        [s](const std::string& t) { return s->hasTag(t); }))
            return s;
    return nullptr;
}

void OglShaderDefineMacro::describe(ShaderDescription& shader) const
{
    shader.macros.push_back({identifier(), d_value.value(), static_cast<int>(d_indexShader.value())});
}

namespace {

/// Numbers of a value of a uniform, and its form.
void put(UniformDescription& u, float v) { u.values.push_back(v); }
void put(UniformDescription& u, int v)
{
    u.integer = true;
    u.integers.push_back(v);
}
template <std::size_t N, class T>
void put(UniformDescription& u, const Vec<N, T>& v)
{
    u.rows = static_cast<int>(N);
    for (const T& x : v) put(u, x);
}
/// A Mat<R, C> is read as R groups of C numbers: OpenGL takes the groups as columns.
template <std::size_t R, std::size_t C>
void put(UniformDescription& u, const Mat<R, C, float>& m)
{
    for (std::size_t i = 0; i < R; ++i)
        for (std::size_t j = 0; j < C; ++j) put(u, m(i, j));
    u.rows = static_cast<int>(C);
    u.columns = static_cast<int>(R);
}
template <class T>
void put(UniformDescription& u, const Vector<T>& v)
{
    put(u, T{});
    u.values.clear();
    u.integers.clear();
    for (const T& x : v) put(u, x);
    u.count = static_cast<int>(v.size());
}

void put(std::vector<float>& out, float v) { out.push_back(v); }
void put(std::vector<float>& out, int v) { out.push_back(static_cast<float>(v)); }
void put(std::vector<float>& out, unsigned int v) { out.push_back(static_cast<float>(v)); }
template <std::size_t N, class T>
void put(std::vector<float>& out, const Vec<N, T>& v)
{
    for (const T& x : v) put(out, x);
}

}  // namespace

template <class T>
void OglVariable<T>::describe(ShaderDescription& shader) const
{
    UniformDescription u;
    u.name = identifier();
    u.shader = static_cast<int>(d_indexShader.value());
    put(u, d_value.value());
    if (u.count > 0) shader.uniforms.push_back(std::move(u));
}

template <class T>
void OglMatrixVariable<T>::describe(ShaderDescription& shader) const
{
    UniformDescription u;
    u.name = identifier();
    u.shader = static_cast<int>(d_indexShader.value());
    u.transpose = d_transpose.value();
    put(u, d_value.value());
    if (u.count > 0) shader.uniforms.push_back(std::move(u));
}

template <class T>
VertexAttribute OglAttribute<T>::attribute() const
{
    VertexAttribute a;
    a.name = identifier();
    std::vector<float> one;
    put(one, T{});
    a.components = static_cast<int>(one.size());
    for (const T& v : d_value.value()) put(a.values, v);
    return a;
}

void OglTexture::init()
{
    ShaderElement::init();
    for (const Data<FileName>* f : {&d_filename, &d_posX, &d_posY, &d_posZ, &d_negX, &d_negY, &d_negZ}) {
        if (f->value().text.empty() || findFile(f->value().text, *f)) continue;
        message(Severity::Warning, "the image '" + f->value().text + "' is not found", f->location);
    }
}

TextureDescription OglTexture::texture() const
{
    TextureDescription t;
    t.repeat = d_repeat.value();
    t.linear = d_linearInterpolation.value();
    t.mipmaps = d_generateMipmaps.value();
    t.srgb = d_srgbColorspace.value();
    t.minLod = d_minLod.value();
    t.maxLod = d_maxLod.value();
    const auto path = [](const Data<FileName>& f) {
        return f.value().text.empty() ? std::string() : findFile(f.value().text, f).value_or("");
    };
    t.file = path(d_filename);
    const Data<FileName>* faces[] = {&d_posX, &d_negX, &d_posY, &d_negY, &d_posZ, &d_negZ};
    for (std::size_t i = 0; i < 6; ++i) t.cube[i] = path(*faces[i]);
    const bool cube = std::any_of(t.cube.begin(), t.cube.end(), [](const std::string& f) { return !f.empty(); });
    if (!t.file.empty() || cube) return t;
    // Values given by the scene: one byte for each channel, bits / 8 channels; those that are missing are 0.
    t.width = static_cast<int>(d_width.value());
    t.height = static_cast<int>(d_height.value());
    t.channels = std::clamp(static_cast<int>(d_bits.value()) / 8, 1, 4);
    const std::size_t bytes =
        static_cast<std::size_t>(t.width) * static_cast<std::size_t>(t.height) * static_cast<std::size_t>(t.channels);
    for (const Index v : d_values.value()) {
        if (t.pixels.size() == bytes) break;
        t.pixels.push_back(static_cast<unsigned char>(std::min<Index>(v, 255)));
    }
    t.pixels.resize(bytes);
    return t;
}

std::uint64_t OglTexture::version() const
{
    return versionOf({&d_id,
                      &d_indexShader,
                      &d_filename,
                      &d_textureUnit,
                      &d_enabled,
                      &d_repeat,
                      &d_linearInterpolation,
                      &d_generateMipmaps,
                      &d_srgbColorspace,
                      &d_minLod,
                      &d_maxLod,
                      &d_width,
                      &d_height,
                      &d_bits,
                      &d_values,
                      &d_posX,
                      &d_posY,
                      &d_posZ,
                      &d_negX,
                      &d_negY,
                      &d_negZ});
}

void OglTexture::describe(ShaderDescription& shader) const
{
    if (!d_enabled.value()) return;
    TextureDescription t = texture();
    t.uniform = identifier();
    t.unit = static_cast<int>(d_textureUnit.value());
    t.shader = static_cast<int>(d_indexShader.value());
    shader.textures.push_back(std::move(t));
}

void OglTexture2D::init()
{
    if (!d_file2D.value().text.empty()) {
        d_filename.setValue(d_file2D.value());
        d_filename.location = d_file2D.location;
    }
    OglTexture::init();
}

void OglTexturePointer::init()
{
    ShaderElement::init();
    std::string error;
    if (!l_texture.resolve(error)) return fail("oglTexture: " + error);
    if (!l_texture) msgWarning() << "oglTexture is not given: it has no effect";
}

std::uint64_t OglTexturePointer::version() const
{
    return versionOf({&d_id, &d_indexShader, &d_textureUnit, &d_enabled}) + (l_texture ? l_texture->version() : 0);
}

void OglTexturePointer::describe(ShaderDescription& shader) const
{
    if (!d_enabled.value() || !l_texture) return;
    TextureDescription t = l_texture->texture();
    t.uniform = identifier();
    t.unit = static_cast<int>(d_textureUnit.value());
    t.shader = static_cast<int>(d_indexShader.value());
    shader.textures.push_back(std::move(t));
}

void OrderIndependentTransparencyManager::draw(DrawTool& tool)
{
    if (!d_enable.value()) return;
    tool.list().orderIndependentTransparency = true;
    tool.list().transparencyDepthScale = d_depthScale.value();
}

void OglRenderingSRGB::draw(DrawTool& tool)
{
    if (d_enable.value()) tool.list().srgb = true;
}

void PostProcessManager::init()
{
    if (!node()->get<OglShader>(Search::Up))
        msgWarning() << "there is no OglShader in its node or above: the image stays as it is";
}

void PostProcessManager::draw(DrawTool& tool)
{
    auto* shader = node() ? node()->get<OglShader>(Search::Up) : nullptr;
    if (!d_enable.value() || !shader) return;
    const auto description = shader->description();
    const std::uint64_t version = versionOf({&d_zNear, &d_zFar});
    if (!m_pass || m_version != version || m_pass->shader != description) {
        PassDescription pass;
        pass.kind = PassDescription::Kind::PostProcess;
        pass.toScreen = true;
        pass.shader = description;
        pass.zNear = d_zNear.value();
        pass.zFar = d_zFar.value();
        m_pass = std::make_shared<const PassDescription>(std::move(pass));
        m_version = version;
    }
    tool.list().passes.push_back(m_pass);
}

bool VisualManagerPass::isMade(const DrawTool& tool) const
{
    if (!d_enable.value() || !tool.shows(DisplayFlags::AdvancedRendering) || !node()) return false;
    const auto* loop = node()->get<CompositingVisualLoop>(Search::Up);
    return loop && loop->d_enable.value();
}

PassDescription VisualManagerPass::basics() const
{
    PassDescription pass;
    pass.output = output();
    pass.factor = d_factor.value() > 0.f ? d_factor.value() : 1.f;
    pass.toScreen = d_renderToScreen.value();
    return pass;
}

void VisualManagerPass::draw(DrawTool& tool)
{
    if (!isMade(tool)) return;
    const std::uint64_t version = versionOf({&d_factor, &d_renderToScreen, &d_outputName, &d_tags});
    if (!m_pass || m_version != version) {
        PassDescription pass = basics();
        pass.kind = PassDescription::Kind::Scene;
        pass.tags.assign(d_tags.value().begin(), d_tags.value().end());
        m_pass = std::make_shared<const PassDescription>(std::move(pass));
        m_version = version;
    }
    tool.list().passes.push_back(m_pass);
}

void VisualManagerSecondaryPass::init()
{
    std::string error;
    if (!l_shader.resolve(error)) return fail("shader: " + error);
    if (l_shader) return;
    if (d_fragFilename.value().text.empty())
        msgWarning() << "neither shader nor fragFilename is given: the first image is shown as it is";
    else if (!findFile(d_fragFilename.value().text, d_fragFilename))
        message(Severity::Warning, "the shader file '" + d_fragFilename.value().text + "' is not found",
                d_fragFilename.location);
}

std::shared_ptr<const ShaderDescription> VisualManagerSecondaryPass::shader()
{
    if (l_shader) return l_shader->description();
    const std::string& file = d_fragFilename.value().text;
    if (file.empty()) return nullptr;
    if (!m_shader || m_shaderVersion != d_fragFilename.counter()) {
        auto shader = std::make_shared<ShaderDescription>();
        shader->path = pathName();
        shader->programs.emplace_back();
        shader->programs[0].fragment = findFile(file, d_fragFilename).value_or(file);
        m_shader = std::move(shader);
        m_shaderVersion = d_fragFilename.counter();
    }
    return m_shader;
}

void VisualManagerSecondaryPass::draw(DrawTool& tool)
{
    if (!isMade(tool)) return;
    // The passes before this one, in its node.
    const auto forEachOther = [this](auto&& f) {
        for (const auto& c : node()->components()) {
            if (c.get() == this) return;
            if (const auto* other = dynamic_cast<const VisualManagerPass*>(c.get()))
                f(*other, dynamic_cast<const VisualManagerSecondaryPass*>(other));
        }
    };
    std::uint64_t version =
        node()->root().version() + versionOf({&d_factor, &d_renderToScreen, &d_outputName, &d_inputTags});
    forEachOther([&](const VisualManagerPass& other, const VisualManagerSecondaryPass* secondary) {
        version +=
            versionOf({&other.d_outputName, &other.d_tags}) + (secondary ? secondary->d_outputTags.counter() : 0);
    });
    const auto description = shader();
    if (!m_pass || m_version != version || m_pass->shader != description) {
        PassDescription pass = basics();
        pass.kind = PassDescription::Kind::Images;
        pass.shader = description;
        const TagSet& wanted = d_inputTags.value();
        forEachOther([&](const VisualManagerPass& other, const VisualManagerSecondaryPass* secondary) {
            const TagSet& tags = secondary ? secondary->d_outputTags.value() : other.d_tags.value();
            if (secondary && tags.empty()) return;
            if (std::includes(wanted.begin(), wanted.end(), tags.begin(), tags.end()))
                pass.inputs.push_back(other.output());
        });
        m_pass = std::make_shared<const PassDescription>(std::move(pass));
        m_version = version;
    }
    tool.list().passes.push_back(m_pass);
}

namespace {

RegisterComponent shading(const std::string& name, const std::string& help, const char* scene = "Shaders.scn")
{
    return RegisterComponent(name, "Shader", "Sofa.GL.Component.Shader")
        .help(help + " It has an effect only in a viewer with OpenGL.")
        .example(std::string("component/visual/") + scene);
}

const RegisterComponent components[] = {
    shading("OglShader", "Program that draws the visual models of its node.").add<OglShader>(),
    shading("OglShadowShader", "The shader that draws shadows.", "ShaderVariables.scn").add<OglShadowShader>(),
    shading("OglOITShader", "The shader of order-independent transparency.", "ShaderVariables.scn").add<OglOITShader>(),
    shading("OglShaderDefineMacro", "Macro that is defined in a shader.").add<OglShaderDefineMacro>(),
    shading("OglTexture", "Image for a shader.").add<OglTexture>(),
    shading("OglTexture2D", "Two-dimensional image for a shader.").add<OglTexture2D>(),
    shading("OglTexturePointer", "Another component's texture for a shader.", "ShaderVariables.scn")
        .add<OglTexturePointer>(),
    shading("OrderIndependentTransparencyManager", "Draws transparent models in any order.", "Transparency.scn")
        .add<OrderIndependentTransparencyManager>(),
    shading("OglRenderingSRGB", "Draws with colours in the sRGB space.", "ShaderVariables.scn").add<OglRenderingSRGB>(),
    shading("PostProcessManager", "Adds a pass over the finished image.", "PostProcess.scn").add<PostProcessManager>(),
    shading("VisualManagerPass", "Draws the tagged objects into an image of its own.", "Passes.scn")
        .add<VisualManagerPass>(),
    shading("VisualManagerSecondaryPass", "Draws an image from the images of other passes.", "Passes.scn")
        .add<VisualManagerSecondaryPass>(),
    shading("CompositingVisualLoop", "Combines the images of several passes.", "Passes.scn")
        .add<CompositingVisualLoop>(),
};

template <class T>
RegisterComponent variable(const char* type)
{
    return shading(std::string("Ogl") + type + "Variable", "Parameter of a shader.", "ShaderVariables.scn")
        .template add<T>();
}

const RegisterComponent variables[] = {
    variable<OglVariable<int>>("Int"),
    variable<OglVariable<Vec<2, int>>>("Int2"),
    variable<OglVariable<Vec<3, int>>>("Int3"),
    variable<OglVariable<Vec<4, int>>>("Int4"),
    variable<OglVariable<float>>("Float"),
    variable<OglVariable<Vec<2, float>>>("Float2"),
    variable<OglVariable<Vec<3, float>>>("Float3"),
    variable<OglVariable<Vec<4, float>>>("Float4"),
    variable<OglVariable<Vector<int>>>("IntVector"),
    variable<OglVariable<Vector<Vec<2, int>>>>("IntVector2"),
    variable<OglVariable<Vector<Vec<3, int>>>>("IntVector3"),
    variable<OglVariable<Vector<Vec<4, int>>>>("IntVector4"),
    variable<OglVariable<Vector<float>>>("FloatVector"),
    variable<OglVariable<Vector<Vec<2, float>>>>("FloatVector2"),
    variable<OglVariable<Vector<Vec<3, float>>>>("FloatVector3"),
    variable<OglVariable<Vector<Vec<4, float>>>>("FloatVector4"),
    variable<OglMatrixVariable<Mat<2, 2, float>>>("Matrix2"),
    variable<OglMatrixVariable<Mat<3, 3, float>>>("Matrix3"),
    variable<OglMatrixVariable<Mat<4, 4, float>>>("Matrix4"),
    variable<OglMatrixVariable<Mat<2, 3, float>>>("Matrix2x3"),
    variable<OglMatrixVariable<Mat<3, 2, float>>>("Matrix3x2"),
    variable<OglMatrixVariable<Mat<2, 4, float>>>("Matrix2x4"),
    variable<OglMatrixVariable<Mat<4, 2, float>>>("Matrix4x2"),
    variable<OglMatrixVariable<Mat<3, 4, float>>>("Matrix3x4"),
    variable<OglMatrixVariable<Mat<4, 3, float>>>("Matrix4x3"),
    variable<OglMatrixVariable<Vector<Mat<4, 4, float>>>>("Matrix4Vector"),
};

template <class T>
RegisterComponent attribute(const char* type)
{
    return shading(std::string("Ogl") + type + "Attribute", "Values for the vertices of a shader's visual model.",
                   "ShaderVariables.scn")
        .template add<OglAttribute<T>>();
}

const RegisterComponent attributes[] = {
    attribute<float>("Float"),
    attribute<Vec<2, float>>("Float2"),
    attribute<Vec<3, float>>("Float3"),
    attribute<Vec<4, float>>("Float4"),
    attribute<int>("Int"),
    attribute<Vec<2, int>>("Int2"),
    attribute<Vec<3, int>>("Int3"),
    attribute<Vec<4, int>>("Int4"),
    attribute<unsigned int>("UInt"),
    attribute<Vec<2, unsigned int>>("UInt2"),
    attribute<Vec<3, unsigned int>>("UInt3"),
    attribute<Vec<4, unsigned int>>("UInt4"),
};

}  // namespace

}  // namespace sofa::component
