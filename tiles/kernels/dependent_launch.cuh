// Kernels of a stream that overlap at their ends (programmatic dependent launch, compute capability 9.0): a kernel may
// be started, and its blocks take their places, while the one before still runs.
//
// Owns: one function per instruction; on older cards they do nothing. Who is launched so (tiles/src/dependent_launch.h)
// must wait before it touches any memory that the user or another kernel could: also before it writes, since what runs
// before may still read there.
#pragma once

namespace tiles {

// Returns when all kernels before this one in the stream have ended and what they wrote can be seen.
__device__ inline void wait_for_earlier_kernels() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// The next kernel may start once all blocks have come here or ended: blocks of it then take what room there is.
__device__ inline void let_next_kernel_start() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

}  // namespace tiles
