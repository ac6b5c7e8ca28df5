// Textures: what a plain load does as well, memory in rows that is read across them, and a filter that the unit has.
#include "pairs.h"

using namespace pairs;

namespace {

// A picture as an object of the texture unit: in an array, or in rows of memory as they are.
class Picture {
public:
    Picture(const Array<float>& pixels, int width, int height, cudaTextureFilterMode filter, bool in_array) {
        cudaResourceDesc from = {};
        cudaChannelFormatDesc texel = cudaCreateChannelDesc<float>();
        size_t row = width * sizeof(float);
        if (in_array) {
            PAIRS_CHECK(cudaMallocArray(&array_, &texel, width, height));
            PAIRS_CHECK(cudaMemcpy2DToArray(array_, 0, 0, pixels, row, row, height, cudaMemcpyDeviceToDevice));
            from.resType = cudaResourceTypeArray;
            from.res.array.array = array_;
        } else {
            PAIRS_CHECK(cudaMallocPitch(&rows_, &pitch_, row, height));
            PAIRS_CHECK(cudaMemcpy2D(rows_, pitch_, pixels, row, row, height, cudaMemcpyDeviceToDevice));
            from.resType = cudaResourceTypePitch2D;
            from.res.pitch2D = {rows_, texel, static_cast<size_t>(width), static_cast<size_t>(height), pitch_};
        }
        cudaTextureDesc how = {};
        how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
        how.filterMode = filter;
        how.readMode = cudaReadModeElementType;
        PAIRS_CHECK(cudaCreateTextureObject(&object_, &from, &how, nullptr));
    }
    Picture(const Picture&) = delete;
    Picture& operator=(const Picture&) = delete;
    ~Picture() {
        cudaDestroyTextureObject(object_);
        if (array_ != nullptr) cudaFreeArray(array_);
        cudaFree(rows_);
    }
    operator cudaTextureObject_t() const { return object_; }

private:
    cudaArray_t array_ = nullptr;
    void* rows_ = nullptr;
    size_t pitch_ = 0;
    cudaTextureObject_t object_ = 0;
};

}  // namespace

// Each thread takes the pixel that is its own: rows of floats, as plain loads have them.
__global__ void texture_rows_before(cudaTextureObject_t in, float* out, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * width + x] = 2 * tex2D<float>(in, x + 0.5f, y + 0.5f) + 1;  // fault: texture_rows
}
__global__ void texture_rows_after(const float* in, float* out, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * width + x] = 2 * in[y * width + x] + 1;
}
void rows(Suite& suite) {
    const int width = 2048, height = scaled(2048);
    Array<float> in(width * height, unit), out(width * height);
    Picture picture(in, width, height, cudaFilterModePoint, true);
    dim3 grid(width / 32, height / 8), block(32, 8);
    suite.pair(
        "texture_rows", out, [&] { texture_rows_before<<<grid, block>>>(picture, out, width); },
        [&] { texture_rows_after<<<grid, block>>>(in, out, width); }, [&](int i) { return 2 * in.at(i) + 1; });
}

// A picture that is turned by a quarter: each warp reads down a column. Memory in rows has each pixel in a sector of
// its own there; an array has two.
__device__ __forceinline__ void turn(cudaTextureObject_t in, float* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * height + x] = tex2D<float>(in, width - 1 - y + 0.5f, x + 0.5f);  // fault: texture_turned
}
__global__ void texture_turned_before(cudaTextureObject_t in, float* out, int width, int height) {
    turn(in, out, width, height);
}
__global__ void texture_turned_after(cudaTextureObject_t in, float* out, int width, int height) {
    turn(in, out, width, height);
}
void turned(Suite& suite) {
    const int width = scaled(2048), height = 2048;
    Array<float> in(width * height, unit), out(width * height);
    Picture pitched(in, width, height, cudaFilterModePoint, false), array(in, width, height, cudaFilterModePoint, true);
    dim3 grid(height / 32, width / 8), block(32, 8);
    suite.pair(
        "texture_turned", out, [&] { texture_turned_before<<<grid, block>>>(pitched, out, width, height); },
        [&] { texture_turned_after<<<grid, block>>>(array, out, width, height); },
        [&](int i) { return in.at(i % height * width + width - 1 - i / height); });
}

// A picture drawn a quarter of a pixel to the side and half of one down: four pixels weighed by hand, or one fetch.
constexpr float kRight = 0.25f, kDown = 0.5f;
__device__ __forceinline__ float mix(float one, float other, float share) { return (1 - share) * one + share * other; }
__global__ void texture_filter_before(cudaTextureObject_t in, float* out, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float left = x + 0.5f, right = x + 1.5f, top = y + 0.5f, low = y + 1.5f;
    float above = mix(tex2D<float>(in, left, top), tex2D<float>(in, right, top), kRight);  // fault: texture_filter
    float below = mix(tex2D<float>(in, left, low), tex2D<float>(in, right, low), kRight);
    out[y * width + x] = mix(above, below, kDown);
}
__global__ void texture_filter_after(cudaTextureObject_t in, float* out, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * width + x] = tex2D<float>(in, x + 0.5f + kRight, y + 0.5f + kDown);
}
void filter(Suite& suite) {
    const int width = 2048, height = scaled(2048);
    Array<float> in(width * height, unit), out(width * height);
    Picture points(in, width, height, cudaFilterModePoint, true), linear(in, width, height, cudaFilterModeLinear, true);
    dim3 grid(width / 32, height / 8), block(32, 8);
    suite.pair(
        "texture_filter", out, [&] { texture_filter_before<<<grid, block>>>(points, out, width); },
        [&] { texture_filter_after<<<grid, block>>>(linear, out, width); },
        [&](int i) {
            int x = i % width, y = i / width;
            int right = std::min(x + 1, width - 1), down = std::min(y + 1, height - 1);
            float above = (1 - kRight) * in.at(y * width + x) + kRight * in.at(y * width + right);
            float below = (1 - kRight) * in.at(down * width + x) + kRight * in.at(down * width + right);
            return (1 - kDown) * above + kDown * below;
        });
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    rows(suite);
    turned(suite);
    filter(suite);
    return suite.status();
}
