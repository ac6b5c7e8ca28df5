// A sparse matrix times a vector, rows stored one after another (CSR), one row a thread: rows differ in length and
// their columns lie anywhere. sparse.ptx is made from this file; see ../README.md.

extern "C" __global__ void sparse_product(const unsigned* starts, const unsigned* columns, const float* values,
                                          const float* x, float* y, unsigned rows) {
    unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (unsigned i = starts[row]; i < starts[row + 1]; ++i) sum += values[i] * x[columns[i]];
    y[row] = sum;
}
