// The same facts about the binary interface, once from scope/runtime/cudart/abi.h and once from NVIDIA's headers.
#pragma once

#include <cstddef>
#include <map>
#include <string>

using Layout = std::map<std::string, std::size_t>;

Layout our_layout();
Layout nvidia_layout();
