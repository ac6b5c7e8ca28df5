// Two substances that react and spread over a torus; a pair of values a cell.
#include "fourfold.cuh"

constexpr int kSide = 32;

__device__ __host__ inline int wrap(int i) { return (i + kSide) & (kSide - 1); }

__global__ void react(const double2* in, double2* out, double feed, double kill) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const double2 c = in[y * kSide + x], l = in[y * kSide + wrap(x - 1)], r = in[y * kSide + wrap(x + 1)],
                  u = in[wrap(y - 1) * kSide + x], d = in[wrap(y + 1) * kSide + x];
    const double made = c.x * c.y * c.y;
    out[y * kSide + x] = make_double2(c.x + 0.2 * (l.x + r.x + u.x + d.x - 4 * c.x) - made + feed * (1 - c.x),
                                      c.y + 0.1 * (l.y + r.y + u.y + d.y - 4 * c.y) + made - (feed + kill) * c.y);
}

int main() {
    std::vector<double> a(kSide * kSide * 2), b(a.size());
    for (int i = 0; i < kSide * kSide; ++i) {
        a[2 * i] = 1;
        if (i / kSide > 12 && i / kSide < 20 && i % kSide > 10 && i % kSide < 20) a[2 * i] = 0.5, a[2 * i + 1] = 0.25;
    }
    const Buffer<double> first(a), second(a.size());
    for (int step = 0; step < 8; ++step) {
        react<<<dim3(1, 8), dim3(32, 4)>>>((const double2*)(step % 2 ? second.at : first.at),
                                           (double2*)(step % 2 ? first.at : second.at), 0.037, 0.06);
        for (int i = 0; i < kSide * kSide; ++i) {
            const int x = i % kSide, y = i / kSide;
            const double *l = &a[2 * (y * kSide + wrap(x - 1))], *r = &a[2 * (y * kSide + wrap(x + 1))],
                         *u = &a[2 * (wrap(y - 1) * kSide + x)], *d = &a[2 * (wrap(y + 1) * kSide + x)], *c = &a[2 * i];
            const double made = c[0] * c[1] * c[1];
            b[2 * i] = c[0] + 0.2 * (l[0] + r[0] + u[0] + d[0] - 4 * c[0]) - made + 0.037 * (1 - c[0]);
            b[2 * i + 1] = c[1] + 0.1 * (l[1] + r[1] + u[1] + d[1] - 4 * c[1]) + made - 0.097 * c[1];
        }
        a.swap(b);
    }
    return near("cells", first.host(), a, 1e-12);
}
