// Every wrong argument of a product is named, and the canonical form means the same product; none of it needs a device.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "tiles/c_api.h"
#include "tiles/gemm.h"
#include "tiles/plan/cost_model.h"
#include "tiles/src/validate.h"

namespace tiles {
namespace {

GemmArguments small_product() {
    static float memory[64];
    GemmArguments g;
    g.m = 2, g.n = 3, g.k = 4;
    g.a = memory, g.lda = 4, g.b = memory, g.ldb = 3, g.c = memory, g.ldc = 3;
    return g;
}

std::string fault(const GemmArguments& g) {
    GemmProblem problem;
    const Status status = make_problem(g, &problem);
    return status.ok() ? "" : status.argument;
}

TEST(TilesArguments, WrongOnesAreNamed) {
    EXPECT_EQ(fault(small_product()), "");
    GemmArguments g = small_product();
    g.m = -1;
    EXPECT_EQ(fault(g), "m");
    g = small_product(), g.lda = 3;
    EXPECT_EQ(fault(g), "lda");
    g = small_product(), g.options.op_b = Op::kTranspose;
    EXPECT_EQ(fault(g), "ldb");
    g = small_product(), g.c = nullptr;
    EXPECT_EQ(fault(g), "c");
    g = small_product(), g.type_c = DataType::kF64;
    EXPECT_EQ(fault(g), "type_c");
    g = small_product(), g.b = reinterpret_cast<const char*>(g.b) + 1;
    EXPECT_EQ(fault(g), "b");
    g = small_product(), g.batch = 2;
    EXPECT_EQ(fault(g), "stride_c");
    g = small_product(), g.options.workspace_bytes = 1;
    EXPECT_EQ(fault(g), "workspace");
    g = small_product(), g.compute = static_cast<Compute>(17);
    EXPECT_EQ(fault(g), "compute");
}

TEST(TilesArguments, EveryOneIsNamed) {
    using Change = void (*)(GemmArguments&);
    const std::pair<const char*, Change> changes[] = {
        {"n", [](GemmArguments& g) { g.n = -1; }},
        {"k", [](GemmArguments& g) { g.k = INT64_MIN; }},
        {"batch", [](GemmArguments& g) { g.batch = -1; }},
        {"lda", [](GemmArguments& g) { g.lda = 0; }},
        {"ldb", [](GemmArguments& g) { g.ldb = -3; }},
        {"ldc", [](GemmArguments& g) { g.ldc = 2; }},
        {"a", [](GemmArguments& g) { g.a = nullptr; }},
        {"b", [](GemmArguments& g) { g.b = nullptr; }},
        {"type_c", [](GemmArguments& g) { g.type_c = static_cast<DataType>(-1); }},
        {"type_c", [](GemmArguments& g) { g.compute = Compute::kBF16, g.type_c = DataType::kF16; }},
        {"layout", [](GemmArguments& g) { g.options.layout = static_cast<Layout>(2); }},
        {"op_a", [](GemmArguments& g) { g.options.op_a = static_cast<Op>(2); }},
        {"op_b", [](GemmArguments& g) { g.options.op_b = static_cast<Op>(-1); }},
        {"workspace", [](GemmArguments& g) { g.options.workspace = reinterpret_cast<void*>(uintptr_t{0x4080}); }},
        {"stride_a", [](GemmArguments& g) { g.batch = 2, g.stride_c = 6, g.stride_a = -1; }},
        {"stride_b", [](GemmArguments& g) { g.batch = 2, g.stride_c = 6, g.stride_b = -1; }},
    };
    for (const auto& [name, change] : changes) {
        GemmArguments g = small_product();
        change(g);
        EXPECT_EQ(fault(g), name);
    }
}

TEST(TilesArguments, SizesThatNoAddressReachesAreNamed) {
    GemmArguments g = small_product();
    g.lda = INT64_MAX;
    EXPECT_EQ(fault(g), "lda");
    g = small_product(), g.m = INT64_MAX / 4;
    EXPECT_EQ(fault(g), "lda");
    g = small_product(), g.n = g.ldb = g.ldc = INT64_MAX;
    EXPECT_EQ(fault(g), "ldb");
    g = small_product(), g.batch = 3, g.stride_c = 6, g.stride_a = INT64_MAX / 32;
    EXPECT_EQ(fault(g), "stride_a");
    g = small_product(), g.batch = INT64_MAX, g.stride_c = 6;
    EXPECT_EQ(fault(g), "stride_c");
    g = small_product(), g.batch = 2, g.stride_c = INT64_MAX;
    EXPECT_EQ(fault(g), "stride_c");
}

TEST(TilesArguments, MatricesOfABatchMayShareFactorsButNotResults) {
    GemmArguments g = small_product();  // C is 2 x 3
    g.batch = 4, g.stride_c = 6;
    EXPECT_EQ(fault(g), "");
    g.stride_a = 1, g.stride_b = 0;
    EXPECT_EQ(fault(g), "");
    g.stride_c = 5;
    EXPECT_EQ(fault(g), "stride_c");
    g.stride_c = 3, g.ldc = 12;  // side by side
    EXPECT_EQ(fault(g), "");
    g.ldc = 11;
    EXPECT_EQ(fault(g), "stride_c");
    g.stride_c = 2, g.ldc = 12;
    EXPECT_EQ(fault(g), "stride_c");
}

TEST(TilesArguments, StridesOfASingleMatrixMeanNothing) {
    GemmArguments g = small_product();
    g.stride_a = -7, g.stride_b = INT64_MAX, g.stride_c = 1;
    GemmProblem p;
    ASSERT_TRUE(make_problem(g, &p).ok());
    EXPECT_EQ(p.stride_a, 0);
    EXPECT_EQ(p.stride_b, 0);
    EXPECT_EQ(p.stride_c, 0);
}

TEST(TilesArguments, NoMatricesAreNeededToPlan) {
    GemmArguments g = small_product();
    g.a = g.b = nullptr, g.c = nullptr;
    GemmProblem p;
    EXPECT_FALSE(make_problem(g, &p).ok());
    EXPECT_TRUE(make_problem(g, &p, Memory::kPlanned).ok());
    g.lda = 3;
    EXPECT_STREQ(make_problem(g, &p, Memory::kPlanned).argument, "lda");
    EXPECT_STREQ(gemm_workspace_size(g, nullptr).argument, "bytes");
}

TEST(TilesArguments, WithoutASumOnlyCIsNeeded) {
    GemmArguments g = small_product();
    g.k = 0, g.a = g.b = nullptr, g.lda = g.ldb = 0;
    GemmProblem p;
    ASSERT_TRUE(make_problem(g, &p).ok());
    EXPECT_EQ(p.k, 0);
    g.alpha = std::nan("");  // no sum, nothing to multiply
    EXPECT_EQ(fault(g), "");
    g.c = nullptr;
    EXPECT_EQ(fault(g), "c");
}

TEST(TilesArguments, NaNIsAFactorLikeOthers) {
    GemmArguments g = small_product();
    g.alpha = g.beta = std::nan("");
    GemmProblem p;
    ASSERT_TRUE(make_problem(g, &p).ok());
    EXPECT_EQ(p.k, 4);
    EXPECT_TRUE(std::isnan(p.alpha) && std::isnan(p.beta));
}

TEST(TilesArguments, NothingIsReadForAlphaZero) {
    GemmArguments g = small_product();
    g.alpha = 0, g.a = nullptr, g.b = nullptr;
    EXPECT_EQ(fault(g), "");
}

TEST(TilesArguments, EmptyProductsNeedNoMatrices) {
    GemmArguments g = small_product();
    g.m = 0, g.a = g.b = nullptr, g.c = nullptr;
    EXPECT_EQ(fault(g), "");
    EXPECT_TRUE(gemm(g).ok());
}

TEST(TilesArguments, ColumnMajorBecomesTheTransposedProduct) {
    GemmArguments g = small_product();
    float other = 0;
    g.options.layout = Layout::kColumnMajor, g.options.op_b = Op::kTranspose;
    g.b = &other, g.lda = 2, g.ldb = 3, g.ldc = 2;
    GemmProblem p;
    ASSERT_TRUE(make_problem(g, &p).ok());
    EXPECT_EQ(p.m, 3);
    EXPECT_EQ(p.n, 2);
    EXPECT_EQ(p.a, &other);
    // B is n x k in columns: its element (j, p) is b[p * ldb + j], which is A'(j, p) with k outermost.
    EXPECT_TRUE(p.transposed_a);
    EXPECT_FALSE(p.transposed_b);
}

TEST(TilesC, ReportsTheArgumentAtFault) {
    TilesGemm product = {};
    product.alpha = 1, product.batch = 1, product.m = -5;
    EXPECT_EQ(tiles_gemm(&product), TILES_INVALID_ARGUMENT);
    EXPECT_STREQ(tiles_last_argument(), "m");
    product.m = 0;
    EXPECT_EQ(tiles_gemm(&product), TILES_INVALID_ARGUMENT);
    EXPECT_STREQ(tiles_last_argument(), "ldc");
    product.lda = product.ldb = product.ldc = 1;
    EXPECT_EQ(tiles_gemm(&product), TILES_OK);
    EXPECT_STREQ(tiles_last_argument(), "");
    EXPECT_EQ(tiles_gemm(nullptr), TILES_INVALID_ARGUMENT);
    EXPECT_EQ(tiles_gemm_workspace_size(&product, nullptr), TILES_INVALID_ARGUMENT);
    EXPECT_STREQ(tiles_last_argument(), "bytes");
    product.batch = -1;
    EXPECT_EQ(tiles_gemm(&product), TILES_INVALID_ARGUMENT);
    EXPECT_STREQ(tiles_last_argument(), "batch");
    EXPECT_STREQ(tiles_last_message(), "is negative");
}

TEST(TilesModel, MoreWorkTakesLonger) {
    DeviceProperties device;
    device.major = 9, device.sms = 132, device.clock_ghz = 1.98, device.memory_gb_per_s = 4800;
    device.shared_per_block = 232448, device.shared_per_sm = 233472;
    GemmProblem p;
    p.m = p.n = p.k = 1000, p.lda = p.ldb = p.ldc = 1000;
    const Choice small = choose_kernel(p, device, 0);
    ASSERT_NE(small.kernel, nullptr);
    p.m = p.n = p.k = 8192, p.lda = p.ldb = p.ldc = 8192;
    const Choice large = choose_kernel(p, device, SIZE_MAX);
    ASSERT_NE(large.kernel, nullptr);
    EXPECT_GT(large.seconds, 100 * small.seconds);
    EXPECT_STREQ(large.kernel->name, "f32_pipeline_128x256");
}

// Without workspace, and with pitches that only the simplest kernels read.
TEST(TilesModel, EveryDeviceHasAKernelForEverything) {
    DeviceProperties device;
    device.sms = 46, device.clock_ghz = 1.5, device.memory_gb_per_s = 400;
    device.shared_per_block = device.shared_per_sm = 64 * 1024;
    for (const int capability : {70, 75, 80, 86, 89, 90, 100, 120}) {
        device.major = capability / 10, device.minor = capability % 10;
        for (int compute = 0; compute < 6; ++compute) {
            for (const int64_t size : {1, 7, 1000, 5001}) {
                GemmProblem p;
                p.compute = static_cast<Compute>(compute);
                p.type_c = p.compute == Compute::kF64 ? DataType::kF64 : DataType::kF32;
                p.m = p.n = p.k = size, p.lda = p.ldb = p.ldc = size + 1;
                p.batch = size == 1 ? 1 << 20 : 1;
                const Choice choice = choose_kernel(p, device, 0);
                ASSERT_NE(choice.kernel, nullptr) << capability << ' ' << compute << ' ' << size;
                EXPECT_LE(choice.kernel->min_capability, capability);
            }
        }
    }
}

TEST(TilesModel, KeepsToTheWorkspace) {
    DeviceProperties device;
    device.major = 9, device.sms = 132, device.clock_ghz = 1.98, device.memory_gb_per_s = 4800;
    device.shared_per_block = 232448, device.shared_per_sm = 233472;
    GemmProblem p;
    p.m = p.n = 128, p.k = 65536, p.lda = 65536, p.ldb = p.ldc = 128;
    const Choice without = choose_kernel(p, device, 0);
    ASSERT_NE(without.kernel, nullptr);
    EXPECT_TRUE(without.kernel->workspace == nullptr || without.kernel->workspace(p, without.tuning, device) == 0);
    EXPECT_LT(choose_kernel(p, device, SIZE_MAX).seconds, without.seconds);
}

}  // namespace
}  // namespace tiles
