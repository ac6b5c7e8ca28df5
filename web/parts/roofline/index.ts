// A kernel under a device's roofs: intensity to the right, operations a second upwards, both on logarithmic scales.
// Levels differ in shape: what threads ask for, L1, L2, DRAM.
import "./roofline.css";
import { scaleLog } from "d3-scale";
import { symbol, symbolCircle, symbolDiamond, symbolSquare, symbolTriangle, symbolStar, type SymbolType } from "d3-shape";
import { drawToWidth, h, picture, s, type Child } from "../base/dom";
import { fixed, kernelName, scaled, short } from "../base/format";
import { mark } from "../base/marks";
import { oneStop } from "../base/one_stop";
import { tip, tipRows } from "../base/tip";
import type { Device, RoofPoint, Roofline } from "../base/types";

export interface RoofKernel {
    name: string;
    roofline: Roofline;
    chosen?: boolean;
}

const levels: Record<string, { label: string; shape: SymbolType; series: string }> = {
    requested: { label: "asked for by threads", shape: symbolCircle, series: "s1" },
    shared: { label: "shared memory", shape: symbolStar, series: "s5" },
    l1: { label: "L1", shape: symbolSquare, series: "s2" },
    l2: { label: "L2", shape: symbolTriangle, series: "s3" },
    dram: { label: "DRAM", shape: symbolDiamond, series: "s4" },
};
const level = (name: string) => levels[name] ?? { label: name, shape: symbolCircle, series: "s6" };
const roofLabel: Record<string, string> = { dram: "DRAM", l2: "L2", l1: "L1", shared: "shared" };

export const rate = (value: number, unit = "FLOP/s"): string => `${scaled(value)}${unit}`;
// Powers of ten without their zeros behind the point.
const tick = (value: number): string => scaled(value).replace(/\.0+(?=\D|$)/, "");
const bandwidth = (value: number): string => `${scaled(value)}B/s`;
// Where a point stands: what the kernel does, or no more than it could where that is not known.
const height = (roofline: Roofline, point: RoofPoint): number => roofline.achieved ?? Math.min(point.ceiling, roofline.peak);

interface Options {
    peaks: { type: string; unit?: string; peak: number }[];
    memory: { level: string; bandwidth: number }[];
    room?: RoofKernel[]; // that the axes have room for, too: of a picture beside this one
}

