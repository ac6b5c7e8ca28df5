// Texture objects in device code: tex1D and its kin in every geometry, by level, by gradient and gathered.
//
// Guarantees: each is there as a value and through a pointer, as in NVIDIA's headers. Does not model: texture
// references; sparse arrays, so all is resident that somebody asks about.
#pragma once

namespace tilescope_cuda {

// How the four channels that the texture unit returns become the value of type T.
template <class T>
struct Texel;
#define TILESCOPE_TEXEL(name, register_type_)                                                   \
    template <>                                                                                 \
    struct Texel<name> {                                                                        \
        using Register = register_type_;                                                        \
        static __device__ name of(Register x, Register, Register, Register) { return (name)x; } \
    };
#define TILESCOPE_TEXEL_VECTORS(name, element, register_type_)                                                        \
    template <>                                                                                                       \
    struct Texel<name##1> {                                                                                           \
        using Register = register_type_;                                                                              \
        static __device__ name##1 of(Register x, Register, Register, Register) { return {(element)x}; }               \
    };                                                                                                                \
    template <>                                                                                                       \
    struct Texel<name##2> {                                                                                           \
        using Register = register_type_;                                                                              \
        static __device__ name##2 of(Register x, Register y, Register, Register) { return {(element)x, (element)y}; } \
    };                                                                                                                \
    template <>                                                                                                       \
    struct Texel<name##4> {                                                                                           \
        using Register = register_type_;                                                                              \
        static __device__ name##4 of(Register x, Register y, Register z, Register w) {                                \
            return {(element)x, (element)y, (element)z, (element)w};                                                  \
        }                                                                                                             \
    };
TILESCOPE_TEXEL(char, int)
TILESCOPE_TEXEL(signed char, int)
TILESCOPE_TEXEL(unsigned char, unsigned int)
TILESCOPE_TEXEL(short, int)
TILESCOPE_TEXEL(unsigned short, unsigned int)
TILESCOPE_TEXEL(int, int)
TILESCOPE_TEXEL(unsigned int, unsigned int)
TILESCOPE_TEXEL(float, float)
TILESCOPE_TEXEL_VECTORS(char, signed char, int)
TILESCOPE_TEXEL_VECTORS(uchar, unsigned char, unsigned int)
TILESCOPE_TEXEL_VECTORS(short, short, int)
TILESCOPE_TEXEL_VECTORS(ushort, unsigned short, unsigned int)
TILESCOPE_TEXEL_VECTORS(int, int, int)
TILESCOPE_TEXEL_VECTORS(uint, unsigned int, unsigned int)
TILESCOPE_TEXEL_VECTORS(float, float, float)
#undef TILESCOPE_TEXEL
#undef TILESCOPE_TEXEL_VECTORS

// `tex.GEOMETRY.v4.CHANNELS.COORDINATES` for each kind of channel; the operands follow as inline PTX. Of the three the
// compiler keeps the one whose condition holds, in every C++ standard and without optimising.
#define TILESCOPE_TEX_AS(type, c, channels, geometry, coordinates, address, ...)                         \
    if (std::is_same<typename Texel<T>::Register, type>::value) {                                        \
        type c0, c1, c2, c3;                                                                             \
        asm volatile("tex." geometry ".v4." channels "." coordinates " {%0,%1,%2,%3}, [%4, " address ";" \
                     : "=" c(c0), "=" c(c1), "=" c(c2), "=" c(c3)                                        \
                     : "l"(texture), __VA_ARGS__);                                                       \
        using Register = typename Texel<T>::Register;                                                    \
        return Texel<T>::of((Register)c0, (Register)c1, (Register)c2, (Register)c3);                     \
    }
#define TILESCOPE_TEX(geometry, coordinates, address, ...)                                  \
    TILESCOPE_TEX_AS(int, "r", "s32", geometry, coordinates, address, __VA_ARGS__)          \
    TILESCOPE_TEX_AS(unsigned int, "r", "u32", geometry, coordinates, address, __VA_ARGS__) \
    TILESCOPE_TEX_AS(float, "f", "f32", geometry, coordinates, address, __VA_ARGS__)        \
    __builtin_unreachable()

}  // namespace tilescope_cuda

// NAME<T>(texture, ...), and NAME(&value, texture, ...). Parameters, and their names, in parentheses.
#define TILESCOPE_EACH(...) __VA_ARGS__
#define TILESCOPE_TEXTURE_FUNCTION(name, parameters, names, ...)                                               \
    namespace tilescope_cuda {                                                                                 \
    template <class T>                                                                                         \
    static __inline__ __device__ T name(cudaTextureObject_t texture, TILESCOPE_EACH parameters) {              \
        TILESCOPE_TEX(__VA_ARGS__);                                                                            \
    }                                                                                                          \
    template <class T>                                                                                         \
    static __inline__ __device__ void name(T* value, cudaTextureObject_t texture, TILESCOPE_EACH parameters) { \
        *value = name<T>(texture, TILESCOPE_EACH names);                                                       \
    }                                                                                                          \
    }                                                                                                          \
    using tilescope_cuda::name;
