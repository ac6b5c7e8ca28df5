// What the driver encodes for tensor maps, and which arguments it takes. Half of the tries change one thing of a map
// that is right, half change many.
//
// usage: tensor_maps SEED COUNT      a line for each try: its arguments, the error's number, and the 128 bytes
//
// A line is: tiled TYPE RANK ADDRESS sizes 5 strides 4 box 5 steps 5 INTERLEAVE SWIZZLE PROMOTION FILL; or im2col with
// lower 3, upper 3, CHANNELS, PIXELS in place of the box; then | CODE | 16 words in hexadecimal.
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda.h>

namespace {

std::uint64_t state = 1;
std::uint64_t next() {
    state ^= state << 13U;
    state ^= state >> 7U;
    state ^= state << 17U;
    return state * 0x2545F4914F6CDD1DU >> 11U;
}
std::uint64_t below(std::uint64_t end) { return next() % end; }
bool one_in(unsigned n) { return below(n) == 0; }
// Of any size: as many bits as come up.
std::uint64_t up_to_bits(unsigned bits) { return next() & ((std::uint64_t{1} << below(bits + 1)) - 1); }

struct Arguments {
    int type = 0;
    unsigned rank = 2;
    std::uint64_t address = 0, sizes[5] = {}, strides[4] = {};
    std::uint32_t box[5] = {}, steps[5] = {};
    int lower[3] = {}, upper[3] = {};
    std::uint32_t channels = 0, pixels = 0;
    int interleave = 0, swizzle = 0, promotion = 0, fill = 0;
};

constexpr unsigned kBytes[] = {1, 2, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 1, 1, 1};

Arguments right(bool im2col) {
    Arguments a;
    a.type = static_cast<int>(below(13));
    a.interleave = one_in(4) ? static_cast<int>(below(3)) : 0;
    const unsigned least = im2col || a.interleave != 0 ? 3 : 1;
    a.rank = least + static_cast<unsigned>(below(6 - least));
    a.address = (up_to_bits(47) + (std::uint64_t{1} << 20U)) / 512 * 512;
    a.promotion = static_cast<int>(below(4));
    a.swizzle = static_cast<int>(below(one_in(3) ? 7 : 4));
    const bool is_float = a.type >= 6;
    a.fill = is_float && one_in(2) ? 1 : 0;
    std::uint64_t bytes = kBytes[a.type];
    for (unsigned i = 0; i < a.rank; ++i) {
        a.sizes[i] = 1 + up_to_bits(i == 0 ? 12 : 8);
        a.box[i] = 1 + static_cast<std::uint32_t>(up_to_bits(i == 0 ? 4 : 3));
        a.steps[i] = one_in(3) ? 1 + static_cast<std::uint32_t>(below(8)) : 1;
        bytes = (bytes * a.sizes[i] + 31) / 32 * 32;
        if (i + 1 < a.rank) a.strides[i] = bytes;
    }
    a.box[0] = static_cast<std::uint32_t>(16 / kBytes[a.type] * (1 + below(2)));
    for (unsigned i = 0; i + 2 < a.rank && i < 3; ++i) {
        a.lower[i] = static_cast<int>(below(8)) - 4;
        a.upper[i] = static_cast<int>(below(8)) - 4;
    }
    a.channels = a.box[0];
    a.pixels = 1 + static_cast<std::uint32_t>(up_to_bits(9));
    return a;
}

void change(Arguments& a) {
    const unsigned i = static_cast<unsigned>(below(5));
    switch (below(18)) {
        case 0: a.type = static_cast<int>(below(20)) - 1; break;
        case 1: a.rank = static_cast<unsigned>(below(8)); break;
        case 2: a.address += std::uint64_t{1} << below(10); break;
        case 3: a.address = up_to_bits(60) / 16 * 16; break;
        case 4: a.sizes[i] = one_in(3) ? 0 : up_to_bits(34); break;
        case 5: a.sizes[i] = (std::uint64_t{1} << 32U) + below(3) - 1; break;
        case 6: a.strides[i % 4] += std::uint64_t{1} << below(12); break;
        case 7: a.strides[i % 4] = up_to_bits(42) / 16 * 16; break;
        case 8: a.strides[i % 4] = one_in(2) ? 0 : (std::uint64_t{1} << 40U) - 16 * below(3); break;
        case 9: a.box[i] = static_cast<std::uint32_t>(one_in(3) ? 0 : up_to_bits(9)); break;
        case 10: a.box[i] = static_cast<std::uint32_t>(255 + below(3)); break;
        case 11: a.steps[i] = static_cast<std::uint32_t>(below(11)); break;
        case 12: a.interleave = static_cast<int>(below(5)) - 1; break;
        case 13: a.swizzle = static_cast<int>(below(9)) - 1; break;
        case 14: a.promotion = static_cast<int>(below(6)) - 1; break;
        case 15: a.fill = static_cast<int>(below(4)) - 1; break;
        case 16:
            a.lower[i % 3] = static_cast<int>(up_to_bits(17)) - (1 << 15);
            a.upper[(i + 1) % 3] = static_cast<int>(up_to_bits(9)) - 256;
            break;
        default:
            a.channels = static_cast<std::uint32_t>(one_in(2) ? up_to_bits(9) : 255 + below(3));
            a.pixels = static_cast<std::uint32_t>(one_in(2) ? up_to_bits(11) : 1023 + below(3));
    }
}

template <class Number>
void show(const Number* numbers, int count) {
    for (int i = 0; i < count; ++i) std::printf(" %lld", static_cast<long long>(numbers[i]));
}

}  // namespace

