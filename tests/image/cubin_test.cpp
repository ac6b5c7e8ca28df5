#include "scope/image/cubin.h"

#include <array>
#include <map>
#include <random>

#include "scope/image/ptxas.h"
#include "tests/image/support.h"

namespace tilescope::image {
namespace {

using test::nvcc;

constexpr const char* kKernels = R"(
__constant__ float table[100];
__device__ __noinline__ float pick(float x, int d) {
    float a[8];
    for (int i = 0; i < 8; i++) a[i] = x * i;
    return a[d & 7];
}
extern "C" __global__ void plain(float* p) { p[threadIdx.x] = table[threadIdx.x]; }
extern "C" __global__ void sharing(float* p) {
    __shared__ float s[300];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[299 - threadIdx.x];
}
extern "C" __global__ void stacking(float* p, int d) { p[threadIdx.x] = pick(p[threadIdx.x], d); }
extern "C" __global__ void __launch_bounds__(1024, 2) spilling(float* p, const float* q) {
    float a[60];
#pragma unroll
    for (int i = 0; i < 60; i++) a[i] = q[i * 32 + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 4; r++) {
#pragma unroll
        for (int i = 0; i < 60; i++) a[i] = a[i] * a[(i * 7 + 3) % 60] + a[(i * 11 + r) % 60];
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 60; i++) p[i * 32 + threadIdx.x] = a[i];
}
)";

std::size_t number_after(const std::string& text, std::size_t from, const std::string& mark) {
    const std::size_t at = text.find(mark, from);
    return at == std::string::npos ? 0 : std::strtoull(text.c_str() + at + mark.size(), nullptr, 10);
}

// The number before `words`, no further than the next kernel's lines; 0 where they are not said.
std::size_t number_before(const std::string& text, std::size_t from, const std::string& words) {
    const std::size_t end = text.find("Compiling entry", from + 1);
    const std::size_t at = text.find(words, from);
    if (at == std::string::npos || at > end) return 0;
    std::size_t start = at;
    while (start > 0 && text[start - 1] >= '0' && text[start - 1] <= '9') --start;
    return std::strtoull(text.c_str() + start, nullptr, 10);
}

class Cubin : public test::Scratch {
protected:
    // The kernels by name, and what `ptxas -v` printed beside them.
    std::map<std::string, KernelResources> built(const std::string& arch) {
        const auto result = run_process({nvcc().string(), "-cubin", "-arch=" + arch, "-Xptxas", "-v",
                                         write("k.cu", kKernels).string(), "-o", (folder() / "k.cubin").string()});
        EXPECT_TRUE(result && result->status == 0);
        if (result) printed_ = result->errors + result->output;
        const auto kernels = parse_cubin(test::read_bytes(folder() / "k.cubin"));
        EXPECT_TRUE(kernels) << render(kernels.errors());
        std::map<std::string, KernelResources> by_name;
        if (kernels)
            for (const KernelResources& kernel : *kernels) by_name[kernel.name] = kernel;
        return by_name;
    }

    std::string printed_;
};

TEST_F(Cubin, SaysWhatPtxasPrints) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    for (const char* arch : {"sm_75", "sm_80", "sm_90", "sm_100"}) {
        const auto kernels = built(arch);
        ASSERT_EQ(kernels.size(), 4u) << arch;
        for (const auto& [name, kernel] : kernels) {
            const std::size_t at = printed_.find("Compiling entry function '" + name + "'");
            ASSERT_NE(at, std::string::npos) << printed_;
            EXPECT_EQ("sm_" + std::to_string(kernel.sm), arch);
            EXPECT_EQ(kernel.registers, number_after(printed_, at, "Used ")) << arch << " " << name << printed_;
            EXPECT_EQ(kernel.static_shared_bytes, number_before(printed_, at, " bytes smem")) << arch << " " << name;
            EXPECT_EQ(kernel.stack_bytes, number_before(printed_, at, " bytes stack frame")) << arch << " " << name;
            EXPECT_EQ(kernel.spills, number_before(printed_, at, " bytes spill stores") != 0) << arch << " " << name;
            EXPECT_EQ(kernel.constant_bytes, 400u);
        }
        // What its callees spill counts among a kernel's, which ptxas prints apart.
        const KernelResources& spilling = kernels.at("spilling");
        const std::size_t at = printed_.find("Compiling entry function 'spilling'");
        EXPECT_EQ(spilling.spill_store_bytes, number_before(printed_, at, " bytes spill stores")) << arch;
        EXPECT_EQ(spilling.spill_load_bytes, number_before(printed_, at, " bytes spill loads")) << arch;
        EXPECT_EQ(kernels.at("sharing").static_shared_bytes, 1200u);
        EXPECT_EQ(kernels.at("plain").parameter_bytes, 8u);
        EXPECT_EQ(kernels.at("spilling").parameter_bytes, 16u);
        EXPECT_EQ(kernels.at("spilling").max_threads, 1024u);
        EXPECT_EQ(kernels.at("plain").max_threads, 0u);
        EXPECT_EQ(kernels.at("sharing").barriers, 1u);
    }
}

