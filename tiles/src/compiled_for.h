// What the library's code on the current device was made for. Kernels are empty below the capability that they need, so
// a device must not be given one because of its own capability alone: it may run code that was made for an older card.
#pragma once

namespace tiles {

// 90: compiled for 9.0 with its own features (90a); 80: for 8.0 or later; 70: for an older one, or nothing is known.
int compiled_for();

}  // namespace tiles
