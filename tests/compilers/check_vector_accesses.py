"""60 ways to load, store and copy vectors (vector_accesses.cu) count through clang what they count through nvcc.

usage: check_vector_accesses.py TILESCOPE COMPILER...     (77: none of the compilers is installed)

The table has the counts of nvcc 13.0's code. clang's may differ in the rows of CLANG_DIFFERS, which say why.
"""
import sys

import compilers

COUNTERS = ["global_load_requests", "global_load_sectors", "global_store_requests", "global_store_sectors",
            "shared_load_requests", "shared_load_wavefronts", "shared_store_requests", "shared_store_wavefronts",
            "local_load_requests", "local_store_requests"]
EXPECTED = {
    "k01_shared_assign": [2, 32, 2, 8, 2, 2, 2, 8, 0, 0],
    "k02_shared_by_value": [2, 32, 2, 8, 2, 2, 2, 8, 0, 0],
    "k03_shared_by_members": [2, 32, 2, 8, 2, 2, 2, 8, 0, 0],
    "k04_shared_aligned": [2, 32, 2, 8, 2, 2, 2, 8, 0, 0],
    "k05_shared_macro": [2, 32, 2, 8, 2, 8, 2, 8, 0, 0],
    "k06_shared_rows": [2, 32, 2, 8, 2, 4, 2, 16, 0, 0],
    "k07_shared_to_global": [8, 32, 2, 32, 2, 8, 8, 8, 0, 0],
    "k08_shared_to_registers": [8, 32, 2, 8, 2, 8, 8, 8, 0, 0],
    "k09_shared_dynamic": [2, 32, 2, 8, 2, 2, 2, 8, 0, 0],
    "k10_shared_bytes": [2, 32, 2, 8, 2, 2, 2, 8, 0, 0],
    "k11_shared_half2": [2, 8, 2, 4, 2, 2, 2, 2, 0, 0],
    "k12_shared_half8_by_float4": [2, 32, 2, 4, 2, 2, 2, 8, 0, 0],
    "k13_shared_half8_by_uint4": [2, 32, 2, 4, 2, 8, 2, 8, 0, 0],
    "k14_shared_half8_struct": [8, 128, 2, 4, 2, 2, 2, 8, 0, 0],
    "k15_shared_bf162": [2, 8, 2, 4, 2, 2, 2, 2, 0, 0],
    "k16_shared_char4": [2, 8, 2, 2, 2, 2, 2, 2, 0, 0],
    "k17_shared_words_of_bytes": [2, 8, 2, 8, 2, 2, 2, 2, 0, 0],
    "k18_shared_double2": [2, 32, 2, 16, 2, 4, 2, 8, 0, 0],
    "k19_shared_float2": [2, 16, 2, 8, 2, 2, 2, 4, 0, 0],
    "k20_shared_reference": [2, 32, 2, 8, 2, 2, 2, 8, 0, 0],
    "k21_shared_to_shared": [8, 32, 2, 8, 4, 10, 10, 16, 0, 0],
    "k22_shared_member_of_cast": [8, 32, 2, 8, 2, 8, 8, 8, 0, 0],
    "k23_shared_make": [8, 32, 2, 8, 2, 2, 2, 8, 0, 0],
    "k24_shared_zero": [2, 8, 2, 8, 2, 2, 2, 8, 0, 0],
    "k25_shared_of_float4": [2, 32, 2, 32, 2, 8, 2, 8, 0, 0],
    "k26_shared_of_float4_one_member": [2, 32, 2, 8, 2, 8, 2, 8, 0, 0],
    "k27_shared_of_pairs": [2, 16, 2, 16, 2, 4, 2, 4, 0, 0],
    "k28_shared_of_particles": [4, 128, 4, 128, 4, 32, 4, 32, 0, 0],
    "k29_global_cast": [2, 32, 2, 32, 0, 0, 0, 0, 0, 0],
    "k30_global_restrict": [2, 32, 2, 32, 0, 0, 0, 0, 0, 0],
    "k31_global_scaled": [2, 32, 2, 32, 0, 0, 0, 0, 0, 0],
    "k32_global_ldg": [2, 32, 2, 32, 0, 0, 0, 0, 0, 0],
    "k33_global_ldg_half2": [4, 16, 2, 8, 0, 0, 0, 0, 0, 0],
    "k34_global_offset": [2, 32, 2, 32, 0, 0, 0, 0, 0, 0],
    "k35_global_reference": [2, 32, 2, 32, 0, 0, 0, 0, 0, 0],
    "k36_global_members_of_reference": [2, 32, 2, 8, 0, 0, 0, 0, 0, 0],
    "k37_global_argument": [2, 32, 2, 8, 0, 0, 0, 0, 0, 0],
    "k38_global_returned": [2, 32, 2, 32, 0, 0, 0, 0, 0, 0],
    "k39_global_template_int4": [2, 32, 2, 32, 0, 0, 0, 0, 0, 0],
    "k40_global_template_vector": [2, 32, 2, 32, 0, 0, 0, 0, 0, 0],
    "k41_global_vector_elements": [2, 32, 2, 32, 0, 0, 0, 0, 0, 0],
    "k42_global_vector_half8": [2, 32, 2, 32, 0, 0, 0, 0, 0, 0],
    "k43_global_union": [2, 32, 2, 32, 0, 0, 0, 0, 0, 0],
    "k44_global_union_of_shared": [2, 32, 2, 8, 2, 8, 2, 8, 0, 0],
    "k45_global_memcpy_vectors": [32, 512, 32, 512, 0, 0, 0, 0, 0, 0],
    "k46_global_pairs": [2, 16, 2, 16, 0, 0, 0, 0, 0, 0],
    "k47_global_particles": [4, 128, 2, 64, 0, 0, 0, 0, 0, 0],
    "k48_global_packets": [2, 64, 2, 32, 0, 0, 0, 0, 0, 0],
    "k49_global_char4": [2, 8, 2, 8, 0, 0, 0, 0, 0, 0],
    "k50_global_short4": [2, 16, 2, 16, 0, 0, 0, 0, 0, 0],
    "k51_global_double2": [2, 32, 2, 32, 0, 0, 0, 0, 0, 0],
    "k52_global_loop": [8, 128, 8, 128, 0, 0, 0, 0, 0, 0],
    "k53_global_unrolled": [8, 128, 8, 128, 0, 0, 0, 0, 0, 0],
    "k54_registers_of_floats": [4, 128, 2, 8, 0, 0, 0, 0, 0, 0],
    "k55_registers_to_global": [8, 32, 2, 32, 0, 0, 0, 0, 0, 0],
    "k56_global_half2_of_uint4": [2, 32, 2, 8, 0, 0, 0, 0, 0, 0],
    "k57_local_of_float4": [16, 264, 2, 32, 0, 0, 0, 0, 2, 16],
    "k58_global_words": [2, 32, 2, 32, 0, 0, 0, 0, 0, 0],
    "k59_group_copy": [2, 32, 2, 32, 2, 8, 0, 0, 0, 0],
    "k60_volatile_pairs": [4, 32, 4, 32, 0, 0, 0, 0, 0, 0],
}
CLANG_DIFFERS = {
    # nvcc's __half2 copies itself by a function, which takes the structure apart. clang copies all 16 bytes at once.
    "k14_shared_half8_struct": {"global_load_requests": 2, "global_load_sectors": 32},
    # memcpy() of unknown alignment goes byte by byte through both; clang keeps 12 of the 16 bytes in local memory.
    "k45_global_memcpy_vectors": {"local_load_requests": (24,), "local_store_requests": (4, 24)},
}


def problems_of(launches, differs):
    problems = []
    for (kernel, expected), launch in zip(EXPECTED.items(), launches, strict=True):
        if launch["kernel"].split("(")[0] != kernel:
            problems.append(f"{launch['kernel']} ran in place of {kernel}")
        for counter, value in zip(COUNTERS, expected, strict=True):
            found, allowed = launch["counters"].get(counter, 0), differs.get(kernel, {}).get(counter, value)
            if found != allowed and not (isinstance(allowed, tuple) and found in allowed):
                problems.append(f"{kernel}: {counter} is {found}, should be {allowed}")
    return problems


def problems_by(compiler):
    return lambda launches: problems_of(launches, {} if compiler == "nvcc" else CLANG_DIFFERS)


if __name__ == "__main__":
    sys.exit(compilers.check_launches("vector_accesses.cu", problems_by, by_compiler=True))