// Those that also say whether the texels are there.
#define TILESCOPE_SPARSE_TEXTURE_FUNCTION(name, parameters, names, ...)                                              \
    TILESCOPE_TEXTURE_FUNCTION(name, parameters, names, __VA_ARGS__)                                                 \
    namespace tilescope_cuda {                                                                                       \
    template <class T>                                                                                               \
    static __inline__ __device__ T name(cudaTextureObject_t texture, TILESCOPE_EACH parameters, bool* is_resident) { \
        *is_resident = true;                                                                                         \
        return name<T>(texture, TILESCOPE_EACH names);                                                               \
    }                                                                                                                \
    }                                                                                                                \
    using tilescope_cuda::name;

TILESCOPE_TEXTURE_FUNCTION(tex1Dfetch, (int x), (x), "1d", "s32", "{%5}]", "r"(x))
TILESCOPE_TEXTURE_FUNCTION(tex1D, (float x), (x), "1d", "f32", "{%5}]", "f"(x))
TILESCOPE_TEXTURE_FUNCTION(tex1DLod, (float x, float level), (x, level), "level.1d", "f32", "{%5}], %6", "f"(x),
                           "f"(level))
TILESCOPE_TEXTURE_FUNCTION(tex1DGrad, (float x, float dx, float dy), (x, dx, dy), "grad.1d", "f32", "{%5}], {%6}, {%7}",
                           "f"(x), "f"(dx), "f"(dy))
TILESCOPE_SPARSE_TEXTURE_FUNCTION(tex2D, (float x, float y), (x, y), "2d", "f32", "{%5,%6}]", "f"(x), "f"(y))
TILESCOPE_SPARSE_TEXTURE_FUNCTION(tex2DLod, (float x, float y, float level), (x, y, level), "level.2d", "f32",
                                  "{%5,%6}], %7", "f"(x), "f"(y), "f"(level))
TILESCOPE_SPARSE_TEXTURE_FUNCTION(tex2DGrad, (float x, float y, float2 dx, float2 dy), (x, y, dx, dy), "grad.2d", "f32",
                                  "{%5,%6}], {%7,%8}, {%9,%10}", "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x),
                                  "f"(dy.y))
TILESCOPE_SPARSE_TEXTURE_FUNCTION(tex3D, (float x, float y, float z), (x, y, z), "3d", "f32", "{%5,%6,%7,%7}]", "f"(x),
                                  "f"(y), "f"(z))
TILESCOPE_SPARSE_TEXTURE_FUNCTION(tex3DLod, (float x, float y, float z, float level), (x, y, z, level), "level.3d",
                                  "f32", "{%5,%6,%7,%7}], %8", "f"(x), "f"(y), "f"(z), "f"(level))
TILESCOPE_SPARSE_TEXTURE_FUNCTION(tex3DGrad, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy),
                                  "grad.3d", "f32", "{%5,%6,%7,%7}], {%8,%9,%10,%10}, {%11,%12,%13,%13}", "f"(x),
                                  "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z))
TILESCOPE_TEXTURE_FUNCTION(tex1DLayered, (float x, int layer), (x, layer), "a1d", "f32", "{%5,%6}]", "r"(layer), "f"(x))
TILESCOPE_TEXTURE_FUNCTION(tex1DLayeredLod, (float x, int layer, float level), (x, layer, level), "level.a1d", "f32",
                           "{%5,%6}], %7", "r"(layer), "f"(x), "f"(level))
TILESCOPE_TEXTURE_FUNCTION(tex1DLayeredGrad, (float x, int layer, float dx, float dy), (x, layer, dx, dy), "grad.a1d",
                           "f32", "{%5,%6}], {%7}, {%8}", "r"(layer), "f"(x), "f"(dx), "f"(dy))
TILESCOPE_SPARSE_TEXTURE_FUNCTION(tex2DLayered, (float x, float y, int layer), (x, y, layer), "a2d", "f32",
                                  "{%5,%6,%7,%7}]", "r"(layer), "f"(x), "f"(y))
TILESCOPE_SPARSE_TEXTURE_FUNCTION(tex2DLayeredLod, (float x, float y, int layer, float level), (x, y, layer, level),
                                  "level.a2d", "f32", "{%5,%6,%7,%7}], %8", "r"(layer), "f"(x), "f"(y), "f"(level))
