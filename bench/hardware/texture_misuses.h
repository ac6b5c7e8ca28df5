// The misuses that texture_misuse.cu runs. Included there.
#pragma once

inline std::vector<Misuse> all_misuses() {
    const auto F = cudaChannelFormatKindFloat;
    const auto U = cudaChannelFormatKindUnsigned;
    return {
        {"array: no handle", [] { return cudaMallocArray(nullptr, &kFloats, 16, 8); }},
        {"array: no format",
         [] {
             cudaArray_t a;
             return cudaMallocArray(&a, nullptr, 16, 8);
         }},
        {"array: width 0", [=] { return array_with(32, 0, 0, 0, F, 0, 8); }},
        {"array: 1-D of 131072", [=] { return array_with(32, 0, 0, 0, F, 131072, 0); }},
        {"array: 1-D of 131073", [=] { return array_with(32, 0, 0, 0, F, 131073, 0); }},
        {"array: 2-D of 131073", [=] { return array_with(32, 0, 0, 0, F, 131073, 1); }},
        {"array: 65537 rows", [=] { return array_with(32, 0, 0, 0, F, 1, 65537); }},
        {"array: 3 channels", [=] { return array_with(32, 32, 32, 0, F); }},
        {"array: channels of 8 and 16", [=] { return array_with(8, 16, 0, 0, U); }},
        {"array: 24 bits", [=] { return array_with(24, 0, 0, 0, U); }},
        {"array: 64 bits", [=] { return array_with(64, 0, 0, 0, U); }},
        {"array: 0 bits", [=] { return array_with(0, 0, 0, 0, U); }},
        {"array: y alone", [=] { return array_with(0, 8, 0, 0, U); }},
        {"array: floats of 8 bits", [=] { return array_with(8, 0, 0, 0, F); }},
        {"array: no kind", [] { return array_with(32, 0, 0, 0, cudaChannelFormatKindNone); }},
        {"array: kind 99", [] { return array_with(32, 0, 0, 0, static_cast<cudaChannelFormatKind>(99)); }},
        {"array: flags 0x1000", [=] { return array_with(32, 0, 0, 0, F, 16, 8, 0x1000); }},
        {"array: layered without layers", [=] { return array_with(32, 0, 0, 0, F, 16, 8, cudaArrayLayered); }},
        {"array: cube of 2-D", [=] { return array_with(32, 0, 0, 0, F, 8, 8, cudaArrayCubemap); }},
        {"array: cube of 5 faces", [] { return volume_with(8, 8, 5, cudaArrayCubemap); }},
        {"array: cube 8 by 9", [] { return volume_with(8, 9, 6, cudaArrayCubemap); }},
        {"array: cube of 12 faces", [] { return volume_with(8, 8, 12, cudaArrayCubemap); }},
        {"array: cube layers of 7", [] { return volume_with(8, 8, 7, cudaArrayCubemap | cudaArrayLayered); }},
        {"array: gather in 3-D", [] { return volume_with(8, 8, 8, cudaArrayTextureGather); }},
        {"array: gather in layers", [] { return volume_with(8, 8, 8, cudaArrayTextureGather | cudaArrayLayered); }},
        {"array: depth without height", [] { return volume_with(8, 0, 8); }},
        {"array: 2049 layers", [] { return volume_with(8, 8, 2049, cudaArrayLayered); }},
        {"array: 16384 cubed", [] { return volume_with(16384, 16384, 16384); }},
        {"array: 1 by 1 by 16385", [] { return volume_with(1, 1, 16385); }},
        {"array: 1-D surface of 32769",
         [=] { return array_with(32, 0, 0, 0, F, 32769, 0, cudaArraySurfaceLoadStore); }},
        {"array: all zero extent 3-D", [] { return volume_with(0, 0, 0); }},
        {"mipmapped: 0 levels",
         [] {
             cudaMipmappedArray_t a;
             return cudaMallocMipmappedArray(&a, &kFloats, make_cudaExtent(16, 8, 0), 0);
         }},
        {"mipmapped: 100 levels",
         [] {
             cudaArray_t l;
             return cudaGetMipmappedArrayLevel(&l, mipmapped(100), 4);
         }},
        {"mipmapped: level 5 of 5",
         [] {
             cudaArray_t l;
             return cudaGetMipmappedArrayLevel(&l, mipmapped(100), 5);
         }},
        {"mipmapped: level of none",
         [] {
             cudaArray_t l;
             return cudaGetMipmappedArrayLevel(&l, nullptr, 0);
         }},
        {"mipmapped: no handle", [] { return cudaGetMipmappedArrayLevel(nullptr, mipmapped(2), 0); }},
        {"free: null", [] { return cudaFreeArray(nullptr); }},
        {"free: twice",
         [] {
             auto a = array_of();
             cudaFreeArray(a);
             return cudaFreeArray(a);
         }},
        {"free: a level",
         [] {
             cudaArray_t l;
             cudaGetMipmappedArrayLevel(&l, mipmapped(2), 0);
             return cudaFreeArray(l);
         }},
        {"free: mipmapped null", [] { return cudaFreeMipmappedArray(nullptr); }},
        {"free: mipmapped twice",
         [] {
             auto a = mipmapped(2);
             cudaFreeMipmappedArray(a);
             return cudaFreeMipmappedArray(a);
         }},
        {"info: no array",
         [] {
             cudaExtent e;
             return cudaArrayGetInfo(nullptr, &e, nullptr, nullptr);
         }},
        {"info: nothing asked", [] { return cudaArrayGetInfo(nullptr, nullptr, nullptr, array_of()); }},
        {"channels: no place", [] { return cudaGetChannelDesc(nullptr, array_of()); }},
        {"channels: no array",
         [] {
             cudaChannelFormatDesc d;
             return cudaGetChannelDesc(&d, nullptr);
         }},
        {"copy to: beyond the row",
         [] { return cudaMemcpy2DToArray(array_of(), 4, 0, buffer, 64, 64, 8, cudaMemcpyHostToDevice); }},
        {"copy to: beyond the rows",
         [] { return cudaMemcpy2DToArray(array_of(), 0, 1, buffer, 64, 64, 8, cudaMemcpyHostToDevice); }},
        {"copy to: no source",
         [] { return cudaMemcpy2DToArray(array_of(), 0, 0, nullptr, 64, 64, 8, cudaMemcpyHostToDevice); }},
        {"copy to: no array",
         [] { return cudaMemcpy2DToArray(nullptr, 0, 0, buffer, 64, 64, 8, cudaMemcpyHostToDevice); }},
        {"copy to: device to host",
         [] { return cudaMemcpy2DToArray(array_of(), 0, 0, buffer, 64, 64, 8, cudaMemcpyDeviceToHost); }},
        {"copy to: host to host",
         [] { return cudaMemcpy2DToArray(array_of(), 0, 0, buffer, 64, 64, 8, cudaMemcpyHostToHost); }},
        {"copy to: by address",
         [] { return cudaMemcpy2DToArray(array_of(), 0, 0, buffer, 64, 64, 8, cudaMemcpyDefault); }},
        {"copy to: device memory as host",
         [] { return cudaMemcpy2DToArray(array_of(), 0, 0, device, 64, 64, 8, cudaMemcpyHostToDevice); }},
        {"copy to: kind 9",
         [] { return cudaMemcpy2DToArray(array_of(), 0, 0, buffer, 64, 64, 8, static_cast<cudaMemcpyKind>(9)); }},
        {"copy to: pitch below width",
         [] { return cudaMemcpy2DToArray(array_of(), 0, 0, buffer, 32, 64, 8, cudaMemcpyHostToDevice); }},
        {"copy to: part of a texel",
         [] { return cudaMemcpy2DToArray(array_of(), 0, 0, buffer, 64, 62, 8, cudaMemcpyHostToDevice); }},
        {"copy to: within a texel",
         [] { return cudaMemcpy2DToArray(array_of(), 2, 0, buffer, 64, 32, 8, cudaMemcpyHostToDevice); }},
        {"copy to: width 0",
         [] { return cudaMemcpy2DToArray(array_of(), 0, 0, buffer, 64, 0, 8, cudaMemcpyHostToDevice); }},
        {"copy to: height 0",
         [] { return cudaMemcpy2DToArray(array_of(), 0, 0, buffer, 64, 64, 0, cudaMemcpyHostToDevice); }},
        {"copy from: beyond the row",
         [] { return cudaMemcpy2DFromArray(buffer, 64, array_of(), 4, 0, 64, 8, cudaMemcpyDeviceToHost); }},
        {"copy from: host to device",
         [] { return cudaMemcpy2DFromArray(buffer, 64, array_of(), 0, 0, 64, 8, cudaMemcpyHostToDevice); }},
        {"copy between: beyond", [] { return cudaMemcpy2DArrayToArray(array_of(), 0, 0, array_of(), 4, 0, 64, 8); }},
        {"copy between: other texels",
         [] { return cudaMemcpy2DArrayToArray(array_of(), 0, 0, array_of(64, 8, 0, kBytes), 0, 0, 64, 8); }},
        {"volume: array and pointer", [] { return copy3([](cudaMemcpy3DParms& c) { c.srcArray = array_of(); }); }},
        {"volume: no target", [] { return copy3([](cudaMemcpy3DParms& c) { c.dstArray = nullptr; }); }},
        {"volume: beyond", [] { return copy3([](cudaMemcpy3DParms& c) { c.dstPos.x = 1; }); }},
        {"volume: depth 2 of 2-D", [] { return copy3([](cudaMemcpy3DParms& c) { c.extent.depth = 2; }); }},
        {"volume: depth 0", [] { return copy3([](cudaMemcpy3DParms& c) { c.extent.depth = 0; }); }},
        {"volume: width 0", [] { return copy3([](cudaMemcpy3DParms& c) { c.extent.width = 0; }); }},
        {"volume: source position in bytes",
         [] {
             return copy3([](cudaMemcpy3DParms& c) {
                 c.srcPos.x = 4;
                 c.extent.width = 15;
             });
         }},
        {"volume: other texels",
         [] {
             return copy3([](cudaMemcpy3DParms& c) {
                 c.srcPtr = {};
                 c.srcArray = array_of(16, 8, 0, kBytes);
                 c.kind = cudaMemcpyDeviceToDevice;
             });
         }},
        {"texture: no handle",
         [] {
             cudaTextureDesc t{};
             const auto r = of_array(array_of());
             return cudaCreateTextureObject(nullptr, &r, &t, nullptr);
         }},
        {"texture: no resource",
         [] {
             cudaTextureDesc t{};
             return cudaCreateTextureObject(&made, nullptr, &t, nullptr);
         }},
        {"texture: no description",
         [] {
             const auto r = of_array(array_of());
             return cudaCreateTextureObject(&made, &r, nullptr, nullptr);
         }},
        {"texture: resource 9",
         [] {
             auto r = of_array(array_of());
             r.resType = static_cast<cudaResourceType>(9);
             return texture(r);
         }},
        {"texture: no array", [] { return texture(of_array(nullptr)); }},
        {"texture: freed array",
         [] {
             auto a = array_of();
             cudaFreeArray(a);
             return texture(of_array(a));
         }},
        {"texture: linear of integers",
         [] {
             return texture(of_array(array_of(16, 8, 0, kInts)),
                            [](cudaTextureDesc& t) { t.filterMode = cudaFilterModeLinear; });
         }},
        {"texture: linear of bytes as they are",
         [] {
             return texture(of_array(array_of(16, 8, 0, kBytes)),
                            [](cudaTextureDesc& t) { t.filterMode = cudaFilterModeLinear; });
         }},
        {"texture: numbers of 32-bit integers",
         [] {
             return texture(of_array(array_of(16, 8, 0, kInts)),
                            [](cudaTextureDesc& t) { t.readMode = cudaReadModeNormalizedFloat; });
         }},
        {"texture: numbers of floats",
         [] {
             return texture(of_array(array_of()), [](cudaTextureDesc& t) { t.readMode = cudaReadModeNormalizedFloat; });
         }},
        {"texture: wraps whole coordinates",
         [] {
             return texture(of_array(array_of()), [](cudaTextureDesc& t) { t.addressMode[0] = cudaAddressModeWrap; });
         }},
        {"texture: address mode 7",
         [] {
             return texture(of_array(array_of()),
                            [](cudaTextureDesc& t) { t.addressMode[0] = static_cast<cudaTextureAddressMode>(7); });
         }},
        {"texture: filter 5",
         [] {
             return texture(of_array(array_of()),
                            [](cudaTextureDesc& t) { t.filterMode = static_cast<cudaTextureFilterMode>(5); });
         }},
        {"texture: reading 5",
         [] {
             return texture(of_array(array_of()),
                            [](cudaTextureDesc& t) { t.readMode = static_cast<cudaTextureReadMode>(5); });
         }},
        {"texture: levels filter 5",
         [] {
             return texture(of_array(array_of()),
                            [](cudaTextureDesc& t) { t.mipmapFilterMode = static_cast<cudaTextureFilterMode>(5); });
         }},
        {"texture: anisotropy 32",
         [] { return texture(of_array(array_of()), [](cudaTextureDesc& t) { t.maxAnisotropy = 32; }); }},
        {"texture: sRGB of floats",
         [] { return texture(of_array(array_of()), [](cudaTextureDesc& t) { t.sRGB = 1; }); }},
        {"texture: memory null", [] { return texture(of_memory(nullptr, 64)); }},
        {"texture: memory of 0 bytes", [] { return texture(of_memory(device, 0)); }},
        {"texture: memory of 2 bytes", [] { return texture(of_memory(device, 2)); }},
        {"texture: memory beyond the end", [] { return texture(of_memory(device, sizeof(buffer) + 4)); }},
        {"texture: memory of 2^28 + 1 texels",
         [] { return texture(of_memory(device, ((std::size_t{1} << 28) + 1) * 4)); }},
        {"texture: memory at 16", [] { return texture(of_memory(device + 4, 64)); }},
        {"texture: memory at 32", [] { return texture(of_memory(device + 8, 64)); }},
        {"texture: memory at 4", [] { return texture(of_memory(device + 1, 64)); }},
        {"texture: memory of the host", [] { return texture(of_memory(buffer, 64)); }},
        {"texture: pinned memory",
         [] {
             void* p;
             cudaMallocHost(&p, 4096);
             return texture(of_memory(p, 4096));
         }},
        {"texture: memory filtered",
         [] {
             return texture(of_memory(device, 64), [](cudaTextureDesc& t) { t.filterMode = cudaFilterModeLinear; });
         }},
        {"texture: memory normalised",
         [] { return texture(of_memory(device, 64), [](cudaTextureDesc& t) { t.normalizedCoords = 1; }); }},
        {"texture: memory of 3 channels",
         [] {
             return texture(of_memory(device, 96, {32, 32, 32, 0, cudaChannelFormatKindFloat}));
         }},
        {"texture: pitch 40", [] { return texture(of_rows(device, 8, 8, 40)); }},
        {"texture: pitch 48", [] { return texture(of_rows(device, 8, 8, 48)); }},
        {"texture: pitch below the row", [] { return texture(of_rows(device, 16, 8, 32)); }},
        {"texture: rows of 0", [] { return texture(of_rows(device, 0, 8, 64)); }},
        {"texture: 0 rows", [] { return texture(of_rows(device, 8, 0, 64)); }},
        {"texture: 65001 rows", [] { return texture(of_rows(device, 8, 65001, 32)); }},
        {"texture: rows at 16", [] { return texture(of_rows(device + 4, 8, 8, 64)); }},
        {"texture: rows beyond the end", [] { return texture(of_rows(device, 256, 1000, 1024)); }},
        {"texture: view of memory",
         [] {
             cudaResourceViewDesc v{};
             return texture(of_memory(device, 64), {}, &v);
         }},
        {"texture: view of nothing else",
         [] {
             cudaResourceViewDesc v{};
             v.width = 16;
             v.height = 8;
             return texture(of_array(array_of()), {}, &v);
         }},
        {"texture: view of zeros",
         [] {
             cudaResourceViewDesc v{};
             return texture(of_array(array_of()), {}, &v);
         }},
        {"texture: view of wider texels",
         [] {
             cudaResourceViewDesc v{};
             v.format = cudaResViewFormatFloat2;
             v.width = 16;
             v.height = 8;
             return texture(of_array(array_of()), {}, &v);
         }},
        {"texture: view as integers",
         [] {
             cudaResourceViewDesc v{};
             v.format = cudaResViewFormatSignedInt1;
             v.width = 16;
             v.height = 8;
             return texture(of_array(array_of()), {}, &v);
         }},
        {"texture: view beyond the levels",
         [] {
             cudaResourceViewDesc v{};
             v.format = cudaResViewFormatFloat1;
             v.width = 16;
             v.height = 8;
             v.lastMipmapLevel = 9;
             return texture(of_array(array_of()), {}, &v);
         }},
        {"texture: destroys 0", [] { return cudaDestroyTextureObject(0); }},
        {"texture: destroys 99", [] { return cudaDestroyTextureObject(99); }},
        {"texture: destroys twice",
         [] {
             texture(of_array(array_of()));
             cudaDestroyTextureObject(made);
             return cudaDestroyTextureObject(made);
         }},
        {"texture: asks of 99",
         [] {
             cudaResourceDesc r;
             return cudaGetTextureObjectResourceDesc(&r, 99);
         }},
        {"texture: asks for no view",
         [] {
             texture(of_array(array_of()));
             cudaResourceViewDesc v;
             return cudaGetTextureObjectResourceViewDesc(&v, made);
         }},
        {"surface: array without the flag",
         [] {
             cudaSurfaceObject_t s;
             const auto r = of_array(array_of());
             return cudaCreateSurfaceObject(&s, &r);
         }},
        {"surface: memory",
         [] {
             cudaSurfaceObject_t s;
             const auto r = of_memory(device, 64);
             return cudaCreateSurfaceObject(&s, &r);
         }},
        {"surface: no handle",
         [] {
             const auto r = of_array(array_of(16, 8, cudaArraySurfaceLoadStore));
             return cudaCreateSurfaceObject(nullptr, &r);
         }},
        {"surface: no resource",
         [] {
             cudaSurfaceObject_t s;
             return cudaCreateSurfaceObject(&s, nullptr);
         }},
        {"surface: destroys 0", [] { return cudaDestroySurfaceObject(0); }},
        {"surface: destroys twice",
         [] {
             auto s = surface(array_of(16, 8, cudaArraySurfaceLoadStore));
             cudaDestroySurfaceObject(s);
             return cudaDestroySurfaceObject(s);
         }},
        {"widest: floats",
         [] {
             std::size_t w = 0;
             auto e = cudaDeviceGetTexture1DLinearMaxWidth(&w, &kFloats, 0);
             std::printf("[%zu] ", w);
             return e;
         }},
        {"widest: bytes",
         [] {
             std::size_t w = 0;
             auto e = cudaDeviceGetTexture1DLinearMaxWidth(&w, &kBytes, 0);
             std::printf("[%zu] ", w);
             return e;
         }},
        {"capture: array",
         [] {
             cudaStream_t s;
             cudaStreamCreate(&s);
             cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
             cudaArray_t a;
             return cudaMallocArray(&a, &kFloats, 16, 8);
         }},
        {"capture: texture",
         [] {
             auto a = array_of();
             cudaStream_t s;
             cudaStreamCreate(&s);
             cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
             return texture(of_array(a));
         }},
        {"capture: free",
         [] {
             auto a = array_of();
             cudaStream_t s;
             cudaStreamCreate(&s);
             cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
             return cudaFreeArray(a);
         }},
        {"capture: copy",
         [] {
             auto a = array_of();
             cudaStream_t s;
             cudaStreamCreate(&s);
             cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
             return cudaMemcpy2DToArrayAsync(a, 0, 0, buffer, 64, 64, 8, cudaMemcpyHostToDevice, s);
         }},
        {"kernel: texture 0",
         [] {
             sample2<<<1, 32>>>(0, device);
             return launched();
         }},
        {"kernel: texture 0x123456",
         [] {
             sample2<<<1, 32>>>(0x123456, device);
             return launched();
         }},
        {"kernel: destroyed texture",
         [] {
             texture(of_array(array_of()));
             cudaDestroyTextureObject(made);
             sample2<<<1, 32>>>(made, device);
             return launched();
         }},
        {"kernel: texture of a freed array",
         [] {
             auto a = array_of();
             texture(of_array(a));
             cudaFreeArray(a);
             sample2<<<1, 32>>>(made, device);
             return launched();
         }},
        {"kernel: surface 0",
         [] {
             put<float><<<1, 1>>>(0, 0, 0, 1.0f);
             return launched();
         }},
        {"kernel: write beyond the row",
         [] {
             put<float><<<1, 1>>>(surface(array_of(16, 8, cudaArraySurfaceLoadStore)), 64, 0, 1.0f);
             return launched();
         }},
        {"kernel: write beyond the rows",
         [] {
             put<float><<<1, 1>>>(surface(array_of(16, 8, cudaArraySurfaceLoadStore)), 0, 8, 1.0f);
             return launched();
         }},
        {"kernel: write at -4",
         [] {
             put<float><<<1, 1>>>(surface(array_of(16, 8, cudaArraySurfaceLoadStore)), -4, 0, 1.0f);
             return launched();
         }},
        {"kernel: read beyond the row",
         [] {
             take<float><<<1, 1>>>(surface(array_of(16, 8, cudaArraySurfaceLoadStore)), 64, 0, device);
             return launched();
         }},
        {"kernel: write at 2",
         [] {
             put<float><<<1, 1>>>(surface(array_of(16, 8, cudaArraySurfaceLoadStore)), 2, 0, 1.0f);
             return launched();
         }},
        {"kernel: wider write than texels",
         [] {
             put<float4><<<1, 1>>>(surface(array_of(16, 8, cudaArraySurfaceLoadStore)), 16, 0, float4{1, 2, 3, 4});
             return launched();
         }},
        {"kernel: wider write across the end",
         [] {
             put<float4><<<1, 1>>>(surface(array_of(18, 8, cudaArraySurfaceLoadStore)), 64, 0, float4{1, 2, 3, 4});
             return launched();
         }},
        {"kernel: narrower write than texels",
         [] {
             put<unsigned char><<<1, 1>>>(surface(array_of(16, 8, cudaArraySurfaceLoadStore)), 5, 0, 7);
             return launched();
         }},
        {"kernel: clamped write",
         [] {
             auto a = array_of(16, 8, cudaArraySurfaceLoadStore);
             put_mode<float><<<1, 1>>>(surface(a), 4000, 99, 5.0f, 1);
             cudaMemcpy2DFromArray(device, 64, a, 0, 7, 64, 1, cudaMemcpyDeviceToDevice);
             cudaMemcpy2DFromArray(device + 17, 64, a, 60, 7, 4, 1, cudaMemcpyDeviceToDevice);
             return launched();
         }},
        {"kernel: dropped write",
         [] {
             put_mode<float><<<1, 1>>>(surface(array_of(16, 8, cudaArraySurfaceLoadStore)), 4000, 99, 5.0f, 0);
             return launched();
         }},
        {"kernel: surface as a texture",
         [] {
             sample2<<<1, 32>>>(surface(array_of(16, 8, cudaArraySurfaceLoadStore)), device);
             return launched();
         }},
        {"kernel: texture as a surface",
         [] {
             texture(of_array(array_of()));
             put<float><<<1, 1>>>(made, 0, 0, 1.0f);
             return launched();
         }},
        {"kernel: 3-D fetch of 2-D",
         [] {
             texture(of_array(array_of()));
             sample3<<<1, 32>>>(made, device);
             return launched();
         }},
        {"kernel: 1-D fetch of 2-D",
         [] {
             texture(of_array(array_of()));
             sample1<<<1, 32>>>(made, device);
             return launched();
         }},
        {"kernel: 2-D fetch of memory",
         [] {
             texture(of_memory(device, 64));
             sample2<<<1, 32>>>(made, device);
             return launched();
         }},
        {"kernel: fetch beyond memory",
         [] {
             texture(of_memory(device + 64, 64));
             fetch1<<<1, 32>>>(made, device, 8);
             return launched();
         }},
        {"kernel: fetch before memory",
         [] {
             texture(of_memory(device + 64, 64));
             fetch1<<<1, 32>>>(made, device, -16);
             return launched();
         }},
        {"kernel: fetch of an array",
         [] {
             texture(of_array(array_of()));
             fetch1<<<1, 32>>>(made, device, 0);
             return launched();
         }},
    };
}
