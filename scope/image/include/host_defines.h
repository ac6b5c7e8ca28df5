// The words of CUDA C++ as attributes, for clang's CUDA mode; nothing at all in an ordinary C or C++ file.
#pragma once

// Libraries ask whether the toolkit's header has been read by its guard.
#define __HOST_DEFINES_H__

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// clang has no managed variables for CUDA: these are device variables in a section of their own, from which tilescope
// makes memory that both sides see. The host's half is the memory itself, aligned as the runtime aligns what it gives.
#if defined(__CUDA_ARCH__)
#define __managed__ __attribute__((device, section("tilescope_managed")))
#else
#define __managed__ __attribute__((device, section("tilescope_managed"), aligned(512)))
#endif
#define __grid_constant__
#if __clang_major__ < 17  // the third, the most blocks of a cluster, is not known yet
#define __tilescope_bounds(threads, blocks, cluster, ...) __attribute__((launch_bounds(threads, blocks)))
#define __launch_bounds__(...) __tilescope_bounds(__VA_ARGS__, 0, 0, 0)
#else
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#endif
// Of these annotations tilescope makes what nvcc writes into the kernel's PTX.
#if defined(__CUDA_ARCH__)
#define __cluster_dims__(...) __attribute__((annotate("tilescope_cluster", __VA_ARGS__)))
#else
#define __cluster_dims__(...)
#endif
// An alignment behind a type (int alignas(16) x). nvcc's host compiler respects it, nvcc's device compiler warns and
// ignores it.
#if defined(__CUDA_ARCH__)
#define __tilescope_alignas_behind_type(...) \
    _Pragma("GCC warning \"alignas behind the type has no effect in device code: write it before the type\"")
#else
#define __tilescope_alignas_behind_type(...) _Alignas(__VA_ARGS__)
#endif
#define __cudart_builtin__
#ifndef __CUDACC__
#define __CUDACC__
#endif
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 0
#endif
#else
#define __host__
#define __device__
#define __global__
#define __constant__
#define __managed__
#define __cluster_dims__(...)
#endif

#define __forceinline__ __inline__ __attribute__((always_inline))
#if defined(__CUDA__) && __clang_major__ < 15  // a keyword of CUDA from clang 15 on
#define __noinline__ __attribute__((noinline))
#endif
#define __align__(n) __attribute__((aligned(n)))
#define __CUDA_ALIGN__(n) __align__(n)
#define __builtin_align__(n) __align__(n)
#define __no_return__ __attribute__((noreturn))
#define __inline_hint__
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define CUDARTAPI
#define CUDART_CB
