// Everything this name used to bring is in cuda_runtime.h.
#pragma once
#include "cuda_runtime.h"
