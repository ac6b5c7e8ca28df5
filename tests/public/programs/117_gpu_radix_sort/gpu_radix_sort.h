// Sorts keys that lie on the device.
#pragma once
void gpuRadixSortDevice(unsigned int*& d_input, int N);
