// Of a comparison: the first run's pictures, or the first kernel's, beside the second's, at one scale.
import { h, type Child } from "../parts/base/dom";
import { duration } from "../parts/base/format";
import { changeOf } from "../parts/compare";
import { flow, fullestOf } from "../parts/flow";
import { roofline, rooflineOn, type RoofKernel } from "../parts/roofline";
import { timeStack } from "../parts/time_stack";
import type { Context, Entry } from "./context";

interface Pairs {
    device_after?: string; // absent: the other side is what a card counted, which has no pictures
    launches?: { before: number; after: number }[];
}

// What a launch was before: its pair, or where launches are summed up the kernel of its name.
export function before(context: Context): Entry | undefined {
    const { data, entry, earlier } = context;
    const compared = data.comparison?.data as Pairs | undefined;
    if (!entry || compared?.device_after === undefined) return undefined;
    const pair = (compared.launches ?? []).find((each) => each.after === entry.launch.index);
    // Two kernels of one profile: only those that are a pair.
    if (!data.baseline) return pair && pair.before !== pair.after ? context.entries.find((each) => each.launch.index === pair.before) : undefined;
    const row = data.baseline.launches.rows.find((each) => each.index === pair?.before);
    const stands = row?.entry !== undefined ? data.baseline.profile.launches[row.entry]?.index : undefined;
    return earlier.find((each) => each.launch.index === pair?.before) ?? earlier.find((each) => each.launch.index === stands) ?? earlier.find((each) => each.launch.kernel === entry.launch.kernel);
}

function sides(context: Context, first: Entry, one: Child, other: Child): HTMLElement {
    const { comparison } = context.data, then = first.launch.time?.microseconds, now = context.entry?.launch.time?.microseconds;
    const side = (name: string, what: string | undefined, time: number | undefined, change: Child, picture: Child) => h("section", { class: "side-picture", "aria-label": `${name}: ${what ?? ""}` },
        h("h3", {}, `${name} `, h("span", { class: "quiet small" }, what), time !== undefined && h("span", { class: "small" }, ` · ${duration(time)} `), change), picture);
    return h("div", { class: "sides" }, side("before", comparison?.before, then, null, one), side("after", comparison?.after, now, now !== undefined && then !== undefined && h("span", { class: "small" }, changeOf("microseconds", then, now)), other));
}

export function flows(context: Context): Child {
    const first = before(context), here = context.entry?.kernel?.flow, there = first?.kernel?.flow;
    if (!here) return null;
    const reads = (entry: Entry | undefined) => entry?.launch.launch_read_bytes ?? 0;
    if (!first || !there) return flow(here, undefined, reads(context.entry));
    const scale = Math.max(fullestOf(here), fullestOf(there));
    return sides(context, first, flow(there, scale, reads(first)), flow(here, scale, reads(context.entry)));
}

export function times(context: Context): HTMLElement {
    const { data, entry } = context, first = before(context), own = entry?.launch.time?.microseconds ?? 0;
    const draw = (of: Entry | undefined, longest?: number) => timeStack({ time: of?.launch.time, replay: of?.launch.replay }, data.time_parts, data.stalls, longest);
    if (!first) return draw(entry);
    const longest = Math.max(own, first.launch.time?.microseconds ?? 0);
    return sides(context, first, draw(first, longest), draw(entry, longest));
}

// The first run under the roofs that its own device has: a launch names those that it met.
export function rooflines(context: Context): HTMLElement {
    const { data, entry, names } = context, first = before(context), was = first?.launch.roofline, is = entry?.launch.roofline;
    const known = (of: Entry, roof: NonNullable<typeof was>): RoofKernel => ({ name: of.launch.kernel, roofline: roof, chosen: true });
    const now = rooflineOn(data.devices, entry?.launch.index ?? -1, names, (device) => (context.device = device), context.device, first && was ? [known(first, was)] : []);
    if (!first) return now;
    const memory = was ? [...new Map(was.points.filter((point) => point.level !== "requested").map((point) => [point.level, point.bandwidth]))].map(([level, bandwidth]) => ({ level, bandwidth })) : [];
    const then = was ? roofline([known(first, was)], { peaks: [{ type: was.type, unit: was.unit, peak: was.peak }], memory, room: entry && is ? [known(entry, is)] : [] })
        : h("p", { class: "nothing" }, "This launch had no arithmetic that a roofline could show.");
    return sides(context, first, then, now);
}
