#!/usr/bin/env python3
"""Counts on a GPU what the counting rules of tilescope rest on.

usage: measure.py OUT [STEP...]      steps: metrics examples arbitration truth patched copies banks caches sides groups levels scattered hot_stores atomics padding pipes partners joined_reads queued_reads turns gathers stores after_store row_stores left_dirty streaming ways loaded policies pages streams (all, when none is named)

Needs nvcc and Nsight Compute (ncu) on a machine that allows its counters. Builds the programs of this folder, of
tests/truth/kernels and of examples/, runs them under ncu with clocks left alone, and writes to OUT one JSON file a step:
a list of launches, each with what the program said of it and what was counted. Standard library only.
"""
import csv, glob, json, os, re, subprocess, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DATA, INST, TAG, L2 = "l1tex__data_", "smsp__inst_executed_", "l1tex__t_", "lts__t_"
SHARED = [INST + "op_shared_ld.sum", INST + "op_shared_st.sum", INST + "op_shared_atom.sum",
          DATA + "pipe_lsu_wavefronts_mem_shared.sum",
          DATA + "pipe_lsu_wavefronts_mem_shared_op_ld.sum", DATA + "pipe_lsu_wavefronts_mem_shared_op_st.sum",
          DATA + "bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", DATA + "bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
          DATA + "bank_conflicts_pipe_lsu_mem_shared_op_atom.sum"]
BANKS = SHARED[3:]
ALL_WAVEFRONTS = DATA + "pipe_lsu_wavefronts_mem_shared.sum"
# What a kind of banks.cu is a use of; loops of compare-and-swap are none.
USES = {(use, width): use for use in ("load", "store") for width in (1, 2, 4, 8, 16)}
USES |= {(f"atomic {what}", 4): "atomic" for what in ("add", "max", "exchange")} | {("reduce by lane", 4): "atomic"}
USES |= {("reduce by one", 4): "increment", ("atomic exchange", 8): "atomic"}
USES |= {("atomic compare and swap", width): "compare and swap" for width in (4, 8)}
# Counted by instructions that the profiler patches into the code, from addresses alone.
PATCHED = ["memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal"]
COPIES = SHARED + [
    DATA + "pipe_lsu_wavefronts.sum", DATA + "pipe_lsu_wavefronts_mem_shared_op_atom.sum",
    DATA + "bank_conflicts_pipe_lsu.sum", DATA + "bank_conflicts_pipe_lsu_mem_shared.sum",
    "smsp__sass_" + DATA + "pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum",
    "smsp__sass_" + DATA + "bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum",
    INST + "op_ldgsts.sum", INST + "op_global_ld.sum", INST + "op_global_red.sum", INST + "op_global_atom.sum",
    INST + "pipe_lsu.sum"] + [
    f"{TAG}{unit}_pipe_lsu_mem_global_op_{op}.sum" for unit in ("requests", "sectors")
    for op in ("ld", "st", "red", "atom", "ldgsts", "ldgsts_cache_access", "ldgsts_cache_bypass")] + [
    TAG + "sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", TAG + "set_accesses_pipe_lsu_mem_global_op_atom.sum",
    L2 + "sectors_srcunit_tex.sum", L2 + "requests_srcunit_tex.sum", L2 + "sectors_srcunit_tex_op_read.sum",
    L2 + "sectors_srcunit_tex_op_write.sum", L2 + "sectors_op_red.sum", L2 + "sectors_op_atom.sum",
    L2 + "sectors_srcunit_tex_op_red.sum", L2 + "sectors_srcunit_tex_op_atom.sum"]

