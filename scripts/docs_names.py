"""Finds options and JSON keys that pages mention and the program lacks. check_docs.py uses it.

Options come from scope/cli. Outside of tilescope's command lines, options of scripts, test tools and NVRTC are accepted too. Keys come
from docs/reference/profile.md, which the program writes, and from literals of the code. Standard library only.
"""
import functools
import pathlib
import re

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
ENDINGS = "h cu cpp py md json txt toml svg html inc so c sarif csv sum ratio avg ptx".split()  # of files and metrics
KEYS = pathlib.Path("docs/reference/profile.md")


def text_of(paths):
    return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in paths if path.is_file())


def sources(*folders, suffixes=(".cpp", ".h", ".py", "")):
    for folder in folders:
        yield from (path for path in sorted(pathlib.Path(folder).rglob("*")) if path.suffix in suffixes)


@functools.cache
def program_options():
    found = set()
    for literal in LITERAL.findall(text_of(sources("scope/cli"))):
        found |= set(OPTION.findall(literal.replace("!", "")))
    views = LITERAL.findall(text_of(map(pathlib.Path, ("scope/views/registry.cpp", "scope/views/view.h"))))  # report --VIEW
    return found | {"--help", "--version"} | {f"--{name}" for name in views if re.fullmatch(r"[a-z-]+", name)}


@functools.cache
def other_options():
    text = text_of([*sources("scripts"), *sources("tests", suffixes=(".py",)), *sources("bench", suffixes=(".py",)),
                    pathlib.Path("scope/image/rtc/options.cpp"), *sources("tests/truth/isa"), *sources("scope/image", suffixes=(".cpp",))])
    return set(OPTION.findall(text))


@functools.cache
def profile_keys():
    found = set()
    for cell in re.findall(r"^\| `([^`]+)`", KEYS.read_text(encoding="utf-8"), re.M):
        found |= set(cell.replace("[]", "").split("."))
    return found


@functools.cache
def keys():
    found = set(profile_keys())
    for literal in LITERAL.findall(text_of(sources("scope", suffixes=(".cpp", ".h")))):
        found |= set(re.findall(r"[a-z]\w*", literal))
    return found


def problems(text):
    """(line, kind, what is wrong)"""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        fence = line.lstrip().startswith("```")
        fenced ^= fence
        spans = [line] if fenced and not fence else re.findall(r"`([^`]+)`", line)
        for span in spans:
            command = re.match(r"\s*(?:\$ )?(?:build/release/bin/)?tilescope (.*)", span)
            ours = command[1].split(" -- ")[0].split("#")[0] if command else ""
            for option in OPTION.findall(ours):
                if option not in program_options():
                    yield number, "option", f"tilescope has no option {option}"
            if not fenced and span.startswith("--") and not command:
                for option in OPTION.findall(span):
                    if option not in program_options() | other_options():
                        yield number, "option", f"no program has the option {option}"
            if not fenced and (key := re.fullmatch(r'"([a-z_]+)"|([a-z]+(?:_[a-z]+)*(?:\.[a-z_]+)+)', span)):
                parts = (key[1] or key[2]).split(".")
                # A dotted name that doesn't begin with a key is the name of a file, a test or an instruction.
                for part in parts if key[1] or parts[0] in profile_keys() and parts[-1] not in ENDINGS else []:
                    if part not in keys():
                        yield number, "key", f"the JSON has no key {part} ({span})"
