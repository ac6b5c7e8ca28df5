// The asynchronous copies of cuda_pipeline_primitives.h. Does not model the nvcuda::experimental::pipeline class.
#pragma once
#include "cuda_pipeline_primitives.h"
