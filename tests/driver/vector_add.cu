// The kernel alone: variables beside it would move what programs allocate, and with it what L2's parts have.
#include "vector_add.cuh"
