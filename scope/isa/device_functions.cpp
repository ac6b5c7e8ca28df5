#include "scope/isa/device_functions.h"

namespace tilescope::isa {

const Family& device_functions() {
    static const std::vector<Row> rows = [] {
        std::vector<Row> all;
        device::add_elementary(all);
        device::add_special(all);
        device::add_rounded(all);
        device::add_integer(all);
        device::add_simd(all);
        return all;
    }();
    static const Family family{"device_library", "the CUDA device library's functions", rows.data(), rows.size()};
    return family;
}

}  // namespace tilescope::isa
