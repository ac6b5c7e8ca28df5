#include "tests/tiles/gemm_cases.h"

#include <algorithm>
#include <cstdio>

#include "tiles/plan/device.h"

namespace tiles_check {

using tiles::Layout;
using tiles::Op;

void print_case(const Case& t) {
    std::printf("m %lld n %lld k %lld batch %lld alpha %g beta %g %s %s%s pad %d %d %d shift %d%s%s\n",
                static_cast<long long>(t.m), static_cast<long long>(t.n), static_cast<long long>(t.k),
                static_cast<long long>(t.batch), t.alpha, t.beta, t.layout == Layout::kRowMajor ? "row" : "column",
                t.op_a == Op::kNone ? "N" : "T", t.op_b == Op::kNone ? "N" : "T", t.pad_a, t.pad_b, t.pad_c, t.shift,
                t.narrow_c ? " narrow" : "", t.workspace ? "" : " no-workspace");
    if (t.tail) std::printf("  (with its tail cut)\n");
    if (t.split > 0) std::printf("  (k in %d parts)\n", t.split);
    if (t.specials) std::printf("  (with infinities)\n");
    if (t.beside && t.batch > 1) std::printf("  (side by side)\n");
}

Case random_case(std::mt19937_64& random, bool half) {
    auto pick = [&](std::initializer_list<int> from) { return from.begin()[random() % from.size()]; };
    auto size = [&]() -> int64_t {
        switch (random() % 4) {
            case 0:
                return pick({0, 1, 2, 3, 4, 5, 7, 8, 11, 13, 16, 17, 31, 32, 33, 61, 64, 65, 67, 127, 128, 129, 130});
            case 1: return 1 + static_cast<int64_t>(random() % 130);
            case 2: return 1 + static_cast<int64_t>(random() % 600);
            default: return 4 * (1 + static_cast<int64_t>(random() % 100));
        }
    };
    Case t;
    t.m = size(), t.n = size(), t.k = size();
    if (random() % 16 == 0) t.k = 1024 + static_cast<int64_t>(random() % 3000);
    t.batch = random() % 4 == 0 ? static_cast<int64_t>(random() % 4) : 1;
    t.alpha = random() % 3 == 0 ? pick({-1, 0, 2}) : 1;
    t.beta = random() % 2 == 0 ? 0 : pick({1, -2, 1});
    t.layout = random() % 4 == 0 ? Layout::kColumnMajor : Layout::kRowMajor;
    t.op_a = random() % 2 ? Op::kNone : Op::kTranspose;
    t.op_b = random() % 2 ? Op::kNone : Op::kTranspose;
    if (random() % 2 == 0) {
        t.pad_a = pick({0, 1, 3, 4, 8, 61}), t.pad_b = pick({0, 1, 4, 5, 8, 64}), t.pad_c = pick({0, 1, 4, 7, 8, 100});
    }
    t.shift = random() % 3 == 0 ? pick({1, 2, 3, 4}) : 0;
    t.narrow_c = half && random() % 2 == 0;
    t.workspace = random() % 3 != 0;
    t.specials = random() % 4 == 0;
    t.beside = random() % 3 == 0;
    return t;
}

std::vector<Case> covering_cases(int64_t tile_m, int64_t tile_n, int64_t tile_k, bool half) {
    std::vector<Case> cases(1);
    cases[0].m = cases[0].n = cases[0].k = 1;
    const auto up = [](int64_t size) { return (size + 7) / 8 * 8; };  // 16 bytes of any type
    for (int way = 0; way < 16; ++way) {
        Case t;
        t.op_a = way & 1 ? Op::kTranspose : Op::kNone, t.op_b = way & 2 ? Op::kTranspose : Op::kNone;
        t.m = up(tile_m + 3), t.n = up(tile_n + 3), t.k = up(std::clamp<int64_t>(5 * tile_k, 40, 400));
        t.pad_a = way & 4 ? 1 : 0, t.pad_b = way & 8 ? 1 : 0, t.pad_c = way % 3;
        if (way % 5 == 4) t.m -= 5, t.n -= 3, t.k -= 1;
        if (tile_m * tile_n == 1) t.m = way & 1 ? 1 : 43, t.n = way & 1 ? 43 : 1;  // a column or row of results
        t.batch = way % 4 == 2 ? 2 : 1, t.beside = way == 6, t.beta = way % 2, t.narrow_c = half && way % 3 == 0;
        t.layout = way % 7 == 6 ? Layout::kColumnMajor : Layout::kRowMajor;
        t.workspace = way % 8 != 7;
        cases.push_back(t);
    }
    for (const int64_t depth : {40, 200}) {  // one tile, for few and for many blocks
        Case t;
        t.m = tile_m, t.n = tile_n, t.k = depth * std::max<int64_t>(tile_k, 8);
        cases.push_back(t);
    }
    return cases;
}

void add_covering_tails(const tiles::Kernel& kernel, bool half, std::vector<Case>& cases) {
    const tiles::DeviceProperties* device = nullptr;
    if (!tiles::current_device(&device).ok()) return;
    const int64_t clusters = std::max(device->sms / kernel.figures.tail_cluster, 1);
    for (int ops = 0; ops < 4; ++ops) {
        Case t;
        t.op_a = ops & 1 ? Op::kTranspose : Op::kNone, t.op_b = ops & 2 ? Op::kTranspose : Op::kNone;
        t.beta = ops % 2, t.narrow_c = half && ops % 2 == 0;
        t.workspace = t.tail = true;
        t.m = kernel.figures.tile_m + 3, t.n = kernel.figures.tile_n + 5, t.k = 3 * kernel.figures.tile_k;
        switch (ops) {
            case 0:
                t.m = 9 * (kernel.figures.tile_m % 128 == 0 ? 256 : kernel.figures.tile_m) - 3,
                t.n = (clusters / 9 + 2) * 256 - 5;
                break;
            case 1: t.batch = clusters / 2 + 1, t.k = 12 * kernel.figures.tile_k; break;
            case 2: t.batch = (clusters + clusters / 2) / 2 + 1, t.k = clusters * kernel.figures.tile_k; break;
            default: t.batch = (clusters + clusters / 3) / 2, t.m = t.m / 8 * 8 + 8, t.n = t.n / 8 * 8 + 8; break;
        }
        cases.push_back(t);
    }
}

std::vector<Case> make_cases(std::mt19937_64& random, bool half, int count) {
    std::vector<Case> cases;
    for (const int m : {1, 2, 7, 16, 31, 64, 65, 129, 257}) {
        for (const int n : {1, 3, 8, 17, 33, 64, 127, 130, 258}) {
            for (const int k : {1, 4, 9, 15, 32, 66, 131}) {
                Case t;
                t.m = m, t.n = n, t.k = k, t.narrow_c = half && (m & 1);
                const uint64_t draw = random();
                t.op_a = draw & 1 ? Op::kTranspose : Op::kNone, t.op_b = draw & 2 ? Op::kTranspose : Op::kNone;
                cases.push_back(t);
            }
        }
    }
    // A matrix with rows further apart than 32 bits of elements reach.
    Case far;
    far.m = 70, far.n = 40, far.k = 33, far.pad_a = far.pad_c = 1 << 25;
    cases.push_back(far);
    for (int i = 0; i < count; ++i) cases.push_back(random_case(random, half));
    return cases;
}

void add_tail_cases(std::mt19937_64& random, const tiles::Kernel& kernel, bool half, int count,
                    std::vector<Case>& cases) {
    const int64_t rows = kernel.figures.tile_m % 128 == 0 ? 256 : kernel.figures.tile_m, columns = 256;
    for (int i = 0; i < count; ++i) {
        Case t = random_case(random, half);
        const bool shared = i % 8 == 3;  // ten by ten tiles: 34 are left, one of them for all clusters
        const int64_t max_m = rows * (shared ? 1 : 2), max_n = columns * (shared ? 1 : 2);
        t.m = 10 * rows - static_cast<int64_t>(random() % static_cast<uint64_t>(max_m));
        t.n = 10 * columns - static_cast<int64_t>(random() % static_cast<uint64_t>(max_n));
        t.k = (shared ? 66 * kernel.figures.tile_k : 200) + static_cast<int64_t>(random() % 300);
        t.batch = i % 6 == 5 ? 2 : 1;
        if (random() % 2 == 0) t.m = t.m / 8 * 8, t.n = t.n / 8 * 8, t.k = t.k / 8 * 8;
        const uint64_t draw = random();
        t.op_a = draw & 1 ? Op::kTranspose : Op::kNone, t.op_b = draw & 2 ? Op::kTranspose : Op::kNone;
        t.workspace = t.tail = true;
        cases.push_back(t);
    }
}

void add_split_cases(std::mt19937_64& random, int tile_k, bool half, int count, std::vector<Case>& cases) {
    for (int i = 0; i < count; ++i) {
        constexpr int kParts[] = {2, 3, 4, 8, 6, 12, 16, 32, 40};
        Case t = random_case(random, half);
        t.split = kParts[i % 9];
        t.m = std::max<int64_t>(t.m, 1), t.n = std::max<int64_t>(t.n, 1), t.k = std::max<int64_t>(t.k, 1);
        t.k += int64_t{tile_k} * (t.split - 1) * static_cast<int64_t>(random() % 2);
        t.batch = std::max<int64_t>(t.batch, 1), t.alpha = t.alpha == 0 ? 1 : t.alpha, t.workspace = true;
        cases.push_back(t);
    }
}

}  // namespace tiles_check
