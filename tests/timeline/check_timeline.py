"""Runs programs that copy, overlap and use managed memory, and holds their profiles to what the rules give.

usage: check_timeline.py TILESCOPE SOURCE_FOLDER COMPILER
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

TOOL, SOURCE, COMPILER = sys.argv[1:4]
problems = []


def check(holds, what):
    if not holds:
        problems.append(what)


def run(folder, program, *arguments, options=()):
    path = folder / "profile.json"
    path.unlink(missing_ok=True)
    command = [TOOL, "run", "--compiler", COMPILER, "--json", str(path), *options, str(pathlib.Path(SOURCE) / program)]
    done = subprocess.run([*command, "--", *arguments], capture_output=True, text=True)
    check(done.returncode == 0, f"{program} {arguments}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(path.read_text()), done.stdout


def end(span):
    return span["begin"] + span["microseconds"]


def overlap(a, b):
    return max(0, min(end(a), end(b)) - max(a["begin"], b["begin"]))


def check_overlap(folder):
    one, text = run(folder, "examples/overlap.cu", "one", options=["--caches", "on"])
    check(one["overlap"]["hidden"] == 0, "one go: something is hidden")
    check([t["host_memory"] for t in one["transfers"]] == ["pageable"] * 2, "one go: kinds of memory")
    check("of the copy time overlaps kernels" in text, "no word of what is hidden")
    check(max(map(len, text.splitlines())) <= 100, "a line of the report is wider than 100 columns")
    lines = (pathlib.Path(SOURCE) / "examples/overlap.cu").read_text().splitlines()
    for transfer in one["transfers"]:
        check("cudaMemcpy(" in lines[transfer["line"] - 1], f"line of a copy: {transfer}")

    pieces, _ = run(folder, "examples/overlap.cu", "pieces", options=["--caches", "on"])
    check(pieces["overlap"]["hidden"] > 0.3 * pieces["overlap"]["copies"], f"pieces: {pieces['overlap']}")
    check(pieces["overlap"]["microseconds"] < 0.5 * one["overlap"]["microseconds"], "pieces are no faster")
    check(sum(t["bytes"] for t in pieces["transfers"]) == 2 * 4 * 2**20, "bytes of the pieces")
    check(len(pieces["transfers"]) == 8 and all(t["async"] for t in pieces["transfers"]), "a row for each stream and place")
    by_stream = {}
    for span in pieces["timeline"]:
        if span["lane"] != "host":
            by_stream.setdefault(span["stream"], []).append(span)
    for spans in by_stream.values():
        spans.sort(key=lambda span: span["begin"])
        check([span["lane"] for span in spans] == ["HtoD", "compute", "DtoH"], f"order of a stream: {spans}")
        check(all(end(a) <= b["begin"] + 1e-9 for a, b in zip(spans, spans[1:])), "work of one stream overlaps")
    return folder / "profile.json"


def check_trace(profile, folder):
    trace = folder / "trace.json"
    subprocess.run([TOOL, "report", str(profile), "--chrome-trace", "-o", str(trace)], check=True)
    events = json.loads(trace.read_text())["traceEvents"]
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    spans = [e for e in events if e["ph"] == "X"]
    check(all((e["pid"], e["tid"]) in names for e in spans), "a span on a thread without a name")
    check(all(e["ts"] >= 0 and e["dur"] >= 0 for e in spans), "times of the trace")
    kernels = [e for e in spans if names[e["pid"], e["tid"]] == "SMs"]
    copies = [e for e in spans if names[e["pid"], e["tid"]].startswith("copies ")]
    check(len(kernels) == 4 and len(copies) == 8, f"{len(kernels)} kernels, {len(copies)} copies on engines")
    beside = [(k, c) for k in kernels for c in copies
              if min(k["ts"] + k["dur"], c["ts"] + c["dur"]) > max(k["ts"], c["ts"])]
    check(any(k["args"]["stream"] != c["args"]["stream"] for k, c in beside), "nothing overlaps in the trace")


def check_order(folder):
    profile, text = run(folder, "tests/timeline/stream_order.cu", options=["--caches", "on"])
    spans = {span["name"].split("(")[0]: span for span in profile["timeline"] if span["kind"] == "kernel"}
    check(spans["consume"]["begin"] >= end(spans["produce"]), "the event does not order its kernels")
    check(spans["behind_all"]["begin"] >= end(spans["consume"]), "the default stream does not wait for a blocking one")
    check(overlap(spans["beside"], spans["consume"]) + overlap(spans["beside"], spans["produce"]) > 0,
          "the non-blocking stream waits for others")
    check(spans["behind_all"]["begin"] < end(spans["beside"]) or end(spans["beside"]) < end(spans["consume"]),
          "the default stream waits for a non-blocking one")
    copies = [t for t in profile["transfers"] if t["host_memory"] == "pageable"]
    check(len(copies) == 1 and copies[0]["count"] == 100 and copies[0]["bytes"] == 100 * 2**18, f"folded copies: {copies}")
    waits = [span for span in profile["timeline"] if span["kind"] == "wait" and span["name"] == "cudaMemcpy"]
    check(len(waits) == 100, f"{len(waits)} waits of 100 blocking copies")
    elapsed = float(re.search(r"elapsed (\S+)", text).group(1)) * 1000
    modelled = end(spans["behind_all"]) - spans["produce"]["begin"]
    check(abs(elapsed - modelled) < 10, f"cudaEventElapsedTime {elapsed} us, on the time line {modelled} us")

    # Without times there are copies, and no line.
    profile, _ = run(folder, "tests/timeline/stream_order.cu", options=["--caches", "off"])
    check("timeline" not in profile and "overlap" not in profile, "a time line without times")
    check(sum(t["count"] for t in profile["transfers"]) == 101, "copies without a time line")


def check_graphs(folder):
    """The chains of examples/graphs.cu: 20 kernels, launched 20 times."""
    def kernels(profile):
        spans = sorted((s for s in profile["timeline"] if s["kind"] == "kernel"), key=lambda s: s["begin"])
        check(len(spans) == len(profile["launches"]), f"{len(spans)} kernels on the line")
        return spans

    alone, _ = run(folder, "examples/graphs.cu", "one_by_one", options=["--caches", "on"])
    check("graph_launches" not in alone["overlap"], f"no graph: {alone['overlap']}")
    check(not any("graph" in thing for thing in alone["launches"] + alone["timeline"]), "no graph, but its number")

    chain, text = run(folder, "examples/graphs.cu", "chain", options=["--caches", "on"])
    check("20 launches of graphs" in text, f"no word of graphs: {text}")
    check(chain["overlap"]["graph_launches"] == 20, f"chain: {chain['overlap']}")
    spans = kernels(chain)
    check([s["graph"] for s in spans] == [1 + i // 20 for i in range(400)], "numbers of launches of the chain")
    check([l["graph"] for l in chain["launches"]] == [1 + i // 20 for i in range(400)], "numbers at the launches")
    check(len({s["stream"] for s in spans}) == 1, "a chain is work of one stream")
    check(all(end(a) <= b["begin"] + 1e-9 for a, b in zip(spans, spans[1:])), "kernels of a chain overlap")
    # Behind other work of its graph a kernel begins sooner: 0.5 us instead of the launch overhead, 3,400 cycles.
    whole = {l["index"]: l["time"]["microseconds"] for l in chain["launches"]}
    saved = 3400 / 1980 - 0.5
    for i, span in enumerate(spans):
        wanted = whole[span["launch"]] - (saved if i % 20 else 0)
        check(abs(span["microseconds"] - wanted) < 1e-3, f"kernel {i} of the chain: {span}, {wanted} us")
    check(chain["overlap"]["microseconds"] < 0.5 * alone["overlap"]["microseconds"], "a graph saves no time")

    # Kernels that come behind nothing are all first: each has its own launch overhead.
    roots, _ = run(folder, "tests/timeline/graph_roots.cu", options=["--caches", "on"])
    times = [s["microseconds"] for s in kernels(roots)]
    check(len(times) == 3 and max(times) - min(times) < 1e-3, f"kernels behind nothing: {times}")

    fork, _ = run(folder, "examples/graphs.cu", "fork", options=["--caches", "on"])
    spans = kernels(fork)
    streams = sorted({s["stream"] for s in spans})
    check(len(streams) == 2, f"branches on streams {streams}")
    one, two = ([s for s in spans if s["stream"] == stream and s["name"].startswith("step")] for stream in streams)
    check(len(one) == len(two) == 20, f"{len(one)} and {len(two)} kernels of the branches")
    check(all(overlap(a, b) > 0 for a, b in zip(one, two)), "the branches do not run side by side")
    combine = spans[-1]
    check(combine["name"].startswith("combine") and combine["begin"] >= max(end(one[-1]), end(two[-1])) - 1e-9,
          "the join does not wait for both branches")

    trace = folder / "graphs.trace.json"
    subprocess.run([TOOL, "report", str(folder / "profile.json"), "--chrome-trace", "-o", str(trace)], check=True)
    events = json.loads(trace.read_text())["traceEvents"]
    of_graph = [e for e in events if e["ph"] == "X" and e["args"].get("graph launch") == 1]
    check(len(of_graph) == 2 * 43, f"{len(of_graph)} spans of the graph in the trace, each twice")
    names = [e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"]
    check(any(name.endswith(", of graphs") for name in names), f"threads of the trace: {names}")


def check_pages(folder):
    size = 4 * 2**20
    plain, _ = run(folder, "examples/managed.cu", "plain")
    pages = plain.get("pages")
    if pages is None:
        print("this system does not say which pages a process touches: pages are not checked")
        return
    total = pages["total"]
    check(total["faults"] == 3 * 12 and total["refaults"] == 2 * 12, f"plain: {total}")
    check(total["to_device_bytes"] == 3 * size and total["to_host_bytes"] == 3 * size, f"plain: {total}")
    check(total["host_faults"] == 3 * 12 and pages["trouble"] == "ping-pong", f"plain: {pages}")
    check([row["moves"]["faults"] for row in pages["launches"]] == [12, 12, 12], f"plain: {pages['launches']}")

    # 36 faults each, of 42 us, and 12 MiB at 13 GB/s: for the kernels, and again for the host.
    stall = 36 * 42 + 3 * size / 13e3
    check(abs(total["device_stall_microseconds"] - stall) < 1 and abs(total["host_stall_microseconds"] - stall) < 1,
          f"plain: {total}")
    held = [span for span in plain["timeline"] if span["kind"] == "wait" and span["name"] == "page faults"]
    check(len(held) == 3 and abs(sum(span["microseconds"] for span in held) - stall) < 1, f"the host's faults: {held}")

    ahead, _ = run(folder, "examples/managed.cu", "prefetch", options=["--caches", "on"])
    check(ahead["overlap"]["microseconds"] < 0.2 * plain["overlap"]["microseconds"], "prefetches save no time")
    total = ahead["pages"]["total"]
    check(total["faults"] == 0 and total["host_faults"] == 0, f"prefetch: {total}")
    check(total["prefetched_in_bytes"] == 3 * size == total["prefetched_back_bytes"], f"prefetch: {total}")
    check("trouble" not in ahead["pages"], f"prefetch: {ahead['pages']}")
    moved = [span for span in ahead["timeline"] if span["kind"] == "prefetch"]
    check(len(moved) == 6 and all(span["bytes"] == size for span in moved), f"prefetches on the time line: {moved}")

    read, _ = run(folder, "examples/managed.cu", "advise")
    total = read["pages"]["total"]
    check(total["to_device_bytes"] == size and total["to_host_bytes"] == 0 and total["faults"] == 12, f"advise: {total}")


def check_thrash(folder):
    room, size = 12 * 2**20, 16 * 2**20
    options = ["--device-memory", "12M"]
    sweeps, text = run(folder, "examples/oversubscribed.cu", "sweeps", options=options)
    if "pages" not in sweeps:
        return
    pages, total = sweeps["pages"], sweeps["pages"]["total"]
    check(pages["trouble"] == "thrash" and "pages thrash" in text and "cudaMemPrefetchAsync" in text, f"sweeps: {text}")
    check(pages["touched_bytes"] == size and pages["room_bytes"] == room, f"sweeps: {pages}")
    check(pages["resident_bytes"] <= room, "more is resident than there is room for")
    check(total["to_device_bytes"] == 4 * size and total["evicted_bytes"] == 4 * size - room, f"sweeps: {total}")
    check(total["refaults_evicted"] == 3 * 48, f"sweeps: {total}")

    pieces, _ = run(folder, "examples/oversubscribed.cu", "pieces", options=options)
    total = pieces["pages"]["total"]
    check(total["to_device_bytes"] == size and total["refaults"] == 0, f"pieces: {total}")
    roomy, _ = run(folder, "examples/oversubscribed.cu", "sweeps")
    check(roomy["pages"]["total"]["evicted_bytes"] == 0 and roomy["pages"]["trouble"] == "faults", "with room for all")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_trace(check_overlap(folder), folder)
        check_order(folder)
        check_graphs(folder)
        check_pages(folder)
        check_thrash(folder)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
