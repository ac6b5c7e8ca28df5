"""Programs of several files: device code linked over them, objects and archives, and what is said where a name is missing.

usage: check_linked.py TILESCOPE COMPILER...     (77: no compiler is installed)
"""
import pathlib
import subprocess
import sys
import tempfile

import compilers

HERE = pathlib.Path(__file__).parent
LINK = "--compile-flags=-rdc=true"
KERNEL = "#include <cstdio>\n__global__ void k(int* p) { *p = %s; }\n"
MAIN = """int main() {
    int *p, value = 0;
    cudaMalloc(&p, sizeof *p);
    k<<<1, 1>>>(p);
    cudaMemcpy(&value, p, sizeof *p, cudaMemcpyDeviceToHost);
    cudaFree(p);
    printf("%d\\n", value);
}
"""


class Checks:
    def __init__(self, tool, compiler, folder):
        self.tool, self.compiler, self.folder = tool, compiler, pathlib.Path(folder)
        self.failed = 0

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def expect(self, what, arguments, status, *texts):
        """Runs a program; its status must be this and its output hold these texts."""
        done = subprocess.run([self.tool, "run", "--caches", "off", "--compiler", self.compiler, *arguments],
                              capture_output=True, text=True)
        said = done.stdout + done.stderr
        missing = [text for text in texts if text not in said]
        if done.returncode != status or missing:
            print(f"{self.compiler}: {what}: status {done.returncode}, wanted {status} with {missing}\n{said}", file=sys.stderr)
            self.failed += 1

    def whole_program(self):
        names = ("main.cu", "shapes.cu", "tables.cu", "check.cpp")
        self.expect("a program of four files", [*(str(HERE / "linked" / name) for name in names), LINK, "--check", "all"], 0,
                    "checked\n", "kernel(float*, int*)")

    def linked(self):
        """What clang alone does."""
        use = self.file("use.cu", "__device__ int twice(int);\n" + KERNEL % "twice(21)" + MAIN)
        define = self.file("define.cu", "__device__ int twice(int x) { return x + x; }\n")
        again = self.file("again.cu", "__device__ int twice(int x) { return 2 * x; }\n")
        self.expect("a function of another file", [use, define, LINK], 0, "42\n")
        self.expect("two of one name", [use, define, again, LINK], 2, "'_Z5twicei' is defined in", define, again)
        self.expect("a function of no file", [use, LINK], 3, use + ":3: error: the function '_Z5twicei' has no body", "-rdc=true")
        self.expect("not asked for", [use, define], 3, use + ":3: error: the function '_Z5twicei' has no body", "-rdc=true")
        variable = self.file("variable.cu", "extern __device__ int there;\n" + KERNEL % "there" + MAIN)
        self.expect("a variable of no file", [variable, self.file("none.cu", ""), LINK], 3, variable + ":3: error: 'there' is defined in another file")

    def linked_by_nvcc(self):
        """Where the toolkit's linker looks first."""
        use = self.file("use.cu", "__device__ int twice(int);\n" + KERNEL % "twice(21)" + MAIN)
        define = self.file("define.cu", "__device__ int twice(int x) { return x + x; }\n")
        again = self.file("again.cu", "__device__ int twice(int x) { return 2 * x; }\n")
        self.expect("a function of another file", [use, define, LINK], 0, "42\n")
        self.expect("two of one name", [use, define, again, LINK], 2, "'_Z5twicei' is defined in", define, again)
        self.expect("a function of no file", [use, self.file("none.cu", ""), LINK], 2, use + ":3: error: no file defines the function '_Z5twicei'")

    def objects(self):
        alone = self.file("alone.cu", "int helper();\n" + KERNEL % "21" + MAIN.replace("value);", "value + helper());"))
        helper = self.file("helper.cpp", "int helper() { return 21; }\n")
        made, archive = str(self.folder / "helper.o"), str(self.folder / "libhelper.a")
        subprocess.run(["c++", "-c", helper, "-o", made], check=True)
        subprocess.run(["ar", "rcs", archive, made], check=True)
        for file in (made, archive):
            self.expect(file, [file, alone], 0, "42\n")
        self.expect("one file, linked", [alone, made, LINK], 0, "42\n")
        self.expect("a file given twice", [alone, made, alone], 2, "this file is named twice")
        if pathlib.Path("/usr/include/cub").is_dir():
            self.expect("the system's own folder", [alone, made, "--cuda-include", "/usr/include"], 0, "42\n")
        self.expect("what is neither", [alone, self.file("notes.txt", "")], 2, "cli-program")


def main():
    tool, *wanted = sys.argv[1:]
    found = [compiler for compiler in reversed(wanted) if compilers.installed(compiler)]
    found.sort(key=lambda compiler: compiler == "nvcc")  # the newest clang first
    if not found:
        return compilers.SKIPPED
    failed = 0
    for compiler in found:
        with tempfile.TemporaryDirectory() as folder:
            checks = Checks(tool, compiler, folder)
            # Of the older releases the program says what is to be said; the words are ours.
            checks.whole_program()
            if compiler == "nvcc":
                checks.linked_by_nvcc()
            elif compiler == found[0]:
                checks.linked()
            if compiler in ("nvcc", found[0]):
                checks.objects()
            failed += checks.failed
        print(f"{compiler}: {checks.failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
