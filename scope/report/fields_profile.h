// The fields of a profile, its launches and what belongs to these.
#pragma once

#include "scope/base/diagnostic.h"
#include "scope/report/fields.h"
#include "scope/report/fields_advice.h"
#include "scope/report/fields_bounds.h"
#include "scope/report/fields_code.h"
#include "scope/report/fields_energy.h"
#include "scope/report/fields_hazard.h"
#include "scope/report/fields_occupancy.h"
#include "scope/report/fields_phases.h"
#include "scope/report/fields_roofline.h"
#include "scope/report/fields_tiling.h"
#include "scope/report/fields_time.h"
#include "scope/report/fields_timeline.h"
#include "scope/report/profile.h"
#include "scope/report/profiler_names.h"
#include "scope/report/ratios.h"

namespace tilescope::report {

template <class V>
void describe(V& v, Is<Hazard> auto& x) {
    const bool has_other = !x.other_file.empty() || x.other_line != 0;
    v.field("kind", x.kind, "", "what it is");
    v.field("space", x.space, "", "of the memory; empty: about none");
    v.field("order", x.order, "", "of the accesses of a race", x.order != RaceOrder::kNone);
    v.field("file", x.file, "", "where it happened");
    v.field("line", x.line, "", "of that file");
    v.field("other_file", x.other_file, "", "of the access that it met", has_other);
    v.field("other_line", x.other_line, "", "of that file", has_other);
    v.field("count", x.count, "times", "that it happened");
    v.field("severity", x.severity, "", "absent: error. Anything less does not make the exit status",
            x.severity != Severity::kError);
    v.field("block", x.block, "index", "of the first that did it");
    v.field("thread", x.thread, "index", "within the block");
    v.field("other_block", x.other_block, "index", "of the one that it met", has_other);
    v.field("other_thread", x.other_thread, "index", "within that block", has_other);
    v.field("kernel", x.kernel, "", "demangled");
    v.field("facts", x.facts, "", "what the words are made of; absent where there are only words",
            x.facts != HazardFacts());
    v.field("message", x.message, "", "in words");
    v.field("hint", x.hint, "", "what to do about it", !x.hint.empty());
    v.field("auto", x.by_auto, "", "found by --check auto, so it does not make the exit status", x.by_auto);
}

template <class V>
void describe(V& v, Is<CheckedLaunches> auto& x) {
    v.field("kinds", x.kinds, "", "that were looked for");
    v.field("auto", x.is_auto, "", "by --check auto: as far as it costs little");
    v.field("launches", x.launches, "launches", "that were checked on all their blocks");
    v.field("in_part", x.in_part, "launches", "whose first blocks alone were checked for races and undefined values");
    v.field("skipped", x.skipped, "launches", "that --kernel or --launches left out");
}

template <class V>
void describe(V& v, Is<Diagnostic> auto& x) {
    v.field("severity", x.severity, "", "how bad it is");
    v.field("code", x.code, "", "stable name");
    v.field("file", x.location.file, "", "that it is about; may be empty");
    v.field("line", x.location.line, "", "0: none");
    v.field("column", x.location.column, "", "0: none");
    v.field("message", x.message, "", "what happened, one sentence");
    v.field("hint", x.hint, "", "what to do next; may be empty");
}

template <class V>
void describe(V& v, Is<FailedCall> auto& x) {
    v.field("call", x.call, "", "cudaMalloc, ...; launch for kernel<<<...>>>(...)");
    v.field("error", x.error, "", "cudaErrorInvalidValue, ...");
    v.field("reason", x.reason, "", "in words");
    v.field("kernel", x.kernel, "", "of a launch: the one that did not run", !x.kernel.empty());
    v.field("file", x.file, "", "of the host code", x.line != 0);
    v.field("line", x.line, "", "of that file", x.line != 0);
    v.field("count", x.count, "times", "that this place failed");
    v.field("unread", x.unread, "times", "that nobody read the error afterwards");
}

template <class V>
void describe(V& v, Is<CodePlace> auto& x) {
    v.field("module", x.module, "", "path of a program or library");
    v.field("address", x.address, "", "as its file has it");
}

template <class V>
void describe(V& v, Is<UnfinishedLaunch> auto& x) {
    v.field("index", x.index, "index", "of the launch");
    v.field("kernel", x.kernel, "", "demangled");
    v.field("grid", x.grid, "blocks", "extents");
    v.field("block", x.block, "threads", "extents");
}

template <class V>
void describe(V& v, Is<ProcessOfRun> auto& x) {
    v.field("id", x.id, "", "as the system numbers it", v.times());
    v.field("parent", x.parent, "", "the number of the process that started it", v.times());
    v.field("program", x.program, "", "the name of its executable");
    v.field("how", x.how, "", "it came to be: started, forked, or replaced the process before it in this list");
    v.field("launches", x.launches, "launches", "that it made");
}

template <class V>
void describe(V& v, Is<Variable> auto& x) {
    v.field("name", x.name, "", "as in the source; registers, local arrays, spills where no name survives");
    v.field("space", x.space, "", "where it lies");
    v.field("bytes", x.bytes, "bytes", "of one version");
    v.field("versions", x.versions, "versions", "during the launch");
    v.field("scope", x.scope, "", "who sees one version");
    v.field("lifetime", x.lifetime, "", "how long it is there; grid: as long as the launch");
    v.field("extents", x.extents, "elements", "of a shared array, as the source declares it", !x.extents.empty());
}

template <class V>
void describe(V& v, Is<AutomaticVariable> auto& x) {
    v.field("name", x.name, "", "as in the source");
    v.field("type", x.type, "", "of it, or of an array's elements");
    v.field("extents", x.extents, "elements", "of an array", !x.extents.empty());
    v.field("bytes", x.bytes, "bytes", "of each thread's");
    v.field("space", x.space, "", "register, or local: an array with an index that is only known at run time");
    v.field("kept_by_assembler", x.kept_by_assembler, "", "in registers, though the PTX has it in local memory",
            x.kept_by_assembler);
}

template <class V>
void describe(V& v, Is<RequestPicture> auto& x) {
    v.field("which", x.which, "", "of the access's requests, by what they take");
    v.field("kind", x.kind, "", "what is done: load, store, or copy for cp.async");
    v.field("banks", x.banks, "", "of shared memory, whose units are wavefronts; false: of global memory, sectors");
    v.field("access", x.access, "index", "of the line's accesses, that with the most requests first");
    v.field("requests", x.requests, "requests", "of this access that take as many units");
    v.field("of", x.of, "requests", "of this access");
    v.field("units", x.units, "sectors or wavefronts", "that the request takes");
    v.field("ideal", x.ideal, "sectors or wavefronts", "the fewest that would do");
    v.field("element_bytes", x.element_bytes, "bytes", "that a lane asks for");
    v.field("parameter", x.parameter, "index", "of the kernel, that the address counts from");
    v.field("variable", x.variable, "", "else the module's or the shared variable", !x.variable.empty());
    v.field("lanes", x.lanes, "bytes",
            "from the first byte's sector, or word of shared memory, to where each lane's begin; -1: it asks for none");
    v.field("lanes_of_request", x.lanes_of_request, "lanes", "of textures and surfaces: neighbours that ask together",
            x.lanes_of_request != 0);
    v.field("memory", x.memory, "", "likewise: an array that is fetched from, a surface, or memory that lies in rows",
            x.memory != TexelMemory::kNone);
    v.field("texels", x.texels, "", "likewise: of each texel the number of its request, column, row and slice",
            !x.texels.empty());
}

template <class V>
void describe(V& v, Is<TexelWalk> auto& x) {
    v.field("fetches", x.fetches, "warp instructions", "that were looked at, of some of the blocks");
    v.field("requests", x.requests, "requests", "of these");
    v.field("single", x.single, "warp instructions", "of them: a texel a lane, as it lies there, within the image");
    v.field("sectors", x.sectors, "sectors", "that they ask for");
    v.field("row_sectors", x.row_sectors, "sectors", "that loads of the same texels would touch, in rows");
    v.field("row_lines", x.row_lines, "lines", "likewise");
    v.field("tile_sectors", x.tile_sectors, "sectors", "that fetches of them would ask of an array's tiles");
    v.field("in_rows", x.in_rows, "warp instructions", "of them, from linear or pitched memory");
    v.field("by_hand", x.by_hand, "warp instructions", "of them: one of four whose texels are two by two neighbours");
}

template <class V>
void describe(V& v, Is<SplitCopy> auto& x) {
    v.field("bytes", x.bytes, "bytes", "that one access would move");
    v.field("loads", x.loads, "loads", "that the compiler made of it");
    v.field("stores", x.stores, "stores", "likewise");
}

template <class V>
void describe(V& v, Is<LineProfile> auto& x) {
    v.field("file", x.file, "", "as the compiler recorded it");
    v.field("line", x.line, "", "of that file");
    v.counters("counters", x.counters, "those that are not 0", false, true);
    v.field("tiling", x.tiling, "", "of the line's global loads");
    v.field("shared_variable", x.shared_variable, "", "the one that its bank conflicts are in",
            !x.shared_variable.empty());
    v.field("structure_bytes", x.structure_bytes, "bytes", "of a structure whose parts are asked for one by one",
            x.structure_bytes != 0);
    v.field("split_copy", x.split_copy, "", "a copy that the source writes as one access and the compiler split");
    v.field("matrix_row_bytes", x.matrix_row_bytes, "bytes",
            "from row to row of the matrices that it moves (ldmatrix, stmatrix), where these conflict",
            x.matrix_row_bytes != 0);
    v.field("by_layout", x.by_layout, "", "whether lanes have what the layout of a matrix gives them (wmma)",
            x.by_layout);
    v.field("texels", x.texels, "", "how its fetches of textures go");
    v.field("from", x.from, "", "whose line it is: ptx where the code names no line of a source",
            x.from != LinesFrom::kSource);
    v.field("text", x.text, "", "of a line of PTX: its instruction", !x.text.empty());
    v.field("pictures", x.pictures, "", "where the lanes of single requests go, of the lines that moved most",
            !x.pictures.empty());
}

template <class V>
void describe(V& v, Is<CachedBuffer> auto& x) {
    v.field("kind", x.kind, "", "local: all threads' local memory; heap: what kernels took by malloc");
    v.field("parameter", x.parameter, "index", "the first kernel parameter that points into it");
    v.field("name", x.name, "", "of a module's variable, or of the parameter in the source", !x.name.empty());
    v.field("bytes", x.bytes, "bytes", "of an allocation", x.kind == BufferKind::kAllocation);
    v.field("atomic_sectors", x.atomic_sectors, "32 B sectors", "of atomics and reductions, once for each request",
            x.atomic_sectors != 0);
    v.counters("counters", x.counters,
               "sectors of loads and stores, those of caches, bytes of DRAM; not those that are 0", false, true);
}

template <class V>
void describe(V& v, Is<SpillCount> auto& x) {
    v.field("instructions", x.instructions, "instructions", "warp instructions");
    v.field("requests", x.requests, "requests", "one for each 32-bit word of an instruction");
    v.field("sectors", x.sectors, "32 B sectors", "their sectors in the interleaved layout");
    v.field("bytes", x.bytes, "bytes", "that threads moved");
}

template <class V>
void describe(V& v, Is<SpillTraffic> auto& x) {
    v.field("counted", x.counted, "", "true: exact, and among the local counters; false: an estimate, which is not");
    v.field("loads", x.loads, "", "what was brought back");
    v.field("stores", x.stores, "", "what was spilled");
    v.field("in_caches", x.in_caches, "", "how they went through the model of the caches",
            x.in_caches != SpillsInCaches::kNone);
}

template <class V>
void describe_launch_head(V& v, Is<LaunchProfile> auto& x) {
    v.field("index", x.index, "index", "of the launch, from 0");
    v.field("kernel", x.kernel, "", "demangled");
    v.field("entry", x.entry, "", "as in the PTX");
    v.field("grid", x.grid, "blocks", "extents");
    v.field("block", x.block, "threads", "extents");
    v.field("static_shared_bytes", x.static_shared_bytes, "bytes", "of a block, declared in the kernel");
    v.field("dynamic_shared_bytes", x.dynamic_shared_bytes, "bytes", "of a block, given with the launch");
    v.field("local_bytes_per_thread", x.local_bytes_per_thread, "bytes", "of local memory");
    v.field("registers_per_thread", x.registers_per_thread, "registers", "that the machine code takes");
    v.field("registers_from", x.registers_from, "", "who said so");
    v.field("spill_store_bytes", x.spill_store_bytes, "bytes", "a thread, when a cubin or ptxas told");
    v.field("spill_load_bytes", x.spill_load_bytes, "bytes", "a thread, when a cubin or ptxas told");
    v.field("spill_traffic", x.spill_traffic, "", "of spills; absent without any, or where nobody can tell");
    v.field("blocks_run", x.blocks_run, "blocks", "of the grid");
    v.field("blocks_checked", x.blocks_checked, "blocks",
            "the first ones, where --check auto looked for races and undefined values in these alone");
    v.field("sampled", x.sampled, "", "counters are scaled from blocks_run to the whole grid");
    v.field("stream", x.stream, "index", "0: the default stream");
    v.field("graph", x.graph, "number", "of the graph launch that it is part of, counted from 1", x.graph != 0);
    v.field("process", x.process, "index", "of the process that made it, in processes; absent: the first",
            x.process != 0);
    v.field("observed", x.observed, "", "false: --kernel or --launches left it out", !x.observed);
    v.field("folded", x.folded, "launches", "that this entry stands for", x.folded != 1);
    v.field("folded_shapes", x.folded_shapes, "shapes", "that these had", x.folded != 1);
}

template <class V>
void describe(V& v, Is<PaddedFlop> auto& x) {
    v.field("fp16", x.fp16, "operations", "half-precision ones");
    v.field("fp32", x.fp32, "operations", "single-precision ones");
    v.field("fp64", x.fp64, "operations", "double-precision ones");
}

template <class V>
void describe(V& v, Is<LaunchProfile> auto& x) {
    describe_launch_head(v, x);
    v.counters("counters", x.counters,
               "all of them, those of caches and DRAM where they were modelled; none of a launch that was left out",
               true, x.observed);
    v.field("launch_read_bytes", x.launch_read_bytes, "bytes",
            "of dram_read_bytes, what a launch takes even where its kernel reads nothing: code and parameters among it",
            x.launch_read_bytes != 0);
    v.field(
        "caches_replayed", x.caches_replayed, "share",
        "of its requests to memory that the caches' clock saw, 1 where all was replayed; the others went through the "
        "caches without a clock, and what they did is told by those before and behind that did the same; absent "
        "without a replay");
    v.results("intensity", "of the arithmetic", x.observed, [&](auto& in) {
        in.result(
            "flop", [&] { return flop(x.counters); }, "operations", "floating-point ones");
        in.result(
            "requested_bytes", [&] { return requested_bytes(x.counters); }, "bytes",
            "that threads asked global memory for");
        in.result(
            "l2_bytes", [&] { return l2_bytes(x.counters); }, "bytes",
            "moved from and to L2; this and what follows only where caches were modelled");
        in.result(
            "dram_bytes", [&] { return dram_bytes(x.counters); }, "bytes", "moved from and to DRAM");
        in.result(
            "requested", [&] { return ratio_by_name("intensity")->value(x.counters); }, "operations/byte",
            "flop to requested_bytes");
        in.result(
            "l2", [&] { return ratio_by_name("l2_intensity")->value(x.counters); }, "operations/byte",
            "flop to l2_bytes");
        in.result(
            "dram", [&] { return ratio_by_name("dram_intensity")->value(x.counters); }, "operations/byte",
            "flop to dram_bytes");
        in.result(
            "useful", [&] { return useful_intensity(x); }, "operations/byte",
            "flop without padded_flop to requested_bytes; absent without any");
    });
    v.field(
        "padded_flop", x.padded_flop, "",
        "of the arithmetic, what multiplies zeros that the kernel put into shared memory instead of loading; absent "
        "without any",
        x.padded_flop.all() != 0);
    v.group("occupancy", "on the modelled device; absent where it is not known", x.blocks_per_sm != 0,
            [&](auto& in) { describe_occupancy(in, x); });
    v.field("time", x.time, "", "on the modelled device: modelled; absent where the caches were not modelled");
    v.field("replay", x.replay, "",
            "modelled: what the replay of the caches found on its own clock; absent without it");
    v.field("work", x.work, "", "of all warps, whatever the device: estimated from the PTX; absent when not observed");
    v.field("energy", x.energy, "",
            "of moving its bytes, estimated; absent where the caches were not modelled or the device knows no cost");
    v.field("roofline", x.roofline, "", "under the roofs of the modelled device; absent without arithmetic");
    v.group("tiling", "what tiling could save; absent when not observed", x.tiling.has_value(), [&](auto& in) {
        in.inlined(x.tiling, nullptr);
        in.field("buffers", x.buffers, "", "the same for each allocation that loads touched");
        in.field("shared", x.shared_reuse, "", "what became of shared variables");
    });
    v.group("caches", "modelled; absent where they were not, or had nothing to do", !x.cached_buffers.empty(),
            [&](auto& in) { in.field("buffers", x.cached_buffers, "", "what was moved of each"); });
    v.field("threads_meet", x.threads_meet, "", "whether barriers order anything; absent where nobody looked");
    v.field("seconds", x.seconds, "s", "wall time of the emulation", v.times());
    v.field("variables", x.variables, "", "of the kernel", !x.variables.empty());
    v.field("automatic_variables", x.automatic_variables, "",
            "that the kernel declares within itself, where clang compiled it and their place is known",
            !x.automatic_variables.empty());
    v.field("lines", x.lines, "", "by file, then line");
    v.field("bounds", x.bounds, "", "its checks of an index; absent where `tilescope boundaries` did not ask");
    v.field("hazards", x.hazards, "", "what the kernel did wrong");
    // An empty list says that nothing is worth advice; no list, that nobody looked.
    v.field("advice", x.advice, "", "the most rewarding first; absent when nobody looked",
            x.tiling.has_value() || !x.advice.empty());
}

template <class V>
void describe(V& v, Is<BudgetResult> auto& x) {
    v.field("budget", x.budget, "", "as it was given");
    v.field("verdict", x.verdict, "", "what became of it");
    v.field("launches", x.launches, "launches", "of its kernel, that were held against it");
    v.field("broken", x.broken, "launches", "of these, that broke it");
    v.field("launch", x.launch, "index", "of the first that broke it, or has no value that it needs");
    v.field("kernel", x.kernel, "", "of that launch, demangled", !x.kernel.empty());
    v.field("values", x.values, "", "of that launch: each name in it with its value", !x.values.empty());
}

template <class V>
void describe(V& v, Is<Profile> auto& x) {
    v.result(
        "schema", [&] { return x.schema; }, "", "of this format: 1");
    v.field("tilescope", x.tilescope_version, "", "version that wrote it");
    v.field("device", x.device, "", "that was modelled");
    v.field("program", x.program, "", "that ran");
    v.field("compiler", x.compiler, "", "of the program; empty for an executable");
    v.results("profiler_names", "what NVIDIA's Nsight Compute calls the figures of launches that it has, too", true,
              [](auto& in) {
                  for (const ProfilerName& name : profiler_names())
                      if (name.differs.empty())
                          in.result(
                              name.ours.data(), [&] { return std::string(name.theirs); }, "", "a metric's name");
              });
    v.results("stall_reasons", "the reasons for which warps stall there, of what they wait for in replay", true,
              [](auto& in) {
                  for (const StallRow& row : stall_rows())
                      in.result(
                          row.name.data(), [&] { return reasons_of(row.name); }, "", "one or several");
              });
    v.field("outcome", x.outcome, "", "how the run ended");
    v.field("ended", x.ended, "", "how the host program ended: exit 0, signal 11, time limit", !x.ended.empty());
    v.field("jobs", x.jobs, "threads", "that emulated", v.times());
    v.field("seconds", x.seconds, "s", "wall time of the run", v.times());
    v.launches("launches", x.launches, "in the order in which the program made them");
    v.field("unfinished", x.unfinished, "", "a launch that was under way when the program ended");
    v.field("processes", x.processes, "", "that used the device, as they began; absent where one program ran alone",
            !x.processes.empty());
    v.field("hazards", x.hazards, "", "of the run rather than of one launch");
    v.field("failed_calls", x.failed_calls, "", "of the CUDA runtime, once for each place", !x.failed_calls.empty());
    v.field("advice", x.advice, "", "about the program rather than one launch", !x.advice.empty());
    v.field("transfers", x.transfers, "", "copies, by the place that made them", !x.transfers.empty());
    v.field("timeline", x.timeline, "",
            "of streams, copies, kernels and waits, as they end: modelled (docs/reference/timeline.md)",
            !x.timeline.empty());
    v.field("overlap", x.timeline_totals, "", "what the whole time line comes to; absent where none could be drawn");
    v.field("event_times", x.event_times, "", "what cudaEventElapsedTime gave; absent where nobody asked");
    v.field("pages", x.pages, "", "of managed memory, and how they move: modelled; absent without any");
    v.field("checks", x.checks, "", "that looked for hazards", !x.checks.empty());
    v.field("checked", x.checked, "", "what was looked for, and in how many launches");
    v.field("suppressed", x.suppressed, "hazards", "that --suppress and comments in the source have hidden",
            x.suppressed != 0);
    v.field("budgets", x.budgets, "", "what became of each --budget", !x.budgets.empty());
    v.field("trace", x.trace, "", "of `trace`: one block of one launch");
    v.field("ptx", x.code, "", "of kernels that ran, by the lines of their source", !x.code.empty());
    v.field("diagnostics", x.diagnostics, "", "what ended it or kept it from running, and warnings on the way",
            !x.diagnostics.empty());
}

}  // namespace tilescope::report
