// Surface objects in device code: surf1Dread, surf1Dwrite and their kin.
//
// Guarantees: each read is there as a value and through a pointer, as in NVIDIA's headers. A vector goes as one access
// of its whole width.
#pragma once

namespace tilescope_cuda {

#define TILESCOPE_SULD1(geometry, width, mode, c, place, ...)                              \
    asm volatile("suld.b." geometry "." width "." mode " {%0}, [%[surface], {" place "}];" \
                 : "=" c(words[0])                                                         \
                 : [surface] "l"(surface), __VA_ARGS__                                     \
                 : "memory")
#define TILESCOPE_SULD2(geometry, width, mode, c, place, ...)                                 \
    asm volatile("suld.b." geometry "." width "." mode " {%0,%1}, [%[surface], {" place "}];" \
                 : "=" c(words[0]), "=" c(words[1])                                           \
                 : [surface] "l"(surface), __VA_ARGS__                                        \
                 : "memory")
#define TILESCOPE_SUST1(geometry, width, mode, c, place, ...)                              \
    asm volatile("sust.b." geometry "." width "." mode " [%[surface], {" place "}], {%0};" \
                 :                                                                         \
                 : c(words[0]), [surface] "l"(surface), __VA_ARGS__                        \
                 : "memory")
#define TILESCOPE_SUST2(geometry, width, mode, c, place, ...)                                 \
    asm volatile("sust.b." geometry "." width "." mode " [%[surface], {" place "}], {%0,%1};" \
                 :                                                                            \
                 : c(words[0]), c(words[1]), [surface] "l"(surface), __VA_ARGS__              \
                 : "memory")
#define TILESCOPE_BY_MODE(one, geometry, width, c, place, ...) \
    if (mode == cudaBoundaryModeTrap)                          \
        one(geometry, width, "trap", c, place, __VA_ARGS__);   \
    else if (mode == cudaBoundaryModeClamp)                    \
        one(geometry, width, "clamp", c, place, __VA_ARGS__);  \
    else                                                       \
        one(geometry, width, "zero", c, place, __VA_ARGS__)

// The registers that so many bytes take, and how they come and go.
template <unsigned kBytes>
struct SurfaceWords;

#define TILESCOPE_SURFACE_ACCESS(action, name, parameters, width, c, geometry, place, ...) \
    __device__ __inline__ void name parameters { TILESCOPE_BY_MODE(action, geometry, width, c, place, __VA_ARGS__); }
#define TILESCOPE_SURFACE_GEOMETRIES(action, verb, width, c)                                                           \
    TILESCOPE_SURFACE_ACCESS(action, verb##1D, (cudaSurfaceObject_t surface, int x, cudaSurfaceBoundaryMode mode),     \
                             width, c, "1d", "%[x]", [x] "r"(x))                                                       \
    TILESCOPE_SURFACE_ACCESS(action, verb##2D,                                                                         \
                             (cudaSurfaceObject_t surface, int x, int y, cudaSurfaceBoundaryMode mode), width, c,      \
                             "2d", "%[x], %[y]", [x] "r"(x), [y] "r"(y))                                               \
    TILESCOPE_SURFACE_ACCESS(action, verb##3D,                                                                         \
                             (cudaSurfaceObject_t surface, int x, int y, int z, cudaSurfaceBoundaryMode mode), width,  \
                             c, "3d", "%[x], %[y], %[z], %[z]", [x] "r"(x), [y] "r"(y), [z] "r"(z))                    \
    TILESCOPE_SURFACE_ACCESS(action, verb##1DLayered,                                                                  \
                             (cudaSurfaceObject_t surface, int x, int layer, cudaSurfaceBoundaryMode mode), width, c,  \
                             "a1d", "%[layer], %[x]", [x] "r"(x), [layer] "r"(layer))                                  \
    TILESCOPE_SURFACE_ACCESS(                                                                                          \
        action, verb##2DLayered, (cudaSurfaceObject_t surface, int x, int y, int layer, cudaSurfaceBoundaryMode mode), \
        width, c, "a2d", "%[layer], %[x], %[y], %[y]", [x] "r"(x), [y] "r"(y), [layer] "r"(layer))
#define TILESCOPE_SURFACE_WORDS(bytes, word, count, load, store, width, c) \
    template <>                                                            \
    struct SurfaceWords<bytes> {                                           \
        word words[count];                                                 \
        TILESCOPE_SURFACE_GEOMETRIES(load, read, width, c)                 \
        TILESCOPE_SURFACE_GEOMETRIES(store, write, width, c)               \
    };
TILESCOPE_SURFACE_WORDS(1, unsigned short, 1, TILESCOPE_SULD1, TILESCOPE_SUST1, "b8", "h")
TILESCOPE_SURFACE_WORDS(2, unsigned short, 1, TILESCOPE_SULD1, TILESCOPE_SUST1, "b16", "h")
TILESCOPE_SURFACE_WORDS(4, unsigned int, 1, TILESCOPE_SULD1, TILESCOPE_SUST1, "b32", "r")
TILESCOPE_SURFACE_WORDS(8, unsigned long long, 1, TILESCOPE_SULD1, TILESCOPE_SUST1, "b64", "l")
TILESCOPE_SURFACE_WORDS(16, unsigned long long, 2, TILESCOPE_SULD2, TILESCOPE_SUST2, "v2.b64", "l")
#undef TILESCOPE_SURFACE_WORDS
#undef TILESCOPE_SURFACE_GEOMETRIES
#undef TILESCOPE_SURFACE_ACCESS
#undef TILESCOPE_BY_MODE
#undef TILESCOPE_SUST2
#undef TILESCOPE_SUST1
#undef TILESCOPE_SULD2
#undef TILESCOPE_SULD1

// surfNAMEread<T>(surface, ...), surfNAMEread(&value, surface, ...) and surfNAMEwrite(value, surface, ...), by the
// access of a geometry.
#define TILESCOPE_EACH(...) __VA_ARGS__
#define TILESCOPE_SURFACE_FUNCTIONS(name, geometry, parameters, names)                                         \
    template <class T>                                                                                         \
    static __inline__ __device__ T surf##name##read(cudaSurfaceObject_t surface, TILESCOPE_EACH parameters,    \
                                                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {     \
        SurfaceWords<sizeof(T)> words;                                                                         \
        words.read##geometry(surface, TILESCOPE_EACH names, mode);                                             \
        T value;                                                                                               \
        __builtin_memcpy(&value, &words, sizeof(T));                                                           \
        return value;                                                                                          \
    }                                                                                                          \
    template <class T>                                                                                         \
    static __inline__ __device__ void surf##name##read(T* value, cudaSurfaceObject_t surface,                  \
                                                       TILESCOPE_EACH parameters,                              \
                                                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {  \
        *value = surf##name##read<T>(surface, TILESCOPE_EACH names, mode);                                     \
    }                                                                                                          \
    template <class T>                                                                                         \
    static __inline__ __device__ void surf##name##write(T value, cudaSurfaceObject_t surface,                  \
                                                        TILESCOPE_EACH parameters,                             \
                                                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
        SurfaceWords<sizeof(T)> words = {};                                                                    \
        __builtin_memcpy(&words, &value, sizeof(T));                                                           \
        words.write##geometry(surface, TILESCOPE_EACH names, mode);                                            \
    }
