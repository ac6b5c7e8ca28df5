// Like gunrock/mini gunrock/tests/sssp (test_sssp.cu, sssp_enactor.hxx over a library of transforms by device lambdas);
// flags: -std=c++17 --extended-lambda
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include "transform.hxx"
using namespace ours;
int main(int argc, char** argv) {
    const int n = 120, big = 1 << 28;
    std::vector<int> offsets(n + 1), to, weight, dist(n, big), more(1, 1);
    for (int i = 0; i < n; i++) {
        for (int k : {1, 7, 31}) to.push_back((i * 3 + k) % n), weight.push_back(1 + (i + k) % 9);
        offsets[i + 1] = to.size();
    }
    dist[0] = 0;
    context_t context;
    mem_t<int> d_offsets(offsets), d_to(to), d_weight(weight), d_dist(dist), d_more(more);
    auto graph = std::make_shared<std::vector<int>>(offsets);
    int *o = d_offsets.data(), *t = d_to.data(), *w = d_weight.data(), *d = d_dist.data(), *m = d_more.data();
    while (more[0]) {
        transform([=] __device__(int) { *m = 0; }, 1, context);
        transform(
            [=] __device__(int v) {
                for (int e = o[v]; e < o[v + 1]; e++)
                    if (d[v] + w[e] < atomicMin(d + t[e], d[v] + w[e])) *m = 1;
            },
            n, context);
        context.synchronize();
        more = from_mem(d_more, 1);
    }
    std::vector<int> got = from_mem(d_dist, n);
    for (int round = 0; round < n; round++)
        for (int v = 0; v < n; v++)
            for (int e = (*graph)[v]; e < (*graph)[v + 1]; e++)
                dist[to[e]] = std::min(dist[to[e]], dist[v] + weight[e]);
    std::cout << (got == dist ? "PASS" : "FAIL") << std::endl;
    return got != dist;
}
