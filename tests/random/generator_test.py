"""What the generator promises: the same text for a seed, no two alike, all that it can say said sooner or later."""
import re
import unittest

from emission import file_text, program_text
from program import Program

SOME = range(1, 301)
# What a few hundred programs must have used at least once.
USED = ["__shared__", "extern __shared__", "static __device__", "__constant__", "__syncthreads()", "__syncthreads_count",
        "__syncwarp", "__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync", "__ballot_sync", "__all_sync",
        "__any_sync", "__match_any_sync", "__match_all_sync", "__reduce_add_sync", "__reduce_xor_sync", "atomicAdd",
        "atomicCAS", "atomicInc", "__popc", "__clz", "__ffs", "__brev", "__byte_perm", "__funnelshift_l", "__float2int_rz",
        "__ll2float_rz", "__fmaf_rn", "__ldg", "switch", "while (", "do {", "continue;", "template <class T", "float4",
        "int2", "struct S0", "(*pointer", "recursive", "together", "group", "__managed__"]


class Generator(unittest.TestCase):
    def test_a_seed_always_gives_the_same_program(self):
        for seed in range(1, 20):
            self.assertEqual(program_text(Program(seed)), program_text(Program(seed)))

    def test_seeds_beside_each_other_give_programs_that_share_nothing(self):
        bodies = {re.sub(r"\d+", "", program_text(Program(seed))) for seed in SOME}
        self.assertEqual(len(bodies), len(SOME))

    def test_everything_in_its_vocabulary_is_used(self):
        text = file_text([Program(seed) for seed in SOME])
        self.assertEqual([word for word in USED if word not in text], [])

    def test_kernel_and_reference_are_spelled_without_marks(self):
        text = file_text([Program(seed) for seed in range(1, 50)])
        self.assertNotRegex(text, r"@\w")


if __name__ == "__main__":
    unittest.main()