TILESCOPE_SURFACE_FUNCTIONS(1D, 1D, (int x), (x))
TILESCOPE_SURFACE_FUNCTIONS(2D, 2D, (int x, int y), (x, y))
TILESCOPE_SURFACE_FUNCTIONS(3D, 3D, (int x, int y, int z), (x, y, z))
TILESCOPE_SURFACE_FUNCTIONS(1DLayered, 1DLayered, (int x, int layer), (x, layer))
TILESCOPE_SURFACE_FUNCTIONS(2DLayered, 2DLayered, (int x, int y, int layer), (x, y, layer))
TILESCOPE_SURFACE_FUNCTIONS(Cubemap, 2DLayered, (int x, int y, int face), (x, y, face))
TILESCOPE_SURFACE_FUNCTIONS(CubemapLayered, 2DLayered, (int x, int y, int face), (x, y, face))
#undef TILESCOPE_SURFACE_FUNCTIONS
#undef TILESCOPE_EACH

}  // namespace tilescope_cuda
using tilescope_cuda::surf1DLayeredread;
using tilescope_cuda::surf1DLayeredwrite;
using tilescope_cuda::surf1Dread;
using tilescope_cuda::surf1Dwrite;
using tilescope_cuda::surf2DLayeredread;
using tilescope_cuda::surf2DLayeredwrite;
using tilescope_cuda::surf2Dread;
using tilescope_cuda::surf2Dwrite;
using tilescope_cuda::surf3Dread;
using tilescope_cuda::surf3Dwrite;
using tilescope_cuda::surfCubemapLayeredread;
using tilescope_cuda::surfCubemapLayeredwrite;
using tilescope_cuda::surfCubemapread;
using tilescope_cuda::surfCubemapwrite;
