// Like zjin-lcf/HeCBench henry-cuda/main.cu; flags: -std=c++14
#include <cuda.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>
#define NUMTHREADS 64
struct StructureAtom {
    double x, y, z, epsilon, sigma;
};
__host__ __device__ double next(uint64_t* seed) {
    *seed = 2806196910506780709ULL * *seed + 1ULL;
    return (double)(*seed >> 1) / 9223372036854775808.0;
}
__host__ __device__ double boltzmann(double x, double y, double z, const StructureAtom* __restrict__ atoms, int n,
                                     double L) {
    double E = 0;
    for (int i = 0; i < n; i++) {
        double dx = x - atoms[i].x, dy = y - atoms[i].y, dz = z - atoms[i].z;
        dx = copysign(fmin(fabs(dx), L - fabs(dx)), dx);
        dy = fmin(fabs(dy), L - fabs(dy));
        dz = fmin(fabs(dz), L - fabs(dz));
        double inv = 1.0 / sqrt(dx * dx + dy * dy + dz * dz), s2 = pow(atoms[i].sigma * inv, 2.0), s6 = s2 * s2 * s2;
        E += 4.0 * atoms[i].epsilon * s6 * (s6 - 1.0);
    }
    return exp(-E / 2500.0);
}
__global__ void insert(double* factors, const StructureAtom* __restrict__ atoms, int n, double L) {
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    uint64_t seed = id;
    double x = L * next(&seed), y = L * next(&seed), z = L * next(&seed);
    factors[id] = boltzmann(x, y, z, atoms, n, L);
}
int main() {
    const int n = 30, samples = 256;
    const double L = 10;
    std::map<std::string, double> epsilons = {{"Zn", 96.15}, {"O", 66.88}};
    std::vector<StructureAtom> atoms(n);
    std::mt19937 g(1);
    std::uniform_real_distribution<double> u(0, L);
    for (auto& a : atoms) a = {u(g), u(g), u(g), epsilons[a.x > 5 ? "Zn" : "O"], 2.0};
    StructureAtom* d_atoms;
    double *d, h[samples];
    cudaMalloc((void**)&d_atoms, n * sizeof(StructureAtom));
    cudaMalloc((void**)&d, sizeof h);
    cudaMemcpy(d_atoms, atoms.data(), n * sizeof(StructureAtom), cudaMemcpyHostToDevice);
    insert<<<samples / NUMTHREADS, NUMTHREADS>>>(d, d_atoms, n, L);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int i = 0; i < samples; i++) {
        uint64_t seed = i;
        double x = L * next(&seed), y = L * next(&seed), z = L * next(&seed),
               want = boltzmann(x, y, z, atoms.data(), n, L);
        ok = ok && std::fabs(want - h[i]) <= 1e-6 * std::fabs(want) + 1e-200;
    }
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(d_atoms);
    cudaFree(d);
    return !ok;
}
