// The small kernels and streamed products against float64 references on the host, and the errors of bad arguments.
//
// usage: tiles_check_small [--covering]
//
// Random sizes and misalignments, drawn afresh (the seed is printed); outputs are poisoned first and everything around
// them must stay as it was. Exit status 1 when something failed.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "tiles/add.h"
#include "tiles/bench/harness.cuh"
#include "tiles/convolve2d.h"
#include "tiles/gemm_streamed.h"
#include "tiles/reduce.h"
#include "tiles/stencil.h"
#include "tiles/transpose.h"

namespace {

constexpr int64_t kGuard = 64;

std::mt19937_64 generator;
int failures = 0;

std::vector<float> random_floats(int64_t count) {
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<float> values(static_cast<size_t>(count));
    for (float& value : values) value = uniform(generator);
    return values;
}

// A device array with NaN on both sides, `shift` floats off alignment.
struct Guarded {
    float* base = nullptr;
    int64_t count, shift;

    Guarded(const std::vector<float>& values, int64_t off) : count(static_cast<int64_t>(values.size())), shift(off) {
        std::vector<float> all(static_cast<size_t>(count + 2 * kGuard + shift), std::nanf(""));
        std::copy(values.begin(), values.end(), all.begin() + kGuard + shift);
        HARNESS_CUDA(cudaMalloc(&base, all.size() * sizeof(float)));
        HARNESS_CUDA(cudaMemcpy(base, all.data(), all.size() * sizeof(float), cudaMemcpyHostToDevice));
    }
    ~Guarded() { cudaFree(base); }
    float* data() const { return base + kGuard + shift; }
    // The contents; counts a failure if the surroundings changed.
    std::vector<float> read(const char* what) const {
        std::vector<float> all(static_cast<size_t>(count + 2 * kGuard + shift));
        HARNESS_CUDA(cudaMemcpy(all.data(), base, all.size() * sizeof(float), cudaMemcpyDeviceToHost));
        const auto inside = all.begin() + kGuard + shift;
        const bool clean = std::all_of(all.begin(), inside, [](float x) { return std::isnan(x); }) &&
                           std::all_of(inside + count, all.end(), [](float x) { return std::isnan(x); });
        if (!clean) std::printf("%s wrote outside\n", what), ++failures;
        return {inside, inside + count};
    }
};

void expect(const char* what, const std::vector<float>& have, const std::vector<double>& want, double tolerance) {
    double error = 0, norm = 0;
    for (size_t i = 0; i < want.size(); ++i) {
        error += (have[i] - want[i]) * (have[i] - want[i]), norm += want[i] * want[i];
    }
    const double relative = norm > 0 ? std::sqrt(error / norm) : std::sqrt(error);
    if (!(relative <= tolerance)) std::printf("%s: error %.3g\n", what, relative), ++failures;
}

void expect_ok(const char* what, const tiles::Status& status) {
    if (!status.ok())
        std::printf("%s: %s %s (%d)\n", what, status.argument, status.message, status.cuda_error), ++failures;
}

void expect_argument(const char* argument, const tiles::Status& status) {
    if (status.code != tiles::StatusCode::kInvalidArgument || std::strcmp(status.argument, argument) != 0) {
        std::printf("expected an error about %s, got %d %s\n", argument, static_cast<int>(status.code),
                    status.argument);
        ++failures;
    }
}

int64_t pick(int64_t max) { return 1 + static_cast<int64_t>(generator() % static_cast<uint64_t>(max)); }

void check_transpose(int64_t rows, int64_t columns, int64_t pad, int64_t shift) {
    const int64_t ld_in = columns + pad, ld_out = rows + pad;
    const std::vector<float> in = random_floats((rows - 1) * ld_in + columns);
    const std::vector<float> poison(static_cast<size_t>((columns - 1) * ld_out + rows), std::nanf(""));
    const Guarded from(in, shift), to(poison, shift);
    expect_ok("transpose", tiles::transpose(rows, columns, from.data(), ld_in, to.data(), ld_out));
    const std::vector<float> out = to.read("transpose");
    for (int64_t i = 0; i < columns; ++i) {
        for (int64_t j = 0; j < ld_out && i * ld_out + j < static_cast<int64_t>(out.size()); ++j) {
            const float have = out[static_cast<size_t>(i * ld_out + j)];
            const bool right = j < rows ? have == in[static_cast<size_t>(j * ld_in + i)] : std::isnan(have);
            if (!right) {
                std::printf("transpose %lld x %lld is wrong\n", static_cast<long long>(rows),
                            static_cast<long long>(columns));
                ++failures;
                return;
            }
        }
    }
}

void check_add_and_reduce(int64_t count, int64_t shift) {
    const std::vector<float> x = random_floats(count), y = random_floats(count);
    const Guarded dx(x, shift), dy(y, shift), out(std::vector<float>(x.size(), std::nanf("")), shift);
    expect_ok("add", tiles::add(count, dx.data(), dy.data(), out.data()));
    std::vector<double> sums(x.size());
    double total = 0, magnitude = 0;
    for (size_t i = 0; i < x.size(); ++i) sums[i] = x[i] + y[i], total += x[i], magnitude += std::fabs(x[i]);
    expect("add", out.read("add"), sums, 0);
    const Guarded result({std::nanf("")}, shift);
    void* workspace = nullptr;
    HARNESS_CUDA(cudaMalloc(&workspace, tiles::kReduceWorkspaceBytes));
    expect_ok("reduce", tiles::reduce(count, dx.data(), result.data(), workspace));
    const float have = result.read("reduce")[0];
    if (!(std::fabs(have - total) <= 1e-6 * magnitude))
        std::printf("reduce of %lld is wrong\n", static_cast<long long>(count)), ++failures;
    HARNESS_CUDA(cudaFree(workspace));
}

// `shift` 0, columns and `pad` in fours take the copy engine's path. The padding of both images is NaN: read, it would
// show in the results; written, it would be seen.
void check_convolve(int64_t rows, int64_t columns, int side, int64_t pad, int64_t shift) {
    const int64_t ld = columns + pad;
    std::vector<float> in = random_floats((rows - 1) * ld + columns);
    for (size_t i = 0; i < in.size(); ++i) {
        if (static_cast<int64_t>(i) % ld >= columns) in[i] = std::nanf("");
    }
    const std::vector<float> filter = random_floats(side * side);
    const Guarded from(in, shift), to(std::vector<float>(in.size(), std::nanf("")), 2 * shift);
    expect_ok("convolve2d", tiles::convolve2d(rows, columns, from.data(), ld, filter.data(), side, to.data(), ld));
    std::vector<double> want;
    std::vector<float> have;
    const std::vector<float> out = to.read("convolve2d");
    for (int64_t place = 0; place < static_cast<int64_t>(out.size()); ++place) {
        const int64_t y = place / ld, x = place % ld;
        if (x >= columns) {
            if (!std::isnan(out[static_cast<size_t>(place)])) std::printf("convolve2d wrote padding\n"), ++failures;
            continue;
        }
        double sum = 0;
        for (int i = 0; i < side; ++i) {
            for (int j = 0; j < side; ++j) {
                const int64_t fy = y + i - side / 2, fx = x + j - side / 2;
                if (fy < 0 || fy >= rows || fx < 0 || fx >= columns) continue;
                sum += static_cast<double>(filter[static_cast<size_t>(i * side + j)]) *
                       in[static_cast<size_t>(fy * ld + fx)];
            }
        }
        want.push_back(sum), have.push_back(out[static_cast<size_t>(place)]);
    }
    expect("convolve2d", have, want, 1e-6);
}

void check_stencil(int64_t nx, int64_t ny, int64_t nz, int64_t shift) {
    const std::vector<float> in = random_floats(nx * ny * nz);
    const Guarded from(in, shift), to(std::vector<float>(in.size(), std::nanf("")), 0);
    expect_ok("stencil", tiles::stencil(nx, ny, nz, 0.5f, 0.25f, from.data(), to.data()));
    const auto at = [&](int64_t x, int64_t y, int64_t z) -> double {
        if (x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz) return 0;
        return in[static_cast<size_t>((z * ny + y) * nx + x)];
    };
    std::vector<double> want(in.size());
    for (int64_t z = 0; z < nz; ++z) {
        for (int64_t y = 0; y < ny; ++y) {
            for (int64_t x = 0; x < nx; ++x) {
                const double around = at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) +
                                      at(x, y, z - 1) + at(x, y, z + 1);
                want[static_cast<size_t>((z * ny + y) * nx + x)] = 0.5 * at(x, y, z) + 0.25 * around;
            }
        }
    }
    expect("stencil", to.read("stencil"), want, 1e-6);
}

