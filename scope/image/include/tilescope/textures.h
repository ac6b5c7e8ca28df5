// Texture objects in device code: tex1Dfetch, tex1D, tex2D, tex3D, their layered forms, and tex2DLod.
//
// Does not model: texture references, gathers, cube maps, sparse textures, surfaces.
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
        type x, y, z, w;                                                                                 \
        asm volatile("tex." geometry ".v4." channels "." coordinates " {%0,%1,%2,%3}, [%4, " address ";" \
                     : "=" c(x), "=" c(y), "=" c(z), "=" c(w)                                            \
                     : "l"(texture), __VA_ARGS__);                                                       \
        using Register = typename Texel<T>::Register;                                                    \
        return Texel<T>::of((Register)x, (Register)y, (Register)z, (Register)w);                         \
    }
#define TILESCOPE_TEX(geometry, coordinates, address, ...)                                  \
    TILESCOPE_TEX_AS(int, "r", "s32", geometry, coordinates, address, __VA_ARGS__)          \
    TILESCOPE_TEX_AS(unsigned int, "r", "u32", geometry, coordinates, address, __VA_ARGS__) \
    TILESCOPE_TEX_AS(float, "f", "f32", geometry, coordinates, address, __VA_ARGS__)        \
    __builtin_unreachable()

}  // namespace tilescope_cuda

#define TILESCOPE_TEXTURE_FUNCTION(name, parameters, ...) \
    namespace tilescope_cuda {                            \
    template <class T>                                    \
    static __inline__ __device__ T name parameters {      \
        TILESCOPE_TEX(__VA_ARGS__);                       \
    }                                                     \
    }                                                     \
    using tilescope_cuda::name;

TILESCOPE_TEXTURE_FUNCTION(tex1Dfetch, (cudaTextureObject_t texture, int i), "1d", "s32", "{%5}]", "r"(i))
TILESCOPE_TEXTURE_FUNCTION(tex1D, (cudaTextureObject_t texture, float s), "1d", "f32", "{%5}]", "f"(s))
TILESCOPE_TEXTURE_FUNCTION(tex2D, (cudaTextureObject_t texture, float s, float t), "2d", "f32", "{%5,%6}]", "f"(s),
                           "f"(t))
TILESCOPE_TEXTURE_FUNCTION(tex3D, (cudaTextureObject_t texture, float s, float t, float r), "3d", "f32",
                           "{%5,%6,%7,%7}]", "f"(s), "f"(t), "f"(r))
TILESCOPE_TEXTURE_FUNCTION(tex1DLayered, (cudaTextureObject_t texture, float s, int layer), "a1d", "f32", "{%5,%6}]",
                           "r"(layer), "f"(s))
TILESCOPE_TEXTURE_FUNCTION(tex2DLayered, (cudaTextureObject_t texture, float s, float t, int layer), "a2d", "f32",
                           "{%5,%6,%7,%7}]", "r"(layer), "f"(s), "f"(t))
TILESCOPE_TEXTURE_FUNCTION(tex2DLod, (cudaTextureObject_t texture, float s, float t, float level), "level.2d", "f32",
                           "{%5,%6}], %7", "f"(s), "f"(t), "f"(level))

#undef TILESCOPE_TEXTURE_FUNCTION
#undef TILESCOPE_TEX
#undef TILESCOPE_TEX_AS
