// Asynchronous copies by where they begin, from global and to shared memory: which sectors are read for which places.
//
// usage: copy_places          a launch of one warp for each case, which copies kRounds times
//        copy_places shared   launches of many blocks that copy the same rows: how many reads of L2 they share
//
// Prints one line a launch, in order, for a profiler's counters to be held against. Every lane's places stand in
// tables, so a launch has two loads and a store of its own beside its copies.
#include <cstring>
#include <string>

#include "../../examples/check.h"

namespace {

constexpr int kRounds = 16, kStep = 1 << 14;  // bytes of global memory from one round to the next
constexpr int kCells = 16 << 10;
constexpr unsigned kLanes = 32, kAll = ~0u;

struct Places {
    int from[kLanes], to[kLanes], bytes[kLanes];
};
enum class Way { kCg, kCg64, kCg128, kCg256, kCgSome, kCa16, kCa8, kCa4 };
constexpr const char* kWays[] = {"cg16", "cg16-64B", "cg16-128B", "cg16-256B", "cg16-some", "ca16", "ca8", "ca4"};

template <Way kWay>
__device__ void copy(unsigned to, const char* from, int bytes) {
#define COPY(text, size, ...) \
    asm volatile("cp.async." text ".shared.global" __VA_ARGS__ " [%0], [%1], " size ";" ::"r"(to), "l"(from))
    if constexpr (kWay == Way::kCg) COPY("cg", "16");
    if constexpr (kWay == Way::kCg64) COPY("cg", "16", ".L2::64B");
    if constexpr (kWay == Way::kCg128) COPY("cg", "16", ".L2::128B");
    if constexpr (kWay == Way::kCg256) COPY("cg", "16", ".L2::256B");
    if constexpr (kWay == Way::kCgSome)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes));
    if constexpr (kWay == Way::kCa16) COPY("ca", "16");
    if constexpr (kWay == Way::kCa8) COPY("ca", "8");
    if constexpr (kWay == Way::kCa4) COPY("ca", "4");
#undef COPY
}

template <Way kWay>
__global__ void copies(const char* in, const Places* places, unsigned mask, char* out) {
    __shared__ __align__(1024) char cells[kCells];
    const unsigned lane = threadIdx.x;
    if ((mask >> lane & 1) == 0) return;
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(cells)) + places->to[lane];
    const char* const from = in + places->from[lane];
    const int bytes = kWay == Way::kCgSome ? places->bytes[lane] : 16;
#pragma unroll 1
    for (int round = 0; round < kRounds; ++round) {
        copy<kWay>(to, from + round * kStep, bytes);
        asm volatile("cp.async.wait_all;" ::: "memory");
    }
    out[lane] = cells[lane];
}

// As products of matrices have it: 64 rows of 64 or 128 bytes of each matrix a step, every block of a line of the grid
// the same ones.
template <int kPieces, bool kIsCg>
__global__ void rows(const char* in, int row_bytes, int from, int to, int pitch, bool swizzled, int steps, char* out) {
    __shared__ __align__(1024) char cells[2][16 << 10];
    const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
    const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(cells)) + to;
    for (int step = 0; step < steps; ++step) {
        for (int matrix = 0; matrix < 2; ++matrix) {
            const char* const source =
                in + from + (matrix == 0 ? blockIdx.y : 64 + blockIdx.x) * 64 * row_bytes + step * kPieces * 16;
            for (int i = thread; i < 64 * kPieces; i += threads) {
                const int row = i / kPieces, piece = i % kPieces,
                          place = swizzled ? piece ^ row * kPieces / 8 % kPieces : piece;
                copy<kIsCg ? Way::kCg : Way::kCa16>(base + matrix * (16 << 10) + row * pitch + place * 16,
                                                    source + row * row_bytes + piece * 16, 16);
            }
        }
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
    }
    out[(blockIdx.y * gridDim.x + blockIdx.x) * threads + thread] = cells[0][thread];
}

unsigned random_state = 1;
unsigned random_below(unsigned n) {
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % n;
}

class Cases {
public:
    Cases() {
        CHECK(cudaMalloc(&in_, 32 << 20));
        CHECK(cudaMalloc(&out_, 32 << 20));
        CHECK(cudaMalloc(&places_, sizeof(Places)));
        CHECK(cudaMemset(in_, 0, 32 << 20));
    }

