// What the library that stands for the driver calls when somebody looks for that.
#include "scope/runtime/service/watch/driver_wanted.h"

#include <exception>

namespace tilescope::runtime {

extern "C" __attribute__((visibility("default"))) void __cudaTilescopeDriverWanted(const char* path) noexcept {
    try {
        note_driver_wanted(path);
    } catch (const std::exception&) {
        // Without memory for a word the library's own error has to do.
    }
}

}  // namespace tilescope::runtime
