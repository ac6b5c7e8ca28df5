// What sections draw from: the data, the launch that is looked at, and how to get elsewhere.
import type { Glossary } from "../parts/glossary";
import type { Kernel, Launch, PageData, Run, Section } from "../parts/base/types";
import type { GoTo } from "../parts/rows";
import type { SourceView } from "../parts/source";

export interface Entry {
    launch: Launch;
    kernel?: Kernel;
    section?: Section;
}

export interface Context {
    data: PageData;
    glossary: Glossary;
    earlier: Entry[]; // of the first of two profiles
    entries: Entry[]; // of the profile's launches, those that take longest first
    names: Map<number, string>; // of launches, by index
    entry?: Entry; // that is looked at
    device?: string; // that was chosen
    source?: SourceView;
    open: (launch: number) => void;
    go: GoTo;
}

export function entriesOf({ profile, kernels, document }: Run): Entry[] {
    const byLaunch = new Map(kernels.map((kernel) => [kernel.launch, kernel]));
    const sections = new Map(document.sections.flatMap((section) => (section.launch !== undefined ? [[section.launch, section] as const] : [])));
    const entries = profile.launches.map((launch) => ({ launch, kernel: byLaunch.get(launch.index), section: sections.get(launch.index) }));
    return entries.sort((a, b) => (b.launch.time?.microseconds ?? -1) - (a.launch.time?.microseconds ?? -1) || a.launch.index - b.launch.index);
}

export function namesOf(data: PageData): Map<number, string> {
    const names = new Map<number, string>();
    for (const row of data.run.launches.rows) names.set(row.index, data.run.launches.kernels[row.kernel] ?? "");
    for (const launch of data.run.profile.launches) names.set(launch.index, launch.kernel);
    return names;
}
