// More managed memory than the device has: swept from end to end again and again it thrashes, piece by piece it does
// not.
//
//   tilescope run --device-memory 12M examples/oversubscribed.cu -- sweeps    every sweep moves all of it, there and
//   back tilescope run --device-memory 12M examples/oversubscribed.cu -- pieces    all of it moves once
//
// Without an argument both run, one after the other. On a device with room for all of it nothing is evicted.
#include <cstring>

#include "check.h"

constexpr int kThreads = 256, kSteps = 4, kPieces = 4;
constexpr int kElements = 4 << 20, kPiece = kElements / kPieces;  // 16 MiB in pieces of 4

__global__ void step(float* values) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] = values[i] * 0.5f + 1.0f;
}

// What was used first is the first to be evicted, and the first that the next sweep asks for.
static void in_sweeps(float* values) {
    for (int done = 0; done < kSteps; ++done) {
        step<<<kElements / kThreads, kThreads>>>(values);
        CHECK(cudaGetLastError());
    }
}

// No element needs another one, so each piece can take all its steps while it is there.
static void in_pieces(float* values) {
    for (int piece = 0; piece < kPieces; ++piece)
        for (int done = 0; done < kSteps; ++done) {
            step<<<kPiece / kThreads, kThreads>>>(values + piece * kPiece);
            CHECK(cudaGetLastError());
        }
}

static void run(const char* name, void (*work)(float*), Verdict& verdict) {
    float* values = nullptr;
    CHECK(cudaMallocManaged(&values, kElements * sizeof(float)));
    for (int i = 0; i < kElements; ++i) values[i] = static_cast<float>(i % 16);
    work(values);
    CHECK(cudaDeviceSynchronize());
    bool right = true;
    for (int i = 0; i < kElements; i += 64) {
        float want = static_cast<float>(i % 16);
        for (int done = 0; done < kSteps; ++done) want = want * 0.5f + 1.0f;
        right = right && values[i] == want;
    }
    verdict.that(name, right);
    CHECK(cudaFree(values));
}

int main(int count, char** arguments) {
    const auto wants = [&](const char* what) { return count < 2 || std::strcmp(arguments[1], what) == 0; };
    Verdict verdict;
    if (wants("sweeps")) run("in sweeps", in_sweeps, verdict);
    if (wants("pieces")) run("in pieces", in_pieces, verdict);
    return verdict.status();
}
