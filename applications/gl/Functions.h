// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

// Types and numbers of OpenGL's core profile; only files of this library include it (Qt brings headers of its own).
#include <GL/glcorearb.h>

#include <stdexcept>

#include "applications/gl/Renderer.h"

namespace sofa::gl {

// clang-format off
#define SOFA_GL_FUNCTIONS(X) \
    X(PFNGLACTIVETEXTUREPROC, ActiveTexture) \
    X(PFNGLATTACHSHADERPROC, AttachShader) \
    X(PFNGLBINDATTRIBLOCATIONPROC, BindAttribLocation) \
    X(PFNGLBINDBUFFERPROC, BindBuffer) \
    X(PFNGLBINDBUFFERBASEPROC, BindBufferBase) \
    X(PFNGLBINDFRAGDATALOCATIONPROC, BindFragDataLocation) \
    X(PFNGLBINDFRAMEBUFFERPROC, BindFramebuffer) \
    X(PFNGLBINDRENDERBUFFERPROC, BindRenderbuffer) \
    X(PFNGLBINDTEXTUREPROC, BindTexture) \
    X(PFNGLBINDVERTEXARRAYPROC, BindVertexArray) \
    X(PFNGLBLENDEQUATIONPROC, BlendEquation) \
    X(PFNGLBLENDFUNCPROC, BlendFunc) \
    X(PFNGLBLENDFUNCSEPARATEPROC, BlendFuncSeparate) \
    X(PFNGLBLITFRAMEBUFFERPROC, BlitFramebuffer) \
    X(PFNGLBUFFERDATAPROC, BufferData) \
    X(PFNGLBUFFERSUBDATAPROC, BufferSubData) \
    X(PFNGLCHECKFRAMEBUFFERSTATUSPROC, CheckFramebufferStatus) \
    X(PFNGLCLEARPROC, Clear) \
    X(PFNGLCLEARBUFFERFVPROC, ClearBufferfv) \
    X(PFNGLCLEARBUFFERUIVPROC, ClearBufferuiv) \
    X(PFNGLCLEARCOLORPROC, ClearColor) \
    X(PFNGLCLEARDEPTHPROC, ClearDepth) \
    X(PFNGLCOLORMASKPROC, ColorMask) \
    X(PFNGLCOMPILESHADERPROC, CompileShader) \
    X(PFNGLCOMPRESSEDTEXIMAGE2DPROC, CompressedTexImage2D) \
    X(PFNGLCREATEPROGRAMPROC, CreateProgram) \
    X(PFNGLCREATESHADERPROC, CreateShader) \
    X(PFNGLCULLFACEPROC, CullFace) \
    X(PFNGLDELETEBUFFERSPROC, DeleteBuffers) \
    X(PFNGLDELETEFRAMEBUFFERSPROC, DeleteFramebuffers) \
    X(PFNGLDELETEPROGRAMPROC, DeleteProgram) \
    X(PFNGLDELETERENDERBUFFERSPROC, DeleteRenderbuffers) \
    X(PFNGLDELETESHADERPROC, DeleteShader) \
    X(PFNGLDELETETEXTURESPROC, DeleteTextures) \
    X(PFNGLDELETEVERTEXARRAYSPROC, DeleteVertexArrays) \
    X(PFNGLDEPTHFUNCPROC, DepthFunc) \
    X(PFNGLDEPTHMASKPROC, DepthMask) \
    X(PFNGLDETACHSHADERPROC, DetachShader) \
    X(PFNGLDISABLEPROC, Disable) \
    X(PFNGLDISABLEVERTEXATTRIBARRAYPROC, DisableVertexAttribArray) \
    X(PFNGLDRAWARRAYSPROC, DrawArrays) \
    X(PFNGLDRAWARRAYSINSTANCEDPROC, DrawArraysInstanced) \
    X(PFNGLDRAWBUFFERPROC, DrawBuffer) \
    X(PFNGLDRAWBUFFERSPROC, DrawBuffers) \
    X(PFNGLDRAWELEMENTSPROC, DrawElements) \
    X(PFNGLDRAWELEMENTSINSTANCEDPROC, DrawElementsInstanced) \
    X(PFNGLENABLEPROC, Enable) \
    X(PFNGLENABLEVERTEXATTRIBARRAYPROC, EnableVertexAttribArray) \
    X(PFNGLFINISHPROC, Finish) \
    X(PFNGLFLUSHPROC, Flush) \
    X(PFNGLFRAMEBUFFERRENDERBUFFERPROC, FramebufferRenderbuffer) \
    X(PFNGLFRAMEBUFFERTEXTURE2DPROC, FramebufferTexture2D) \
    X(PFNGLFRONTFACEPROC, FrontFace) \
    X(PFNGLGENBUFFERSPROC, GenBuffers) \
    X(PFNGLGENFRAMEBUFFERSPROC, GenFramebuffers) \
    X(PFNGLGENRENDERBUFFERSPROC, GenRenderbuffers) \
    X(PFNGLGENTEXTURESPROC, GenTextures) \
    X(PFNGLGENVERTEXARRAYSPROC, GenVertexArrays) \
    X(PFNGLGENERATEMIPMAPPROC, GenerateMipmap) \
    X(PFNGLGETACTIVEATTRIBPROC, GetActiveAttrib) \
    X(PFNGLGETACTIVEUNIFORMPROC, GetActiveUniform) \
    X(PFNGLGETATTRIBLOCATIONPROC, GetAttribLocation) \
    X(PFNGLGETERRORPROC, GetError) \
    X(PFNGLGETINTEGERVPROC, GetIntegerv) \
    X(PFNGLGETPROGRAMINFOLOGPROC, GetProgramInfoLog) \
    X(PFNGLGETPROGRAMIVPROC, GetProgramiv) \
    X(PFNGLGETSHADERINFOLOGPROC, GetShaderInfoLog) \
    X(PFNGLGETSHADERIVPROC, GetShaderiv) \
    X(PFNGLGETSTRINGPROC, GetString) \
    X(PFNGLGETSTRINGIPROC, GetStringi) \
    X(PFNGLGETTEXIMAGEPROC, GetTexImage) \
    X(PFNGLGETUNIFORMBLOCKINDEXPROC, GetUniformBlockIndex) \
    X(PFNGLGETUNIFORMLOCATIONPROC, GetUniformLocation) \
    X(PFNGLISENABLEDPROC, IsEnabled) \
    X(PFNGLLINEWIDTHPROC, LineWidth) \
    X(PFNGLLINKPROGRAMPROC, LinkProgram) \
    X(PFNGLPIXELSTOREIPROC, PixelStorei) \
    X(PFNGLPOINTSIZEPROC, PointSize) \
    X(PFNGLPOLYGONMODEPROC, PolygonMode) \
    X(PFNGLPOLYGONOFFSETPROC, PolygonOffset) \
    X(PFNGLREADBUFFERPROC, ReadBuffer) \
    X(PFNGLREADPIXELSPROC, ReadPixels) \
    X(PFNGLRENDERBUFFERSTORAGEPROC, RenderbufferStorage) \
    X(PFNGLRENDERBUFFERSTORAGEMULTISAMPLEPROC, RenderbufferStorageMultisample) \
    X(PFNGLSCISSORPROC, Scissor) \
    X(PFNGLSHADERSOURCEPROC, ShaderSource) \
    X(PFNGLTEXIMAGE2DPROC, TexImage2D) \
    X(PFNGLTEXIMAGE2DMULTISAMPLEPROC, TexImage2DMultisample) \
    X(PFNGLTEXPARAMETERFPROC, TexParameterf) \
    X(PFNGLTEXPARAMETERFVPROC, TexParameterfv) \
    X(PFNGLTEXPARAMETERIPROC, TexParameteri) \
    X(PFNGLTEXSUBIMAGE2DPROC, TexSubImage2D) \
    X(PFNGLUNIFORM1FPROC, Uniform1f) \
    X(PFNGLUNIFORM1FVPROC, Uniform1fv) \
    X(PFNGLUNIFORM1IPROC, Uniform1i) \
    X(PFNGLUNIFORM1IVPROC, Uniform1iv) \
    X(PFNGLUNIFORM2FPROC, Uniform2f) \
    X(PFNGLUNIFORM2FVPROC, Uniform2fv) \
    X(PFNGLUNIFORM2IVPROC, Uniform2iv) \
    X(PFNGLUNIFORM3FPROC, Uniform3f) \
    X(PFNGLUNIFORM3FVPROC, Uniform3fv) \
    X(PFNGLUNIFORM3IVPROC, Uniform3iv) \
    X(PFNGLUNIFORM4FPROC, Uniform4f) \
    X(PFNGLUNIFORM4FVPROC, Uniform4fv) \
    X(PFNGLUNIFORM4IVPROC, Uniform4iv) \
    X(PFNGLUNIFORMBLOCKBINDINGPROC, UniformBlockBinding) \
    X(PFNGLUNIFORMMATRIX2FVPROC, UniformMatrix2fv) \
    X(PFNGLUNIFORMMATRIX2X3FVPROC, UniformMatrix2x3fv) \
    X(PFNGLUNIFORMMATRIX2X4FVPROC, UniformMatrix2x4fv) \
    X(PFNGLUNIFORMMATRIX3FVPROC, UniformMatrix3fv) \
    X(PFNGLUNIFORMMATRIX3X2FVPROC, UniformMatrix3x2fv) \
    X(PFNGLUNIFORMMATRIX3X4FVPROC, UniformMatrix3x4fv) \
    X(PFNGLUNIFORMMATRIX4FVPROC, UniformMatrix4fv) \
    X(PFNGLUNIFORMMATRIX4X2FVPROC, UniformMatrix4x2fv) \
    X(PFNGLUNIFORMMATRIX4X3FVPROC, UniformMatrix4x3fv) \
    X(PFNGLUSEPROGRAMPROC, UseProgram) \
    X(PFNGLVALIDATEPROGRAMPROC, ValidateProgram) \
    X(PFNGLVERTEXATTRIB1FPROC, VertexAttrib1f) \
    X(PFNGLVERTEXATTRIB2FPROC, VertexAttrib2f) \
    X(PFNGLVERTEXATTRIB3FPROC, VertexAttrib3f) \
    X(PFNGLVERTEXATTRIB4FPROC, VertexAttrib4f) \
    X(PFNGLVERTEXATTRIBDIVISORPROC, VertexAttribDivisor) \
    X(PFNGLVERTEXATTRIBPOINTERPROC, VertexAttribPointer) \
    X(PFNGLVIEWPORTPROC, Viewport)
// clang-format on

/// The functions of OpenGL 3.3 core of one context, under their names without "gl". Nothing is linked to a library of
/// OpenGL: whoever makes the context says how its functions are found.
struct Functions
{
    /// Throws GlError if the context lacks one, or is older than 3.3.
    explicit Functions(const GetProcAddress& load);

#define SOFA_GL_MEMBER(type, name) type name = nullptr;
    SOFA_GL_FUNCTIONS(SOFA_GL_MEMBER)
#undef SOFA_GL_MEMBER
    // Of OpenGL 4, for custom shaders; null where the context has none.
    PFNGLPATCHPARAMETERIPROC PatchParameteri = nullptr;
    PFNGLPATCHPARAMETERFVPROC PatchParameterfv = nullptr;
    PFNGLPROGRAMPARAMETERIPROC ProgramParameteri = nullptr;
};

/// While it lives, rows of images are read and written without padding. Then they are as OpenGL begins, which others
/// who draw in the context count on.
class TightRows
{
public:
    explicit TightRows(const Functions& gl) : m_gl(gl) { align(1); }
    ~TightRows() { align(4); }
    TightRows(const TightRows&) = delete;
    TightRows& operator=(const TightRows&) = delete;

private:
    void align(GLint bytes) const
    {
        m_gl.PixelStorei(GL_UNPACK_ALIGNMENT, bytes);
        m_gl.PixelStorei(GL_PACK_ALIGNMENT, bytes);
    }
    const Functions& m_gl;
};

}  // namespace sofa::gl
