// Rules about tensor cores: matrices that conflict on their way to them, and products that they would compute.
#include <algorithm>
#include <cmath>

#include "scope/models/advice_rules.h"

namespace tilescope::models {
namespace {

using C = Counter;

constexpr std::uint32_t kRowOfMatrix = 16, kBankRow = 128;  // bytes that a lane names, and that all banks hold

struct Extents {
    std::uint64_t rows = 0, columns = 0, depth = 0;
};

// Below that a tensor core would multiply zeros for the most part.
constexpr std::uint64_t kLeastExtent = 16;

// m and n of which m n are stored and (m + n) k are read, k being the multiply-adds of each; nothing where there are no
// such whole numbers.
std::optional<Extents> extents_of(std::uint64_t multiply_adds, std::uint64_t stored, std::uint64_t read) {
    if (stored == 0 || multiply_adds % stored != 0) return {};
    const std::uint64_t depth = multiply_adds / stored;
    if (depth < kLeastExtent || read % depth != 0) return {};
    const double sum = as_double(read / depth), square = sum * sum - 4 * as_double(stored);
    if (square < 0) return {};
    const double difference = std::round(std::sqrt(square));
    const double rows = (sum + difference) / 2, columns = (sum - difference) / 2;
    if (difference * difference != square || rows != std::floor(rows) || rows * columns != as_double(stored)) return {};
    if (columns < as_double(kLeastExtent)) return {};
    return Extents{static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns), depth};
}

// In halves of a multiply-add, what is done for each element of the result beside the product, at most: it is scaled
// and added to what is there. Arithmetic of 16 bits counts additions as well: of the two halves of pairs along the
// depth.
constexpr std::uint64_t kMultiplyAdd = 2, kMostBesides = 4;

// What tensor cores make of a type.
struct Way {
    AdviceVariant variant;
    Pipe pipe;             // of the multiply-adds
    double pipe_cycles;    // that one of a warp counts there
    C counted;             // of threads
    double multiply_adds;  // that each counted one is
    C conversions;         // each factor's, at least one; kCount: it is multiplied as it is
    C operations;          // of tensor cores
    std::uint64_t factor_bytes;
    std::uint64_t result_bytes[2];
    std::uint64_t PaddedFlop::*padded;  // null: of what has none
    double PeakRates::*rate;
    unsigned columns_each;  // of the depth, that a product of 16 rows and 8 columns takes
    bool of_doubles;

    // A product by mma.sync in cycles of an H200's sub-partition, and at the peak, which only wgmma reaches.
    double cycles() const {
        return double{tensor_pace(kWords, of_doubles ? TensorProducts::kOfDoubles : TensorProducts::kDense).each};
    }
    double reached() const { return of_doubles ? 1 : kColumns * double{kTensorCyclesOfColumn} / cycles(); }
    double products_of(double all) const { return all / (kRows * kColumns * columns_each); }