TEST_F(Cubin, EveryTruncationEndsWell) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    built("sm_90");
    const auto bytes = test::read_bytes(folder() / "k.cubin");
    EXPECT_TRUE(is_cubin(bytes));
    unsigned refused = 0;
    for (std::size_t size = 0; size < bytes.size(); size += 7) {
        const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + size);
        const auto kernels = parse_cubin(cut);
        refused += kernels ? 0 : 1;
    }
    EXPECT_GT(refused, 9u);
}

// Spills before, in and behind a loop of a number of turns that nobody knows beforehand.
constexpr const char* kRounds = R"(
extern "C" __global__ void rounds(float* p, const float* q, int rounds) {
    float a[48];
#pragma unroll
    for (int i = 0; i < 48; i++) a[i] = q[i * 32 + threadIdx.x];
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int i = 0; i < 48; i++) a[i] = a[i] * a[(i * 7 + 3) % 48] + a[(i * 11 + 5) % 48] DIVIDED;
    }
#pragma unroll
    for (int i = 0; i < 48; i++) p[i * 32 + threadIdx.x] = a[i];
}
)";

TEST_F(Cubin, SpillsAreSortedByHowOftenTheyRun) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    const std::string source = write("r.cu", kRounds).string();
    for (unsigned trial = 0; trial < 14; ++trial) {
        const unsigned arch = std::array{75u, 80u, 86u, 89u, 90u, 100u, 120u}[trial / 2];
        const bool divides = trial % 2 != 0;
        const std::string divided = divides ? "-DDIVIDED=/3.0f" : "-DDIVIDED=";
        const std::string cubin = (folder() / "r.cubin").string(), text = (folder() / "r.ptx").string();
        run({nvcc().string(), "-lineinfo", divided, "-cubin", "-maxrregcount=32", "-arch=sm_" + std::to_string(arch),
             source, "-o", cubin});
        run({nvcc().string(), "-lineinfo", divided, "-maxrregcount=32", "-ptx", "-arch=compute_" + std::to_string(arch),
             source, "-o", text});
        const auto kernels = parse_cubin(test::read_bytes(cubin));
        ASSERT_TRUE(kernels) << render(kernels.errors());
        const KernelResources& kernel = kernels->at(0);
        ASSERT_TRUE(kernel.machine_code) << arch;
        const MachineCode& code = *kernel.machine_code;
        EXPECT_TRUE(code.complete);
        std::size_t once = 0, stored = 0, loaded = 0;
        std::vector<char> is_marked(code.regions.size(), 0);
        for (const LineMark& mark : code.marks) is_marked.at(mark.region) = 1;
        for (std::size_t i = 0; i < code.regions.size(); ++i) {
            const CodeRegion& region = code.regions[i];
            once += region.once_a_warp ? 1 : 0;
            stored += region.store_words * 4;
            loaded += region.load_words * 4;
            // Older code also spills one value on its way into the loop, where nothing else tells.
            EXPECT_TRUE(region.once_a_warp || is_marked[i] || region.loads + region.stores <= (arch < 90 ? 1 : 0))
                << arch << " " << i;
        }
        EXPECT_EQ(once, 1u) << arch;
        // Neither padding nor what few divisions need: far fewer than there is room for, and more than the spills.
        EXPECT_GT(code.instructions, (stored + loaded) / 16) << arch;
        EXPECT_LT(code.instructions, divides ? 2000u : 1000u) << arch;
        EXPECT_GT(code.regions.size(), 1u) << arch;
        // What stands on the way of divisions that is hardly ever taken counts in the bytes alone.
        EXPECT_LE(stored, kernel.spill_store_bytes) << arch;
        EXPECT_LE(loaded, kernel.spill_load_bytes) << arch;
        EXPECT_TRUE(divides || stored == kernel.spill_store_bytes) << arch;
        EXPECT_TRUE(divides || loaded == kernel.spill_load_bytes) << arch;
        const std::string ptx = test::read_text(text), moved = "\n" + ptx;
        EXPECT_TRUE(was_assembled_from(code, lines_of(ptx))) << arch;
        EXPECT_FALSE(was_assembled_from(code, lines_of(moved))) << arch;
    }
}

