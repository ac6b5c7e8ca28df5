// The host's side of sums of two types.
#pragma once
bool isPow2(unsigned int x);
template <class T>
void reduce(int size, int threads, int blocks, int whichKernel, T* d_idata, T* d_odata);
