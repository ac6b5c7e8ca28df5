"""Public idioms of CUDA programs, many to a file: what each computes must be the same through every compiler.

usage: check_idioms.py TILESCOPE COMPILER... [--only FILE]...     (77: none of the compilers is installed)

Every file of this folder prints a line of each idiom: "name digest", and PASS or FAIL where the host checks it. A line
"// options: ..." of a file is given to `tilescope run`. Every file, or those that --only names, goes through every compiler named. Prints a
table of idioms and compilers: "=" for the first compiler's digest, "!" for another one, "-" for none.
"""
import argparse
import concurrent.futures
import hashlib
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "compilers"))
import compilers  # noqa: E402

def options_of(source):
    found = re.search(r"^// options: (.*)$", source.read_text(), re.MULTILINE)
    return found.group(1).split() if found else []


def digests_of(printed):
    """Each idiom's digest and verdict in what a file printed, and the names of those that failed."""
    lines = [line.split() for line in printed.splitlines()]
    results = {words[0]: words[1:] for words in lines if len(words) in (2, 3) and re.fullmatch(r"[0-9a-f]{16}", words[1])}
    said = [line for line in printed.splitlines() if line.startswith("said: ")]  # by kernels
    if said:
        results["printf"] = [hashlib.sha256("\n".join(said).encode()).hexdigest()[:16]]
    return results, [name for name, words in results.items() if "FAIL" in words]


def run(tool, compiler, source):
    """Each idiom's digest and verdict, and what went wrong."""
    done = subprocess.run([tool, "run", "-q", "--caches", "off", "--compiler", compiler, *options_of(source), str(source)],
                          capture_output=True, text=True)
    results, failed = digests_of(done.stdout)
    problem = None
    if done.returncode != 0 or failed or not results:
        problem = f"exit status {done.returncode}, failed: {', '.join(failed) or 'none'}\n{done.stderr[-3000:]}"
    return results, problem


def table(source, names, tried, results):
    """Prints a row for each idiom; the number of those that are the same everywhere."""
    same = 0
    for name in names:
        digests = [results[compiler].get(name) for compiler in tried]
        marks = ["-" if digest is None else "F" if "FAIL" in digest else "=" if digest == digests[0] else "!" for digest in digests]
        print(f"{source.stem:24} {name:44} {' '.join(f'{mark:>8}' for mark in marks)}")
        same += all(mark == "=" for mark in marks)
    return same


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("compilers", nargs="+")
    parser.add_argument("--only", action="append", default=[])
    options = parser.parse_args()
    found = [name for name in options.compilers if compilers.installed(name)]
    if not found:
        print("skipped: none of " + ", ".join(options.compilers) + " is installed")
        return compilers.SKIPPED
    sources = sorted(HERE.glob("*.cu"))
    if options.only:
        sources = [source for source in sources if source.stem in options.only]
    jobs = [(source, compiler) for source in sources for compiler in found]
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        done = dict(zip(jobs, pool.map(lambda job: run(options.tool, job[1], job[0]), jobs)))
    failed = same = total = 0
    print(f"{'file':24} {'idiom':44} {' '.join(f'{name:>8}' for name in found)}")
    for source in sources:
        results = {compiler: done[source, compiler][0] for compiler in found}
        for compiler in found:
            if problem := done[source, compiler][1]:
                print(f"{source.name} through {compiler}: {problem}", file=sys.stderr)
                failed += 1
        names = list(dict.fromkeys(name for compiler in found for name in results[compiler]))
        same += table(source, names, found, results)
        total += len(names)
    print(f"{same} of {total} idioms are the same through {', '.join(found)}")
    return 1 if failed or same != total else 0


if __name__ == "__main__":
    sys.exit(main())
