// The parts of the glossary. For glossary.cpp alone.
#pragma once

#include <span>

#include "scope/report/glossary.h"

namespace tilescope::report {

std::span<const Word> words_of_kernels();
std::span<const Word> words_of_conclusions();

}  // namespace tilescope::report
