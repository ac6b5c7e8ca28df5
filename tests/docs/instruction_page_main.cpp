// Prints docs/INSTRUCTIONS.md, or with --rows the instruction table for scripts.
#include <cstdio>
#include <string>

#include "tests/docs/instruction_page.h"

int main(int argc, char** argv) {
    constexpr std::size_t kSpellings = 8;
    const bool rows = argc == 2 && std::string(argv[1]) == "--rows";
    if (argc != 1 && !rows) {
        std::fprintf(stderr, "usage: %s [--rows]\n", argv[0]);
        return 2;
    }
    const std::string text = rows ? tilescope::docs::row_list(kSpellings) : tilescope::docs::instruction_page();
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
}
