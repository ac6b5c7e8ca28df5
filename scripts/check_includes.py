#!/usr/bin/env python3
"""Holds every #include of scope/ and tiles/, and every DEPENDS of a room's CMakeLists.txt, to the directions of
docs/internals/architecture.md. Rooms are compiled joined, where a file may lean on what the one before it includes: so each has to
include what it calls of the standard library, itself or by a header of ours that it names.

usage: check_includes.py [ROOT]

Prints FILE:LINE: for each line that looks the wrong way and exits with 1 if there is one. Standard library only.
"""
import pathlib
import re
import sys

# What a room may include besides itself: a room ("report"), or one part of a room ("report/counters.h"). A room within a
# room ("isa/table") is held to its own line.
ROOMS = {
    "base": [],
    "ptx": ["base"],
    "image": ["base", "ptx"],
    "texture": ["base"],
    "machine": ["base", "texture", "report/counters.h", "report/work.h"],
    "isa": ["base", "ptx", "machine", "report/counters.h", "report/work.h"],
    "isa/table": ["base", "ptx", "machine", "report/counters.h", "report/work.h"],
    "isa/families": ["base", "texture", "machine", "isa/table"],
    "isa/library": ["base", "machine", "isa/table", "isa/families"],
    "isa/lower": ["base", "ptx", "machine", "report/counters.h", "report/work.h", "isa/table", "isa/lower.h"],
    "isa/assembler": ["base", "ptx", "machine", "report/counters.h", "report/work.h", "isa/table", "isa/lower"],
    "observers": ["base", "texture", "machine", "report"],
    "models": ["base", "report"],
    "report": ["base"],
    "explore": ["base", "machine", "observers", "models", "report"],
    "lessons": ["base", "report"],
    "views": ["base", "report", "models", "views/document", "views/page", "views/render", "views/words"],
    "views/words": ["base", "report"],
    # What is good or poor is settled before anything is rendered: renderers know no model.
    "views/document": ["base", "report", "models/verdicts.h", "views/words"],
    "views/render": ["base", "report", "views/view.h", "views/document", "views/words"],
    # A page has tables that models work out before it is written.
    "views/page": ["base", "report", "models", "views/view.h", "views/document", "views/render", "views/words"],
    "session": ["base", "texture", "ptx", "image", "machine", "isa", "observers", "models", "report"],
    "runtime": ["base", "image", "machine", "models", "report", "session", "texture"],
    # No header of CUDA's, not even of ours that stand in for it: services know no code and no structure of a face.
    "runtime/service": ["base", "image/code_in_memory.h", "image/fatbinary.h", "image/host_code.h", "image/link.h", "image/link_words.h", "image/load.h", "machine", "models", "report", "session", "texture"],
    "runtime/cudart": ["base", "image/include", "image/elf_view.h", "image/static_runtime.h", "machine", "models", "report", "session", "texture", "runtime/service"],
    "runtime/cuda": ["base", "image/code_in_memory.h", "image/compile.h", "image/fatbinary.h", "image/include", "image/link.h", "image/link_inputs.h", "image/link_words.h", "machine", "models", "report", "session", "runtime/service", "runtime/cudart"],
    # What programs load beside the runtime: it knows the compilers, and nothing of the device.
    "runtime/nvrtc": ["base", "image", "session/options.h"],
    # The face for other people's tests. What it installs names <tilescope/...>.
    "library": ["base", "image", "models", "report", "session", "views/words"],
    "cli": ["base", "explore", "image", "lessons", "models", "report", "session", "views"],
}
# The same for the folders of tiles/. "include" is the public API, whose headers are named "tiles/NAME.h".
TILES = {
    "include": [],
    "tuning": [],
    "kernels": ["include"],
    "src": ["include", "kernels", "tuning"],
    "plan": ["include", "tuning", "src"],
    "tool": ["include", "tuning", "src", "plan"],
    "bench": ["include", "tuning", "src", "plan"],
    "example": [],  # as its users have it: <tiles/...>
}
# Headers given to the user's programs. They stand in for CUDA's own, name each other as those do, and know no room.
FOREIGN = "scope/image/include"
# Written by the build, so they have no path from the root.
GENERATED = {"target_list.h"}
SUFFIXES = {".h", ".cpp"}
TILES_SUFFIXES = SUFFIXES | {".cu", ".cuh"}

# Functions of the standard library, by header; types come with the headers of ours that hold them.
CALLED = {
    "algorithm": "all_of any_of clamp copy count_if equal fill find find_if is_sorted lower_bound max max_element min min_element "
                 "minmax_element none_of partition remove_if replace reverse rotate sort stable_sort transform unique upper_bound",
    "bit": "bit_cast bit_ceil bit_width countl_zero countr_zero has_single_bit popcount",
    "chrono": "chrono",
    "cmath": "ceil exp2 floor fma isfinite isinf isnan ldexp log2 lround nextafter pow round sqrt",
    "cstring": "memcmp memcpy memmove memset strchr strcmp strlen",
    "filesystem": "filesystem",
    "fstream": "ifstream ofstream",
    "limits": "numeric_limits",
    "numeric": "accumulate gcd iota lcm",
}
HEADER_OF = {name: header for header, names in CALLED.items() for name in names.split()}
STANDARD = re.compile(r"\bstd::(\w+)")
NAMED = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
DEPENDS = re.compile(r"\btilescope_room\s*\(\s*(\w+)(.*?)\)", re.DOTALL)


