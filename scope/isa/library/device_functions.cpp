#include "scope/isa/library/device_functions.h"

namespace tilescope::isa {

void device::keep_arguments(Binding& b) {
    Arguments arguments;
    for (std::size_t i = 1; i < b.operands.size(); ++i) arguments.slot[i - 1] = b.operands[i].slot;
    b.op.extra = b.keep(arguments);
}

void device::append(std::vector<Row>& rows, const char* name, const char* operands, machine::OpFn (*bind)(Binding&),
                    Class kind, const Operations& operations) {
    Row row;
    row.syntax = name;
    row.operands = operands;
    row.kind = kind;
    row.bind = bind;
    row.operations = operations;
    rows.push_back(row);
}

const Family& device_functions() {
    // Never destroyed: a program's exit handlers may launch.
    static const auto* const rows = new std::vector<Row>([] {
        std::vector<Row> all;
        device::add_elementary(all);
        device::add_special(all);
        device::add_rounded(all);
        device::add_integer(all);
        device::add_simd(all);
        return all;
    }());
    static const Family family{"device_library", "the CUDA device library's functions", rows->data(), rows->size()};
    return family;
}

}  // namespace tilescope::isa
