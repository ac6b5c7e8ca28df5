// Copies beside kernels: what it takes, and the common example that overlaps and is wrong.
//
//   overlap one        pageable memory, everything in one go
//   overlap pinned     pinned memory, everything in one go
//   overlap pieces N   pinned memory, N pieces (4 if left out), each with a stream of its own
//   overlap pageable   the same from and to pageable memory
//   overlap default    the same four pieces, all on the default stream
//   overlap race       pinned; one stream copies, another computes, and nothing orders the two
//   overlap event      the same two streams with events between them
//
// Build it alone: nvcc -std=c++17 overlap.cu
#include <algorithm>

#include "../lesson.h"

constexpr int kThreads = 256, kBlocks = 16, kElements = 1 << 20;
constexpr std::size_t kBytes = kElements * sizeof(float);

// Few blocks on purpose, so that a piece's kernel takes about as long as a piece's copy.
__global__ void scale(const float* in, float* out, int floats, float factor) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < floats; i += gridDim.x * blockDim.x)
        out[i] = in[i] * factor;
}

static int piece = kElements / 4;  // elements
static float *d_in, *d_out;

static void in_one_go(const float* in, float* out) {
    CHECK(cudaMemcpy(d_in, in, kBytes, cudaMemcpyHostToDevice));  // [in]
    scale<<<4 * kBlocks, kThreads>>>(d_in, d_out, kElements, 2.0f);
    CHECK(cudaMemcpy(out, d_out, kBytes, cudaMemcpyDeviceToHost));
}

static void in_pieces(const float* in, float* out, bool own_streams) {
    std::vector<cudaStream_t> streams(kElements / piece);
    for (int first = 0; first < kElements; first += piece) {
        cudaStream_t& stream = streams[first / piece];
        if (own_streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        CHECK(cudaMemcpyAsync(d_in + first, in + first, piece * sizeof(float), cudaMemcpyHostToDevice, stream));
        scale<<<kBlocks, kThreads, 0, stream>>>(d_in + first, d_out + first, piece, 2.0f);
        CHECK(cudaMemcpyAsync(out + first, d_out + first, piece * sizeof(float), cudaMemcpyDeviceToHost, stream));
    }
    CHECK(cudaDeviceSynchronize());
    for (cudaStream_t stream : streams)
        if (stream) CHECK(cudaStreamDestroy(stream));
}

// One stream for copies, one for kernels. Without the events a kernel may begin before its piece has arrived.
static void in_two_streams(const float* in, float* out, bool ordered) {
    cudaStream_t copies, kernels;
    cudaEvent_t arrived, done;
    CHECK(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&arrived));
    CHECK(cudaEventCreate(&done));
    for (int first = 0; first < kElements; first += piece) {
        CHECK(cudaMemcpyAsync(d_in + first, in + first, piece * sizeof(float), cudaMemcpyHostToDevice,
                              copies));  // [copy]
        if (ordered) CHECK(cudaEventRecord(arrived, copies));
        if (ordered) CHECK(cudaStreamWaitEvent(kernels, arrived, 0));
        scale<<<kBlocks, kThreads, 0, kernels>>>(d_in + first, d_out + first, piece, 2.0f);  // [kernel]
    }
    if (ordered) CHECK(cudaEventRecord(done, kernels));
    if (ordered) CHECK(cudaStreamWaitEvent(copies, done, 0));
    CHECK(cudaMemcpyAsync(out, d_out, kBytes, cudaMemcpyDeviceToHost, copies));  // [back]
    CHECK(cudaDeviceSynchronize());
    for (cudaEvent_t event : {arrived, done}) CHECK(cudaEventDestroy(event));
    for (cudaStream_t stream : {copies, kernels}) CHECK(cudaStreamDestroy(stream));
}

int main(int argc, char** argv) {
    const char* variant = argc > 1 ? argv[1] : "pieces";
    const std::vector<float> values = eighths(kElements, 5);
    std::vector<float> want = values, got(kElements);
    for (float& value : want) value *= 2.0f;
    d_in = device_buffer<float>(kElements);
    d_out = device_buffer<float>(kElements);
    float *in = nullptr, *out = nullptr;
    CHECK(cudaMallocHost(&in, kBytes));
    CHECK(cudaMallocHost(&out, kBytes));
    std::copy(values.begin(), values.end(), in);
    if (argc > 2) piece = kElements / std::atoi(argv[2]);
    const bool pageable = is(variant, "one") || is(variant, "pageable");
    const float* from = pageable ? values.data() : in;
    float* to = pageable ? got.data() : out;
    if (is(variant, "one") || is(variant, "pinned")) {
        in_one_go(from, to);
    } else if (is(variant, "pieces") || is(variant, "pageable") || is(variant, "default")) {
        in_pieces(from, to, !is(variant, "default"));
    } else if (is(variant, "race") || is(variant, "event")) {
        in_two_streams(from, to, is(variant, "event"));
    } else {
        std::fprintf(stderr, "usage: %s [one|pinned|pieces|pageable|default|race|event] [PIECES]\n", argv[0]);
        return 1;
    }
    if (!pageable) std::copy(out, out + kElements, got.begin());
    Verdict verdict;
    verdict.equal(variant, got, want);
    return verdict.status();
}
