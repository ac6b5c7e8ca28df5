// What warps ask of an SM, and what a launch's time is spent on: a row for each pipe, for each thing that warps wait
// for and for each part of the time. Who adds a pipe adds its row here, what asks for it (isa/assembler) and how fast
// it is (models/time).
//
// Owns: the enums Pipe, Wait and TimeBound with their rows, the unit in which the tensor pipe's work is told, PipeWork
// and TimeParts. Guarantees: names are those of the profile's JSON and never change meaning.
// Does not model: anything.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace tilescope {

// What a launch's time can be spent on, and what can therefore bound it.
enum class TimeBound : std::uint8_t {
    kLaunch,
    kIssue,
    kFp32,
    kInteger,
    kFp64,
    kSpecial,
    kTensor,
    kL1,
    kTexture,
    kConstant,
    kWrites,
    kL2,
    kDram,
    kAtomics,
    kLatency,
    kImbalance
};
// What people call a launch that is bound by it.
enum class BoundKind : std::uint8_t { kMemory, kCompute, kLatency, kLaunch, kImbalance };
// A unit of the SM that warp instructions are issued to.
enum class Pipe : std::uint8_t { kFp32, kInteger, kFp64, kSpecial, kTensor, kMemory, kTexture };
// What a warp waits for before it can go on.
enum class Wait : std::uint8_t { kGlobal, kLocal, kShared, kConstant, kAtomic, kNone };

// A name in JSON, and a line on what it is.
struct TimeRow {
    TimeBound bound;
    BoundKind kind;
    const char *name, *about;
};
inline constexpr auto kTimeRows = std::to_array<TimeRow>({
    {TimeBound::kLaunch, BoundKind::kLaunch, "launch", "before the first instruction and behind the last"},
    {TimeBound::kIssue, BoundKind::kCompute, "issue", "slots of the schedulers"},
    {TimeBound::kFp32, BoundKind::kCompute, "fp32", "multiply-adds of floats, multiplications of integers"},
    {TimeBound::kInteger, BoundKind::kCompute, "integer", "additions, logic, comparisons"},
    {TimeBound::kFp64, BoundKind::kCompute, "fp64", "double precision"},
    {TimeBound::kSpecial, BoundKind::kCompute, "special", "roots, reciprocals, sines, conversions"},
    {TimeBound::kTensor, BoundKind::kCompute, "tensor", "products of matrices"},
    {TimeBound::kL1, BoundKind::kMemory, "l1", "wavefronts of L1 and shared memory"},
    {TimeBound::kTexture, BoundKind::kMemory, "texture", "passes of the texture unit"},
    {TimeBound::kConstant, BoundKind::kMemory, "constant", "passes through the constant cache"},
    {TimeBound::kWrites, BoundKind::kMemory, "writes", "the way of stores and atomics from an SM to L2"},
    {TimeBound::kL2, BoundKind::kMemory, "l2", "lookups and bytes of L2"},
    {TimeBound::kDram, BoundKind::kMemory, "dram", "bytes of DRAM"},
    {TimeBound::kAtomics, BoundKind::kMemory, "atomics", "updates of the same places, one after the other"},
    {TimeBound::kLatency, BoundKind::kLatency, "latency", "waiting that no other warp covers"},
    {TimeBound::kImbalance, BoundKind::kImbalance, "imbalance", "SMs that wait for those with more blocks"},
});

// A unit that has a peak, and what it is busy with for a share of a launch's time.
struct UnitRow {
    TimeBound bound;  // what a launch is bound by that keeps it busy
    const char* about;
};
inline constexpr auto kUnitRows = std::to_array<UnitRow>({
    {TimeBound::kIssue, "of the schedulers' slots: an instruction each cycle"},
    {TimeBound::kFp32, "of the multiply-add pipe"},
    {TimeBound::kInteger, "of the pipe of integers"},
    {TimeBound::kFp64, "of the double-precision pipe"},
    {TimeBound::kSpecial, "of the pipe of special functions and conversions"},
    {TimeBound::kTensor, "of the tensor cores, as fast as mma.sync is"},
    {TimeBound::kL1, "of the pipe of L1 and shared memory: a wavefront each cycle"},
    {TimeBound::kTexture, "of the texture unit: a quad of threads each cycle"},
    {TimeBound::kConstant, "of the constant caches' passes"},
    {TimeBound::kWrites, "of the way of stores and atomics from the SMs to L2"},
    {TimeBound::kL2, "of L2's bandwidth, or of its lookups if that is more"},
    {TimeBound::kDram, "of DRAM's bandwidth"},
    {TimeBound::kAtomics, "of the part of L2 that updates the most"},
});
// Those of arithmetic.
inline constexpr auto kArithmeticUnits = std::to_array<TimeBound>(
    {TimeBound::kFp32, TimeBound::kInteger, TimeBound::kFp64, TimeBound::kSpecial, TimeBound::kTensor});

