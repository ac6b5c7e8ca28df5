// Life on a torus, twice: a cell a byte with a halo in shared memory, and thirty-two cells a word by adding bits.
#include <cstdint>
#include <utility>

#include "program.cuh"

constexpr int width = 128, height = 96, words = width / 32;
constexpr int tile_x = 32, tile_y = 8;

__global__ void step_bytes(const uint8_t* board, uint8_t* next) {
    __shared__ uint8_t tile[tile_y + 2][tile_x + 2];
    const int x0 = blockIdx.x * tile_x - 1, y0 = blockIdx.y * tile_y - 1;
    const int thread = threadIdx.y * tile_x + threadIdx.x;
    for (int i = thread; i < (tile_x + 2) * (tile_y + 2); i += tile_x * tile_y) {
        const int tx = i % (tile_x + 2), ty = i / (tile_x + 2);
        tile[ty][tx] = board[(y0 + ty + height) % height * width + (x0 + tx + width) % width];
    }
    __syncthreads();
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int around = -tile[ty][tx];
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) around += tile[ty + dy][tx + dx];
    next[(y0 + ty) * width + x0 + tx] = around == 3 || (around == 2 && tile[ty][tx]);
}

// Cells left of a word's cells come from the word before: cell x is bit x % 32 of word x / 32.
__device__ uint32_t shifted(const uint32_t* row, int w, int by) {
    if (by == 0) return row[w];
    return by < 0 ? __funnelshift_l(row[(w + words - 1) % words], row[w], 1)
                  : __funnelshift_r(row[w], row[(w + 1) % words], 1);
}
__global__ void step_bits(const uint32_t* board, uint32_t* next) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= words * height) return;
    const int w = i % words, y = i / words;
    uint32_t ones = 0, twos = 0, fours = 0;
#pragma unroll
    for (int n = 0; n < 9; ++n) {
        if (n == 4) continue;
        const uint32_t cells = shifted(board + (y + n / 3 - 1 + height) % height * words, w, n % 3 - 1);
        const uint32_t carry = ones & cells;
        ones ^= cells;
        fours |= twos & carry;
        twos ^= carry;
    }
    next[i] = twos & ~fours & (ones | board[i]);
}

__global__ void pack(const uint8_t* cells, uint32_t* board) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned ballot = __ballot_sync(~0u, cells[i] != 0);
    if ((threadIdx.x & 31) == 0) board[i / 32] = ballot;
}
__global__ void count_living(const uint32_t* board, unsigned long long* total) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < words * height) atomicAdd(total, static_cast<unsigned long long>(__popc(board[i])));
}

std::vector<uint8_t> on_host(std::vector<uint8_t> board, int generations) {
    for (std::vector<uint8_t> next(board); generations > 0; --generations, board.swap(next))
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                int around = 0;
                for (int n = 0; n < 9; ++n)
                    if (n != 4)
                        around += board[(y + n / 3 + height - 1) % height * width + (x + n % 3 + width - 1) % width];
                next[y * width + x] = around == 3 || (around == 2 && board[y * width + x]);
            }
    return board;
}

int main() {
    constexpr int generations = 12;
    std::vector<uint8_t> cells(width * height);
    uint32_t random = 2463534242u;
    for (uint8_t& cell : cells) {
        random ^= random << 13, random ^= random >> 17, random ^= random << 5;
        cell = random % 3 == 0;
    }
    const std::vector<uint8_t> expected = on_host(cells, generations);

    uint8_t *a = to_device(cells), *b = to_device(cells);
    uint32_t *p, *q;
    unsigned long long* total;
    CHECK(cudaMalloc(&p, width * height / 8));
    CHECK(cudaMalloc(&q, width * height / 8));
    CHECK(cudaMallocManaged(&total, sizeof(*total)));
    *total = 0;
    pack<<<width * height / 256, 256>>>(a, p);
    for (int g = 0; g < generations; ++g) {
        step_bytes<<<dim3(width / tile_x, height / tile_y), dim3(tile_x, tile_y)>>>(a, b);
        step_bits<<<(words * height + 127) / 128, 128>>>(p, q);
        std::swap(a, b);
        std::swap(p, q);
    }
    count_living<<<(words * height + 127) / 128, 128>>>(p, total);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());

    int bad = verdict("life, a cell a byte", to_host(a, cells.size()) == expected);
    const std::vector<uint32_t> found = to_host(p, words * height);
    bool same = true;
    unsigned long long living = 0;
    for (int i = 0; i < width * height; ++i) {
        same = same && (found[i / 32] >> i % 32 & 1) == expected[i];
        living += expected[i];
    }
    bad += verdict("life, a cell a bit", same);
    bad += verdict("living cells", living > 0 && *total == living);
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(p));
    CHECK(cudaFree(q));
    CHECK(cudaFree(total));
    return bad;
}
