// The same work twice: copied and computed in one go on the default stream, and in pieces on streams of their own, with
// pinned memory, so that the copies of one piece go on beside the kernel of another.
//
//   tilescope run --caches on --json overlap.json examples/overlap.cu -- pieces        (or: one; without it both)
//   tilescope report overlap.json --chrome-trace -o overlap.trace.json      (opens in ui.perfetto.dev)
//
// In one go: copies of pageable memory pass through a buffer of the driver's, which takes four times as long as a copy
// of pinned memory on an H200, and nothing of them is hidden. In pieces: a copy to the device, a kernel and a copy back
// run at the same time, each of another piece.
#include <algorithm>
#include <cstring>

#include "check.h"

constexpr int kPieces = 4, kThreads = 256, kBlocks = 16;
constexpr int kElements = 1 << 20, kPiece = kElements / kPieces;

// Few blocks on purpose: each thread waits for memory 64 times, one after the other, so that a piece's kernel takes
// about as long as its copies.
__global__ void scale(const float* in, float* out, int count, float factor) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) out[i] = in[i] * factor;
}

static void in_one_go(const float* in, float* out, float* d_in, float* d_out) {
    CHECK(cudaMemcpy(d_in, in, kElements * sizeof(float), cudaMemcpyHostToDevice));
    scale<<<kPieces * kBlocks, kThreads>>>(d_in, d_out, kElements, 2.0f);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, d_out, kElements * sizeof(float), cudaMemcpyDeviceToHost));
}

static void in_pieces(const float* in, float* out, float* d_in, float* d_out) {
    cudaStream_t streams[kPieces];
    for (cudaStream_t& stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int piece = 0; piece < kPieces; ++piece) {
        const int first = piece * kPiece;
        const cudaStream_t stream = streams[piece];
        CHECK(cudaMemcpyAsync(d_in + first, in + first, kPiece * sizeof(float), cudaMemcpyHostToDevice, stream));
        scale<<<kBlocks, kThreads, 0, stream>>>(d_in + first, d_out + first, kPiece, 2.0f);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(out + first, d_out + first, kPiece * sizeof(float), cudaMemcpyDeviceToHost, stream));
    }
    CHECK(cudaDeviceSynchronize());
    for (const cudaStream_t stream : streams) CHECK(cudaStreamDestroy(stream));
}

int main(int count, char** arguments) {
    const auto wants = [&](const char* what) { return count < 2 || std::strcmp(arguments[1], what) == 0; };
    const std::vector<float> values = eighths(kElements, 5);
    std::vector<float> want = values, got(kElements);
    for (float& value : want) value *= 2.0f;
    float* d_in = device_buffer<float>(kElements);
    float* d_out = device_buffer<float>(kElements);
    float *in = nullptr, *out = nullptr;
    CHECK(cudaMallocHost(reinterpret_cast<void**>(&in), kElements * sizeof(float)));
    CHECK(cudaMallocHost(reinterpret_cast<void**>(&out), kElements * sizeof(float)));
    std::copy(values.begin(), values.end(), in);

    Verdict verdict;
    if (wants("one")) {
        in_one_go(values.data(), got.data(), d_in, d_out);
        verdict.equal("in one go", got, want);
    }
    if (wants("pieces")) {
        in_pieces(in, out, d_in, d_out);
        verdict.equal("in pieces", std::vector<float>(out, out + kElements), want);
    }

    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    CHECK(cudaFreeHost(in));
    CHECK(cudaFreeHost(out));
    return verdict.status();
}
