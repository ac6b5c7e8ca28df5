// The misuses of memory that driver_misuse.cpp runs. Included there.
#pragma once

inline std::vector<Misuse> memory_misuses() {
    using Handle = CUmemGenericAllocationHandle;
    return {
        {"uninitialised: the context's device",
         [] {
             CUdevice d;
             return cuCtxGetDevice(&d);
         }},
        {"uninitialised: memory",
         [] {
             CUdeviceptr p;
             return cuMemAlloc(&p, 4);
         }},
        {"uninitialised: granularity",
         [] {
             std::size_t n;
             const auto p = at_device();
             return cuMemGetAllocationGranularity(&n, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
         }},
        {"uninitialised: reserve",
         [] {
             CUdeviceptr p;
             return cuMemAddressReserve(&p, kGrain, 0, 0, 0);
         }},
        {"uninitialised: version",
         [] {
             int v;
             return cuDriverGetVersion(&v);
         }},
        {"uninitialised: flags of cuInit", [] { return cuInit(1); }},
        // Granularity.
        {"granularity: minimum",
         [] {
             std::size_t n = 0;
             const auto p = at_device();
             const auto c = cuMemGetAllocationGranularity(&n, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
             std::printf("[%zu] ", n);
             return c;
         }},
        {"granularity: recommended",
         [] {
             std::size_t n = 0;
             const auto p = at_device();
             const auto c = cuMemGetAllocationGranularity(&n, &p, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED);
             std::printf("[%zu] ", n);
             return c;
         }},
        {"granularity: option 2",
         [] {
             std::size_t n = 0;
             const auto p = at_device();
             return cuMemGetAllocationGranularity(&n, &p, static_cast<CUmemAllocationGranularity_flags>(2));
         }},
        {"granularity: null",
         [] {
             const auto p = at_device();
             return cuMemGetAllocationGranularity(nullptr, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
         }},
        {"granularity: no properties",
         [] {
             std::size_t n;
             return cuMemGetAllocationGranularity(&n, nullptr, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
         }},
        {"granularity: device 1",
         [] {
             std::size_t n;
             const auto p = at_device(1);
             return cuMemGetAllocationGranularity(&n, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
         }},
        {"granularity: type 0",
         [] {
             std::size_t n;
             auto p = at_device();
             p.type = CU_MEM_ALLOCATION_TYPE_INVALID;
             return cuMemGetAllocationGranularity(&n, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
         }},
        {"granularity: host",
         [] {
             std::size_t n = 0;
             auto p = at_device();
             p.location.type = CU_MEM_LOCATION_TYPE_HOST;
             const auto c = cuMemGetAllocationGranularity(&n, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
             std::printf("[%zu] ", n);
             return c;
         }},
        // Reserved addresses.
        {"reserve: nowhere to put it", [] { return cuMemAddressReserve(nullptr, kGrain, 0, 0, 0); }},
        {"reserve: 0 bytes",
         [] {
             CUdeviceptr p;
             return cuMemAddressReserve(&p, 0, 0, 0, 0);
         }},
        {"reserve: 1 byte",
         [] {
             CUdeviceptr p;
             return cuMemAddressReserve(&p, 1, 0, 0, 0);
         }},
        {"reserve: 4096 bytes",
         [] {
             CUdeviceptr p;
             return cuMemAddressReserve(&p, 4096, 0, 0, 0);
         }},
        {"reserve: 65536 bytes",
         [] {
             CUdeviceptr p;
             return cuMemAddressReserve(&p, 65536, 0, 0, 0);
         }},
        {"reserve: 3 MiB",
         [] {
             CUdeviceptr p;
             return cuMemAddressReserve(&p, 3 << 20, 0, 0, 0);
         }},
        {"reserve: alignment 3",
         [] {
             CUdeviceptr p;
             return cuMemAddressReserve(&p, kGrain, 3, 0, 0);
         }},
        {"reserve: alignment 4096",
         [] {
             CUdeviceptr p;
             return cuMemAddressReserve(&p, kGrain, 4096, 0, 0);
         }},
        {"reserve: alignment 3 MiB",
         [] {
             CUdeviceptr p;
             return cuMemAddressReserve(&p, kGrain, 3 << 20, 0, 0);
         }},
        {"reserve: alignment 16 MiB",
         [] {
             CUdeviceptr p = 1;
             const auto c = cuMemAddressReserve(&p, kGrain, 16 << 20, 0, 0);
             std::printf("[%llu] ", p % (16 << 20));
             return c;
         }},
        {"reserve: alignment 2^40",
         [] {
             CUdeviceptr p = 1;
             return cuMemAddressReserve(&p, kGrain, std::size_t{1} << 40, 0, 0);
         }},
        {"reserve: flags 1",
         [] {
             CUdeviceptr p;
             return cuMemAddressReserve(&p, kGrain, 0, 0, 1);
         }},
        {"reserve: 2^40 bytes",
         [] {
             CUdeviceptr p;
             return cuMemAddressReserve(&p, std::size_t{1} << 40, 0, 0, 0);
         }},
        {"reserve: 2^60 bytes",
         [] {
             CUdeviceptr p;
             return cuMemAddressReserve(&p, std::size_t{1} << 60, 0, 0, 0);
         }},
        {"reserve: all bytes",
         [] {
             CUdeviceptr p;
             return cuMemAddressReserve(&p, kHuge - kGrain + 1, 0, 0, 0);
         }},
        {"reserve: an address that is taken",
         [] {
             const auto at = reserve();
             CUdeviceptr p = 0;
             const auto c = cuMemAddressReserve(&p, kGrain, 0, at, 0);
             std::printf("[%s] ", p == at ? "same" : "other");
             return c;
         }},
        {"reserve: an address that was free",
         [] {
             const auto at = reserve();
             MUST(cuMemAddressFree(at, kGrain));
             CUdeviceptr p = 0;
             const auto c = cuMemAddressReserve(&p, kGrain, 0, at, 0);
             std::printf("[%s] ", p == at ? "same" : "other");
             return c;
         }},
        {"free addresses: never reserved", [] { return cuMemAddressFree(kNowhere, kGrain); }},
        {"free addresses: null", [] { return cuMemAddressFree(0, kGrain); }},
        {"free addresses: twice",
         [] {
             const auto at = reserve();
             MUST(cuMemAddressFree(at, kGrain));
             return cuMemAddressFree(at, kGrain);
         }},
        {"free addresses: a part", [] { return cuMemAddressFree(reserve(2 * kGrain), kGrain); }},
        {"free addresses: more", [] { return cuMemAddressFree(reserve(), 2 * kGrain); }},
        {"free addresses: from the middle", [] { return cuMemAddressFree(reserve(2 * kGrain) + kGrain, kGrain); }},
        {"free addresses: 0 bytes", [] { return cuMemAddressFree(reserve(), 0); }},
        {"free addresses: while mapped", [] { return cuMemAddressFree(mapped(), kGrain); }},
        {"free addresses: of cuMemAlloc", [] { return cuMemAddressFree(memory(kGrain), kGrain); }},
        // Physical memory.
        {"create: nowhere to put it",
         [] {
             const auto p = at_device();
             return cuMemCreate(nullptr, kGrain, &p, 0);
         }},
        {"create: no properties",
         [] {
             Handle h;
             return cuMemCreate(&h, kGrain, nullptr, 0);
         }},
        {"create: 0 bytes", [] { return create_with([](auto&) {}, 0); }},
        {"create: 4096 bytes", [] { return create_with([](auto&) {}, 4096); }},
        {"create: 3 MiB", [] { return create_with([](auto&) {}, 3 << 20); }},
        {"create: 2^42 bytes", [] { return create_with([](auto&) {}, std::size_t{1} << 42); }},
        {"create: flags 1",
         [] {
             Handle h;
             const auto p = at_device();
             return cuMemCreate(&h, kGrain, &p, 1);
         }},
        {"create: type 0", [] { return create_with([](auto& p) { p.type = CU_MEM_ALLOCATION_TYPE_INVALID; }); }},
        {"create: type 9", [] { return create_with([](auto& p) { p.type = static_cast<CUmemAllocationType>(9); }); }},
        {"create: location 0",
         [] { return create_with([](auto& p) { p.location.type = CU_MEM_LOCATION_TYPE_INVALID; }); }},
        {"create: location 9",
         [] { return create_with([](auto& p) { p.location.type = static_cast<CUmemLocationType>(9); }); }},
        {"create: on the host",
         [] { return create_with([](auto& p) { p.location.type = CU_MEM_LOCATION_TYPE_HOST; }); }},
        {"create: on the host's node 0",
         [] { return create_with([](auto& p) { p.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA; }); }},
        {"create: on device 1", [] { return create_with([](auto& p) { p.location.id = 1; }); }},
        {"create: on device -1", [] { return create_with([](auto& p) { p.location.id = -1; }); }},
        {"create: handle type 99",
         [] {
             return create_with([](auto& p) { p.requestedHandleTypes = static_cast<CUmemAllocationHandleType>(99); });
         }},
        {"create: handle type of Windows",
         [] { return create_with([](auto& p) { p.requestedHandleTypes = CU_MEM_HANDLE_TYPE_WIN32; }); }},
        {"create: compressible", [] { return create_with([](auto& p) { p.allocFlags.compressionType = 1; }); }},
        {"create: compression 9", [] { return create_with([](auto& p) { p.allocFlags.compressionType = 9; }); }},
        {"create: usage 0x80", [] { return create_with([](auto& p) { p.allocFlags.usage = 0x80; }); }},
        {"release: 0", [] { return cuMemRelease(0); }},
        {"release: twice",
         [] {
             const auto h = physical();
             MUST(cuMemRelease(h));
             return cuMemRelease(h);
         }},
        {"release: while mapped, then stored to",
         [] {
             const auto at = reserve();
             const auto h = physical();
             MUST(cuMemMap(at, kGrain, 0, h, 0));
             MUST(allow(at, kGrain));
             MUST(cuMemRelease(h));
             return store(at);
         }},
        {"properties: of memory",
         [] {
             CUmemAllocationProp p{};
             const auto c = cuMemGetAllocationPropertiesFromHandle(&p, physical());
             std::printf("[%d %d %d] ", p.type, p.location.type, p.location.id);
             return c;
         }},
        {"properties: nowhere to put them", [] { return cuMemGetAllocationPropertiesFromHandle(nullptr, physical()); }},
        {"properties: of nothing",
         [] {
             CUmemAllocationProp p{};
             return cuMemGetAllocationPropertiesFromHandle(&p, 0);
         }},
        // Mappings.
        {"map: 0 bytes", [] { return cuMemMap(reserve(), 0, 0, physical(), 0); }},
        {"map: 4096 bytes", [] { return cuMemMap(reserve(), 4096, 0, physical(), 0); }},
        {"map: half of the memory", [] { return cuMemMap(reserve(2 * kGrain), kGrain, 0, physical(2 * kGrain), 0); }},
        {"map: more than the memory", [] { return cuMemMap(reserve(2 * kGrain), 2 * kGrain, 0, physical(), 0); }},
        {"map: from an offset", [] { return cuMemMap(reserve(2 * kGrain), kGrain, kGrain, physical(2 * kGrain), 0); }},
        {"map: flags 1", [] { return cuMemMap(reserve(), kGrain, 0, physical(), 1); }},
        {"map: where nothing is reserved", [] { return cuMemMap(kNowhere, kGrain, 0, physical(), 0); }},
        {"map: past what is reserved", [] { return cuMemMap(reserve(), 2 * kGrain, 0, physical(2 * kGrain), 0); }},
        {"map: at an odd address", [] { return cuMemMap(reserve(2 * kGrain) + 4096, kGrain, 0, physical(), 0); }},
        {"map: twice", [] { return cuMemMap(mapped(), kGrain, 0, physical(), 0); }},
        {"map: no memory", [] { return cuMemMap(reserve(), kGrain, 0, 0, 0); }},
        {"map: released memory",
         [] {
             const auto h = physical();
             MUST(cuMemRelease(h));
             return cuMemMap(reserve(), kGrain, 0, h, 0);
         }},
        {"map: into cuMemAlloc's", [] { return cuMemMap(memory(2 * kGrain), kGrain, 0, physical(), 0); }},
        {"unmap: not mapped", [] { return cuMemUnmap(reserve(), kGrain); }},
        {"unmap: twice",
         [] {
             const auto at = mapped();
             MUST(cuMemUnmap(at, kGrain));
             return cuMemUnmap(at, kGrain);
         }},
        {"unmap: two at once", [] { return cuMemUnmap(mapped(2), 2 * kGrain); }},
        {"unmap: the second of two", [] { return cuMemUnmap(mapped(2) + kGrain, kGrain); }},
        {"unmap: half of one",
         [] {
             const auto at = reserve(2 * kGrain);
             MUST(cuMemMap(at, 2 * kGrain, 0, physical(2 * kGrain), 0));
             return cuMemUnmap(at, kGrain);
         }},
        {"unmap: more than is mapped", [] { return cuMemUnmap(mapped(1, 3, 2 * kGrain), 2 * kGrain); }},
        {"unmap: 0 bytes", [] { return cuMemUnmap(mapped(), 0); }},
        {"unmap: nowhere", [] { return cuMemUnmap(kNowhere, kGrain); }},
        // Access.
        {"allow: not mapped", [] { return allow(reserve(), kGrain); }},
        {"allow: a part that is not mapped", [] { return allow(mapped(1, 0, 2 * kGrain), 2 * kGrain); }},
        {"allow: half of one",
         [] {
             const auto at = reserve(2 * kGrain);
             MUST(cuMemMap(at, 2 * kGrain, 0, physical(2 * kGrain), 0));
             return allow(at, kGrain);
         }},
        {"allow: the second of two", [] { return allow(mapped(2, 0) + kGrain, kGrain); }},
        {"allow: nobody",
         [] {
             CUmemAccessDesc a{};
             return cuMemSetAccess(mapped(1, 0), kGrain, &a, 0);
         }},
        {"allow: null", [] { return cuMemSetAccess(mapped(1, 0), kGrain, nullptr, 1); }},
        {"allow: none", [] { return allow(mapped(), kGrain, 0); }},
        {"allow: to read", [] { return allow(mapped(1, 0), kGrain, 1); }},
        {"allow: flags 2", [] { return allow(mapped(1, 0), kGrain, 2); }},
        {"allow: flags 7", [] { return allow(mapped(1, 0), kGrain, 7); }},
        {"allow: device 1", [] { return allow(mapped(1, 0), kGrain, 3, 1); }},
        {"allow: the host", [] { return allow(mapped(1, 0), kGrain, 3, 0, 2); }},
        {"allow: 0 bytes", [] { return allow(mapped(1, 0), 0); }},
        {"access: not mapped", [] { return show_access(reserve()); }},
        {"access: mapped", [] { return show_access(mapped(1, 0)); }},
        {"access: allowed", [] { return show_access(mapped()); }},
        {"access: allowed to read", [] { return show_access(mapped(1, 1)); }},
        {"access: in the middle", [] { return show_access(mapped() + 4096); }},
        {"access: of device 1", [] { return show_access(mapped(), 1); }},
        {"access: nowhere to put it",
         [] {
             CUmemLocation l{CU_MEM_LOCATION_TYPE_DEVICE, 0};
             return cuMemGetAccess(nullptr, &l, mapped());
         }},
        {"access: of no location",
         [] {
             unsigned long long f;
             return cuMemGetAccess(&f, nullptr, mapped());
         }},
        {"handle: of an address",
         [] {
             Handle h = 0;
             const auto c = cuMemRetainAllocationHandle(&h, reinterpret_cast<void*>(mapped() + 4096));
             std::printf("[%d] ", h != 0);
             return c;
         }},
        {"handle: of one not mapped",
         [] {
             Handle h;
             return cuMemRetainAllocationHandle(&h, reinterpret_cast<void*>(reserve()));
         }},
        {"handle: of cuMemAlloc's",
         [] {
             Handle h;
             return cuMemRetainAllocationHandle(&h, reinterpret_cast<void*>(memory()));
         }},
        {"handle: nowhere to put it",
         [] { return cuMemRetainAllocationHandle(nullptr, reinterpret_cast<void*>(mapped())); }},
        {"kernel: stores to reserved addresses", [] { return store(reserve()); }},
        {"kernel: stores to what nobody may touch", [] { return store(mapped(1, 0)); }},
        {"kernel: stores to what it may read", [] { return store(mapped(1, 1)); }},
        {"kernel: loads what it may read", [] { return load(mapped(1, 1)); }},
        {"kernel: stores to what was unmapped",
         [] {
             const auto at = mapped();
             MUST(cuMemUnmap(at, kGrain));
             return store(at);
         }},
        {"kernel: loads the other address",
         [] {
             const auto one = reserve(), two = reserve();
             const auto h = physical();
             MUST(cuMemMap(one, kGrain, 0, h, 0));
             MUST(cuMemMap(two, kGrain, 0, h, 0));
             MUST(allow(one, kGrain));
             MUST(allow(two, kGrain));
             MUST(store(one + 64, 42));
             return load(two + 64);
         }},
        {"kernel: loads what it left before it was mapped anew",
         [] {
             const auto at = reserve();
             const auto h = physical();
             MUST(cuMemMap(at, kGrain, 0, h, 0));
             MUST(allow(at, kGrain));
             MUST(store(at, 5));
             MUST(cuMemUnmap(at, kGrain));
             MUST(cuMemMap(at, kGrain, 0, h, 0));
             MUST(allow(at, kGrain));
             return load(at);
         }},
        {"kernel: stores where access was taken back",
         [] {
             const auto at = mapped();
             MUST(allow(at, kGrain, 0));
             return store(at);
         }},
        {"copy: over two mappings", [] { return cuMemcpyHtoD(mapped(2) + kGrain - 64, host, 128); }},
        {"copy: to reserved addresses", [] { return cuMemcpyHtoD(reserve(), host, 64); }},
        {"copy: to what nobody may touch", [] { return cuMemcpyHtoD(mapped(1, 0), host, 64); }},
        {"copy: to what may be read", [] { return cuMemcpyHtoD(mapped(1, 1), host, 64); }},
        {"copy: past what is mapped", [] { return cuMemcpyHtoD(mapped(1, 3, 2 * kGrain) + kGrain - 64, host, 128); }},
        {"set: over two mappings", [] { return cuMemsetD8(mapped(2) + kGrain - 64, 1, 128); }},
        {"set: reserved addresses", [] { return cuMemsetD8(reserve(), 1, 64); }},
        {"free: of mapped memory", [] { return cuMemFree(mapped()); }},
        {"range: of mapped memory",
         [] {
             const auto at = mapped(2);
             CUdeviceptr b = 0;
             std::size_t n = 0;
             const auto c = cuMemGetAddressRange(&b, &n, at + kGrain + 64);
             std::printf("[%lld %zu] ", static_cast<long long>(b - at), n);
             return c;
         }},
        {"range: of reserved addresses",
         [] {
             CUdeviceptr b;
             std::size_t n;
             return cuMemGetAddressRange(&b, &n, reserve());
         }},
        {"pointer: kind of mapped memory",
         [] {
             int kind = 0;
             const auto c = cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, mapped());
             std::printf("[%d] ", kind);
             return c;
         }},
        {"pointer: kind of reserved addresses",
         [] {
             int kind = 0;
             const auto c = cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, reserve());
             std::printf("[%d] ", kind);
             return c;
         }},
        {"pointer: range of mapped memory",
         [] {
             std::size_t n = 0;
             const auto c = cuPointerGetAttribute(&n, CU_POINTER_ATTRIBUTE_RANGE_SIZE, mapped(2));
             std::printf("[%zu] ", n);
             return c;
         }},
        {"pointer: whether reserved addresses are mapped",
         [] {
             char is = 9;
             const auto c = cuPointerGetAttribute(&is, CU_POINTER_ATTRIBUTE_MAPPED, reserve());
             std::printf("[%d] ", is);
             return c;
         }},
        // Memory as ever.
        {"alloc: 0 bytes",
         [] {
             CUdeviceptr p;
             return cuMemAlloc(&p, 0);
         }},
        {"alloc: nowhere to put it", [] { return cuMemAlloc(nullptr, 4); }},
        {"alloc: all bytes",
         [] {
             CUdeviceptr p;
             return cuMemAlloc(&p, kHuge);
         }},
        {"free: null", [] { return cuMemFree(0); }},
        {"free: twice", [] { return cuMemFree(freed()); }},
        {"free: from the middle", [] { return cuMemFree(memory() + 256); }},
        {"free: nowhere", [] { return cuMemFree(kNowhere); }},
        {"free: the host's memory", [] { return cuMemFree(reinterpret_cast<CUdeviceptr>(host)); }},
        {"pitch: elements of 3",
         [] {
             CUdeviceptr p;
             std::size_t n;
             return cuMemAllocPitch(&p, &n, 64, 4, 3);
         }},
        {"pitch: no rows",
         [] {
             CUdeviceptr p;
             std::size_t n;
             return cuMemAllocPitch(&p, &n, 64, 0, 4);
         }},
        {"pitch: too many",
         [] {
             CUdeviceptr p;
             std::size_t n;
             return cuMemAllocPitch(&p, &n, kHuge / 2, 4, 4);
         }},
        {"managed: flags 0",
         [] {
             CUdeviceptr p;
             return cuMemAllocManaged(&p, 64, 0);
         }},
        {"managed: flags 3",
         [] {
             CUdeviceptr p;
             return cuMemAllocManaged(&p, 64, 3);
         }},
        {"managed: 0 bytes",
         [] {
             CUdeviceptr p;
             return cuMemAllocManaged(&p, 0, 1);
         }},
        {"pinned: flags 0x100",
         [] {
             void* p;
             return cuMemHostAlloc(&p, 64, 0x100);
         }},
        {"pinned: 0 bytes",
         [] {
             void* p;
             return cuMemHostAlloc(&p, 0, 0);
         }},
        {"pinned: free of other memory", [] { return cuMemFreeHost(host); }},
        {"registered: twice",
         [] {
             MUST(cuMemHostRegister(host, 4096, 0));
             return cuMemHostRegister(host, 4096, 0);
         }},
        {"registered: 0 bytes", [] { return cuMemHostRegister(host, 0, 0); }},
        {"registered: null", [] { return cuMemHostRegister(nullptr, 64, 0); }},
        {"registered: given back without", [] { return cuMemHostUnregister(host); }},
        {"registered: flags 0x100", [] { return cuMemHostRegister(host, 64, 0x100); }},
        {"registered: address of other memory",
         [] {
             CUdeviceptr p;
             return cuMemHostGetDevicePointer(&p, host, 0);
         }},
        {"copy: to freed memory", [] { return cuMemcpyHtoD(freed(), host, 64); }},
        {"copy: past the end", [] { return cuMemcpyHtoD(memory(4096), host, 8 << 20); }},
        {"copy: to null", [] { return cuMemcpyHtoD(0, host, 64); }},
        {"copy: to null, 0 bytes", [] { return cuMemcpyHtoD(0, host, 0); }},
        {"copy: from null", [] { return cuMemcpyHtoD(memory(), nullptr, 64); }},
        {"copy: between overlapping memory",
         [] {
             const auto at = memory();
             return cuMemcpyDtoD(at + 16, at, 64);
         }},
        {"copy: on no stream", [] { return cuMemcpyHtoDAsync(memory(), host, 64, nullptr); }},
        {"copy: between contexts that are null", [] { return cuMemcpyPeer(memory(), nullptr, memory(), nullptr, 64); }},
        {"rows: pitch below the width",
         [] {
             CUDA_MEMCPY2D c{};
             c.srcMemoryType = CU_MEMORYTYPE_HOST;
             c.srcHost = host;
             c.srcPitch = 8;
             c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
             c.dstDevice = memory();
             c.WidthInBytes = 16;
             c.Height = 4;
             return cuMemcpy2D(&c);
         }},
        {"rows: memory of kind 0",
         [] {
             CUDA_MEMCPY2D c{};
             c.WidthInBytes = 16;
             c.Height = 4;
             return cuMemcpy2D(&c);
         }},
        {"rows: null", [] { return cuMemcpy2D(nullptr); }},
        {"rows: width 0",
         [] {
             CUDA_MEMCPY2D c{};
             c.srcMemoryType = CU_MEMORYTYPE_HOST;
             c.srcHost = host;
             c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
             c.dstDevice = memory();
             c.Height = 4;
             return cuMemcpy2D(&c);
         }},
        {"rows: no array",
         [] {
             CUDA_MEMCPY2D c{};
             c.srcMemoryType = CU_MEMORYTYPE_HOST;
             c.srcHost = host;
             c.dstMemoryType = CU_MEMORYTYPE_ARRAY;
             c.WidthInBytes = 16;
             c.Height = 4;
             return cuMemcpy2D(&c);
         }},
        {"volume: null", [] { return cuMemcpy3D(nullptr); }},
        {"volume: a level",
         [] {
             CUDA_MEMCPY3D c{};
             c.srcMemoryType = CU_MEMORYTYPE_HOST;
             c.srcHost = host;
             c.srcLOD = 1;
             c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
             c.dstDevice = memory();
             c.WidthInBytes = 16;
             c.Height = 4;
             c.Depth = 1;
             return cuMemcpy3D(&c);
         }},
        {"set: misaligned words", [] { return cuMemsetD32(memory() + 2, 1, 4); }},
        {"set: misaligned halves", [] { return cuMemsetD16(memory() + 1, 1, 4); }},
        {"set: null, nothing", [] { return cuMemsetD8(0, 1, 0); }},
        {"set: past the end", [] { return cuMemsetD8(memory(), 1, 8 << 20); }},
        {"set: rows with a pitch below the width", [] { return cuMemsetD2D8(memory(), 4, 1, 16, 4); }},
        {"advise: memory of the device",
         [] {
             return cuMemAdvise_v2(memory(), 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, {CU_MEM_LOCATION_TYPE_DEVICE, 0});
         }},
        {"advise: advice 99",
         [] {
             return cuMemAdvise_v2(managed(), 4096, static_cast<CUmem_advise>(99), {CU_MEM_LOCATION_TYPE_DEVICE, 0});
         }},
        {"advise: device 5",
         [] {
             return cuMemAdvise_v2(managed(), 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION,
                                   {CU_MEM_LOCATION_TYPE_DEVICE, 5});
         }},
        {"prefetch: memory of the device",
         [] {
             return cuMemPrefetchAsync_v2(memory(), 4096, {CU_MEM_LOCATION_TYPE_DEVICE, 0}, 0, nullptr);
         }},
        {"prefetch: flags 1",
         [] {
             return cuMemPrefetchAsync_v2(managed(), 4096, {CU_MEM_LOCATION_TYPE_DEVICE, 0}, 1, nullptr);
         }},
        {"prefetch: 0 bytes",
         [] {
             return cuMemPrefetchAsync_v2(managed(), 0, {CU_MEM_LOCATION_TYPE_DEVICE, 0}, 0, nullptr);
         }},
        {"pages: read mostly",
         [] {
             const auto at = managed(1 << 20);
             MUST(cuMemAdvise_v2(at, 1 << 20, CU_MEM_ADVISE_SET_READ_MOSTLY, {CU_MEM_LOCATION_TYPE_DEVICE, 0}));
             int v = 9;
             const auto c = cuMemRangeGetAttribute(&v, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, at, 1 << 20);
             std::printf("[%d] ", v);
             return c;
         }},
        {"pages: preferred location",
         [] {
             const auto at = managed(1 << 20);
             int v = 9;
             const auto c = cuMemRangeGetAttribute(&v, 4, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, at, 1 << 20);
             std::printf("[%d] ", v);
             return c;
         }},
        {"pages: preferred location, set",
         [] {
             const auto at = managed(1 << 20);
             MUST(cuMemAdvise_v2(at, 1 << 20, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, {CU_MEM_LOCATION_TYPE_DEVICE, 0}));
             int v = 9;
             const auto c = cuMemRangeGetAttribute(&v, 4, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, at, 1 << 20);
             std::printf("[%d] ", v);
             return c;
         }},
        {"pages: accessed by",
         [] {
             const auto at = managed(1 << 20);
             MUST(cuMemAdvise_v2(at, 1 << 20, CU_MEM_ADVISE_SET_ACCESSED_BY, {CU_MEM_LOCATION_TYPE_DEVICE, 0}));
             int v[2] = {9, 9};
             const auto c = cuMemRangeGetAttribute(v, 8, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, at, 1 << 20);
             std::printf("[%d %d] ", v[0], v[1]);
             return c;
         }},
        {"pages: last prefetched to",
         [] {
             const auto at = managed(1 << 20);
             int v = 9;
             const auto c = cuMemRangeGetAttribute(&v, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, at, 1 << 20);
             std::printf("[%d] ", v);
             return c;
         }},
        {"pages: 3 bytes for an answer",
         [] {
             int v;
             return cuMemRangeGetAttribute(&v, 3, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed(), 4096);
         }},
        {"pages: of memory of the device",
         [] {
             int v;
             return cuMemRangeGetAttribute(&v, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory(), 4096);
         }},
        {"pages: attribute 99",
         [] {
             int v;
             return cuMemRangeGetAttribute(&v, 4, static_cast<CUmem_range_attribute>(99), managed(), 4096);
         }},
        {"pages: 0 bytes",
         [] {
             int v;
             return cuMemRangeGetAttribute(&v, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed(), 0);
         }},
        {"pages: nowhere to put it",
         [] { return cuMemRangeGetAttribute(nullptr, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed(), 4096); }},
    };
}