struct PipeRow {
    Pipe pipe;
    TimeBound bound;  // what a launch is bound by that keeps the pipe busy
    const char *name, *about;
};
inline constexpr auto kPipeRows = std::to_array<PipeRow>({
    {Pipe::kFp32, TimeBound::kFp32, "fp32", "of the multiply-add pipe"},
    {Pipe::kInteger, TimeBound::kInteger, "integer", "of integers but their multiplications"},
    {Pipe::kFp64, TimeBound::kFp64, "fp64", "of the double-precision pipe"},
    {Pipe::kSpecial, TimeBound::kSpecial, "special", "of special functions and conversions"},
    {Pipe::kTensor, TimeBound::kTensor, "tensor",
     "of the tensor cores, each as many as cycles that it takes of an H200's"},
    {Pipe::kMemory, TimeBound::kL1, "memory", "of the memory pipe, exchanges between lanes included"},
    {Pipe::kTexture, TimeBound::kTexture, "texture", "of the texture unit: fetches, and accesses of surfaces"},
});

// A warp's multiply-add, addition or multiplication of 16 bits, of pairs or not, in those of the multiply-add pipe:
// only half of that pipe's lanes know it. tests/advice/pairs/21_tensor_types.cu on an H200 (driver 580.159.04), 27
// November 2026: all 33.7 million of each product go through that half, which takes two cycles for one.
inline constexpr float kHalfPipeCycles = 2;

// The tensor pipe's work is told in cycles of an H200's sub-partition: what a product by mma.sync takes of them, by the
// registers of A in a lane (4: 16 x 8 of 16 bytes a row and more of the depth), and from one to the next that adds to
// it. bench/hardware/tensor_rates.cu on an H200 (driver 580.159.04), measured 27 November 2026; of doubles by the
// card's count of the pipe's cycles, too.
struct TensorPace {
    unsigned words;
    float each, link;
};
enum class TensorProducts : std::uint8_t { kDense, kOfSparse, kOfDoubles };
inline constexpr TensorPace kTensorPaces[] = {{1, 3.9f, 14}, {2, 4.1f, 17}, {4, 6.1f, 24}};
// Of sparse matrices, of twice the depth: the card's count of the pipe's cycles is 6 and 8.
inline constexpr TensorPace kTensorPacesOfSparse[] = {{2, 6.1f, 17}, {4, 8.1f, 24}};
inline constexpr TensorPace kTensorPacesOfDoubles[] = {{1, 16, 26}, {2, 16, 36}, {4, 32, 72}, {8, 64.4f, 144}};
constexpr TensorPace tensor_pace(unsigned words, TensorProducts kind) {
    const auto pace = [words](const auto& paces) {
        for (const TensorPace& one : paces)
            if (one.words >= words) return one;
        return paces[std::size(paces) - 1];
    };
    return kind == TensorProducts::kOfDoubles  ? pace(kTensorPacesOfDoubles)
           : kind == TensorProducts::kOfSparse ? pace(kTensorPacesOfSparse)
                                               : pace(kTensorPaces);
}
// A product by wgmma of 16 rows a sub-partition, which is all that the core can do: cycles a column, whatever the type
// (bench/hardware/wgmma_rates.cu on an H200, driver 580.159.04, measured 27 November 2026).
inline constexpr float kTensorCyclesOfColumn = 0.5f;

