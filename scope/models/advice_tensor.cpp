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

// What tensor cores make of a type.
struct Way {
    AdviceVariant variant;
    Pipe pipe;
    C multiply_adds;  // of threads
    C operations;     // of tensor cores
    std::uint64_t element_bytes;
    std::uint64_t PaddedFlop::*padded;
    double PeakRates::*plain, PeakRates::*rate;
    double reached;  // of the peak by mma.sync, at least: on an H200 two thirds, where wgmma alone is faster
    double cycles;   // of an H200's sub-partition for 16 x 8 x 8 (isa/assembler/instruction_cost.cpp)
};
constexpr Way kWays[] = {{AdviceVariant::kAsTf32, Pipe::kFp32, C::kFp32Fma, C::kTensorTf32Operations, 4,
                          &PaddedFlop::fp32, &PeakRates::fp32, &PeakRates::tf32_tensor, 2.0 / 3, 6.1},
                         {AdviceVariant::kAsF64, Pipe::kFp64, C::kFp64Fma, C::kTensorFp64Operations, 8,
                          &PaddedFlop::fp64, &PeakRates::fp64, &PeakRates::fp64_tensor, 1, 32}};

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
    const std::uint64_t padded = (about.launch.padded_flop.*way.padded) / 2, all = c[way.multiply_adds];
    const std::uint64_t of_use = all - std::min(all, padded);
    if (2 * as_double(all) < kMostlyProduct * flop_of(c)) return {};
    const std::uint64_t stored = c[C::kGlobalStoreBytesRequested] / way.element_bytes;
    const std::uint64_t read = *about.launch.tiling->unique_bytes / way.element_bytes;
    if (as_double(about.launch.tiling->requested_bytes / way.element_bytes) * kLeastUses > as_double(of_use)) return {};
    for (const std::uint64_t scaled : {std::uint64_t{0}, stored})
        for (const std::uint64_t added : {std::uint64_t{0}, stored}) {
            if (scaled >= of_use || added >= read) continue;
            if (const auto extents = extents_of(of_use - scaled, stored, read - added)) return extents;
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
        const PeakRates& peak = about.device.peak;
        const double faster = peak.*way.plain > 0 ? way.reached * (peak.*way.rate) / (peak.*way.plain) : 0;
        if (faster <= 1) continue;
        const auto extents = product_of(about, way);
        if (!extents) continue;
        Finding finding(about);
        if (const LineProfile* line = line_of_most(about, way.multiply_adds))
            finding.at(*line, as_double(line->counters[way.multiply_adds]));
        constexpr double kOfProduct = 16 * 8 * 8;
        const double products = as_double(about[way.multiply_adds]) / kOfProduct;
        finding.change.multiply_matrices(way.pipe, way.multiply_adds, way.operations, products, products * way.cycles);
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
