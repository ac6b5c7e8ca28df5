// What `tiles tune` found on this card: for each kernel its share of the peak and its fixed time, in a text file.
//
// Owns: the file's place and form, one line "kernel efficiency fixed_us" per kernel under a line with the device's
// name. The place is the environment's TILES_TUNING, else $XDG_CACHE_HOME or ~/.cache, tiles/tuning.txt. Guarantees: a
// file that is missing or of another device changes nothing; in a damaged one the lines that make sense count, of which
// a last one without its end is none. Each device's file is read once per process.
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "tiles/src/kernel.h"

namespace tiles {

// Empty where the environment names no place.
std::string tuning_path();
// False when the file could not be written; an older one is still there then.
bool write_tuning(const std::string& path, const std::string& device, const std::vector<TunedKernel>& kernels);

// What a file says about the device of this name.
std::vector<TunedKernel> read_tuning(std::istream& in, const std::string& device);

// The file's figures, if there are any; they live as long as the process.
void load_tuning(const std::string& name, DeviceProperties* device) noexcept;

// The kernel's figures on the device: tuned ones, else those of its row.
TunedKernel tuned_figures(const Kernel& kernel, const DeviceProperties& device);

}  // namespace tiles
