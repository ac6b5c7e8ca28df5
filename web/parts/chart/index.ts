// Curves and marked points over two axes, as a lesson's figures give them.
import "./chart.css";
import { scaleLinear, scaleLog } from "d3-scale";
import { curveStepAfter, curveLinear, line } from "d3-shape";
import { drawToWidth, h, picture, s, type Child } from "../base/dom";
import { scaled, short } from "../base/format";
import { oneStop } from "../base/one_stop";
import { tip, tipRows } from "../base/tip";

interface Axis {
    title: string;
    logarithmic: boolean;
    least: number;
    most: number;
}
export interface ChartData {
    title: string;
    subtitle: string;
    x: Axis;
    y: Axis;
    curves: { name: string; points: [number, number][]; stepped: boolean; strong: boolean }[];
    marks: { name: string; x: number; y: number; strong: boolean }[];
    notes: string[];
}

const series = ["s1", "s2", "s3", "s4", "s5", "s6"];
const number = (value: number): string => (Math.abs(value) >= 1000 ? scaled(value) : short(value)).replace(/\.0+(?=\D|$)/, "");

const scaleOf = (axis: Axis, range: [number, number]) => (axis.logarithmic ? scaleLog() : scaleLinear()).domain([axis.least, axis.most]).range(range);

// Values of an axis that are worth a line: few enough to be read; of a logarithmic one its powers, of 2 where 10 gives too few.
function ticksOf(axis: Axis, count: number): number[] {
    if (!axis.logarithmic) return scaleLinear().domain([axis.least, axis.most]).ticks(count);
    const base = axis.most / axis.least > 100 ? 10 : 2, found: number[] = [];
    for (let power = Math.ceil(Math.log(axis.least) / Math.log(base) - 1e-9); base ** power <= axis.most * 1.0001; ++power) found.push(base ** power);
    return found;
}

// Where x is logarithmic and y grows manifold, y is, too: then a law like "twice the stride, twice the sectors" is a straight line.
function straightened(data: ChartData): ChartData {
    const values = data.curves.flatMap((curve) => curve.points.map((point) => point[1])), least = Math.min(...values), most = Math.max(...values);
    if (!data.x.logarithmic || data.y.logarithmic || least <= 0 || most / least < 4) return data;
    return { ...data, y: { ...data.y, logarithmic: true, least: least / 1.4, most: most * 1.4 } };
}

function draw(width: number, data: ChartData): SVGSVGElement {
    const tall = width < 500 ? 270 : 360, left = width < 500 ? 44 : 56, right = 14, top = 24, bottom = 44;
    const x = scaleOf(data.x, [left, width - right]), y = scaleOf(data.y, [tall - bottom, top]);
    const grid = [ticksOf(data.y, 6).map((value) => [s("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), class: "grid" }), s("text", { x: left - 6, y: y(value) + 4, class: "quiet end" }, number(value))]),
        ticksOf(data.x, width < 500 ? 5 : 8).map((value) => [s("line", { x1: x(value), x2: x(value), y1: top, y2: tall - bottom, class: "grid" }), s("text", { x: x(value), y: tall - bottom + 16, class: "quiet middle" }, number(value))]),
        s("text", { x: width - right, y: tall - 8, class: "quiet end" }, data.x.title), s("text", { x: 0, y: 12, class: "quiet" }, data.y.title)];
    const curves = data.curves.map((curve, at) => s("path", { class: `line ${series[at % series.length]} ${curve.strong ? "strong" : ""}`, "data-curve": curve.name,
        d: line<[number, number]>((point) => x(point[0]), (point) => y(point[1])).curve(curve.stepped ? curveStepAfter : curveLinear)(curve.points) ?? "" }));
    const marks: Child = data.marks.map((mark) => {
        const late = x(mark.x) > width - 80 || y(mark.y) > tall - bottom - 20; // no room to the right, or below
        return [tip(s("circle", { cx: x(mark.x), cy: y(mark.y), r: 5, class: `mark-point ${mark.strong ? "strong" : ""}`, tabindex: -1, role: "note", "aria-label": mark.name }), () => tipRows(mark.name, [[data.x.title, number(mark.x)], [data.y.title, number(mark.y)]])),
            s("text", { x: x(mark.x) + (late ? -7 : 9), y: y(mark.y) + (late ? -9 : 14), class: late ? "end halo" : "halo" }, mark.name)];
    });
    return oneStop(picture(width, tall, `${data.title}: ${data.marks.map((mark) => mark.name).join(", ")}`, grid, curves, marks));
}

export function chart(data: ChartData): HTMLElement {
    const place = h("div", {});
    const drawn = straightened(data);
    drawToWidth(place, (width) => draw(width, drawn));
    return h("div", { class: "part part-chart" }, data.subtitle && h("p", { class: "quiet small" }, data.subtitle), place,
        data.curves.length > 1 && h("ul", { class: "key" }, data.curves.map((curve, at) => h("li", { class: series[at % series.length] ?? "s6" }, h("span", { class: "swatch" }), curve.name))),
        data.notes.map((note) => h("p", { class: "quiet small" }, note)));
}
