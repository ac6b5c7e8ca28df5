#!/usr/bin/env python3
"""check_variables.py TILESCOPE PROGRAM.cu COMPILER

Holds the variables of examples/variables.cu to the textbook exercise: 8 blocks of 128 threads have 1024 versions of what
is a thread's own and 8 of what is a block's, 4 + 512 bytes of shared memory, and 10 FLOP for 24 bytes.
"""
import json
import os
import subprocess
import sys
import tempfile


def main():
    tilescope, program, compiler = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        profile = os.path.join(folder, "profile.json")
        subprocess.run([tilescope, "run", "-q", "--compiler", compiler, "--json", profile, program], check=True,
                       stdout=subprocess.DEVNULL)
        with open(profile, encoding="utf-8") as file:
            in_registers, in_local_memory = json.load(file)["launches"]
    found = {v["name"]: v for v in in_registers["variables"]}
    shared = {name: (v["bytes"], v["versions"], v["scope"]) for name, v in found.items() if v["space"] == "shared"}
    registers = in_registers["registers_per_thread"]
    checks = {
        "shared variables": (shared, {"first": (4, 8, "block"), "values": (512, 8, "block")}),
        "registers": ((found["registers"]["bytes"], found["registers"]["versions"]), (4 * registers, 1024)),
        "no local array": ([v["name"] for v in in_registers["variables"] if v["space"] == "local"], []),
        "FLOP": (in_registers["intensity"]["flop"], 10 * 1024),
        "bytes": (in_registers["intensity"]["requested_bytes"], 24 * 1024),
        "the local array": ([(v["name"], v["bytes"], v["versions"], v["scope"]) for v in in_local_memory["variables"]
                             if v["space"] == "local"], [("local arrays", 32, 1024, "thread")]),
    }
    wrong = [f"{what}: {got}, not {wanted}" for what, (got, wanted) in checks.items() if got != wanted]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
