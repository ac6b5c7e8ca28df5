#pragma once
// Surfaces share the types of textures.
#include "texture_types.h"
