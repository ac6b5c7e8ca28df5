// printf, malloc, free and assert in device code: calls that the machine itself answers.
#pragma once

extern "C" {
__device__ int vprintf(const char*, const char*);
__device__ int printf(const char*, ...);
__device__ void* malloc(size_t) __attribute__((nothrow)) __attribute__((malloc));
__device__ void free(void*) __attribute__((nothrow));
__device__ void __assertfail(const char* message, const char* file, unsigned line, const char* function,
                             size_t char_size);
__device__ static inline void __assert_fail(const char* message, const char* file, unsigned line,
                                            const char* function) {
    __assertfail(message, file, line, function, sizeof(char));
}
}

namespace std {
__device__ static inline void* malloc(size_t size) { return ::malloc(size); }
__device__ static inline void free(void* ptr) { ::free(ptr); }
}  // namespace std

// Programmatic dependent launch (compute capability 9.0): waits for the kernel that the stream had before; says that
// the next one may begin.
__device__ static inline __attribute__((always_inline)) void cudaGridDependencySynchronize() {
    asm volatile("griddepcontrol.wait;" ::: "memory");
}
__device__ static inline __attribute__((always_inline)) void cudaTriggerProgrammaticLaunchCompletion() {
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
__device__ static inline __attribute__((always_inline)) void __nanosleep(unsigned int nanoseconds) {
    asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds));
}
__device__ static inline __attribute__((always_inline)) unsigned long long __globaltimer() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}