int main(int argc, char** argv) {
    state = argc > 1 ? std::strtoull(argv[1], nullptr, 10) * 2 + 1 : 1;
    const unsigned count = argc > 2 ? static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)) : 1000;
    if (cuInit(0) != CUDA_SUCCESS) return 1;
    CUcontext context = nullptr;
    if (cuDevicePrimaryCtxRetain(&context, 0) != CUDA_SUCCESS || cuCtxSetCurrent(context) != CUDA_SUCCESS) return 1;
    for (unsigned n = 0; n < count; ++n) {
        const bool im2col = n % 3 == 2;
        Arguments a = right(im2col);
        const unsigned changes = n % 2 == 0 ? (one_in(4) ? 0 : 1) : 1 + static_cast<unsigned>(below(3));
        for (unsigned i = 0; i < changes; ++i) change(a);
        CUtensorMap map;
        std::memset(&map, 0xa5, sizeof map);
        const auto type = static_cast<CUtensorMapDataType>(a.type);
        const auto interleave = static_cast<CUtensorMapInterleave>(a.interleave);
        const auto swizzle = static_cast<CUtensorMapSwizzle>(a.swizzle);
        const auto promotion = static_cast<CUtensorMapL2promotion>(a.promotion);
        const auto fill = static_cast<CUtensorMapFloatOOBfill>(a.fill);
        auto* const at = reinterpret_cast<void*>(a.address);
        const cuuint64_t* const sizes = a.sizes;
        const CUresult code =
            im2col ? cuTensorMapEncodeIm2col(&map, type, a.rank, at, sizes, a.strides, a.lower, a.upper, a.channels,
                                             a.pixels, a.steps, interleave, swizzle, promotion, fill)
                   : cuTensorMapEncodeTiled(&map, type, a.rank, at, sizes, a.strides, a.box, a.steps, interleave,
                                            swizzle, promotion, fill);
        std::printf("%s %d %u %" PRIu64, im2col ? "im2col" : "tiled", a.type, a.rank, a.address);
        show(a.sizes, 5);
        show(a.strides, 4);
        if (im2col) {
            show(a.lower, 3);
            show(a.upper, 3);
            std::printf(" %u %u", a.channels, a.pixels);
        } else {
            show(a.box, 5);
        }
        show(a.steps, 5);
        std::printf(" %d %d %d %d | %d |", a.interleave, a.swizzle, a.promotion, a.fill, static_cast<int>(code));
        if (code == CUDA_SUCCESS)
            for (const cuuint64_t word : map.opaque) std::printf(" %" PRIx64, static_cast<std::uint64_t>(word));
        std::printf("\n");
    }
    return 0;
}
