// Sorts of keys with their values, in shared memory.
#pragma once
typedef unsigned int uint;
#define SHARED_SIZE_LIMIT 256U
extern "C" uint bitonicSort(uint* d_key, uint* d_val, uint batch, uint dir);