# What L1 and L2 look up, keep, fetch and write back.
CACHES = [
    f"{TAG}sectors_pipe_lsu_mem_global_op_{op}{what}.sum" for op in ("ld", "st") for what in ("", "_lookup_hit", "_lookup_miss")] + [
    "l1tex__m_xbar2l1tex_read_sectors.sum", "l1tex__m_l1tex2xbar_write_sectors.sum"] + [
    f"{L2}{what}.sum" for what in (
        "sectors_srcunit_tex_op_read", "sectors_srcunit_tex_op_read_lookup_hit", "sectors_srcunit_tex_op_read_lookup_miss",
        "sectors_srcunit_tex_op_write", "sectors_srcunit_tex_op_write_lookup_hit", "sectors_srcunit_tex_op_write_lookup_miss",
        "sectors_srcunit_ltcfabric", "sectors_srcunit_ltcfabric_lookup_hit", "sectors_srcunit_ltcfabric_lookup_miss",
        "sectors_lookup_miss", "tag_requests", "sectors_srcnode_gpc", "requests_srcunit_tex", "sectors_op_write", "sectors_op_read")] + [
    "lts__d_sectors_fill_device.sum", "lts__t_sectors_srcunit_ltcfabric_aperture_device_op_write.sum",
    "dram__bytes_read.sum", "dram__bytes_write.sum", "launch__shared_mem_config_size",
    "lrc__lts2lrc_sectors_op_read.sum", "lrc__lrc2xbar_sectors_op_read.sum", "lrc__xbar2gpc_sectors_op_read.sum",
    "lrc__request_sectors_op_read_coalescable.sum", "lrc__xbar2lrc_requests_op_read.sum"]

# What of them tells whether loads find what was stored, and which stores go together.
AFTER_STORES = CACHES[:6] + ["l1tex__m_xbar2l1tex_read_sectors.sum", "l1tex__m_l1tex2xbar_write_sectors.sum"] + [
    f"{L2}{what}.sum" for what in ("sectors_srcunit_tex_op_read", "sectors_srcunit_tex_op_write", "requests_srcunit_tex")] + [
    "dram__bytes_read.sum", "dram__bytes_write.sum", "gpu__time_duration.sum"]

# Instructions of warps by the pipe that they took.
PIPES = ["smsp__inst_executed.sum"] + [
    f"sm__inst_executed_pipe_{pipe}.sum" for pipe in ("alu", "fma", "fmaheavy", "fmalite", "xu", "lsu", "fp64", "adu", "cbu", "uniform")]

# What of them tells which lines stayed.
POLICIES = [f"{TAG}sectors_pipe_lsu_mem_global_op_ld{what}.sum" for what in ("", "_lookup_hit")] + [
    f"{L2}{what}.sum" for what in ("sectors_srcunit_tex_op_read", "sectors_srcunit_tex_op_read_lookup_hit", "sectors_srcunit_tex_op_write",
                                   "sectors_op_read", "sectors_lookup_miss", "sectors_srcunit_ltcfabric")] + [
    "lts__d_sectors_fill_device.sum", "l1tex__m_xbar2l1tex_read_sectors.sum", "dram__bytes_read.sum", "dram__bytes_write.sum"]


def run(command, **more):
    return subprocess.run(command, check=True, text=True, capture_output=True, **more).stdout


def build(out, source, *more):
    program = os.path.join(out, os.path.splitext(os.path.basename(source))[0])
    run(["nvcc", "-std=c++20", "-O3", "-lineinfo", "-arch=sm_90", "-o", program, source, *more])
    return program


def known(metrics, have):
    """The metrics that this profiler has for the device; the others are named on stderr."""
    missing = [m for m in metrics if m.split(".")[0] not in have and not m.startswith("launch__")]
    if missing: print("not counted here:", *missing, file=sys.stderr)
    return [m for m in metrics if m not in missing]


def number(text):
    text = text.replace(",", "").split(" ")[0]
    try: return int(text)
    except ValueError:
        try: return float(text)
        except ValueError: return None