TEST_F(Cubin, DamagedBytesEndWell) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    run({nvcc().string(), "-lineinfo", "-DDIVIDED=/3.0f", "-cubin", "-maxrregcount=32", "-arch=sm_90",
         write("r.cu", kRounds).string(), "-o", (folder() / "r.cubin").string()});
    const auto whole = test::read_bytes(folder() / "r.cubin");
    std::mt19937 random(3);
    unsigned read = 0;
    for (unsigned trial = 0; trial < 400; ++trial) {
        auto bytes = whole;
        for (unsigned i = 0; i < 1 + trial % 40; ++i) bytes[64 + random() % (bytes.size() - 64)] = std::byte(random());
        const auto kernels = parse_cubin(bytes);
        for (std::size_t i = 0; kernels && i < kernels->size(); ++i) read += (*kernels)[i].machine_code ? 1 : 0;
    }
    EXPECT_GT(read, 100u);
}

TEST_F(Cubin, OtherBytesAreRefused) {
    const std::vector<std::byte> zeros(4096);
    EXPECT_FALSE(parse_cubin(zeros));
    EXPECT_FALSE(is_cubin(zeros));
    EXPECT_FALSE(is_cubin(test::read_bytes("/proc/self/exe")));
}

TEST_F(Cubin, PtxasSaysTheSameOfThePtx) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    const auto kernels = built("sm_90");
    run({nvcc().string(), "-ptx", "-arch=compute_90", (folder() / "k.cu").string(), "-o",
         (folder() / "k.ptx").string()});
    const std::string ptx = test::read_text(folder() / "k.ptx");
    for (int time = 0; time < 2; ++time) {  // the second out of the cache
        const auto assembled = assemble(ptx, 90, folder() / "cache");
        ASSERT_TRUE(assembled) << render(assembled.errors());
        ASSERT_EQ(assembled->size(), kernels.size());
        for (const KernelResources& kernel : *assembled) {
            const KernelResources& expected = kernels.at(kernel.name);
            EXPECT_EQ(kernel.registers, expected.registers) << kernel.name;
            EXPECT_EQ(kernel.static_shared_bytes, expected.static_shared_bytes) << kernel.name;
            const std::size_t at = printed_.find("Compiling entry function '" + kernel.name + "'");
            ASSERT_TRUE(kernel.spill_store_bytes && kernel.spill_load_bytes) << kernel.name;
            EXPECT_EQ(*kernel.spill_store_bytes, number_before(printed_, at, " bytes spill stores"));
            EXPECT_EQ(*kernel.spill_load_bytes, number_before(printed_, at, " bytes spill loads"));
        }
    }
    EXPECT_NE(printed_.find(" bytes spill loads"), std::string::npos);
}

TEST_F(Cubin, PtxasRefusingSaysWhy) {
    TILESCOPE_NEEDS(find_ptxas(), "ptxas");
    const auto assembled =
        assemble(".version 7.8\n.target sm_90\n.address_size 64\nnonsense\n", 90, folder() / "cache");
    ASSERT_FALSE(assembled);
    EXPECT_EQ(assembled.errors().front().code, "image-ptxas");
    EXPECT_NE(assembled.errors().front().message.find("nonsense"), std::string::npos);
}

}  // namespace
}  // namespace tilescope::image
