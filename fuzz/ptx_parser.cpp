// Any bytes: the parser gives errors within its bounds, or a module that reads back from its own print.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "scope/ptx/equality.h"
#include "scope/ptx/parser.h"
#include "scope/ptx/printer.h"

namespace {

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "broken: %s\n", what);
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tilescope;
    auto module = ptx::parse({reinterpret_cast<const char*>(data), size}, "fuzz.ptx");
    if (!module) {
        require(!module.errors().empty() && module.errors().size() <= 20, "1 to 20 errors");
        return 0;
    }
    std::string printed = ptx::print(*module);
    auto again = ptx::parse(printed, "printed.ptx");
    require(again.ok(), "the print parses");
    require(ptx::equal(*module, *again), "the print means the same");
    return 0;
}
