"""Error codes, faults and attributes of an H100, line by line; what is refused by name; times between events.

usage: check_card.py TILESCOPE COMPILER     (77: the compiler is not installed)

NAME.h100.txt is what one H100 printed for NAME.cu (driver 580, CUDA 13.0, 25 November 2026), of faults.cu one run for
each case. What differs on purpose stands in EXPLAINED, with its reason.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "compilers"))
import compilers  # noqa: E402

CASES = [*range(22), 30, 31]
# By program: what a line begins with, and why it may differ. Through clang, whose headers are those of CUDA 12.
EXPLAINED = {
    ("errs", "clang"): dict.fromkeys((
        "(nop<<<0,32>>>",
        "(nop<<<1,0>>>",
        "(nop<<<1,1025>>>",
        "(nop<<<dim3(1,65536)",
        "(nop<<<dim3(1,1,65536)",
        "(nop<<<1,dim3(1,1,65)",
        "(nop<<<1,dim3(32,33,1)",
        "(lb<<<1,129>>>",
        "cudaFuncGetAttributes(&fa,(const void*)h)",
        "cudaLaunchKernel((const void*)h,",
    ), "those of CUDA 12, of which an H100 was not asked"),
    ("faults", "clang"): {
        "case 2:": "a store to null has no meaning in C++, and clang leaves it out",
        "case 17:": "clang takes a malloc that nobody looks into for one that succeeds",
        "case 21:": "clang leaves out a malloc that is only freed",
    },
    ("attr", "clang"): {"rt ": "its headers are those of CUDA 12"},
    **{("half", compiler): dict.fromkeys(("hexp ", "hlog "), "approximations, whose last bit is the card's own")
       for compiler in ("clang", "nvcc")},
}


class Checker:
    def __init__(self, tool, compiler):
        self.tool, self.compiler, self.failed = tool, compiler, 0

    def run(self, *options, source, arguments=()):
        command = [self.tool, "run", "-q", "--compiler", self.compiler, *options, str(HERE / source)]
        if arguments:
            command += ["--", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, errors="replace")

    def expect(self, holds, what, done=None):
        if holds:
            return
        self.failed += 1
        print(f"failed: {what}", file=sys.stderr)
        if done is not None:
            print(f"  status {done.returncode}\n{done.stdout[-1500:]}{done.stderr[-1500:]}", file=sys.stderr)

    def lines(self, name, ours, card):
        explained = EXPLAINED.get((name, self.compiler.split("-")[0]), {})
        self.expect(len(ours) == len(card), f"{name}: {len(ours)} lines, the card has {len(card)}")
        for mine, cards in zip(ours, card):
            if mine != cards and not any(cards.startswith(start) for start in explained):
                self.expect(False, f"{name}:\n  ours {mine}\n  card {cards}")

    def card_lines(self):
        for name in ("errs", "attr", "half"):
            done = self.run("--device", "h100", source=f"{name}.cu")
            self.lines(name, done.stdout.splitlines(), (HERE / f"{name}.h100.txt").read_text().splitlines())
        ours = []
        for case in CASES:
            done = self.run("--device", "h100", source="faults.cu", arguments=[case])
            ours += [line for line in done.stdout.splitlines() if line.startswith("case ")]
            # What a card does not notice is told all the same.
            if case in (13, 18, 20):
                self.expect(done.returncode == 3 and "error" in done.stderr, f"faults {case} is told", done)
        card = [line for line in (HERE / "faults.h100.txt").read_text().splitlines() if line.startswith("case ")]
        self.lines("faults", ours, card)

    def contraction(self):
        done = self.run("--device", "h100", source="fuse.cu")
        self.expect(done.stdout.startswith("-5.96046e-08 "), "fuse.cu gives what an H100 gives", done)
        apart = ["-fmad=false"] + (["-ffp-contract=off"] if self.compiler != "nvcc" else [])
        for flag in (None, *apart):
            done = self.run(*([f"--compile-flags={flag}"] if flag else []), source="contraction.cu")
            lines = [line.split() for line in done.stdout.splitlines()]
            types = ["f32", "f64", "f16", "f16x2", "bf16", "bf16x2"]
            self.expect([line[0] for line in lines] == types, f"contraction.cu {flag}: {types}", done)
            for of, first, second, _, product, total, *_ in lines:
                # x * x is z and a little more, which is there in both of its signs where it is fused
                signs = {int(word, 16) for word in (product, total)}
                self.expect(signs == {0}, f"{of} {flag}: with _rn nothing is fused", done)
                zero = int(first, 16) == 0 and int(second, 16) == 0
                self.expect(zero if flag else int(first, 16) != 0 and int(second, 16) != 0, f"{of} {flag}: fused or not", done)

    def clusters(self):
        for case in (2, 3, 5):
            done = self.run(source="cluster.cu", arguments=[case])
            named = ".reqnctapercluster 2, 1, 1" in done.stderr and re.search(r"cluster\.cu:\d+", done.stderr)
            self.expect(done.returncode == 3 and named, f"cluster {case} is refused by name", done)
        command = [self.tool, "launch", "-q", str(HERE / "cluster_min.ptx"), "--arg", "buffer:u32[4]=zeros", "--grid",
                   "4", "--block", "1"]
        done = subprocess.run(command, capture_output=True, text=True)
        self.expect(done.returncode == 3 and ".reqnctapercluster 2" in done.stderr, "cluster_min.ptx is refused", done)
        done = self.run(source="pdl.cu", arguments=[0])
        self.expect(done.returncode == 0 and "cudaSuccess" in done.stdout, "pdl 0 runs", done)
        done = self.run(source="cluster_launch.cu")
        self.expect(done.returncode == 3 and "cudaErrorNotSupported 0 0" in done.stdout and
                    "cudaLaunchAttributeClusterDimension" in done.stderr, "cudaLaunchKernelEx refuses clusters", done)

    def attributes(self):
        done = self.run("--device", "h100", source="attributes.cu")
        self.expect(done.stdout.count("launch of") == 10 and done.stdout.count("no error") == 10,
                    "what maxThreadsPerBlock says can be launched", done)
        done = self.run("--device", "h100", "--no-ptxas", source="attributes.cu")
        self.expect(" grid 0" not in done.stdout and done.stdout.count("no error") == 10 and
                    (self.compiler == "nvcc" or "estimate" in done.stderr), "an estimate refuses nothing", done)

    def event_times(self):
        with tempfile.TemporaryDirectory() as folder:
            for options, kind in (([], "modelled"), (["--caches", "off"], "estimated"), (["--sample", "0.5"], "estimated"),
                                  (["--device", "t4"], "estimated"), (["--kernel", "none"], "estimated")):
                said = []
                for turn in range(2):
                    profile = pathlib.Path(folder) / "profile.json"
                    done = self.run("--json", str(profile), *options, source="event_times.cu")
                    times = json.loads(profile.read_text()).get("event_times", {})
                    self.expect(times.get(kind) == 2 and sum(times.values()) == 2, f"{options}: {kind}, not {times}", done)
                    said.append(done.stdout)
                self.expect(said[0] == said[1] and "PASS" in said[0], f"{options}: the same each time", done)


def main():
    tool, compiler = sys.argv[1:]
    if not compilers.installed(compiler):
        print(f"skipped: {compiler} is not installed")
        return compilers.SKIPPED
    checker = Checker(tool, compiler)
    for check in (checker.card_lines, checker.contraction, checker.clusters, checker.attributes, checker.event_times):
        check()
    return 1 if checker.failed else 0


if __name__ == "__main__":
    sys.exit(main())