function draw(width: number, kernels: RoofKernel[], { peaks, memory, room = [] }: Options): SVGSVGElement {
    const tall = width < 500 ? 300 : 380, margin = { left: width < 500 ? 44 : 58, right: 12, top: 18, bottom: 44 };
    const unit = peaks[0]?.unit ?? "FLOP/s";
    const all = [...kernels, ...room];
    const xs = all.flatMap((kernel) => kernel.roofline.points.map((point) => point.intensity)).filter((value) => value > 0);
    const ys = all.flatMap((kernel) => kernel.roofline.points.map((point) => height(kernel.roofline, point))).filter((value) => value > 0);
    const top = Math.max(...peaks.map((each) => each.peak), ...ys);
    const slowest = Math.min(...memory.map((each) => each.bandwidth));
    const ridge = top / slowest;
    const x = scaleLog().domain([Math.min(0.1, ridge / 100, ...xs.map((value) => value / 2)), Math.max(ridge * 6, ...xs.map((value) => value * 2))]).range([margin.left, width - margin.right]);
    const y = scaleLog().domain([Math.min(top / 300, (slowest * (x.domain()[0] ?? 0.1)) / 1.5, ...ys.map((value) => value / 3)), top * 2.2]).range([tall - margin.bottom, margin.top]);
    const [left = 0.01, right = 1000] = x.domain(), [low = 1] = y.domain();
    const powers = (from: number, to: number) => {
        const found: number[] = [];
        for (let power = Math.ceil(Math.log10(from)); power <= Math.log10(to); ++power) found.push(10 ** power);
        return found;
    };
    const xTicks = powers(left, right), yTicks = powers(low, y.domain()[1] ?? 1);
    const grid = [
        yTicks.map((value) => [s("line", { x1: margin.left, x2: width - margin.right, y1: y(value), y2: y(value), class: "grid" }), s("text", { x: margin.left - 6, y: y(value) + 4, class: "quiet end" }, tick(value))]),
        xTicks.map((value) => [s("line", { x1: x(value), x2: x(value), y1: margin.top, y2: tall - margin.bottom, class: "grid" }), s("text", { x: x(value), y: tall - margin.bottom + 16, class: "quiet middle" }, tick(value))]),
        s("text", { x: width - margin.right, y: tall - 8, class: "quiet end" }, `intensity, ${unit.replace("/s", "")} a byte`),
        s("text", { x: 0, y: 11, class: "quiet" }, unit)];
    const highest = Math.max(...peaks.map((each) => each.peak));
    // Levels with one bandwidth have one line and one label.
    const slopes = [...new Set(memory.map((each) => each.bandwidth))].map((speed) => ({ bandwidth: speed, levels: memory.filter((each) => each.bandwidth === speed).map((each) => each.level) }));
    const roofs: Child = [
        slopes.map((each, order) => {
            const end = Math.min(right, highest / each.bandwidth), start = Math.max(left, low / each.bandwidth);
            const angle = (Math.atan2(y(end * each.bandwidth) - y(start * each.bandwidth), x(end) - x(start)) * 180) / Math.PI;
            // Labels stand one behind the other along their lines, so that near lines do not write over each other.
            const at = start * (end / start) ** (slopes.length > 1 ? 0.06 + 0.3 * order : 0.2);
            const label = each.levels.map((name) => roofLabel[name] ?? name).join(", ");
            return [s("line", { x1: x(start), y1: y(start * each.bandwidth), x2: x(end), y2: y(end * each.bandwidth), class: "roof", "data-level": each.levels.join(" ") }),
                s("text", { transform: `translate(${x(at)} ${y(at * each.bandwidth) - 6}) rotate(${angle})`, class: "quiet roof-label" }, width < 500 ? label : `${label} ${bandwidth(each.bandwidth)}`)];
        }),
        peaks.map((each) => [s("line", { x1: x(Math.max(left, each.peak / Math.max(...memory.map((m) => m.bandwidth)))), y1: y(each.peak), x2: x(right), y2: y(each.peak), class: "roof", "data-type": each.type }),
            s("text", { x: width - margin.right, y: y(each.peak) - 6, class: "quiet end roof-label" }, `${each.type} ${rate(each.peak, each.unit ?? unit)}`)])];
    // Where several kernels are what the picture is about, each has its name beside its points.
    const several = kernels.filter((kernel) => kernel.chosen).length > 1, taken: [number, number][] = [];
    const named = (kernel: RoofKernel): Child => {
        const placed = kernel.roofline.points.filter((each) => each.intensity > 0).sort((a, b) => a.intensity - b.intensity);
        const most = placed[placed.length - 1], left = most !== undefined && x(most.intensity) > width * 0.75;
        const point = left ? placed[0] : most;
        if (!several || !kernel.chosen || !point) return null;
        const text = kernelName(kernel.name), at = x(point.intensity);
        let line = y(height(kernel.roofline, point)) + 4;
        while (taken.some(([across, down]) => Math.abs(across - at) < text.length * 7 + 12 && Math.abs(down - line) < 13)) line += 14;
        taken.push([at, line]);
        return s("text", { x: left ? at - 10 : at + 10, y: line, class: left ? "end roof-label" : "roof-label" }, text);
    };
    const points = [...kernels].sort((a, b) => Number(a.chosen ?? false) - Number(b.chosen ?? false)).map((kernel) => {
        const placed = kernel.roofline.points.filter((point) => point.intensity > 0);
        const first = placed[0], last = placed[placed.length - 1];
        const line = kernel.chosen && kernel.roofline.achieved !== undefined && first && last && placed.length > 1 && s("line", { x1: x(Math.min(...placed.map((p) => p.intensity))), x2: x(Math.max(...placed.map((p) => p.intensity))),
            y1: y(height(kernel.roofline, first)), y2: y(height(kernel.roofline, first)), class: "between" });
        return [line, named(kernel), placed.map((point) => {
            const known = level(point.level);
            const node = s("path", { d: symbol(known.shape, kernel.chosen ? 110 : 44)() ?? "", transform: `translate(${x(point.intensity)} ${y(height(kernel.roofline, point))})`,
                class: `point ${known.series} ${kernel.chosen ? "chosen" : "other"}`, tabindex: -1, role: "note", "data-level": point.level, "aria-label": `${kernelName(kernel.name)}, ${known.label}: ${short(point.intensity)} a byte` });
            return tip(node, () => tipRows(`${kernelName(kernel.name)}: ${known.label}`, [["intensity", `${short(point.intensity)} ${unit.replace("/s", "")}/B`],
                [kernel.roofline.achieved === undefined ? "could do" : "does", rate(height(kernel.roofline, point), unit)], ["roof here", rate(Math.min(point.ceiling, kernel.roofline.peak), unit)]]));
        })];
    });
    return oneStop(picture(width, tall, `roofline of ${kernels.map((kernel) => kernelName(kernel.name)).join(", ")}`, grid, roofs, points), ".point.chosen");
}