def profile(program, metrics, arguments=(), cold=False, said_of=True):
    """One dictionary per launch: kernel and counters, and what the program printed as its n-th line, if it says something of each."""
    log = program + ".csv"
    said = run(["ncu", "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none",
                "--cache-control", "all" if cold else "none", "--metrics", ",".join(metrics), "--log-file", log,
                program, *arguments]).splitlines()
    said = [line for line in said if not line.startswith("==")]
    with open(log) as f: rows = list(csv.DictReader(line for line in f if line.startswith('"')))
    rows = [row for row in rows if row["ID"]]  # without the row of units
    if not said_of: said = [""] * len(rows)
    if len(rows) != len(said): sys.exit(f"{program}: {len(rows)} launches, {len(said)} lines")
    launches = []
    for row, line in zip(rows, said):
        about = json.loads(line) if line.startswith("{") else {"name": line.rsplit(" ", 1)[0]} if line else {}
        launches.append({**about, "kernel": row["Kernel Name"], "counters": {m: number(row[m]) for m in metrics if m in row}})
    return launches


def write(out, name, launches):
    with open(os.path.join(out, name + ".json"), "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(launch, separators=(",", ":")) for launch in launches) + "\n]\n")
    print(name, len(launches), "launches", flush=True)


def write_columns(out, name, launches):
    """As write() does, with the counters' names once: {"counters": [...], "launches": [[what was launched, [counts]], ...]}."""
    names = list(dict.fromkeys(m for launch in launches for m in launch["counters"]))
    rows = [[{k: v for k, v in launch.items() if k not in ("counters", "kernel")}, [launch["counters"].get(m) for m in names]]
            for launch in launches]
    with open(os.path.join(out, name + ".json"), "w") as f:
        f.write('{"counters": ' + json.dumps(names) + ',\n"launches": [\n')
        f.write(",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]}\n")
    print(name, len(launches), "launches", flush=True)


