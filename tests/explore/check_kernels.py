#!/usr/bin/env python3
"""check_kernels.py TILESCOPE COMPILER

Writes a program whose kernels load from global and shared memory by index expressions, runs it through tilescope, and
holds sectors and wavefronts of each line to what `tilescope pattern` says of the same expression.
"""
import json
import os
import subprocess
import sys
import tempfile

# Expression, element, block.
CASES = [
    ("tid*17", 4, (32, 1)), ("tid*2", 4, (32, 1)), ("tid*32", 4, (32, 1)), ("tid*33", 4, (32, 1)), ("tid*3+1", 4, (32, 1)),
    ("(tid/8)*32 + tid%8", 4, (32, 1)), ("tid/4*4 + 3 - tid%4", 4, (32, 1)), ("tid/2", 4, (32, 1)),
    ("(tid ^ 21) * 5", 4, (32, 1)), ("tid*6 & 127 | tid >> 3", 4, (32, 1)), ("threadIdx.x*17 + threadIdx.y", 4, (16, 2)),
    ("threadIdx.y*32 + threadIdx.x", 4, (8, 4)), ("threadIdx.x*blockDim.x + threadIdx.y", 4, (16, 2)),
    ("tid*tid", 4, (32, 1)), ("~tid & 31", 4, (32, 1)), ("tid", 8, (32, 1)), ("tid*2", 8, (32, 1)), ("tid*5", 8, (32, 1)),
    ("tid", 16, (32, 1)), ("tid*3", 16, (32, 1)), ("tid/2", 16, (32, 1)), ("tid*16 + tid/2", 8, (32, 1)), ("tid*3", 2, (32, 1)),
]
TYPES = {2: "short", 4: "float", 8: "double", 16: "float4"}
ELEMENTS = 2048  # 32 KB of the widest


def program():
    lines = ["#include <cstdio>", "#include <cuda_runtime.h>"]
    where = {}
    for number, (text, element, _) in enumerate(CASES):
        kind = TYPES[element]
        c = text.replace("tid", "(int)(threadIdx.y * blockDim.x + threadIdx.x)")
        lines.append(f"__global__ void kernel{number}(const {kind}* __restrict__ a, {kind}* out) {{")
        lines.append(f"    __shared__ {kind} tile[{ELEMENTS}];")
        lines.append("    const int own = threadIdx.y * blockDim.x + threadIdx.x;")
        lines.append(f"    for (int j = own; j < {ELEMENTS}; j += blockDim.x * blockDim.y) tile[j] = a[{ELEMENTS} + j];")
        lines.append("    __syncthreads();")
        lines.append(f"    out[own] = a[{c}];")
        where[number] = [len(lines)]
        lines.append("    __syncthreads();")
        lines.append(f"    out[own + 32] = tile[{c}];")
        where[number].append(len(lines))
        lines.append("}")
    lines.append("int main() {")
    lines.append("    void *a, *out;")
    lines.append(f"    cudaMalloc(&a, {2 * ELEMENTS * 16});")
    lines.append("    cudaMalloc(&out, 4096);")
    lines.append(f"    cudaMemset(a, 0, {2 * ELEMENTS * 16});")
    for number, (_, element, block) in enumerate(CASES):
        kind = TYPES[element]
        lines.append(f"    kernel{number}<<<1, dim3({block[0]}, {block[1]})>>>(({kind}*)a, ({kind}*)out);")
    lines.append("    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;")
    lines.append("}")
    return "\n".join(lines) + "\n", where


def counters(launch, line, names):
    for each in launch["lines"]:
        if each["line"] == line:
            return [each["counters"].get(name, 0) for name in names]
    return None


def main():
    tilescope, compiler = sys.argv[1:]
    text, where = program()
    with tempfile.TemporaryDirectory() as folder:
        source, profile = os.path.join(folder, "kernels.cu"), os.path.join(folder, "profile.json")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        subprocess.run([tilescope, "run", "-q", "--compiler", compiler, "--caches", "off", "--json", profile, source],
                       check=True)
        with open(profile, encoding="utf-8") as file:
            launches = json.load(file)["launches"]
    wrong = 0
    for number, (index, element, block) in enumerate(CASES):
        said = json.loads(subprocess.run(
            [tilescope, "pattern", index, "--element", str(element), "--block", f"{block[0]},{block[1]}", "--json", "-"],
            check=True, capture_output=True, text=True).stdout)
        launch = launches[number]
        global_ = counters(launch, where[number][0], ["global_load_requests", "global_load_sectors"])
        shared = counters(launch, where[number][1],
                          ["shared_load_requests", "shared_load_wavefronts", "shared_load_bank_conflicts"])
        wanted_global = [1, said["global"]["sectors"]]
        wanted_shared = [1, said["shared"]["wavefronts"], said["shared"]["conflicts"]]
        if global_ != wanted_global or shared != wanted_shared:
            wrong += 1
            print(f"{index} of {element} B: a kernel counts {global_} and {shared}, pattern {wanted_global} and {wanted_shared}")
    print(f"{len(CASES)} kernels, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