TILESCOPE_SPARSE_TEXTURE_FUNCTION(tex2DLayeredGrad, (float x, float y, int layer, float2 dx, float2 dy),
                                  (x, y, layer, dx, dy), "grad.a2d", "f32", "{%5,%6,%7,%7}], {%8,%9}, {%10,%11}",
                                  "r"(layer), "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y))
TILESCOPE_TEXTURE_FUNCTION(texCubemap, (float x, float y, float z), (x, y, z), "cube", "f32", "{%5,%6,%7,%7}]", "f"(x),
                           "f"(y), "f"(z))
TILESCOPE_TEXTURE_FUNCTION(texCubemapLod, (float x, float y, float z, float level), (x, y, z, level), "level.cube",
                           "f32", "{%5,%6,%7,%7}], %8", "f"(x), "f"(y), "f"(z), "f"(level))
TILESCOPE_TEXTURE_FUNCTION(texCubemapGrad, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy),
                           "grad.cube", "f32", "{%5,%6,%7,%7}], {%8,%9,%10,%10}, {%11,%12,%13,%13}", "f"(x), "f"(y),
                           "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z))
TILESCOPE_TEXTURE_FUNCTION(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer), "acube", "f32",
                           "{%5,%6,%7,%8}]", "r"(layer), "f"(x), "f"(y), "f"(z))
TILESCOPE_TEXTURE_FUNCTION(texCubemapLayeredLod, (float x, float y, float z, int layer, float level),
                           (x, y, z, layer, level), "level.acube", "f32", "{%5,%6,%7,%8}], %9", "r"(layer), "f"(x),
                           "f"(y), "f"(z), "f"(level))
TILESCOPE_TEXTURE_FUNCTION(texCubemapLayeredGrad, (float x, float y, float z, int layer, float4 dx, float4 dy),
                           (x, y, z, layer, dx, dy), "grad.acube", "f32",
                           "{%5,%6,%7,%8}], {%9,%10,%11,%11}, {%12,%13,%14,%14}", "r"(layer), "f"(x), "f"(y), "f"(z),
                           "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z))

// The four texels around, one channel of each.
namespace tilescope_cuda {
#define TILESCOPE_GATHER(channel)                                                                    \
    template <class T>                                                                               \
    static __inline__ __device__ T gather_##channel(cudaTextureObject_t texture, float x, float y) { \
        TILESCOPE_TEX_GATHER(#channel);                                                              \
    }
#define TILESCOPE_GATHER_AS(type, c, channels, channel)                                      \
    if (std::is_same<typename Texel<T>::Register, type>::value) {                            \
        type x0, x1, x2, x3;                                                                 \
        asm volatile("tld4." channel ".2d.v4." channels ".f32 {%0,%1,%2,%3}, [%4, {%5,%6}];" \
                     : "=" c(x0), "=" c(x1), "=" c(x2), "=" c(x3)                            \
                     : "l"(texture), "f"(x), "f"(y));                                        \
        using Register = typename Texel<T>::Register;                                        \
        return Texel<T>::of((Register)x0, (Register)x1, (Register)x2, (Register)x3);         \
    }
#define TILESCOPE_TEX_GATHER(channel)                      \
    TILESCOPE_GATHER_AS(int, "r", "s32", channel)          \
    TILESCOPE_GATHER_AS(unsigned int, "r", "u32", channel) \
    TILESCOPE_GATHER_AS(float, "f", "f32", channel)        \
    __builtin_unreachable()
TILESCOPE_GATHER(r)
TILESCOPE_GATHER(g)
TILESCOPE_GATHER(b)
TILESCOPE_GATHER(a)
#undef TILESCOPE_GATHER
#undef TILESCOPE_GATHER_AS
#undef TILESCOPE_TEX_GATHER

template <class T>
static __inline__ __device__ T tex2Dgather(cudaTextureObject_t texture, float x, float y, int channel = 0) {
    switch (channel) {
        case 1: return gather_g<T>(texture, x, y);
        case 2: return gather_b<T>(texture, x, y);
        case 3: return gather_a<T>(texture, x, y);
        default: return gather_r<T>(texture, x, y);
    }
}
template <class T>
static __inline__ __device__ void tex2Dgather(T* value, cudaTextureObject_t texture, float x, float y,
                                              int channel = 0) {
    *value = tex2Dgather<T>(texture, x, y, channel);
}
template <class T>
static __inline__ __device__ T tex2Dgather(cudaTextureObject_t texture, float x, float y, bool* is_resident,
                                           int channel = 0) {
    *is_resident = true;
    return tex2Dgather<T>(texture, x, y, channel);
}
}  // namespace tilescope_cuda
using tilescope_cuda::tex2Dgather;

#undef TILESCOPE_SPARSE_TEXTURE_FUNCTION
#undef TILESCOPE_TEXTURE_FUNCTION
#undef TILESCOPE_EACH
#undef TILESCOPE_TEX
#undef TILESCOPE_TEX_AS
