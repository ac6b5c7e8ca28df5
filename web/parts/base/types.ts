// What the program writes into the page: the shapes that parts take. A key with ? may be absent; keys that a part does
// not know are left alone. scope/views/render writes it, docs/reference/profile.md describes the profile inside.

export interface Value {
    name: string;
    value: number | string;
    unit?: string;
    ideal?: number;
    text: string;
    matters?: boolean;
}
export interface Place {
    file?: string;
    line?: number;
    who?: string;
}
export interface Row {
    kind: string;
    key: string;
    label?: string;
    text?: string;
    part?: boolean;
    leads?: boolean;
    shown?: string;
    values?: Value[];
    verdict?: string;
    why?: string;
    source: string;
    places?: Place[];
    remedy?: string;
    severity?: string;
    columns?: string[];
    rows?: Row[];
}
export interface Section {
    kind: string;
    title?: string;
    times?: string | number;
    launch?: number;
    facts?: Value[];
    rows?: Row[];
}

export type Numbers = Record<string, number>;

export interface Line {
    file: string;
    line: number;
    from?: string;
    text?: string;
    counters: Numbers;
}
export interface Hazard {
    kind: string;
    space?: string;
    order?: string;
    severity?: string;
    file?: string;
    line?: number;
    other_file?: string;
    other_line?: number;
    count?: number;
    kernel?: string;
    facts?: { act?: { deed?: string }; other?: { deed?: string }; place?: string; remedy?: string };
    message: string;
    hint?: string;
}
export interface Variable {
    name: string;
    space: string;
    bytes: number;
    versions?: number;
    scope?: string;
    lifetime?: string;
    extents?: number[];
}
export interface RoofPoint {
    level: string;
    bytes?: number;
    intensity: number;
    ceiling: number;
    bandwidth: number;
    bound?: string;
}
export interface Roofline {
    type: string;
    unit?: string;
    peak: number;
    ridge: number;
    points: RoofPoint[];
    attainable?: number;
    of_peak?: number;
    achieved?: number;
    achieved_modelled?: boolean;
    bound?: string;
    verdict?: string;
}
export interface Advice {
    rule: string;
    file?: string;
    line?: number;
    saves_microseconds?: number;
    message: string;
}
export interface Launch {
    index: number;
    kernel: string;
    entry?: string;
    grid: number[];
    block: number[];
    static_shared_bytes?: number;
    dynamic_shared_bytes?: number;
    registers_per_thread: number;
    registers_from?: string;
    sampled?: boolean;
    observed?: boolean;
    folded?: number;
    folded_shapes?: number;
    counters: Numbers;
    launch_read_bytes?: number;
    occupancy?: {
        blocks_per_sm: number;
        warps_per_sm: number;
        fraction: number;
        limiters: string[];
        achieved?: number;
        barriers_per_block?: number;
    };
    time?: {
        microseconds: number;
        bound: string;
        kind: string;
        next_bound?: string;
        next_microseconds?: number;
        breakdown: Numbers;
        of_peak: Numbers;
    };
    replay?: Numbers;
    roofline?: Roofline;
    variables?: Variable[];
    lines?: Line[];
    hazards?: Hazard[];
    advice?: Advice[];
}
export interface Span {
    kind: string;
    lane: string;
    stream: number;
    name: string;
    launch?: number;
    bytes?: number;
    begin: number;
    microseconds: number;
    file?: string;
    line?: number;
}
export interface PageMoves {
    faults: number;
    refaults: number;
    refaults_evicted: number;
    host_faults: number;
    to_device_bytes: number;
    to_host_bytes: number;
    prefetched_in_bytes: number;
    prefetched_back_bytes: number;
    evicted_bytes: number;
    mapped_bytes: number;
    device_stall_microseconds: number;
    host_stall_microseconds: number;
}
export interface Pages {
    managed_bytes: number;
    touched_bytes: number;
    resident_bytes: number;
    room_bytes: number;
    total: PageMoves;
    trouble?: string;
    message?: string;
    launches: { launch: number; moves: PageMoves }[];
    left_out?: number;
}
export interface TraceCell {
    kind: string;
    text: string;
}
export interface Trace {
    launch: number;
    kernel: string;
    file: string;
    grid: number[];
    block: number[];
    block_index: number[];
    arrays: { name: string; space: string; bytes: number; element_bytes: number; shape: number[] }[];
    phase_count: number;
    phases: {
        first: number;
        last: number;
        first_interval: number;
        columns: { kind: string; array: string; interval: number; lines: number[] }[];
        rows: { thread: number; cells: TraceCell[][] }[];
        other_threads?: number;
    }[];
    total: Numbers;
    notes: string[];
}
// The PTX of a kernel by the lines of its source.
export interface KernelCode {
    entry: string;
    lines: { file: string; line: number; instructions: string[] }[];
    left_out?: number;
    one_of_several?: boolean;
}
export interface Profile {
    device: string;
    program: string;
    compiler?: string;
    outcome: string;
    ended?: string;
    seconds?: number;
    launches: Launch[];
    unfinished?: { index: number; kernel: string };
    hazards?: Hazard[];
    advice?: Advice[];
    timeline?: Span[];
    overlap?: { microseconds: number; kernels: number; copies: number; hidden: number; host_waits: number; left_out?: number; until?: number };
    pages?: Pages;
    trace?: Trace;
    checks?: string[];
    ptx?: KernelCode[];
    diagnostics?: { severity?: string; code?: string; message: string; file?: string; line?: number; hint?: string }[];
}