// Kernels under given roofs: what a lesson needs.
export function roofline(kernels: RoofKernel[], options: Options): HTMLElement {
    const node = h("div", { class: "part part-roofline" }), place = h("div", {});
    drawToWidth(place, (width) => draw(width, kernels, options));
    const seen = [...new Set(kernels.flatMap((kernel) => kernel.roofline.points.map((point) => point.level)))];
    // Of levels with one intensity the last is drawn over the others: the key says so.
    const points = kernels.find((kernel) => kernel.chosen)?.roofline.points ?? [], at = (name: string) => points.find((point) => point.level === name)?.intensity;
    const same = (one: number, other: number) => Math.abs(Math.log(one / other)) < 0.05;
    const under = (name: string): string => {
        const own = at(name), over = own === undefined || own <= 0 ? undefined : points.slice(points.findIndex((point) => point.level === name) + 1).reverse().find((point) => point.intensity > 0 && same(point.intensity, own));
        return over ? `, where ${level(over.level).label} is` : "";
    };
    node.append(place, h("ul", { class: "key" }, seen.map((name) => h("li", { class: level(name).series, "data-level": name }, s("svg", { class: "shape", viewBox: "-8 -8 16 16", "aria-hidden": "true" }, s("path", { d: symbol(level(name).shape, 90)() ?? "", class: "fill" })), `${level(name).label}${under(name)}`)),
        kernels.some((kernel) => kernel.chosen) && kernels.some((kernel) => !kernel.chosen) && h("li", { class: "quiet" }, "small and pale: other kernels of the program")),
        h("p", { class: "quiet small" }, `Roofs: ${[...options.memory.map((each) => `${roofLabel[each.level] ?? each.level} ${bandwidth(each.bandwidth)}`), ...options.peaks.map((each) => `${each.type} ${rate(each.peak, each.unit)}`)].join(" · ")}.`));
    return node;
}

// The same for a launch of a profile, with a choice of the device.
export function rooflineOn(devices: Device[], launch: number, names: Map<number, string>, choose?: (device: string) => void, chosen = devices[0]?.name, room: RoofKernel[] = []): HTMLElement {
    const host = h("div", { class: "part" });
    const known = devices.filter((device) => device.kernels.some((kernel) => kernel.launch === launch));
    if (known.length === 0) {
        host.append(h("p", { class: "nothing" }, "This launch has no arithmetic that a roofline could show."));
        return host;
    }
    const select = h("select", { "aria-label": "device", "data-control": "device" }, known.map((device) => h("option", { value: device.name, selected: device.name === chosen }, device.product ?? device.name)));
    const view = h("div", {}), words = h("p", { class: "verdict" });
    const again = () => {
        const device = known.find((each) => each.name === select.value) ?? known[0];
        if (!device) return;
        const own = device.kernels.find((kernel) => kernel.launch === launch);
        const kernels = device.kernels.flatMap((kernel) => (kernel.roofline ? [{ name: names.get(kernel.launch) ?? "", roofline: kernel.roofline, chosen: kernel.launch === launch }] : []))
            .filter((kernel) => kernel.chosen || kernel.roofline.type === own?.roofline?.type);
        if (!own?.roofline) {
            view.replaceChildren(h("p", { class: "nothing" }, "This launch has no arithmetic that a roofline could show."));
            words.textContent = "";
            return;
        }
        const mine = own.roofline, peaks = device.roofs.compute.filter((roof) => roof.type === mine.type);
        view.replaceChildren(roofline(kernels, { peaks: peaks.length > 0 ? peaks : [{ type: mine.type, unit: mine.unit, peak: mine.peak }], memory: device.roofs.memory, room }));
        const time = own.microseconds === undefined ? (device.no_time ? ` No time: ${device.no_time}.` : "") : ` On the ${device.name} it takes ${fixed(own.microseconds, 1)} µs.`;
        words.textContent = (mine.verdict ?? `Its ceiling there is ${rate(mine.attainable ?? mine.peak, peaks[0]?.unit)}; the device needs ${short(mine.ridge)} operations a byte to be bound by ${mine.type}.`) + (mine.verdict ? "" : time);
        words.append(mark(mine.achieved_modelled === false || mine.achieved === undefined ? "counted" : "modelled"));
    };
    select.addEventListener("change", () => {
        again();
        choose?.(select.value);
    });
    host.append(known.length > 1 ? h("div", { class: "controls" }, h("label", {}, "device ", select)) : "", view, words);
    again();
    return host;
}
