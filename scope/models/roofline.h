// Roofline: how fast a kernel can be at most, from what it computes per byte it moves.
//
// Owns: the roofs of a device, the work of a launch, roofline() and the verdict that goes with it, as facts.
// Guarantees: pure functions; a roof that the device's description does not know is absent, never guessed. Does not
// model: time (without a measured one, or one of the time model, a kernel stands at its ceiling), what caches catch
// (bytes of L2 and DRAM come with the cache model; until then the bytes that threads ask for stand in for DRAM's),
// latency, or how well instructions overlap.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scope/models/device.h"
#include "scope/report/profile.h"

namespace tilescope::models {

// A flat roof: arithmetic of one type on one kind of unit.
struct ComputeRoof {
    std::string type;             // as users type it: "fp32", "tf32", "fp16-tensor", ...
    std::string unit = "FLOP/s";  // or "OP/s"
    double peak = 0;              // a fused multiply-add is two
    unsigned value_bytes = 4;     // of one operand in memory
};

// A slope: bytes that one level of the memory gives per second.
struct MemoryRoof {
    MemoryLevel level = MemoryLevel::kDram;
    double bandwidth = 0;
};

struct Roofs {
    std::string device;  // "a100", or "this machine"
    std::vector<ComputeRoof> compute;
    std::vector<MemoryRoof> memory;

    const ComputeRoof* of_type(std::string_view type) const;
    const MemoryRoof* of_level(MemoryLevel level) const;
};

Roofs roofs_of(const Device& device);
// The slope that stands for the bytes of a level. What threads ask for goes, as far as is known, to DRAM.
MemoryLevel slope_of(TrafficLevel level);
// Bytes of the level come from a model; what binds is told from counts alone.
bool is_modelled(TrafficLevel level);
// All types that a device may have a roof for, in the order in which roofs_of() lists them.
std::vector<std::string> roof_types();
// The roof of a type without its height; `type` is one of roof_types().
ComputeRoof roof_of_type(std::string_view type);

// Operations of one type.
struct TypedWork {
    std::string type;
    double operations = 0;
};
// Bytes that passed one way.
struct LevelTraffic {
    TrafficLevel level = TrafficLevel::kRequested;
    std::uint64_t bytes = 0;
};

// What a kernel does, as far as a roofline is concerned.
struct RooflineWork {
    std::vector<TypedWork> types;
    std::vector<LevelTraffic> traffic;
    std::optional<double> achieved;   // operations per second
    bool achieved_modelled = false;   // of the modelled time; else measured
    std::optional<TimeProfile> time;  // what the launch spends its modelled time on, on the device of the roofs
    // Nothing but this is known of how operations and requested bytes relate; then `traffic` is empty.
    std::optional<double> intensity;
    // Operations on padding, which `types` do not have: they are no work of the kernel's purpose.
    double padded = 0;
    bool counted = false;  // of a launch that ran, rather than of a thought
    // Of the requested bytes those that loads asked for, and what would be left of them if every block asked for each
    // byte once.
    std::optional<double> loaded_bytes, loaded_once_bytes;
    // ... and if the whole grid did; less than the above where blocks ask for the same bytes.
    std::optional<double> loaded_by_grid_bytes;
    // Width of square blocks whose loads are shared by exactly that many threads, as those of a matrix product are: its
    // reuse grows with the tile.
    std::optional<unsigned> tile_width;

    double operations() const;
};
RooflineWork roofline_work(const LaunchProfile& launch);

// Types of arithmetic of the work, and "dram" where it asks for global memory, whose rates the roofs do not have.
std::vector<std::string> unknown_rates(const Roofs& roofs, const RooflineWork& work);

// Nothing without operations or when one of the rates that matter is not known.
std::optional<RooflineProfile> roofline(const Roofs& roofs, const RooflineWork& work);
std::optional<RooflineProfile> roofline(const Device& device, const LaunchProfile& launch);

// The least power of two that is at least `factor`: the width of tiles that pass a ridge that far away.
unsigned tile_width_for(double factor);

}  // namespace tilescope::models
