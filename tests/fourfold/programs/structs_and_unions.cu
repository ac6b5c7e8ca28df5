// Structures with bit fields, unions and arrays by value, given to a kernel and kept in memory.
#include "fourfold.cuh"

struct Packed {
    unsigned low : 5, middle : 11, high : 16;
    int negative : 7;
};
union Bits {
    double number;
    unsigned long long whole;
    unsigned short parts[4];
};
struct alignas(16) Mixed {
    char tag;
    short small;
    int list[5];
    Bits bits;
    Packed packed;
};

__host__ __device__ inline Mixed turn(const Mixed& from, int by) {
    Mixed to = from;
    to.tag = static_cast<char>(from.tag + by);
    to.small = static_cast<short>(from.small * by);
    for (int i = 0; i < 5; ++i) to.list[i] = from.list[4 - i] ^ by;
    to.bits.parts[by & 3] = static_cast<unsigned short>(by);
    to.packed.middle = from.packed.high + by;
    to.packed.negative = -(by & 31);
    to.packed.low += 3;
    return to;
}

__global__ void change(const Mixed base, Mixed* out, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) out[i] = turn(base, i);
}

int main() {
    constexpr int count = 80;
    Mixed base;
    std::memset(&base, 0, sizeof base);
    base.tag = 'q', base.small = -3, base.bits.number = 2.5;
    base.packed.low = 30, base.packed.high = 40000;
    for (int i = 0; i < 5; ++i) base.list[i] = i * i + 1;
    const Buffer<Mixed> out(count);
    change<<<2, 64>>>(base, out, count);
    const std::vector<Mixed> found = out.host();
    int off = 0;
    for (int i = 0; i < count; ++i) {
        const Mixed known = turn(base, i);
        off += found[i].tag != known.tag || found[i].small != known.small || found[i].list[1] != known.list[1] ||
               found[i].bits.whole != known.bits.whole || found[i].packed.middle != known.packed.middle ||
               found[i].packed.negative != known.packed.negative || found[i].packed.low != known.packed.low;
    }
    std::printf("%zu bytes each, last tag %d\n", sizeof(Mixed), found[count - 1].tag);
    return verdict("structures", off == 0);
}
