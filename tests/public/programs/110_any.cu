// Like spig0126/cuda-parallel-programming any.cu
#include <cuComplex.h>
#include <stdbool.h>
#include <stdio.h>
#include <type_traits>
#include <typeinfo>
int main(void) {
    typedef float fp;
    bool ok = std::is_same<fp, decltype(cuCrealf(make_cuFloatComplex(1, 2)))>::value && typeid(fp) == typeid(float);
    cuDoubleComplex z = cuCmul(make_cuDoubleComplex(1, 2), make_cuDoubleComplex(3, -1));
    ok = ok && cuCreal(z) == 5 && cuCimag(z) == 5;
    printf("%d\n%s\n", (int)sizeof(fp), ok ? "PASS" : "FAIL");
    return !ok;
}
