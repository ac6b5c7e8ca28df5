// Lanes of a warp that exchange values through shared memory: what orders them, and what does not. CUDA promises no
// order of memory behind shuffles and votes; whether to blame who counts on it is left open.
//
// check: races
// case syncwarp: clean
// case nothing: race shared PUT GET
// case shuffle_between: clean
// case vote_between: clean
// case halves: clean
// case halves_across: race shared PUT_HALF GET_HALF
// case tiles: clean
// case tiles_across: race shared PUT_TILE GET_TILE
// case tile_reduce: clean
// case divergent_halves: race shared PUT_BRANCH GET_BRANCH
// case divergent_halves_synced: clean
#include <cooperative_groups.h>

#include <cstring>

namespace cg = cooperative_groups;
__device__ int in[64], out[64];

// Values that differ, so that a write changes what was there.
__global__ void start() {
    for (int i = threadIdx.x; i < sizeof in / sizeof in[0]; i += blockDim.x) in[i] = 3 * i + 1;
}
enum Between { kSyncwarp, kNothing, kShuffle, kVote };

template <Between kBetween>
__global__ void exchange() {
    __shared__ int given[32];
    const int t = threadIdx.x;
    int more = 0;
    given[t] = in[t];  // @PUT
    if (kBetween == kSyncwarp) __syncwarp();
    if (kBetween == kShuffle) more = __shfl_xor_sync(0xffffffff, in[t + 32], 1);
    if (kBetween == kVote) more = __any_sync(0xffffffff, in[t + 32]);
    out[t] = given[31 - t] + more;  // @GET
}

template <int kDistance>
__global__ void halves() {
    __shared__ int given[32];
    const int t = threadIdx.x;
    given[t] = in[t];  // @PUT_HALF
    __syncwarp(t < 16 ? 0x0000ffff : 0xffff0000);
    out[t] = given[t ^ kDistance];  // @GET_HALF
}

template <int kDistance>
__global__ void tiles() {
    __shared__ int given[64];
    const int t = threadIdx.x;
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    for (int turn = 0; turn < 2; ++turn) {
        given[t] = in[t] + turn;  // @PUT_TILE
        tile.sync();
        out[t] += given[t ^ kDistance];  // @GET_TILE
        tile.sync();
    }
}

__global__ void tile_reduce() {
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int sum = in[threadIdx.x];
    for (int distance = 4; distance > 0; distance /= 2) sum += tile.shfl_down(sum, distance);
    if (tile.thread_rank() == 0) out[threadIdx.x / 8] = sum;
}

// One side of a branch writes what the other reads.
template <bool kSynced>
__global__ void branches() {
    __shared__ int given[16];
    const int t = threadIdx.x;
    if (t < 16) given[t] = in[t];  // @PUT_BRANCH
    if (kSynced) __syncwarp();
    if (t >= 16) out[t] = given[t - 16];  // @GET_BRANCH
}

int main(int, char** argv) {
    start<<<1, 128>>>();
    if (!strcmp(argv[1], "syncwarp")) exchange<kSyncwarp><<<1, 32>>>();
    if (!strcmp(argv[1], "nothing")) exchange<kNothing><<<1, 32>>>();
    if (!strcmp(argv[1], "shuffle_between")) exchange<kShuffle><<<1, 32>>>();
    if (!strcmp(argv[1], "vote_between")) exchange<kVote><<<1, 32>>>();
    if (!strcmp(argv[1], "halves")) halves<8><<<1, 32>>>();
    if (!strcmp(argv[1], "halves_across")) halves<16><<<1, 32>>>();
    if (!strcmp(argv[1], "tiles")) tiles<7><<<1, 64>>>();
    if (!strcmp(argv[1], "tiles_across")) tiles<8><<<1, 64>>>();
    if (!strcmp(argv[1], "tile_reduce")) tile_reduce<<<1, 64>>>();
    if (!strcmp(argv[1], "divergent_halves")) branches<false><<<1, 32>>>();
    if (!strcmp(argv[1], "divergent_halves_synced")) branches<true><<<1, 32>>>();
    return cudaDeviceSynchronize();
}
