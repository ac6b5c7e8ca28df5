// Rows of an image under a short kernel, on the device.
#pragma once
#define KERNEL_RADIUS 4
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)
extern "C" void set_kernel(const float* kernel);
extern "C" void convolution_rows(float* dst, const float* src, int width, int height, int pitch);
