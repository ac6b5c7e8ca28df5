// A library of NVIDIA's, which holds machine code alone, looks for the driver.
#pragma once

#include <string_view>

namespace tilescope::runtime {

// path: of who asked. What such a library was to compute is missing from the program's result, so that the run is one
// that needed what is not there; anybody else may only have wanted to know whether there is a driver.
// True: it finds no device, for it would launch machine code of its own.
bool note_driver_wanted(std::string_view path);

}  // namespace tilescope::runtime
