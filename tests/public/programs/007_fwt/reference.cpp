extern "C" void walsh_host(float* data, int log2n) {
    const int n = 1 << log2n;
    for (int stride = n / 2; stride >= 1; stride >>= 1)
        for (int base = 0; base < n; base += 2 * stride)
            for (int j = 0; j < stride; j++) {
                const float x = data[base + j], y = data[base + j + stride];
                data[base + j] = x + y;
                data[base + j + stride] = x - y;
            }
}
