// Like zjin-lcf/HeCBench src/su3-cuda (su3_nn_bench.cpp, mat_nn_cuda.hpp, lattice.hpp); flags: -std=c++17 -DPRECISION=2
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <vector>
#include "lattice.hpp"
#include "multiply.hpp"
int main(int argc, char** argv) {
    int opt, total = 10;
    while ((opt = getopt(argc, argv, ":h:i:l:")) != -1)
        if (opt == 'l') total = atoi(optarg);
    std::vector<site> a(total), c(total);
    std::vector<su3_matrix> b(4);
    for (site& s : a)
        for (auto& m : s.link) std::fill(&m.e[0][0], &m.e[0][0] + 9, Complx{1.0, 0.0});
    for (auto& m : b) std::fill(&m.e[0][0], &m.e[0][0] + 9, Complx{1.0 / 3.0, 0.0});
    su3_mat_nn(a, b, c, total);
    double sum = 0.0;
    for (const site& s : c)
        for (auto& m : s.link)
            for (auto& row : m.e)
                for (const Complx& z : row) sum += z.real;
    bool ok = round(sum) == 36.0 * total;
    printf("%s\n", ok ? "PASS" : "FAIL");
    return !ok;
}
