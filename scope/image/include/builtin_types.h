// The types of the CUDA runtime, without its functions.
#pragma once
#include "driver_types.h"
#include "vector_types.h"
