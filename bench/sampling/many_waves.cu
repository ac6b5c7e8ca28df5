// Launches of 0.4 to 4 million requests in many waves of blocks, of many kinds, one a number (compare.py).
#include <cstdio>

#include "more_kernels.cuh"
#include "numbered_launches.cuh"

int main(int argc, char** argv) {
    const int only = argc > 1 ? std::atoi(argv[1]) : -1;
    constexpr int kN = 32 << 20, kRandom = 8 << 20, kRows = 1 << 17, kEach = 40;
    const Arrays arrays(kN, kRandom, kRows, kEach);
    const auto [a, b, c, index, starts, places] = arrays;
    const dim3 rows(32, 8);
    int number = 0;
    for (const int n : {5 << 20, 9 << 20, 16 << 20, 32 << 20})
        for (const int threads : {64, 128, 256, 512, 1024})
            RUN((scale_add<<<n / threads, threads>>>(n / threads * threads, 2, a, b)));
    for (const int n : {7 << 20, 24 << 20})
        for (const int threads : {96, 192, 768})
            RUN((scale_add<<<n / threads, threads>>>(n / threads * threads, 2, a, b)));
    for (const int blocks : {16896, 33792, 65536}) RUN((triad<<<blocks, kThreads>>>(a, b, c, kN)));
    for (const int stride : {2, 3, 5, 8, 16, 33, 1025})
        RUN((copy_far<<<kN / 2 / kThreads, kThreads>>>(a, c, kN / 2, stride)));
    for (const int stride : {2, 3, 7, 17}) RUN((scatter_far<<<kN / 4 / kThreads, kThreads>>>(a, c, kN / 4, stride)));
    for (const int n : {3072, 4096, 5120}) {
        RUN((transpose<<<dim3(n / 32, n / 32), rows>>>(a, b, n)));
        RUN((transpose_tiled<0><<<dim3(n / 32, n / 32), rows>>>(a, b, n)));
        RUN((transpose_tiled<1><<<dim3(n / 32, n / 32), rows>>>(a, b, n)));
    }
    for (const int columns : {256, 512, 1024})
        RUN((by_rows<<<kN / columns / 8, kThreads>>>(a, b, c, kN / columns, columns)));
    for (const int n : {2560, 3584, 5120}) RUN((five_points<<<dim3(n / 32, n / 8), rows>>>(a, b, n)));
    for (const int n : {1536, 2048, 2560}) RUN((five_by_five<<<dim3(n / 32, n / 8), rows>>>(a, b, n)));
    for (const int n : {160, 192, 256}) RUN((seven_points<<<dim3(n / 32, n / 8, n), rows>>>(a, b, n)));
    for (const int n : {128, 160}) RUN((far_points<<<dim3(n / 32, n / 8, n), rows>>>(a, b, n)));
    for (const int blocks : {8448, 16384}) RUN((sums<<<blocks, kThreads>>>(a, c, kN)));
    for (const int n : {kN / 4, kN / 2, kN}) RUN((scan_blocks<<<n / kThreads, kThreads>>>(a, c, n)));
    for (const int blocks : {8192, 12000})
        RUN((count_shared<<<blocks, kThreads>>>(index, reinterpret_cast<unsigned*>(c), kRandom)));
    for (const unsigned mask : {0xfffu, 0xffffu, 0xfffffu, 0x1ffffffu})
        for (const int threads : {128, 512}) RUN((gather<<<kRandom / threads, threads>>>(a, index, c, kRandom, mask)));
    for (const int threads : {64, 128, 512})
        RUN((sparse_by_warps<<<kRows / (threads / 32), threads>>>(starts, places, a, b, c, kRows)));
    for (const int columns : {512, 1024, 2048}) RUN((softmax<<<kN / columns, kThreads>>>(a, c, columns)));
    for (const unsigned distance : {1u, 16u, 64u, 1024u, 65536u})
        RUN((sort_step<<<kRandom / kThreads, kThreads>>>(index, distance, 1u << 20)));
    for (const int n : {3072, 4096, 5120}) RUN((shortest<<<dim3(n / 32, n / 8), rows>>>(a, n, 5)));
    for (const int n : {1 << 21, 1 << 22}) RUN((move<<<n / kThreads, kThreads>>>(reinterpret_cast<Particle*>(a), n)));
    for (const int blocks : {16896, 32768}) RUN((prices<<<blocks, kThreads>>>(a, b, a, b, c, kN / 2)));
    for (const int radius : {2, 4, 16, 32}) RUN((filter_row<<<kN / 2 / kThreads, kThreads>>>(a, c, kN / 2, radius)));
    std::printf("%d\n", number);
}