    static constexpr unsigned kWords = 4, kRows = 16, kColumns = 8;
};
// The first whose evidence is there is the launch's.
constexpr Way kWays[] = {{.variant = AdviceVariant::kAsF16,
                          .pipe = Pipe::kFp32,
                          .pipe_cycles = 1,
                          .counted = C::kFp32Fma,
                          .multiply_adds = 1,
                          .conversions = C::kFp16ToFp32,
                          .operations = C::kTensorFp16Operations,
                          .factor_bytes = 2,
                          .result_bytes = {4, 2},
                          .padded = &PaddedFlop::fp32,
                          .rate = &PeakRates::fp16_tensor,
                          .columns_each = 16,
                          .of_doubles = false},
                         {.variant = AdviceVariant::kAsBf16,
                          .pipe = Pipe::kFp32,
                          .pipe_cycles = 1,
                          .counted = C::kFp32Fma,
                          .multiply_adds = 1,
                          .conversions = C::kBf16ToFp32,
                          .operations = C::kTensorBf16Operations,
                          .factor_bytes = 2,
                          .result_bytes = {4, 2},
                          .padded = &PaddedFlop::fp32,
                          .rate = &PeakRates::bf16_tensor,
                          .columns_each = 16,
                          .of_doubles = false},
                         {.variant = AdviceVariant::kAsHalves,
                          .pipe = Pipe::kFp32,
                          .pipe_cycles = kHalfPipeCycles,
                          .counted = C::kFp16Operations,
                          .multiply_adds = 0.5,
                          .conversions = C::kCount,
                          .operations = C::kTensorFp16Operations,
                          .factor_bytes = 2,
                          .result_bytes = {2, 4},
                          .padded = &PaddedFlop::fp16,
                          .rate = &PeakRates::fp16_tensor,
                          .columns_each = 16,
                          .of_doubles = false},
                         {.variant = AdviceVariant::kAsInt8,
                          .pipe = Pipe::kFp32,
                          .pipe_cycles = kHalfPipeCycles,
                          .counted = C::kByteDotProducts,
                          .multiply_adds = 4,
                          .conversions = C::kCount,
                          .operations = C::kTensorInt8Operations,
                          .factor_bytes = 1,
                          .result_bytes = {4, 4},
                          .padded = nullptr,
                          .rate = &PeakRates::int8_tensor,
                          .columns_each = 32,
                          .of_doubles = false},
                         {.variant = AdviceVariant::kAsTf32,
                          .pipe = Pipe::kFp32,
                          .pipe_cycles = 1,
                          .counted = C::kFp32Fma,
                          .multiply_adds = 1,
                          .conversions = C::kCount,
                          .operations = C::kTensorTf32Operations,
                          .factor_bytes = 4,
                          .result_bytes = {4, 4},
                          .padded = &PaddedFlop::fp32,
                          .rate = &PeakRates::tf32_tensor,
                          .columns_each = 8,
                          .of_doubles = false},
                         {.variant = AdviceVariant::kAsF64,
                          .pipe = Pipe::kFp64,
                          .pipe_cycles = 1,
                          .counted = C::kFp64Fma,
                          .multiply_adds = 1,
                          .conversions = C::kCount,
                          .operations = C::kTensorFp64Operations,
                          .factor_bytes = 8,
                          .result_bytes = {8, 8},
                          .padded = &PaddedFlop::fp64,
                          .rate = &PeakRates::fp64_tensor,
                          .columns_each = 8,
                          .of_doubles = true}};

// What the same arithmetic reaches without tensor cores, in FLOP a second.
double plain_peak(const Way& way, const Device& device) {
    switch (way.variant) {
        case AdviceVariant::kAsF64: return device.peak.fp64;
        case AdviceVariant::kAsHalves: return device.peak.fp16;
        case AdviceVariant::kAsInt8:
            return 2 * way.multiply_adds * device.per_cycle.int32 * device.sm_count * device.cycles_per_second();
        default: return device.peak.fp32;
    }
}

// Of the launch's time that must be won: another unit is a kernel written anew.
constexpr double kWorthAnotherUnit = 0.1;
// Multiply-adds of other things beside the product: scaling and adding to what is there, at most.
constexpr double kMostlyProduct = 0.9;
// An element that is loaded serves so many multiply-adds, at least: it comes through a tile or registers.
constexpr double kLeastUses = 4;

std::uint64_t operations_on_tensor_cores(const CounterSet& c) {
    return c[C::kTensorFp16Operations] + c[C::kTensorBf16Operations] + c[C::kTensorTf32Operations] +
           c[C::kTensorFp64Operations] + c[C::kTensorFp8Operations] + c[C::kTensorInt8Operations] +
           c[C::kTensorInt1Operations];
}

double flop_of(const CounterSet& c) {
    return as_double(c[C::kFp16Operations]) + as_double(c[C::kFp32Add]) + as_double(c[C::kFp32Mul]) +
           2 * as_double(c[C::kFp32Fma]) + as_double(c[C::kFp64Add]) + as_double(c[C::kFp64Mul]) +
           2 * as_double(c[C::kFp64Fma]);
}

// The product that the launch computes, if its counts are those of one: each element of the result is stored once, and
// what is multiplied for it and what is read fit together. A result that is added to is read as well, and its scaling
// is one multiply-add more.
std::optional<Extents> product_of(const Case& about, const Way& way) {
    const CounterSet& c = about.launch.counters;
    if (c[way.counted] == 0) return {};
    // In halves of a multiply-add: an addition, of pairs of 16 bits, is one.
    const std::uint64_t padded = way.padded != nullptr ? about.launch.padded_flop.*way.padded : 0;
    const auto all = static_cast<std::uint64_t>(2 * way.multiply_adds * as_double(c[way.counted]));
    const std::uint64_t of_use = all - std::min(all, padded);
    const bool is_float = way.variant != AdviceVariant::kAsInt8;
    if (as_double(all) < kMostlyProduct * (flop_of(c) + (is_float ? 0 : as_double(all)))) return {};
    const auto& tiling = *about.launch.tiling;
    if (2 * as_double(tiling.requested_bytes / way.factor_bytes) * kLeastUses > as_double(of_use)) return {};
    const std::uint64_t least_besides = way.variant == AdviceVariant::kAsHalves ? 1 : kMultiplyAdd;
    for (const std::uint64_t result_bytes : way.result_bytes) {
        const std::uint64_t stored = c[C::kGlobalStoreBytesRequested] / result_bytes;
        for (std::uint64_t besides = 0; besides <= kMostBesides; besides += least_besides)
            for (const std::uint64_t added : {std::uint64_t{0}, stored * result_bytes}) {
                const std::uint64_t read = *tiling.unique_bytes, spent = besides * stored;
                if (spent >= of_use || (of_use - spent) % 2 != 0 || added >= read) continue;
                const std::uint64_t factors = (read - added) / way.factor_bytes;
                const auto extents = extents_of((of_use - spent) / 2, stored, factors);
                if (!extents) continue;
                // Factors of a short type are those that are made float, and no others are.
                if (way.conversions != C::kCount && c[way.conversions] < factors) continue;
                if (way.variant == AdviceVariant::kAsTf32 && c[C::kFp16ToFp32] + c[C::kBf16ToFp32] >= factors) continue;
                return extents;
            }
    }
    return {};
}

}  // namespace

