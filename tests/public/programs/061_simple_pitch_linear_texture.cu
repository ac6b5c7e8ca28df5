// Like NVIDIA/cuda-samples 0_Introduction/simplePitchLinearTexture/simplePitchLinearTexture.cu; flags: -std=c++14
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <stdio.h>
__global__ void shiftPitchLinear(float* odata, int pitch, int width, int height, int shiftX, int shiftY,
                                 cudaTextureObject_t texRefPL) {
    int xid = blockIdx.x * blockDim.x + threadIdx.x, yid = blockIdx.y * blockDim.y + threadIdx.y;
    odata[yid * pitch + xid] = tex2D<float>(texRefPL, (xid + shiftX) / (float)width, (yid + shiftY) / (float)height);
}
int main(int argc, char** argv) {
    const int nx = 64, ny = 32;
    float *d_in, *d_out;
    size_t in_pitch, out_pitch;
    findCudaDevice(argc, (const char**)argv);
    checkCudaErrors(cudaMallocPitch((void**)&d_in, &in_pitch, nx * sizeof(float), ny));
    checkCudaErrors(cudaMallocPitch((void**)&d_out, &out_pitch, nx * sizeof(float), ny));
    cudaChannelFormatDesc channelDesc = cudaCreateChannelDesc<float>();
    cudaResourceDesc texRes = {};
    texRes.resType = cudaResourceTypePitch2D;
    texRes.res.pitch2D.devPtr = d_in;
    texRes.res.pitch2D.desc = channelDesc;
    texRes.res.pitch2D.width = nx;
    texRes.res.pitch2D.height = ny;
    texRes.res.pitch2D.pitchInBytes = in_pitch;
    cudaTextureDesc texDescr = {};
    texDescr.normalizedCoords = true;
    texDescr.filterMode = cudaFilterModePoint;
    texDescr.addressMode[0] = cudaAddressModeWrap;
    texDescr.addressMode[1] = cudaAddressModeWrap;
    texDescr.readMode = cudaReadModeElementType;
    cudaTextureObject_t tex;
    checkCudaErrors(cudaCreateTextureObject(&tex, &texRes, &texDescr, NULL));
    shiftPitchLinear<<<dim3(4, 2), dim3(16, 16)>>>(d_out, (int)(out_pitch / sizeof(float)), nx, ny, 5, 7, tex);
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaDestroyTextureObject(tex));
    printf("PASS\n");
    return 0;
}
