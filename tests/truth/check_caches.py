#!/usr/bin/env python3
"""Holds what the model of the caches says of a truth program to what an H200 counted.

usage: check_caches.py FOLDER PROGRAM COMPILER     (FOLDER: where run_program.py left its profile)

A model is no count: per counter, the median and the ninth tenth of the launches' relative errors are held to LIMITS,
which say how near the model comes today (docs/reference/fidelity.md has the figures). Exit status 1 when one is beyond.
Standard library only.
"""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# Programs with files of their own.
OTHERS = ("unseen", "library", "courses", "workshop", "projects", "trades", "services", "textures", "pictures")
# By program and counter: percent, of the median launch and of nine tenths of them.
LIMITS = {
    "global": {
        "global_load_l1_hit_sectors": (0.1, 60),
        "l2_read_sectors": (0.1, 30),
        "l2_write_sectors": (0.1, 6),
        "dram_read_bytes": (0.2, 2),
    },
    "occupancy": {"l2_read_sectors": (30, 70), "dram_read_bytes": (1.5, 8)},
    # Kernels that were written when the model stood.
    "unseen": {
        "global_load_l1_hit_sectors": (0.1, 8),
        "l2_read_sectors": (0.1, 6),
        "dram_read_bytes": (0.3, 4),
    },
    # As libraries and applications have them, on more memory; measured when the model stood.
    "library": {
        "global_load_l1_hit_sectors": (0.1, 30),
        "l2_read_sectors": (1, 18),
        "dram_read_bytes": (0.1, 5),
    },
    # As courses and small applications have them, on 1 to 200 MB; measured when the models stood.
    "courses": {
        "global_load_l1_hit_sectors": (0.1, 8),
        "l2_read_sectors": (0.1, 6),
        "dram_read_bytes": (0.1, 2),
    },
    # As people write them in their second week and in their second year, on 1 to 130 MB; likewise.
    "workshop": {
        "global_load_l1_hit_sectors": (0.1, 16),
        "l2_read_sectors": (0.6, 10),
        "dram_read_bytes": (0.1, 2),
    },
    # As people write them in final projects and publish in small repositories; likewise.
    "projects": {
        "global_load_l1_hit_sectors": (0.1, 10),
        "l2_read_sectors": (0.5, 8),
        "l2_read_hit_sectors": (6, 28),
        "dram_read_bytes": (0.1, 1),
    },
    # As people in different trades write them; likewise.
    "trades": {
        "global_load_l1_hit_sectors": (0.1, 18),
        "l2_read_sectors": (0.5, 7),
        "l2_read_hit_sectors": (5, 24),
        "dram_read_bytes": (0.1, 6),
    },
    # As engineers write them who solve one problem each, measured when the models stood; the newest.
    "services": {
        "global_load_l1_hit_sectors": (0.1, 12),
        "l2_read_sectors": (0.5, 8),
        "l2_read_hit_sectors": (6, 20),
        "l2_write_sectors": (0.1, 19),
        "dram_read_bytes": (0.1, 2),
    },
    # What textures and surfaces ask for; the second set was written and measured when the model stood.
    "textures": {
        "texture_sectors": (0.1, 0.1),
        "texture_hit_sectors": (0.1, 5),
        "surface_load_hit_sectors": (0.1, 0.1),
        "surface_store_sectors": (0.1, 0.1),
        "l2_read_sectors": (0.1, 6),
        "l2_read_hit_sectors": (12, 60),
        "l2_write_sectors": (0.1, 5),
        "dram_read_bytes": (0.1, 2),
    },
    "pictures": {
        "texture_sectors": (0.1, 0.1),
        "texture_hit_sectors": (0.1, 6),
        "surface_load_hit_sectors": (0.1, 0.1),
        "l2_read_sectors": (1, 8),
        "l2_read_hit_sectors": (6, 25),
        "dram_read_bytes": (0.1, 1),
    },
    "shared": {"l2_read_sectors": (0.1, 0.1), "l2_write_sectors": (0.1, 0.1), "dram_read_bytes": (2, 2)},
}

# Where the machine code of the measurement spills.
LIMITS_OF_NVCC = {"occupancy": {"l2_read_sectors": (20, 40), "l2_write_sectors": (0.1, 0.1), "dram_write_bytes": (0.1, 35)}}


def main():
    folder, program, compiler = sys.argv[1:]
    truth = os.path.join(HERE, f"{program}-h200.json" if program in OTHERS else "counters-h200.json")
    said = subprocess.run([sys.executable, os.path.join(HERE, "score.py"), truth, folder, "--program", program],
                          check=True, capture_output=True, text=True).stdout
    # counter, launches, equal %, median %, nine tenths %, worst %
    found = {words[0]: words for words in (line.split() for line in said.splitlines()) if len(words) == 6}
    problems = 0
    limits = LIMITS[program] | (LIMITS_OF_NVCC.get(program, {}) if compiler == "nvcc" else {})
    for counter, (median, most) in limits.items():
        errors = [float(word.rstrip("%")) for word in found[counter][3:5]]
        verdict = "ok" if errors[0] <= median and errors[1] <= most else "BEYOND"
        problems += verdict != "ok"
        print(f"{program} {counter:28} of {found[counter][1]} launches: median {errors[0]:6.2f} % of {median}, "
              f"nine tenths {errors[1]:6.2f} % of {most}  {verdict}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
