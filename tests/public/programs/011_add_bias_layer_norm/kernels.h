// Sums over a block of numbers of 16 bits and layer norms of rows of them.
#pragma once
template <typename T>
inline __host__ __device__ float to_float(T a);
template <>
inline __host__ __device__ float to_float(half a) {
    return __half2float(a);
}
template <>
inline __host__ __device__ float to_float(__nv_bfloat16 a) {
    return __bfloat162float(a);
}
template <typename T>
inline __host__ __device__ T from_float(float a);
template <>
inline __host__ __device__ half from_float(float a) {
    return __float2half_rn(a);
}
template <>
inline __host__ __device__ __nv_bfloat16 from_float(float a) {
    return __float2bfloat16(a);
}
template <typename T>
struct TypeConverter;
template <>
struct TypeConverter<__half> {
    using Type = __half2;
};
template <>
struct TypeConverter<__nv_bfloat16> {
    using Type = __nv_bfloat162;
};
template <typename T>
inline __device__ float2 to_float2(T a);
template <>
inline __device__ float2 to_float2(half2 a) {
    return __half22float2(a);
}
template <>
inline __device__ float2 to_float2(__nv_bfloat162 a) {
    return __bfloat1622float2(a);
}
template <typename T>
inline __device__ T from_float2(float2 a);
template <>
inline __device__ half2 from_float2(float2 a) {
    return __float22half2_rn(a);
}
template <>
inline __device__ __nv_bfloat162 from_float2(float2 a) {
    return __float22bfloat162_rn(a);
}
template <typename T>
inline __device__ T add(T a, T b, T c) {
    return __hadd2(__hadd2(a, b), c);
}
template <typename T>
__inline__ __device__ T warpReduceSum(T val) {
#pragma unroll
    for (int mask = 16; mask > 0; mask >>= 1) val += __shfl_xor_sync(0xFFFFFFFF, val, mask, 32);
    return val;
}
template <typename T>
__inline__ __device__ T blockReduceSum(T val) {
    static __shared__ T shared[32];
    int lane = threadIdx.x & 0x1f, wid = threadIdx.x >> 5;
    val = warpReduceSum<T>(val);
    if (lane == 0) shared[wid] = val;
    __syncthreads();
    val = threadIdx.x < blockDim.x / 32 ? shared[lane] : (T)(0.0f);
    return warpReduceSum<T>(val);
}
template <typename T>
__global__ void layer_norm(T* out, const T* __restrict__ input, const T* __restrict__ bias, const float eps,
                           const int n) {
    using T2 = typename TypeConverter<T>::Type;
    __shared__ float s_mean, s_variance;
    const int id = blockIdx.x * n / 2 + threadIdx.x;
    T2 sum = add(((const T2*)out)[id], ((const T2*)input)[id], ((const T2*)bias)[threadIdx.x]);
    float2 f = to_float2(sum);
    float mean = blockReduceSum<float>(f.x + f.y);
    if (threadIdx.x == 0) s_mean = mean / n;
    __syncthreads();
    f.x -= s_mean;
    f.y -= s_mean;
    float var = blockReduceSum<float>(f.x * f.x + f.y * f.y);
    if (threadIdx.x == 0) s_variance = rsqrtf(var / n + eps);
    __syncthreads();
    ((T2*)out)[id] = from_float2<T2>(make_float2(f.x * s_variance, f.y * s_variance));
}