// A product that has to be cut in every direction, with padding that must stay as it is.
void check_streamed(int64_t m, int64_t n, int64_t k, int ops, float beta, size_t budget) {
    tiles::StreamedOptions options;
    options.op_a = ops & 1 ? tiles::Op::kTranspose : tiles::Op::kNone,
    options.op_b = ops & 2 ? tiles::Op::kTranspose : tiles::Op::kNone;
    options.device_bytes = budget;
    const int64_t lda = (ops & 1 ? m : k) + 3, ldb = (ops & 2 ? k : n) + 1, ldc = n + 2;
    const std::vector<float> a = random_floats((ops & 1 ? k : m) * lda), b = random_floats((ops & 2 ? n : k) * ldb);
    std::vector<float> c(static_cast<size_t>(m * ldc), beta == 0 ? std::nanf("") : 0.5f);
    expect_ok("gemm_streamed",
              tiles::gemm_streamed(m, n, k, 2, a.data(), lda, b.data(), ldb, beta, c.data(), ldc, options));
    std::vector<double> want;
    std::vector<float> have;
    for (int trial = 0; trial < 400; ++trial) {
        const int64_t i = pick(m) - 1, j = trial % 2 ? n - 1 : pick(n) - 1;
        double sum = 0;
        for (int64_t p = 0; p < k; ++p) {
            sum += static_cast<double>(a[static_cast<size_t>(ops & 1 ? p * lda + i : i * lda + p)]) *
                   b[static_cast<size_t>(ops & 2 ? j * ldb + p : p * ldb + j)];
        }
        want.push_back(2 * sum + beta * 0.5), have.push_back(c[static_cast<size_t>(i * ldc + j)]);
        const float padding = c[static_cast<size_t>(i * ldc + n)];
        if (beta == 0 ? !std::isnan(padding) : padding != 0.5f)
            std::printf("gemm_streamed wrote padding\n"), ++failures;
    }
    expect("gemm_streamed", have, want, 1e-5);
}

