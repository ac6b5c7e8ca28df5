// Which kernel runs a product: the one place where that is decided.
//
// Owns: the time that each kernel of the registry is expected to take, from its tile, the device and the shape. A
// prediction is a number of full waves of blocks, each as long as its k loop at the kernel's measured share of the
// peak, and never shorter than the memory traffic. Guarantees: a kernel that supports the problem and fits the
// workspace, if there is one. Does not launch anything.
#pragma once

#include "tiles/src/kernel.h"

namespace tiles {

struct Choice {
    const Kernel* kernel = nullptr;
    Tuning tuning;
    double seconds = 0;
};

// `workspace_limit` bounds what the choice may use; SIZE_MAX asks what it would like to have.
Choice choose_kernel(const GemmProblem& problem, const DeviceProperties& device, size_t workspace_limit);

// The best tuning of one kernel that the caller has already found to support the problem; kernel is nullptr when none
// fits the workspace.
Choice best_tuning(const Kernel& kernel, const GemmProblem& problem, const DeviceProperties& device,
                   size_t workspace_limit);

// What the unit that `compute` runs on could do at the device's full clock, in FLOP per second.
double peak_flops(Compute compute, const DeviceProperties& device);

// The expected time of one kernel with one tuning.
double predict_seconds(const Kernel& kernel, const Tuning& tuning, const GemmProblem& problem,
                       const DeviceProperties& device);

}  // namespace tiles
