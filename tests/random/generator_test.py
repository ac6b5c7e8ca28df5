"""What the generator promises: the same text for a seed, no two alike, all that it can say said sooner or later."""
import re
import unittest

import shared_programs
from emission import file_text, program_text
from expressions import CONTRACTED
from program import Program
from words import ALL, CUDA, PORTABLE

SOME = range(1, 301)
# What a few hundred programs must have used at least once.
USED = ["__shared__", "extern __shared__", "static __device__", "__constant__", "__syncthreads()", "__syncthreads_count",
        "__syncwarp", "__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync", "__ballot_sync", "__all_sync",
        "__any_sync", "__match_any_sync", "__match_all_sync", "__reduce_add_sync", "__reduce_xor_sync", "atomicAdd",
        "atomicCAS", "atomicInc", "__popc", "__clz", "__ffs", "__brev", "__byte_perm", "__funnelshift_l", "__float2int_rz",
        "__ll2float_rz", "__fmaf_rn", "__ldg", "switch", "while (", "do {", "continue;", "template <class T", "float4",
        "int2", "struct S0", "(*pointer", "recursive", "together", "group", "__managed__",
        "_if = __shfl_sync(group", "_rounds = __shfl_sync(group", *(f"both::{name}(" for name in CONTRACTED)]

# And with half precision: what every compiler has, and what only nvcc has. For __nv_bfloat16 the same but for its name.
HALF = ["__half m", "__half2* in", "__constant__ __half2", "__shared__ __half ", "__shared__ __half2", "__half v", "__half2 v", "__half a0", "__hadd(",
        "__hsub2(", "__hmul_rn(", "__hmul2_rn(", "__hfma(", "__hfma2(", "__hneg(", "__habs2(", "__hmin(", "__hmax2(", "__hlt(",
        "__hne(", "__hisnan(", "__hisinf(", "__half2float(", "__float2half_rn(", "__double2half(", "__int2half_rn(",
        "__half2int_rd(", "__half2ull_ru(", "__half2short_rz(", "__half2uchar_rz(", "__ushort_as_half(", "__halves2half2(",
        "__half2half2(", "__floats2half2_rn(", "__lowhigh2highlow(", "__low2half(", "__high2float(", ").y", "__half_raw", "mill"]
HALF_OF_NVCC = ["__hadd_sat(", "__hsub2_sat(", "__hfma_relu(", "__hfma2_sat(", "__hmin_nan(", "__hmax2_nan(", "htrunc(", "h2rint(",
                "__hltu(", "__hbeq2(", "__hneu2(", "__hgt2_mask(", "__ll2half_rz(", "__ushort2half_ru(", "__float2half_rd(",
                "__hisnan2(", "__lows2half2("]
# What 60 programs with wgmma must have used: types, sums, swizzles (the descriptor's top bits), and A from registers.
PRODUCTS = ["k16.f16.f16.f16", "k16.f32.f16.f16", "k16.f32.bf16.bf16", "k8.f32.tf32.tf32", "k32.f32.e4m3.e5m2", "k32.f16.e5m2.e4m3",
            "k32.s32.u8.s8", "k32.satfinite.s32.", "k256.s32.b1.b1.and.popc", "m64n8k", "m64n128k", ", -1", "unsigned a[",
            "(0x4", "(0x8", "(0xc", "& 127u", "wait_group"]
SHUFFLED = re.compile(r"(__\w+) w\d+ = __shfl\w*_sync\(")


class Generator(unittest.TestCase):
    def test_a_seed_always_gives_the_same_program(self):
        for words in ALL.values():
            for seed in range(1, 20):
                self.assertEqual(program_text(Program(seed, words)), program_text(Program(seed, words)))

    def test_seeds_beside_each_other_give_programs_that_share_nothing(self):
        bodies = {re.sub(r"\d+", "", program_text(Program(seed))) for seed in SOME}
        self.assertEqual(len(bodies), len(SOME))

    def test_everything_in_its_vocabulary_is_used(self):
        text = file_text([Program(seed) for seed in SOME])
        self.assertEqual([word for word in USED if word not in text], [])

    def test_everything_of_half_precision_is_used(self):
        for words, expected in ((PORTABLE, HALF), (CUDA, HALF + HALF_OF_NVCC)):
            text = file_text([Program(seed, words) for seed in SOME])
            self.assertEqual([word for word in expected if word not in text], [], words.name)
            types = [str(of) for _, of in words.usual if of.kind in ("half", "pair")]
            self.assertEqual(set(types), set(SHUFFLED.findall(text)), words.name)
        bfloat = [word.replace("half", "bfloat16" if "(" in word else "nv_bfloat16") for word in HALF + HALF_OF_NVCC]
        self.assertEqual([word for word in bfloat if word not in text], [])

    def test_half_precision_is_only_in_programs_that_ask_for_it(self):
        for name, foreign in (("plain", ["half", "bfloat", "mill"]), ("portable", ["bfloat", "_sat(", "__hequ(", "__ldg(&in0[__h"])):
            text = file_text([Program(seed, ALL[name]) for seed in SOME])
            self.assertEqual([word for word in foreign if word in text], [], name)

    def test_every_kind_of_wgmma_is_used(self):
        text = "".join(shared_programs.Program(seed, products=True).text() for seed in range(1, 61))
        self.assertEqual([word for word in PRODUCTS if word not in text], [])

    def test_programs_without_wgmma_have_none(self):
        text = "".join(shared_programs.Program(seed).text() for seed in range(1, 61))
        self.assertNotIn("wgmma", text)

    def test_kernel_and_reference_are_spelled_without_marks(self):
        for words in ALL.values():
            text = file_text([Program(seed, words) for seed in range(1, 50)])
            self.assertEqual(re.findall(r"@\w+", text), [])


if __name__ == "__main__":
    unittest.main()
