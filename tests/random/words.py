"""Which types and forms a program is made of. Compilers differ in what they have of half precision."""
import halves
from expressions import all_forms, contracted_forms
from tree import Form
from value_types import BF16, BF16X2, BOOL, F16, F16X2, F32, F64, I32, I64, SCALARS, U32, U64, USUAL


class Words:
    def __init__(self, name, added=(), forms=(), headers=(), read_only=()):
        self.name = name
        scalars = SCALARS + [of for _, of in added]
        self.usual = USUAL + list(added)  # (weight, type) of variables
        self.stored = [I32, U32, U64, F32, F64, I64] + [of for _, of in added]  # in arrays that threads share
        self.shuffled = [I32, U32, I64, U64, F32, F64] + [of for _, of in added]
        self.read_only = SCALARS + list(read_only)  # what __ldg takes
        self.headers = headers
        forms = list(forms)
        self.half_forms = [(form.weight, form) for form in forms if F64 not in form.operands and BOOL not in form.operands]
        self.forms = {of: [] for of in scalars}
        for form in [*all_forms(), *forms]:
            self.forms[form.result].append((form.weight, form))
        for of in scalars:
            self.forms[of].append((6, Form(6, of, (BOOL, of, of), "({0} ? {1} : {2})")))


def contracted_of(added):
    return [form for _, of in added for form in contracted_forms(of, 3)]


HALF = [(5, F16), (4, F16X2)]
BOTH = [*HALF, (5, BF16), (4, BF16X2)]
PLAIN = Words("plain")  # no half precision
PORTABLE = Words("portable", HALF, [*halves.forms_everywhere(halves.FLOAT16), *contracted_of(HALF)], ["cuda_fp16.h"])
CUDA = Words("cuda", BOTH, [form for of in (halves.FLOAT16, halves.BFLOAT16)
                            for form in [*halves.forms_everywhere(of), *halves.forms_of_nvcc(of)]] + contracted_of(BOTH),
             ["cuda_fp16.h", "cuda_bf16.h"], [of for _, of in BOTH])
ALL = {words.name: words for words in (PLAIN, PORTABLE, CUDA)}


def of_compiler(compiler):
    """The words with half precision that a compiler has: clang's headers are tilescope's, which have no bfloat16."""
    return CUDA if "nvcc" in compiler else PORTABLE
