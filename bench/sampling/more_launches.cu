// Long launches of many kinds, one a number, on which no rule of sampling was tried before it stood (compare.py).
#include <cstdio>

#include "more_kernels.cuh"
#include "numbered_launches.cuh"

int main(int argc, char** argv) {
    const int only = argc > 1 ? std::atoi(argv[1]) : -1;
    constexpr int kN = 128 << 20, kRandom = 64 << 20, kRows = 1 << 19, kEach = 96;
    const Arrays arrays(kN, kRandom, kRows, kEach);
    const auto [a, b, c, index, starts, places] = arrays;
    const dim3 rows(32, 8);
    int number = 0;
    for (const int threads : {128, 256, 512}) RUN((scale_add<<<kN / threads, threads>>>(kN, 2, a, b)));
    for (const int threads : {96, 192, 768}) RUN((scale_add<<<kN / 2 / threads, threads>>>(kN / 2, 2, a, b)));
    for (const int blocks : {132, 528, 2112, 33792}) RUN((triad<<<blocks, kThreads>>>(a, b, c, kN / 2)));
    for (const int stride : {3, 5, 16, 33, 1025})
        RUN((copy_far<<<kN / 2 / kThreads, kThreads>>>(a, c, kN / 2, stride)));
    for (const int stride : {3, 7, 17}) RUN((scatter_far<<<kN / 2 / kThreads, kThreads>>>(a, c, kN / 2, stride)));
    for (const int n : {8192, 10240}) RUN((transpose<<<dim3(n / 32, n / 32), rows>>>(a, b, n)));
    for (const int n : {9216, 11264}) {
        RUN((transpose_tiled<0><<<dim3(n / 32, n / 32), rows>>>(a, b, n)));
        RUN((transpose_tiled<1><<<dim3(n / 32, n / 32), rows>>>(a, b, n)));
    }
    for (const int n : {448, 512, 600, 704})
        for (const dim3 block : {dim3(16, 16), dim3(32, 8), dim3(32, 32), dim3(8, 8)})
            RUN((product<<<dim3((n + block.x - 1) / block.x, (n + block.y - 1) / block.y), block>>>(a, b, c, n)));
    for (const int n : {1152, 1408, 1792}) RUN((product_tiled<16><<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n)));
    for (const int n : {1536, 1792, 2176}) RUN((product_tiled<32><<<dim3(n / 32, n / 32), dim3(32, 32)>>>(a, b, c, n)));
    for (const int n : {1792, 2240}) RUN((product_in_registers<<<dim3(n / 64, n / 64), dim3(16, 16)>>>(a, b, c, n)));
    for (const int columns : {1024, 4096, 16384})
        RUN((by_rows<<<kN / columns / 8, kThreads>>>(a, b, c, kN / columns, columns)));
    for (const int columns : {32768, 131072})
        RUN((by_columns<<<columns / kThreads, kThreads>>>(a, b, c, kN / columns, columns)));
    for (const int n : {6144, 8192}) RUN((five_points<<<dim3(n / 32, n / 8), rows>>>(a, b, n)));
    for (const int n : {2048, 3072, 4096}) RUN((five_by_five<<<dim3(n / 32, n / 8), rows>>>(a, b, n)));
    for (const int n : {288, 320, 448}) RUN((seven_points<<<dim3(n / 32, n / 8, n), rows>>>(a, b, n)));
    for (const int n : {192, 224, 320}) RUN((far_points<<<dim3(n / 32, n / 8, n), rows>>>(a, b, n)));
    for (const int blocks : {264, 1056, 4096}) RUN((sums<<<blocks, kThreads>>>(a, c, kN)));
    for (const int n : {kN / 2, kN}) RUN((scan_blocks<<<n / kThreads, kThreads>>>(a, c, n)));
    for (const int blocks : {264, 1056})
        RUN((count_shared<<<blocks, kThreads>>>(index, reinterpret_cast<unsigned*>(c), kRandom)));
    for (const unsigned mask : {0xfffu, 0xfffffu, 0x3ffffffu})
        RUN((gather<<<kRandom / kThreads, kThreads>>>(a, index, c, kRandom, mask)));
    for (const int threads : {128, 512})
        RUN((sparse_by_warps<<<kRows / (threads / 32), threads>>>(starts, places, a, b, c, kRows)));
    for (const int columns : {1024, 4096}) RUN((softmax<<<kN / 2 / columns, kThreads>>>(a, c, columns)));
    for (const unsigned distance : {1u, 64u, 65536u})
        RUN((sort_step<<<kRandom / kThreads, kThreads>>>(index, distance, 1u << 20)));
    for (const int n : {6144, 8192}) RUN((shortest<<<dim3(n / 32, n / 8), rows>>>(a, n, 5)));
    RUN((move<<<kN / 8 / kThreads, kThreads>>>(reinterpret_cast<Particle*>(a), kN / 8)));
    for (const int blocks : {528, 8192}) RUN((prices<<<blocks, kThreads>>>(a, b, a, b, c, kN / 4)));
    for (const int n : {65536, 131072})
        RUN((bodies<<<n / kThreads, kThreads>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(b), n)));
    for (const int radius : {4, 16}) RUN((filter_row<<<kN / 2 / kThreads, kThreads>>>(a, c, kN / 2, radius)));
    std::printf("%d\n", number);
}