export interface FlowLink {
    from: string;
    to: string;
    what: string;
    bytes: number;
    wasted?: number;
    asked?: number;
    source: string;
}
export interface Miss {
    level: string;
    why: string;
    sectors: number;
}
export interface Flow {
    links: FlowLink[];
    misses: Miss[];
}
export interface Buffer {
    name: string;
    kind: string;
    bytes?: number;
    asked?: number;
    l2_read_bytes?: number;
    l2_write_bytes?: number;
    dram_read_bytes?: number;
    dram_write_bytes?: number;
    l1_hit_rate?: number;
    l2_hit_rate?: number;
    times_each_byte?: number;
}
export interface Access {
    file: string;
    line: number;
    access?: number; // of the line's accesses, that with the most requests first
    banks: boolean;
    kind: string;
    which: string;
    requests: number;
    of: number;
    units: number;
    ideal: number;
    element_bytes: number;
    array?: string;
    lanes: (number | null)[];
    // Of textures and surfaces instead: neighbouring lanes ask together, for texels of [request, column, row, slice].
    memory?: string;
    lanes_of_request?: number;
    texels?: number[][];
}
export interface Kernel {
    launch: number;
    figures: Numbers;
    flow?: Flow;
    buffers?: Buffer[];
    lines?: { file: string; line: number; share: number; figures: Numbers }[];
    pictures?: Access[];
}
export interface LaunchRow {
    index: number;
    kernel: number;
    entry?: number;
    grid: number[];
    block: number[];
    stream?: number;
    microseconds?: number;
    bound?: string;
}
export interface Source {
    lines: number;
    parts: { first: number; text: string[] }[];
}
export interface Run {
    profile: Profile;
    document: { sections: Section[] };
    launches: { total: number; kernels: string[]; rows: LaunchRow[] };
    program?: { microseconds: number; parts: { name: string; microseconds: number }[]; hidden?: number };
    kernels: Kernel[];
    sources: Record<string, Source>;
    more_hazards?: number; // that the page does not hold
    trust: { rows: Row[] };
}
export interface DeviceKernel {
    launch: number;
    microseconds?: number;
    bound?: string;
    kind?: string;
    blocks_per_sm: number;
    warps_per_sm: number;
    occupancy: number;
    limiters: string[];
    roofline?: Roofline;
}
export interface Device {
    name: string;
    product?: string;
    text?: string;
    compute?: string;
    sms?: number;
    roofs: { compute: { type: string; unit?: string; peak: number }[]; memory: { level: string; bandwidth: number }[] };
    occupancy: number;
    no_time?: string;
    kernels: DeviceKernel[];
}
export interface OccupancyTable {
    warp: number;
    max_warps_per_sm: number;
    by_blocks: number | null;
    threads: (number | null)[];
    registers: { most: number; blocks: (number | null)[] }[];
    shared: { most: number; blocks: number | null }[];
    barriers?: number;
}
export interface Figure {
    kind: string;
    unit?: string;
    text: string;
    source: string;
    group?: string;
    profiler?: string;
    differs?: string;
}
export interface Term {
    name: string;
    also?: string[];
    kind: string;
    text: string;
    see?: string[];
}
export interface TimePart {
    name: string;
    label: string;
    kind: string;
    text?: string;
}
export interface Stall {
    name: string;
    text?: string;
    reasons: { name: string; brief?: string; text?: string }[];
}
export interface Comparison {
    before: string;
    after: string;
    data: unknown;
    document: { sections: Section[] };
}
export interface PageData {
    schema: number;
    kind: "report" | "compare";
    tool: { name: string; version: string };
    title: string;
    left_out: string[];
    run: Run;
    baseline?: Run;
    comparison?: Comparison;
    devices: Device[];
    occupancy: OccupancyTable[];
    figures: Record<string, Figure>;
    glossary: Term[];
    time_parts: TimePart[];
    stalls: Stall[];
}
