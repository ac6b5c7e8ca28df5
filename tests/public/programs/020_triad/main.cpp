// Like zjin-lcf/HeCBench src/triad-cuda (triad.cu, main.cpp, OptionParser.cpp, Timer.cpp); flags: -std=c++14
#include <iostream>
#include "options.h"
bool RunBenchmark(OptionParser& op);
int main() {
    OptionParser op;
    op.addOption("passes", 2);
    op.addOption("verbose", 1);
    const bool ok = RunBenchmark(op);
    std::cout << (ok ? "PASS\n" : "FAIL\n");
    return ok ? 0 : 1;
}
