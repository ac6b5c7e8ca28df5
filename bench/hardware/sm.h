// Where and when a thread runs.
#pragma once

// The SM.
__device__ inline unsigned sm_number() {
    unsigned number;
    asm("mov.u32 %0, %%smid;" : "=r"(number));
    return number;
}

// Of the SM's clock, which counts on; SMs of one GPC begin together.
__device__ inline unsigned cycle() {
    unsigned now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
    return now;
}
