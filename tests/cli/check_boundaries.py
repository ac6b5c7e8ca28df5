#!/usr/bin/env python3
"""check_boundaries.py TILESCOPE COMPILER

Holds `tilescope boundaries` to a program whose checks are each of another kind: one that a hazard replaces, one that
nothing reports, one that no size needs, and two that cannot be taken out.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

PROGRAM = r"""#include <cstdio>
#include <cstdlib>
constexpr int kBlock = 32;
__global__ void scale(const float* in, float* exact, float* roomy, int n, int m) {
    int i = blockIdx.x * kBlock + threadIdx.x;
    float x = in[i];
    if (i < n)  // [found]
        exact[i] = 2 * x;
    if (i < m)  // [silent]
        roomy[i] = x + 1;
    if (i < (int)(gridDim.x * kBlock))  // [harmless]
        roomy[i + 4096] = x;
    for (int k = threadIdx.x; k < n; k += kBlock)  // [loop]
        atomicAdd(&roomy[8192 + k], 1.0f);
}
int main(int argc, char** argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 33;
    float *in, *exact, *roomy;
    cudaMalloc(&in, 4096 * sizeof(float));
    cudaMalloc(&exact, n * sizeof(float));
    cudaMalloc(&roomy, 3 * 4096 * sizeof(float));
    cudaMemset(in, 0, 4096 * sizeof(float));
    cudaMemset(roomy, 0, 3 * 4096 * sizeof(float));
    scale<<<(n + kBlock - 1) / kBlock, kBlock>>>(in, exact, roomy, n, n);
    std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
    cudaFree(in), cudaFree(exact), cudaFree(roomy);
}
"""
WANTED = {
    "found": {"31": "found", "32": "harmless", "33": "found", "65": "found"},
    "silent": {"31": "silent", "32": "harmless", "33": "silent", "65": "silent"},
    "harmless": {"31": "harmless", "32": "harmless", "33": "harmless", "65": "harmless"},
    "loop": {},
}


def marked(mark):
    return 1 + next(i for i, line in enumerate(PROGRAM.splitlines()) if f"[{mark}]" in line)


def run(tilescope, compiler, *arguments):
    done = subprocess.run([tilescope, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def main():
    tilescope, compiler = sys.argv[1:]
    wrong = []

    def expect(what, got, wanted):
        if got != wanted:
            wrong.append(f"{what}: {got!r}, not {wanted!r}")

    with tempfile.TemporaryDirectory() as folder:
        program, answer = os.path.join(folder, "scale.cu"), os.path.join(folder, "answer.json")
        with open(program, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        status, text, errors = run(tilescope, compiler, "boundaries", "--compiler", compiler, "--json", answer, program,
                                   "--", "{n}")
        expect("status", (status, errors), (0, ""))
        with open(answer, encoding="utf-8") as file:
            found = json.load(file)
        expect("sizes", [(size["size"], size["hazards"]) for size in found["sizes"]],
               [("31", []), ("32", []), ("33", []), ("65", [])])
        by_line = {check["line"]: check for check in found["checks"]}
        for mark, wanted in WANTED.items():
            check = by_line.get(marked(mark), {"outcomes": [], "kind": "none"})
            expect(mark, {o["size"]: o["verdict"] for o in check["outcomes"]}, wanted)
            expect(mark + "'s kind", check["kind"], "ends-loop" if mark == "loop" else "guards")
            expect(mark + " in the text", f"scale.cu:{marked(mark)}" in text, True)
        first = by_line.get(marked("found"), {"outcomes": [{"hazards": []}]})["outcomes"][0]
        expect("the hazard", {h["kind"] for h in first["hazards"]} >= {"out-of-bounds"}, True)
        expect("its line", {h["line"] for h in first["hazards"]}, {marked("found") + 1})
        second = by_line.get(marked("silent"), {"outcomes": [{}]})["outcomes"][0]
        expect("what is silent", (second.get("memory_differs"), second.get("output_differs")), (True, False))

        # The same by hand, and what is no check.
        line = str(marked("found"))
        status, _, _ = run(tilescope, compiler, "run", "-q", "--compiler", compiler, "--without-check",
                           "scale.cu:" + line, program)
        expect("without the check by hand", status, 3)
        status, _, errors = run(tilescope, compiler, "run", "--compiler", compiler, "--without-check", "2", program)
        expect("a line without a check", (status, bool(re.search("--without-check 2: no kernel", errors))), (0, True))
        status, _, errors = run(tilescope, compiler, "run", "--compiler", compiler, "--without-check", "x:", program)
        expect("no line", (status, "--without-check" in errors), (2, True))

        # Wrong usage has its words.
        for words, said in ((("--sizes", "5"), "no argument of the program holds {n}"),
                            (("--sizes", "1..500"), "more than 64 sizes"), (("--sizes", "x"), "--sizes")):
            extra = ("--", "{n}") if words[1] != "5" else ()
            status, _, errors = run(tilescope, compiler, "boundaries", *words, program, *extra)
            expect(" ".join(words), (status, said in errors), (2, True))
        status, _, errors = run(tilescope, compiler, "boundaries", os.path.join(folder, "none.cu"))
        expect("no program", (status, errors), (2, "tilescope: error: the program could not be run: " +
               os.path.join(folder, "none.cu") + ": there is no such file [boundaries-run]\n"))
        nothing = os.path.join(folder, "nothing.cu")
        open(nothing, "w").close()
        status, _, errors = run(tilescope, compiler, "boundaries", nothing)
        expect("no main", (status, errors), (2, "tilescope: error: the program could not be run: " + nothing +
               ": it compiles, but does not link [boundaries-run]\n"))
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
