/* The C interface from C11: errors come back as codes and name the argument. Needs no GPU. */
#include <stdio.h>
#include <string.h>
#include <tiles/c_api.h>

static int expect(int wanted, int have, const char* argument) {
    if (wanted == have && strcmp(tiles_last_argument(), argument) == 0) return 0;
    printf("status %d about '%s' (%s), not %d about '%s'\n", have, tiles_last_argument(), tiles_last_message(), wanted,
           argument);
    return 1;
}

int main(void) {
    TilesGemm product = {0};
    size_t bytes = 1;
    int failed = 0;
    product.compute = TILES_F32, product.type_c = TILES_TYPE_F32, product.layout = TILES_ROW_MAJOR;
    product.m = -1, product.alpha = 1, product.batch = 1;
    failed += expect(TILES_INVALID_ARGUMENT, tiles_gemm(&product), "m");
    product.m = 0, product.ldc = 1;
    failed += expect(TILES_OK, tiles_gemm(&product), "");
    failed += expect(TILES_OK, tiles_gemm_workspace_size(&product, &bytes), "");
    return failed != 0 || bytes != 0;
}