def allowed(room, target):
    """Whether a file of `room` may include scope/`target` (a path below scope/)."""

    def covers(part):
        return target == part or target.startswith(part + "/")

    return covers(room) or any(covers(part) for part in ROOMS[room])


def check_source(root, path, room):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match or match[1] in GENERATED:
            continue
        where = f"{path.relative_to(root)}:{number}"
        if not match[1].startswith("scope/"):
            yield f'{where}: write "{match[1]}" from the root of the repository ("scope/ROOM/...")'
        elif not allowed(room, match[1].removeprefix("scope/")):
            yield f"{where}: {room} must not know {match[1]}; it may include {', '.join(ROOMS[room]) or 'no other room'}"


def check_alone(root, path):
    """Headers of the standard library whose functions the file calls and does not include."""
    text = path.read_text(encoding="utf-8")
    named = NAMED.findall(text)
    there = {header for bracket, header in named if bracket == "<"}
    for bracket, header in named:
        if bracket == '"' and (root / header).is_file():
            there.update(h for b, h in NAMED.findall((root / header).read_text(encoding="utf-8")) if b == "<")
    missing = {}
    for number, line in enumerate(text.splitlines(), 1):
        for name in STANDARD.findall(line.partition("//")[0]):
            header = HEADER_OF.get(name)
            if header and header not in there:
                missing.setdefault(header, (number, name))
    for header, (number, name) in sorted(missing.items()):
        yield f"{path.relative_to(root)}:{number}: std::{name} without #include <{header}>"


def tiles_folder_of(header):
    """The folder of tiles/ that "tiles/..." lies in."""
    folder, slash, _ = header.removeprefix("tiles/").partition("/")
    return folder if slash else "include"


def check_tiles_source(root, path, folder):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        where = f"{path.relative_to(root)}:{number}"
        if not match[1].startswith("tiles/"):
            yield f'{where}: write "{match[1]}" as "tiles/FOLDER/...", or "tiles/NAME.h" for the public API'
        elif tiles_folder_of(match[1]) not in [folder, *TILES[folder]]:
            known = ", ".join(TILES[folder]) or "no other folder"
            yield f"{where}: tiles/{folder} must not know {match[1]}; it may include {known}"


def check_tiles(root):
    for folder in sorted(entry for entry in (root / "tiles").glob("*") if entry.is_dir()):
        sources = [path for path in sorted(folder.rglob("*")) if path.suffix in TILES_SUFFIXES]
        if sources and folder.name not in TILES:
            yield f"tiles/{folder.name}: no such folder in scripts/check_includes.py; add it there and to tiles/README.md"
            continue
        for path in sources:
            yield from check_tiles_source(root, path, folder.name)


def room_at(folder):
    """The innermost room that a folder below scope/ belongs to."""
    while folder not in ROOMS and "/" in folder:
        folder = folder.rpartition("/")[0]
    return folder


def room_of(library):
    """The room that a library belongs to: a room within a room is one, too (isa_table), and a room can be built in parts,
    such as session and session_options."""
    within = library.replace("_", "/", 1)
    return library if library in ROOMS else within if within in ROOMS else library.split("_")[0]


# Rooms within a room that have no library of their own, by the one that they are built into.
BUILT_INTO = {"views/words": "views"}


def check_depends(root, path):
    text = path.read_text(encoding="utf-8")
    for match in DEPENDS.finditer(text):
        room, words, listed = room_of(match[1]), match[2].split(), False
        reachable = {room, *(part for part in ROOMS[room] if not part.endswith(".h"))}
        reachable.update(BUILT_INTO[part] for part in ROOMS[room] if part in BUILT_INTO)
        reachable.update(other for other in ROOMS if other.split("/")[0] in reachable)
        for word in words:
            if word.isupper():
                listed = word == "DEPENDS"
            elif listed and room_of(word) not in reachable:
                number = text.count("\n", 0, match.start()) + 1
                yield f"{path.relative_to(root)}:{number}: {room} must not depend on {word}"


def check(root):
    yield from check_tiles(root)
    for folder in sorted(entry for entry in (root / "scope").glob("*") if entry.is_dir()):
        room = folder.name
        if room not in ROOMS:
            yield f"scope/{room}: no such room in scripts/check_includes.py; add it there and to docs/internals/architecture.md"
            continue
        for path in sorted(folder.rglob("*")):
            if path.is_relative_to(root / FOREIGN):
                continue
            if path.suffix in SUFFIXES:
                yield from check_source(root, path, room_at(str(path.parent.relative_to(root / "scope"))))
                yield from check_alone(root, path)
            elif path.name == "CMakeLists.txt":
                yield from check_depends(root, path)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    problems = list(check(root))
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
