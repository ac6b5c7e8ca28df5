extern "C" void computeGold(float* reference, float* idata, const unsigned int len);
void computeGold(float* reference, float* idata, const unsigned int len) {
    for (unsigned int i = 0; i < len; ++i) reference[i] = idata[i] * static_cast<float>(len);
}
