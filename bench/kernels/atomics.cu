// Sums by atomics at (mask + 1) addresses that the data choose: with a mask of 0 all lanes want the same one.
// atomics.ptx is made from this file; see ../README.md.

extern "C" __global__ void atomics_add(const unsigned* in, unsigned* sums, unsigned n, unsigned mask) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned value = in[i];
        atomicAdd(&sums[value & mask], value >> 16);
    }
}

// Tickets: each lane gets the old value and writes itself there.
extern "C" __global__ void atomics_ticket(const unsigned* in, unsigned* tails, unsigned* queues, unsigned n,
                                          unsigned mask) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned value = in[i], queue = value & mask;
        queues[(atomicAdd(&tails[queue], 1) * (mask + 1) + queue) & (n - 1)] = value;
    }
}
