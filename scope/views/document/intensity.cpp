// Rows on a launch's arithmetic against the bytes it asked for.
#include <algorithm>
#include <utility>

#include "scope/base/names.h"
#include "scope/report/format.h"
#include "scope/report/ratios.h"
#include "scope/views/document/parts.h"

namespace tilescope::views {
namespace {

using C = Counter;

// "262,144 atomic operations"
std::string atomics_text(const CounterSet& c) {
    return counted(c[C::kGlobalAtomicThreadOperations], "atomic operation");
}

// What a kernel that neither loads nor stores asks of global memory.
std::string asked_otherwise(const CounterSet& c) {
    if (c[C::kGlobalAtomicThreadOperations] == 0) return "no global memory requested";
    return atomics_text(c) + " and no other request to global memory";
}

std::string without_flop(const CounterSet& c) {
    const std::uint64_t bytes = requested_bytes(c), special = c[C::kFp32Special] + c[C::kFp64Special];
    const std::uint64_t integers = c[C::kTensorInt8Operations] + c[C::kTensorInt1Operations];
    const std::string work = integers != 0
                                 ? thousands(integers) + " integer operations on tensor cores, no floating-point work"
                             : special == 0 ? "no floating-point work"
                                            : thousands(special) +
                                                  " special functions (square root, sine and similar), "
                                                  "no other floating-point work";
    const std::string atomics = c[C::kGlobalAtomicThreadOperations] == 0 ? "" : " and " + atomics_text(c);
    return work + (bytes == 0 ? ", " + asked_otherwise(c) : "; " + thousands(bytes) + " B requested" + atomics);
}

// Of the launch's arithmetic, the costlier first.
struct TypeWork {
    const char* name;
    std::uint64_t flop;
    double ridge;
};

std::vector<TypeWork> typed_work(const DocumentContext& context, const CounterSet& c) {
    const TensorRidges& ridges = context.options.tensor_ridges;
    std::vector<TypeWork> list = {
        {"fp64", c[C::kFp64Add] + c[C::kFp64Mul] + 2 * c[C::kFp64Fma], context.options.ridge_fp64},
        {"fp32", c[C::kFp32Add] + c[C::kFp32Mul] + 2 * c[C::kFp32Fma], context.options.ridge_fp32},
        {"fp16", c[C::kFp16Operations], ridges.halves},
        {"fp16 on tensor cores", c[C::kTensorFp16Operations], ridges.fp16},
        {"bf16 on tensor cores", c[C::kTensorBf16Operations], ridges.bf16},
        {"tf32 on tensor cores", c[C::kTensorTf32Operations], ridges.tf32},
        {"fp8 on tensor cores", c[C::kTensorFp8Operations], ridges.fp8},
        {"fp64 on tensor cores", c[C::kTensorFp64Operations], ridges.fp64}};
    std::erase_if(list, [&](const TypeWork& type) { return !models::is_worth_naming(type.flop, flop(c)); });
    return list;
}

// "fp64 and fp32"
std::string names_of(const std::vector<TypeWork>& types) {
    std::string text;
    for (const TypeWork& type : types) text += (text.empty() ? "" : " and ") + std::string(type.name);
    return text;
}

// "the H200 needs 13.9 in fp32 to be compute-bound"
std::string needs_text(const DocumentContext& context, const LaunchProfile& launch, const std::vector<TypeWork>& types,
                       double value) {
    std::string text;
    bool bound = true;
    for (const TypeWork& type : types) {
        if (type.ridge <= 0) continue;
        text += (text.empty() ? "" : ", ") + intensity_text(type.ridge) + " in " + type.name;
        bound = bound && value >= type.ridge;
    }
    if (text.empty()) return {};
    const std::string device = gpu_name(printable(context.profile.device));
    if (!models::does_ridge_decide(launch, bound))
        return (bound ? "beyond the ridge of the " : "short of the ridge of the ") + device + ", " + text;
    return "the " + device + (bound ? " is compute-bound from " + text : " needs " + text + " to be compute-bound");
}

// "(16.0× naive)" where the first launch did the same work with other traffic.
std::string against_baseline(const DocumentContext& context, const LaunchProfile& launch) {
    const LaunchProfile* base = context.baseline;
    if (base == nullptr || base == &launch || base->kernel == launch.kernel) return {};
    const double gain = models::intensity_gain(launch, *base);
    if (gain == 0) return {};
    return " (" + per_request(gain) + "× " + printable(short_kernel_name(base->kernel)) + ")";
}

// A tile that hangs over the edge is filled up with zeros, and the arithmetic on them counts as work. How much of it
// there is, is known where it could be followed; else what fills the tiles says it.
void add_padding(const LaunchProfile& launch, std::vector<Row>& rows) {
    const CounterSet& c = launch.counters;
    Row row{.key = "padding", .label = "", .is_part = true};
    const std::uint64_t padded = launch.padded_flop.all();
    if (models::is_padding_seen(padded, flop(c))) {
        row.text = thousands(padded) + " of its " + thousands(flop(c)) +
                   " FLOP multiply padding: zeros that fill its tiles beyond the edge of the data";
        row.values = {{"padded_flop", padded, Unit::kFlop}};
    } else {
        const double share = models::unfilled_share(launch);
        if (share == 0) return;
        row.text = percent(share) + " of the elements in its tiles are padding; FLOP on padding are counted";
        row.values = {{"unfilled", share, Unit::kShare}};
    }
    rows.push_back(std::move(row));
}

}  // namespace

void add_intensity(const DocumentContext& context, const LaunchProfile& launch, std::vector<Row>& rows) {
    const CounterSet& c = launch.counters;
    Row row{.key = "intensity", .label = "intensity"};
    row.values = {{"flop", flop(c), Unit::kFlop}, {"requested_bytes", requested_bytes(c), Unit::kBytes}};
    const auto value = ratio_by_name("intensity")->value(c);
    if (flop(c) == 0) {
        row.text = without_flop(c);
        rows.push_back(std::move(row));
        return;
    }
    const std::vector<TypeWork> types = typed_work(context, c);
    if (!value) {
        row.text = thousands(flop(c)) + " FLOP in " + names_of(types) + ", " + asked_otherwise(c);
        rows.push_back(std::move(row));
        return;
    }
    row.text = intensity_text(*value) + " FLOP per requested byte in " + names_of(types);
    row.values.push_back({"intensity", *value, Unit::kFlopPerByte});
    const std::optional<double> useful = useful_intensity(launch);
    const bool is_padded = useful && models::is_padding_seen(launch.padded_flop.all(), flop(c));
    if (is_padded) {
        row.text += ", of which " + intensity_text(*useful) + " useful";
        row.values.push_back({"useful_intensity", *useful, Unit::kFlopPerByte});
    }
    for (const TypeWork& type : types)
        if (type.ridge > 0) row.values.push_back({"ridge", type.ridge, Unit::kFlopPerByte, {}, "", type.name});
    if (std::string compared = against_baseline(context, launch); !compared.empty())
        row.clauses.push_back({ClauseJoin::kAside, std::move(compared)});
    if (std::string needs = needs_text(context, launch, types, is_padded ? *useful : *value); !needs.empty())
        row.clauses.push_back({ClauseJoin::kThen, std::move(needs)});
    rows.push_back(std::move(row));
    add_padding(launch, rows);
}

}  // namespace tilescope::views
