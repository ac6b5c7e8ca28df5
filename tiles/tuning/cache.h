// What `tiles tune` found on this card: for each kernel its share of the peak and its fixed time, in a text file.
//
// Owns: the file's place and form, one line "kernel efficiency fixed_us" per kernel under a line with the device's
// name. The place is the environment's TILES_TUNING, else $XDG_CACHE_HOME or ~/.cache, tiles/tuning.txt. Guarantees: a
// file that is missing, of another device or damaged changes nothing. Read once per process.
#pragma once

#include <string>
#include <vector>

#include "tiles/src/problem.h"

namespace tiles {

struct TunedKernel {
    const Kernel* kernel = nullptr;
    double efficiency = 0, fixed_us = 0;
};

std::string tuning_path();
bool write_tuning(const std::string& path, const std::string& device, const std::vector<TunedKernel>& kernels);

// Reads the file for this device; later calls of tuned_figures answer from it.
void load_tuning(const std::string& device);

// The kernel's figures: tuned ones, else those of its row.
TunedKernel tuned_figures(const Kernel& kernel);

}  // namespace tiles