    void run(Way way, const Places& places, unsigned mask, const std::string& name) {
        CHECK(cudaMemcpy(places_, &places, sizeof places, cudaMemcpyHostToDevice));
        switch (way) {
            case Way::kCg: copies<Way::kCg><<<1, 32>>>(in_, places_, mask, out_); break;
            case Way::kCg64: copies<Way::kCg64><<<1, 32>>>(in_, places_, mask, out_); break;
            case Way::kCg128: copies<Way::kCg128><<<1, 32>>>(in_, places_, mask, out_); break;
            case Way::kCg256: copies<Way::kCg256><<<1, 32>>>(in_, places_, mask, out_); break;
            case Way::kCgSome: copies<Way::kCgSome><<<1, 32>>>(in_, places_, mask, out_); break;
            case Way::kCa16: copies<Way::kCa16><<<1, 32>>>(in_, places_, mask, out_); break;
            case Way::kCa8: copies<Way::kCa8><<<1, 32>>>(in_, places_, mask, out_); break;
            case Way::kCa4: copies<Way::kCa4><<<1, 32>>>(in_, places_, mask, out_); break;
        }
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        std::printf("%s %08x %s\n", kWays[static_cast<int>(way)], mask, name.c_str());
    }

    // Neighbours to neighbours, off by so many bytes.
    void line(Way way, int bytes, int from, int to, unsigned lanes) {
        Places places{};
        for (int lane = 0; lane < static_cast<int>(kLanes); ++lane)
            places.from[lane] = from + lane * bytes, places.to[lane] = to + lane * bytes;
        run(way, places, lanes >= kLanes ? kAll : (1u << lanes) - 1,
            "line " + std::to_string(from) + " " + std::to_string(to));
    }
    void row(Way way, int pieces, int from, int to, int pitch, int swizzle) {
        Places places{};
        for (int lane = 0; lane < static_cast<int>(kLanes); ++lane) {
            const int row = lane / pieces, piece = lane % pieces;
            places.from[lane] = from + row * 256 + piece * 16;
            places.to[lane] = to + row * pitch + (piece ^ (swizzle ? row / swizzle % pieces : 0)) * 16;
        }
        run(way, places, kAll,
            "rows of " + std::to_string(pieces) + ", " + std::to_string(from) + " " + std::to_string(to) + ", " +
                std::to_string(pitch) + " apart, swizzle " + std::to_string(swizzle));
    }
    // Pieces from anywhere in a window to any places of another one, each once; or several lanes from one piece.
    void anywhere(Way way, unsigned window_from, unsigned window_to, bool again, unsigned mask) {
        Places places{};
        bool used_from[256] = {}, used_to[256] = {};
        for (unsigned lane = 0; lane < kLanes; ++lane) {
            unsigned from, to;
            do from = random_below(window_from);
            while (!again && used_from[from]);
            do to = random_below(window_to);
            while (used_to[to]);
            used_from[from] = used_to[to] = true;
            places.from[lane] = static_cast<int>(from * 16), places.to[lane] = static_cast<int>(to * 16);
        }
        run(way, places, mask,
            "anywhere in " + std::to_string(window_from) + " to " + std::to_string(window_to) +
                (again ? " again" : ""));
    }
    void some(int to, int change) {
        Places places{};
        for (int lane = 0; lane < static_cast<int>(kLanes); ++lane) {
            places.from[lane] = lane * 16, places.to[lane] = to + lane * 16;
            places.bytes[lane] = change < 17 ? change : lane % (change - 15) == 0 ? 0 : 16;
        }
        run(Way::kCgSome, places, kAll, "some " + std::to_string(to) + " " + std::to_string(change));
    }

    template <int kPieces, bool kIsCg>
    void together(int blocks_x, int blocks_y, int from, int to, int pitch, bool swizzled) {
        rows<kPieces, kIsCg>
            <<<dim3(blocks_x, blocks_y), 128>>>(in_, 2048, from, to, pitch, swizzled, 2048 / (kPieces * 16) - 1, out_);
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        std::printf("%s %d x %d blocks, rows of %d, %d %d, %d apart%s\n", kIsCg ? "cg16" : "ca16", blocks_x, blocks_y,
                    kPieces, from, to, pitch, swizzled ? ", swizzled" : "");
    }

private:
    char *in_ = nullptr, *out_ = nullptr;
    Places* places_ = nullptr;
};