// Rows that lie a multiple of 32 bytes apart meet: 16 bytes more between them, or pieces that change places with the
// row's number, and all eight lie in banks of their own.
std::vector<Finding> find_matrix_conflicts(const Case& about) {
    Finding finding(about);
    double spared = 0, most = 0;
    for (const LineProfile& line : about.lines) {
        const CounterSet& c = line.counters;
        if (line.matrix_row_bytes % (2 * kRowOfMatrix) != 0 || line.matrix_row_bytes == 0) continue;
        if (c[C::kSharedLoadRequests] + c[C::kSharedStoreRequests] != 0) continue;
        const bool is_load = c[C::kMatrixLoadRequests] != 0;
        const double requests = as_double(c[is_load ? C::kMatrixLoadRequests : C::kMatrixStoreRequests]);
        const double passes = as_double(c[is_load ? C::kSharedLoadWavefronts : C::kSharedStoreWavefronts]);
        const double its = as_double(c[is_load ? C::kSharedLoadBankConflicts : C::kSharedStoreBankConflicts]);
        if (requests == 0 || its == 0) continue;
        finding.at(line, its);
        spared += its;
        if (its <= most) continue;
        most = its;
        std::uint32_t repeat = 1;
        while (line.matrix_row_bytes * repeat % kBankRow != 0) ++repeat;
        finding.facts.variant = is_load ? AdviceVariant::kLoads : AdviceVariant::kStores;
        finding.facts.variable = line.shared_variable;
        finding.facts.figures = {{AdviceFigure::kActual, passes / requests},
                                 {AdviceFigure::kIdeal, (passes - its) / requests},
                                 {AdviceFigure::kConflicts, its},
                                 {AdviceFigure::kRowBytes, as_double(line.matrix_row_bytes)},
                                 {AdviceFigure::kRowsToRepeat, as_double(repeat)}};
    }
    if (spared == 0) return {};
    finding.saves_bytes = kWavefrontBytes * spared;
    finding.change.spare_wavefronts(spared);
    return {std::move(finding)};
}

std::vector<Finding> find_products(const Case& about) {
    const LaunchProfile& launch = about.launch;
    if (!launch.tiling || !launch.tiling->unique_bytes || operations_on_tensor_cores(launch.counters) != 0) return {};
    if (about[C::kGlobalAtomicRequests] + about[C::kGlobalReductionRequests] != 0) return {};
    for (const Way& way : kWays) {
        const double plain = plain_peak(way, about.device);
        const double faster = plain > 0 ? way.reached() * (about.device.peak.*way.rate) / plain : 0;
        if (faster <= 1) continue;
        const auto extents = product_of(about, way);
        if (!extents) continue;
        Finding finding(about);
        if (const LineProfile* line = line_of_most(about, way.counted))
            finding.at(*line, as_double(line->counters[way.counted]));
        const double all = way.multiply_adds * as_double(about[way.counted]), products = way.products_of(all);
        finding.change.multiply_matrices({.pipe = way.pipe,
                                          .from = way.counted,
                                          .multiply_adds = way.multiply_adds,
                                          .pipe_cycles = way.pipe_cycles,
                                          .conversions = way.conversions,
                                          .to = way.operations,
                                          .products = products,
                                          .cycles = products * way.cycles()});
        // Where no time is modelled, no more than mma.sync reaches.
        const double left = seconds(work_of(finding.change.launch()), about.device);
        finding.speedup = left > 0 ? std::min(faster, about.seconds / left) : 1;
        finding.least_share = kWorthAnotherUnit;
        finding.facts.variant = way.variant;
        finding.facts.figures = {{AdviceFigure::kRows, as_double(extents->rows)},
                                 {AdviceFigure::kColumns, as_double(extents->columns)},
                                 {AdviceFigure::kDepth, as_double(extents->depth)},
                                 {AdviceFigure::kRateRatio, faster}};
        return {std::move(finding)};
    }
    return {};
}

}  // namespace tilescope::models
