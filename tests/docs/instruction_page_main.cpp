// Prints docs/reference/instructions.md.
#include <cstdio>
#include <string>

#include "tests/docs/instruction_page.h"

int main() {
    const std::string text = tilescope::docs::instruction_page();
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
}