def digits(total, base, count):
    """TOTAL's digits, lowest first; with base 1 there is one."""
    if base == 1: return [total]
    return [total // base ** k % (base if k + 1 < count else total + 1) for k in range(count)]


def banks(out, work, have):
    program = build(work, f"{HERE}/banks.cu", f"{HERE}/bank_patterns.cpp")
    for seed in ("1", "2"):
        rows = []
        for launch in profile(program, known(BANKS, have), [seed]):
            counters = launch["counters"]
            counters[ALL_WAVEFRONTS] -= 1  # the store of the result at the end counts one here
            count = len(launch["patterns"])
            split = {m: digits(n, launch["base"], count) for m, n in counters.items()}
            rows += [{"kind": launch["kind"], **pattern, "counters": {m: split[m][k] for m in split}}
                     for k, pattern in enumerate(launch["patterns"])]
        write(out, "banks-seed" + seed, rows)
        write(out, "banks-table-seed" + seed, table(rows))


def table(rows):
    """One row per pattern: [wavefronts, conflicts] by the use made of it. The kinds of one use must agree."""
    patterns = {}
    for row in rows:
        use = USES.get((row["kind"], row["width"]))
        if use is None: continue
        counters, op = row["counters"], {"load": "ld", "store": "st"}.get(use, "atom")
        wavefronts = counters[ALL_WAVEFRONTS if op == "atom" else f"{ALL_WAVEFRONTS[:-4]}_op_{op}.sum"]
        cost = [wavefronts, counters[f"{DATA}bank_conflicts_pipe_lsu_mem_shared_op_{op}.sum"]]
        key = (row["width"], row["mask"], tuple(row["offsets"]))
        about = {k: row[k] for k in ("name", "width", "mask", "offsets")}
        known_cost = patterns.setdefault(key, about).setdefault(use, cost)
        if known_cost != cost: sys.exit(f"{row['kind']}, {row['name']}: {cost}, and {known_cost} before")
    return list(patterns.values())


def arbitration(out, work, have):
    program = build(work, f"{HERE}/arbitration.cu")
    rows = []
    for attempt in range(3): rows += [{"run": attempt, **row} for row in profile(program, known(SHARED, have))]
    write(out, "arbitration", rows)


def truth(out, work, have):
    rows = []
    for name in ("matmul", "occupancy"):
        program = build(work, f"{ROOT}/tests/truth/kernels/{name}.cu")
        for attempt in range(3):
            rows += [{"program": name, "run": attempt, "launch": i, **row}
                     for i, row in enumerate(profile(program, known(SHARED, have), cold=True))]
    write(out, "truth-again", rows)


def patched(out, work, have):
    rows = []
    for name in ("matmul", "occupancy", "shared"):
        program = build(work, f"{ROOT}/tests/truth/kernels/{name}.cu")
        rows += [{"program": name, "launch": i, **row} for i, row in enumerate(profile(program, PATCHED, cold=True))]
    write(out, "patched", rows)


def copies(out, work, have):
    write(out, "copies", profile(build(work, f"{HERE}/copies.cu"), known(COPIES, have)))


def caches(out, work, have):
    program = build(work, f"{HERE}/caches.cu")
    launches = []
    for part in ("l2", "fetch", "stores", "l1"):
        launches += profile(program, known(CACHES, have), [part], cold=True)
    write_columns(out, "caches", launches)


def scattered(out, work, have):
    """No counters: what accesses to places of their own take."""
    write(out, "scattered", [json.loads(line) for line in run([build(work, f"{HERE}/scattered.cu")]).splitlines()])


def hot_stores(out, work, have):
    """No counters: what stores to few lines take."""
    write(out, "hot_stores", [json.loads(line) for line in run([build(work, f"{HERE}/hot_stores.cu")]).splitlines()])


def atomics(out, work, have):
    """No counters: what updates of few places take, in global memory and, as loops, in shared memory."""
    for name in ("atomic_units", "shared_swaps"):
        write(out, name, [json.loads(line) for line in run([build(work, f"{HERE}/{name}.cu")]).splitlines()])


def padding(out, work, have):
    """No counters: what conflicts of banks cost among other instructions."""
    write(out, "padding", [json.loads(line) for line in run([build(work, f"{HERE}/padding.cu")]).splitlines()])


def pipes(out, work, have):
    """Which pipes the instructions of the truth programs took."""
    rows = []
    for name in ("matmul", "occupancy", "global", "shared", "unseen", "library", "courses", "workshop"):
        program = build(work, f"{ROOT}/tests/truth/kernels/{name}.cu")
        rows += [{"program": name, "launch": i, **row} for i, row in enumerate(profile(program, known(PIPES, have), said_of=False))]
    write(out, "pipes", rows)


def partners(out, work, have):
    write(out, "partners", profile(build(work, f"{HERE}/partners.cu"), known(CACHES, have), cold=True))


def joined_reads(out, work, have):
    write(out, "joined_reads", profile(build(work, f"{HERE}/joined_reads.cu"), known(CACHES, have), cold=True))


def queued_reads(out, work, have):
    write(out, "queued_reads", profile(build(work, f"{HERE}/queued_reads.cu"), known(CACHES, have), cold=True))


def turns(out, work, have):
    """No counters: who goes first on an SM, and how soon one block follows another."""
    write(out, "turns", [json.loads(line) for line in run([build(work, f"{HERE}/turns.cu")]).splitlines()])


def gathers(out, work, have):
    """No counters: what lines at random take L1."""
    write(out, "gathers", [json.loads(line) for line in run([build(work, f"{HERE}/gathers.cu")]).splitlines()])


def stores(out, work, have):
    write_columns(out, "stores", profile(build(work, f"{HERE}/joined_stores.cu"), known(AFTER_STORES, have), cold=True))


def after_store(out, work, have):
    write_columns(out, "after_store", profile(build(work, f"{HERE}/after_store.cu"), known(AFTER_STORES, have), cold=True))


def row_stores(out, work, have):
    write_columns(out, "row_stores", profile(build(work, f"{HERE}/row_stores.cu"), known(AFTER_STORES, have), cold=True))


def left_dirty(out, work, have):
    """What the launches before left in L2, with what the profiler empties before each and without."""
    program = build(work, f"{HERE}/left_dirty.cu")
    write_columns(out, "left_dirty", [{"cold": cold, **row} for cold in (True, False) for row in profile(program, known(AFTER_STORES, have), cold=cold)])


def streaming(out, work, have):
    """What reads and writes of device memory take side by side; and, without counters, how long its blocks do."""
    program = build(work, f"{HERE}/streaming.cu")
    counters = ["gpu__time_duration.sum", "dram__bytes_read.sum", "dram__bytes_write.sum"]
    write(out, "streaming", profile(program, counters, cold=True))
    write(out, "streaming-blocks", [json.loads(line) for line in run([program, "--blocks"]).splitlines()])


def ways(out, work, have):
    """No counters: how fast accesses leave SMs for L2."""
    write(out, "ways", [json.loads(line) for line in run([build(work, f"{HERE}/ways.cu")]).splitlines()])


def loaded(out, work, have):
    """No counters: how long a read takes while others keep device memory busy."""
    write(out, "loaded", [json.loads(line) for line in run([build(work, f"{HERE}/loaded.cu")]).splitlines()])


def policies(out, work, have):
    program = build(work, f"{HERE}/policies.cu")
    launches = []
    for part in ("second", "first", "sizes", "windows"):
        launches += profile(program, known(POLICIES, have), [part], cold=True)
    write_columns(out, "policies", launches)


def recorder(work):
    """activities.so, built against the CUPTI that stands beside nvcc or in a Python package."""
    places = [f"{p}/.." for p in sys.path] + ["/usr/local/cuda/extras/CUPTI", "/usr/local/cuda", *glob.glob("/usr/local/cuda-*")]
    found = [h for p in places for h in glob.glob(f"{p}/**/cupti_activity.h", recursive=True)]
    if not found: sys.exit("cupti_activity.h is nowhere: the records need CUPTI")
    include = os.path.dirname(found[0])
    header = open(found[0]).read()
    libraries = [l for p in (f"{include}/../lib", f"{include}/../lib64", "/usr/local/cuda/lib64") for l in sorted(glob.glob(f"{p}/libcupti.so*"))]
    newest = lambda stem: max(re.findall(rf"\b({stem}\d*);", header), key=lambda name: int(name[len(stem):] or 0))
    names = {"KERNEL": "CUpti_ActivityKernel", "MEMCPY": "CUpti_ActivityMemcpy", "MEMSET": "CUpti_ActivityMemset",
             "PAGES": "CUpti_ActivityUnifiedMemoryCounter"}
    cuda = [f"-I{p}" for p in (include, "/usr/local/cuda/include", f"{include}/../../include") if os.path.isdir(p)]
    made = os.path.join(work, "activities.so")
    run(["g++", "-shared", "-fPIC", "-O2", "-std=c++17", *cuda, *[f"-D{k}={newest(v)}" for k, v in names.items()],
         "-o", made, f"{HERE}/activities.cpp", libraries[0], f"-Wl,-rpath,{os.path.dirname(libraries[0])}", "-lcuda"])
    return made


def recorded(out, work, name):
    """Every case of a program with the activities between its first and its last mark; times from the first mark's end on."""
    program, log = build(work, f"{HERE}/{name}.cu"), os.path.join(work, name + ".jsonl")
    environment = {**os.environ, "LD_PRELOAD": recorder(work), "ACTIVITIES": log}
    cases = [json.loads(line) for line in run([program], env=environment).splitlines()]
    with open(log) as f: records = sorted((json.loads(line) for line in f), key=lambda r: r["start"])
    marks = {r["bytes"] - 4096: r for r in records if r["is"] == "set" and 4096 <= r["bytes"] < 8192}
    for case in cases:
        begin, end = marks[case["first"]]["end"], marks[case["last"]]["start"]
        case["activities"] = [{**r, "start": r["start"] - begin, "end": r["end"] - begin} for r in records
                              if begin <= r["start"] <= end]
    write(out, name, cases)


def pages(out, work, have): recorded(out, work, "pages")
def streams(out, work, have): recorded(out, work, "streams")


def sides(out, work, have):
    """No counters: which half of the L2 lines live in, by the time that atomics take."""
    write(out, "sides", [json.loads(line) for line in run([build(work, f"{HERE}/sides.cu")]).splitlines()])


def groups(out, work, have):
    """Whose reads are merged on the way to L2, and (no counters) where blocks go."""
    program = build(work, f"{HERE}/groups.cu")
    write_columns(out, "groups", profile(program, known(CACHES, have), ["pairs"], cold=True))
    write(out, "placement", [json.loads(line) for line in run([program, "placement"]).splitlines()])


def levels(out, work, have):
    """No counters: what each level of memory takes in cycles, gives in bytes a second and costs in energy."""
    for name, *libraries in (("latency",), ("bandwidth", "-ldl")):
        lines = run([build(work, f"{HERE}/{name}.cu", *libraries)]).splitlines()
        write(out, name, [json.loads(line) for line in lines])


def examples(out, work, have):
    with open(os.path.join(out, "examples.txt"), "w") as f:
        for source in sorted(os.listdir(f"{ROOT}/examples")):
            if not source.endswith(".cu"): continue
            program = os.path.join(work, "example_" + source[:-3])
            made = subprocess.run(["nvcc", "-std=c++17", "-o", program, f"{ROOT}/examples/{source}"], capture_output=True, text=True)
            ran = subprocess.run([program], capture_output=True, text=True, timeout=120) if made.returncode == 0 else made
            verdict = "ok" if ran.returncode == 0 and "FAIL" not in ran.stdout and "PASS" in ran.stdout else "FAILED"
            print("example", source, verdict, flush=True)
            f.write(f"== {source}: {verdict}, exit {ran.returncode}\n{made.stderr}{ran.stdout}{ran.stderr}\n")


def metrics(out, work, have):
    with open(os.path.join(out, "metrics.txt"), "w") as f:
        f.write("\n".join(sorted(m for m in have if re.search("shared|ldgsts|atom|red$|wavefronts|lrc|l1tex__m_|lts__|dram__|fbpa__|idc__|icc|gcc|imc", m))) + "\n")


def main():
    if len(sys.argv) < 2: sys.exit(__doc__)
    out, steps = sys.argv[1], sys.argv[2:] or ["metrics", "examples", "arbitration", "truth", "copies", "patched", "banks", "caches", "sides", "groups", "levels", "scattered", "hot_stores", "atomics", "padding", "pipes", "partners", "joined_reads", "queued_reads", "turns", "gathers", "stores", "after_store", "row_stores", "left_dirty", "streaming", "ways", "loaded", "policies", "pages", "streams"]
    begin = time.monotonic()
    work = os.path.join("/tmp", f"tilescope-measure-{os.getpid()}")
    os.makedirs(out, exist_ok=True)
    os.makedirs(work)
    have = {line.split()[0] for line in run(["ncu", "--query-metrics"]).splitlines() if line[:1].islower()}
    print(run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]).strip(), flush=True)
    print(run(["ncu", "--version"]).strip().splitlines()[-1], flush=True)
    for step in steps:
        print(f"{time.monotonic() - begin:.0f} s: {step}", flush=True)
        try: globals()[step](out, work, have)
        except subprocess.CalledProcessError as error:
            print(step, "failed:", error, (error.stdout or "")[-1500:], (error.stderr or "")[-1500:], flush=True)


if __name__ == "__main__": main()