void one_warp(Cases& cases) {
    for (const Way way : {Way::kCg, Way::kCa16})
        for (int from = 0; from < 128; from += 16)
            for (int to = 0; to < 128; to += 16) cases.line(way, 16, from, to, kLanes);
    for (const int from : {0, 8, 16, 24, 32})
        for (const int to : {0, 8, 16, 24, 32}) cases.line(Way::kCa8, 8, from, to, kLanes);
    for (const int from : {0, 4, 16, 28, 32})
        for (const int to : {0, 4, 16, 28, 32}) cases.line(Way::kCa4, 4, from, to, kLanes);
    for (const unsigned lanes : {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 24})
        for (const int to : {0, 16, 48, 112})
            for (const int from : {0, 16}) cases.line(Way::kCg, 16, from, to, lanes);
    for (const unsigned lanes : {1, 2, 3, 5, 8})
        for (const int to : {0, 16})
            for (const int from : {0, 16}) cases.line(Way::kCa16, 16, from, to, lanes);
    for (const Way way : {Way::kCg, Way::kCa16})
        for (const int pieces : {1, 2, 4, 8, 16})
            for (const int more : {0, 16, 32, 48})
                for (const int from : {0, 16}) cases.row(way, pieces, from, 0, pieces * 16 + more, 0);
    for (const int to : {0, 16, 32})
        cases.row(Way::kCg, 8, 0, to, 128, 1), cases.row(Way::kCg, 4, 0, to, 64, 2),
            cases.row(Way::kCg, 4, 0, to, 64, 1);
    for (const unsigned to : {32, 64, 128})
        for (const unsigned from : {32, 64, 256})
            for (const bool again : {false, true})
                for (int i = 0; i < 2; ++i) cases.anywhere(Way::kCg, from, to, again, i == 0 ? kAll : 0x5a3c96e1u);
    for (const unsigned from : {32, 256})
        cases.anywhere(Way::kCa16, from, 64, false, kAll), cases.anywhere(Way::kCa16, from, 64, true, kAll);
    for (const Way way : {Way::kCg64, Way::kCg128, Way::kCg256})
        for (const int to : {0, 16}) cases.line(way, 16, 0, to, kLanes), cases.line(way, 16, 0, to, 2);
    for (const int to : {0, 16})
        for (const int change : {4, 8, 12, 16, 17, 18, 19}) cases.some(to, change);
}

void shared_reads(Cases& cases) {
    for (const int blocks : {1, 2, 8, 16}) {
        cases.together<4, true>(blocks, blocks == 2 ? 1 : blocks, 0, 0, 64, false);
        cases.together<4, true>(blocks, blocks == 2 ? 1 : blocks, 0, 0, 64, true);
        cases.together<4, true>(blocks, blocks == 2 ? 1 : blocks, 0, 16, 64, false);
        cases.together<4, true>(blocks, blocks == 2 ? 1 : blocks, 0, 32, 64, false);
        cases.together<4, true>(blocks, blocks == 2 ? 1 : blocks, 16, 0, 64, false);
        cases.together<4, true>(blocks, blocks == 2 ? 1 : blocks, 16, 16, 64, false);
        cases.together<4, true>(blocks, blocks == 2 ? 1 : blocks, 0, 0, 80, false);
        cases.together<8, true>(blocks, blocks == 2 ? 1 : blocks, 0, 0, 128, false);
        cases.together<8, true>(blocks, blocks == 2 ? 1 : blocks, 0, 0, 128, true);
        cases.together<8, true>(blocks, blocks == 2 ? 1 : blocks, 0, 16, 128, false);
        cases.together<8, true>(blocks, blocks == 2 ? 1 : blocks, 0, 0, 144, false);
        cases.together<4, false>(blocks, blocks == 2 ? 1 : blocks, 0, 0, 64, false);
        cases.together<4, false>(blocks, blocks == 2 ? 1 : blocks, 0, 0, 80, false);
    }
}

}  // namespace

int main(int argc, char** argv) {
    Cases cases;
    if (argc > 1 && std::strcmp(argv[1], "shared") == 0)
        shared_reads(cases);
    else
        one_warp(cases);
    return 0;
}
