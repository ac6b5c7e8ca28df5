// NVTX of its third version, which is headers alone: the same calls that do nothing.
#pragma once
#include "../nvToolsExt.h"
