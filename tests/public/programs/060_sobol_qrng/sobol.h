// Numbers of a Sobol sequence: directions on the host, numbers on either side.
#pragma once
#define n_directions 32
void initSobolVectors(unsigned int* directions);
void sobolCPU(int n, const unsigned int* directions, float* out);
extern "C" void sobolGPU(int n, unsigned int* d_directions, float* d_output);