void check_errors() {
    float x = 0;
    expect_argument("rows", tiles::transpose(-1, 1, &x, 1, &x, 1));
    expect_argument("ld_out", tiles::transpose(4, 1, &x, 1, &x, 3));
    expect_argument("count", tiles::add(-1, &x, &x, &x));
    expect_argument("out", tiles::add(1, &x, &x, nullptr));
    expect_argument("workspace", tiles::reduce(1, &x, &x, nullptr));
    expect_argument("side", tiles::convolve2d(1, 1, &x, 1, &x, 4, &x, 1));
    expect_argument("nz", tiles::stencil(1, 1, -1, 1, 1, &x, &x));
    expect_argument("ldb", tiles::gemm_streamed(2, 2, 2, 1, &x, 2, &x, 1, 0, &x, 2));
    tiles::StreamedOptions tiny;
    tiny.device_bytes = 1024;
    expect_argument("device_bytes", tiles::gemm_streamed(1, 1, 1, 1, &x, 1, &x, 1, 0, &x, 1, tiny));
}

}  // namespace

int main(int argc, char** argv) {
    const bool covering = argc > 1 && std::strcmp(argv[1], "--covering") == 0;
    const uint64_t seed = static_cast<uint64_t>(std::time(nullptr));
    std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
    generator.seed(seed);
    const int rounds = covering ? 2 : 40;
    check_errors();
    check_transpose(64, 128, 0, 0), check_transpose(1, 1, 0, 1), check_transpose(132, 68, 4, 0);
    check_transpose(129, 67, 1, 1), check_transpose(58, 200, 0, 3);
    check_stencil(33, 17, 70, 1), check_stencil(1, 1, 1, 0), check_stencil(4, 1, 1, 0), check_stencil(132, 35, 39, 0);
    for (int side = 1; side <= tiles::kMaxFilterSide; side += 2) {
        check_convolve(35, 70, side, 0, 1), check_convolve(61, 524, side, 4, 0), check_convolve(1, 4, side, 0, 0);
    }
    for (const int64_t count : {1, 3, 4, 5, 1023, 8192, 8197}) check_add_and_reduce(count, count % 4);
    if (!covering) check_add_and_reduce(34000001, 1);  // more than a stretch for each block
    for (int i = 0; i < rounds; ++i) {
        check_transpose(pick(300), pick(300), static_cast<int64_t>(generator() % 5),
                        static_cast<int64_t>(generator() % 4));
        check_add_and_reduce(pick(covering ? 10000 : 3000000), static_cast<int64_t>(generator() % 4));
        const int side = 1 + 2 * static_cast<int>(generator() % 8);
        check_convolve(pick(150), pick(150), side, static_cast<int64_t>(generator() % 3), 1);
        check_convolve(pick(150), 4 * pick(200), side, 4 * static_cast<int64_t>(generator() % 2), 0);
        check_stencil(pick(70), pick(30), pick(80), 1), check_stencil(4 * pick(60), pick(50), pick(80), 0);
    }
    const size_t budget = (size_t{48} << 20) + (size_t{2} << 20);
    check_streamed(700, 900, 1100, 0, 0, budget);
    if (!covering) {
        for (int ops = 1; ops < 4; ++ops)
            check_streamed(600 + pick(300), 500 + pick(300), 700 + pick(300), ops, ops == 2 ? 0.0f : 1.0f, budget);
        check_streamed(3000, 100, 5000, 0, -1, budget);
        check_streamed(65, 3, 2, 0, 0, 0);
    }
    HARNESS_CUDA(cudaDeviceSynchronize());
    std::printf("%s: %d failures\n", failures == 0 ? "PASS" : "FAIL", failures);
    return failures == 0 ? 0 : 1;
}
