"""Writes random CUDA programs, many to a file, each with its reference, and the headers they need beside them.

usage: generate.py FOLDER --seeds FIRST..LAST [--each N] [--words WORDS]

WORDS: plain (the default), portable (with __half, as every compiler has it), cuda (with all of half precision, for nvcc).
"""
import argparse
import pathlib
import shutil

from emission import file_text
from program import Program
from words import ALL, PLAIN

HEADERS = ["contracted.h", "halves_on_host.h", "harness.h", "meaning_on_both.h", "meaning_on_host.h", "threads_on_host.h"]


def seeds(text):
    first, _, last = text.partition("..")
    return range(int(first), int(last or first) + 1)


def write_headers(folder):
    for name in HEADERS:
        shutil.copy(pathlib.Path(__file__).parent / name, folder / name)


def write_files(folder, wanted, each, words=PLAIN):
    """Each file as it is written: its path and its programs."""
    folder.mkdir(parents=True, exist_ok=True)
    write_headers(folder)
    for start in range(0, len(wanted), each):
        programs = [Program(seed, words) for seed in wanted[start:start + each]]
        path = folder / f"{words.name}_{programs[0].seed}.cu"
        path.write_text(file_text(programs))
        yield path, programs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seeds", type=seeds, required=True)
    parser.add_argument("--each", type=int, default=25, help="programs in a file")
    parser.add_argument("--words", choices=ALL, default="plain")
    options = parser.parse_args()
    for path, programs in write_files(options.folder, options.seeds, options.each, ALL[options.words]):
        print(path, len(programs))


if __name__ == "__main__":
    main()