struct WaitRow {
    Wait wait;
    const char *name, *about;
};
inline constexpr auto kWaitRows = std::to_array<WaitRow>({
    {Wait::kGlobal, "global_waits", "of a warp for global memory; what is under way together is one"},
    {Wait::kLocal, "local_waits", "likewise, for local memory"},
    {Wait::kShared, "shared_waits", "likewise, for shared memory and for values of other lanes"},
    {Wait::kConstant, "constant_waits", "likewise, for constant memory"},
    {Wait::kAtomic, "atomic_waits", "likewise, for what an atomic gives back"},
});

inline constexpr std::size_t kTimeBounds = kTimeRows.size(), kPipes = kPipeRows.size(), kWaits = kWaitRows.size();

// Rows stand in the order of their enum, one for each value.
template <class Rows, class Key>
consteval bool are_in_order(const Rows& rows, Key key) {
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (static_cast<std::size_t>(rows[i].*key) != i) return false;
    return true;
}
static_assert(are_in_order(kTimeRows, &TimeRow::bound) && are_in_order(kPipeRows, &PipeRow::pipe) &&
              are_in_order(kWaitRows, &WaitRow::wait));
constexpr BoundKind kind_of(TimeBound bound) { return kTimeRows[static_cast<std::size_t>(bound)].kind; }
static_assert(kWaits == static_cast<std::size_t>(Wait::kNone));

// What one or many runs of some code ask of an SM, in warp instructions, and how often a warp waits meanwhile.
template <class Number>
struct PipeWork {
    Number instructions = 0;             // that are issued
    std::array<Number, kPipes> pipes{};  // of these, by pipe
    std::array<Number, kWaits> waits{};  // turns in which a warp waits; what is under way together is one
    Number steps = 0;                    // of arithmetic that each need the one before, between these

    Number& operator[](Pipe pipe) { return pipes[static_cast<std::size_t>(pipe)]; }
    Number operator[](Pipe pipe) const { return pipes[static_cast<std::size_t>(pipe)]; }
    Number& operator[](Wait wait) { return waits[static_cast<std::size_t>(wait)]; }
    Number operator[](Wait wait) const { return waits[static_cast<std::size_t>(wait)]; }

    // visit(number) for each of them.
    template <class Visit>
    void for_each(Visit visit) {
        visit(instructions);
        for (Number& number : pipes) visit(number);
        for (Number& number : waits) visit(number);
        visit(steps);
    }
    // `times` what another one asks.
    template <class Other>
    void add(const PipeWork<Other>& more, Number times = 1) {
        instructions += times * more.instructions;
        for (std::size_t i = 0; i < kPipes; ++i) pipes[i] += times * more.pipes[i];
        for (std::size_t i = 0; i < kWaits; ++i) waits[i] += times * more.waits[i];
        steps += times * more.steps;
    }
    bool operator==(const PipeWork&) const = default;
};

// Time by what it is spent on.
struct TimeParts {
    std::array<double, kTimeBounds> parts{};

    double& operator[](TimeBound bound) { return parts[static_cast<std::size_t>(bound)]; }
    double operator[](TimeBound bound) const { return parts[static_cast<std::size_t>(bound)]; }
    double sum() const {
        double sum = 0;
        for (const double part : parts) sum += part;
        return sum;
    }
    // `times` another one's.
    void add(const TimeParts& more, double times = 1) {
        for (std::size_t i = 0; i < kTimeBounds; ++i) parts[i] += times * more.parts[i];
    }
    void scale(double by) {
        for (double& part : parts) part *= by;
    }
    bool operator==(const TimeParts&) const = default;
};

// What each unit does, as a share of what it could do at its peak in all the launch's time; 0 of what is no unit.
struct PeakShares {
    std::array<double, kTimeBounds> shares{};

    double& operator[](TimeBound bound) { return shares[static_cast<std::size_t>(bound)]; }
    double operator[](TimeBound bound) const { return shares[static_cast<std::size_t>(bound)]; }
    // `times` another launch's.
    void add(const PeakShares& more, double times = 1) {
        for (std::size_t i = 0; i < kTimeBounds; ++i) shares[i] += times * more.shares[i];
    }
    bool operator==(const PeakShares&) const = default;
};

}  // namespace tilescope
