"""Our cuda.h against NVIDIA's: the same enumerators, structures, macros and calls, told by a compiler that reads both.

usage: check_cuda_h.py CLANG     (77: there is no clang, or no CUDA 13.0)

Forms of before CUDA 3.2, whose addresses are 32 bits wide, are left out of ours.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OURS = ROOT / "scope" / "image" / "include"
NVIDIAS = pathlib.Path("/usr/local/cuda/include")
OLD = re.compile(r"(CUdeviceptr|CUDA_MEMCPY[23]D|CUDA_ARRAY(3D)?_DESCRIPTOR)_v1")


class Header:
    """What a compiler makes of one cuda.h; old forms, too, where that takes a macro."""

    def __init__(self, clang, folder, flags, scratch):
        source = pathlib.Path(scratch) / "one.c"
        source.write_text("#include <cuda.h>\n")
        command = [clang, f"-I{folder}", *flags, str(source)]
        tree = json.loads(subprocess.run([*command, "-fsyntax-only", "-Xclang", "-ast-dump=json"], check=True,
                                         capture_output=True).stdout)
        self.enumerators, self.calls, self.typedefs, self.records = {}, {}, {}, {}
        for node in tree["inner"]:
            getattr(self, "read_" + node["kind"], lambda _: None)(node)
        macros = subprocess.run([*command, "-E", "-dM"], check=True, capture_output=True, text=True).stdout
        self.macros = {name: re.sub(r"[()\s]", "", value).lower() for name, value in
                       re.findall(r"^#define ((?:CU|CUDA)_\w+) (.+)$", macros, re.M)}
        self.names = dict(re.findall(r"^#define (cu[A-Z]\w+) (\w+)$", macros, re.M))

    def read_EnumDecl(self, node):
        following = 0
        for child in node.get("inner", []):
            if child["kind"] != "EnumConstantDecl":
                continue
            given = [int(part["value"]) for part in child.get("inner", []) if "value" in part]
            self.enumerators[child["name"]] = given[0] if given else following
            following = self.enumerators[child["name"]] + 1

    def read_FunctionDecl(self, node):
        self.calls[node["name"]] = node["type"]["qualType"]

    def read_TypedefDecl(self, node):
        self.typedefs[node["name"]] = node["type"]["qualType"]

    def read_RecordDecl(self, node):
        if node.get("completeDefinition") and node.get("name"):
            self.records[node["name"]] = self.fields(node)

    def fields(self, node):
        """Names and types, those of nested structures in their place."""
        found = []
        for child in node.get("inner", []):
            if child["kind"] == "RecordDecl":
                found.append((child["tagUsed"], self.fields(child)))
            elif child["kind"] == "FieldDecl":
                shape = child["type"]["qualType"]
                unnamed = "(unnamed" in shape or "(anonymous" in shape
                found.append((child.get("name", ""), re.sub(r".*\)", "", shape) if unnamed else shape,
                              [[inner.get("value") for inner in part.get("inner", [])] for part in child.get("inner", [])
                               if part["kind"] == "AlignedAttr"]))
        return found


def ours_of(table):
    return {name: value for name, value in table.items() if name.startswith(("CU", "cu", "cl_", "NVCL"))}


def differences(what, ours, theirs):
    for name in sorted(set(ours) | set(theirs)):
        if OLD.search(f"{name} {theirs.get(name, '')}"):
            continue
        if name not in ours:
            yield f"{what} {name} is missing"
        elif name not in theirs:
            yield f"{what} {name} is none of NVIDIA's"
        elif ours[name] != theirs[name]:
            yield f"{what} {name} is {ours[name]}, NVIDIA's {theirs[name]}"


def check(clang, scratch):
    ours = Header(clang, OURS, [], scratch)
    newest = Header(clang, NVIDIAS, [], scratch)
    all_forms = Header(clang, NVIDIAS, ["-D__CUDA_API_VERSION_INTERNAL"], scratch)
    yield from differences("enumerator", ours_of(ours.enumerators), ours_of(newest.enumerators))
    ours.typedefs.pop("cudaUUID_t")  # the runtime's name for it
    yield from differences("type", ours_of(ours.typedefs), ours_of(newest.typedefs))
    yield from differences("structure", ours_of(ours.records), ours_of(newest.records))
    ours.macros.pop("CUDA_VERSION"), newest.macros.pop("CUDA_VERSION")
    yield from differences("macro", ours.macros, newest.macros)
    # Every call of the newest header, and what others of ours are; old forms have names of their own there.
    for name, signature in sorted(newest.calls.items()):
        if name.startswith("cu") and name not in ours.calls:
            yield f"call {name} is missing"
    yield from differences("call", ours_of(ours.calls),
                           {name: all_forms.calls.get(name, newest.calls.get(name)) for name in ours_of(ours.calls)
                            if name in all_forms.calls or name in newest.calls})
    for name, form in sorted(newest.names.items()):
        if form.startswith("cu") and name not in ours.names and name not in ours.calls:
            yield f"name {name} means nothing"


def main():
    if not (NVIDIAS / "cuda.h").exists() or "#define CUDA_VERSION 13000" not in (NVIDIAS / "cuda.h").read_text():
        print("no cuda.h of CUDA 13.0")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        wrong = list(check(sys.argv[1], scratch))
    print("\n".join(wrong) if wrong else "our cuda.h has all of CUDA 13.0's, and nothing else")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
