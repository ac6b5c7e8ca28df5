// Streams, copies, kernels and the host's waits along the program's time. Wheel, drag, pinch, buttons and keys zoom.
import "./time_line.css";
import { scaleLinear } from "d3-scale";
import { select } from "d3-selection";
import { zoom, zoomIdentity, type D3ZoomEvent } from "d3-zoom";
import { h, s } from "../base/dom";
import { bytes, duration, fileName, kernelName } from "../base/format";
import { mark } from "../base/marks";
import { tip, tipRows } from "../base/tip";
import type { Span } from "../base/types";

const rowHeight = 26, top = 8, bottom = 26, mostDrawn = 3000; // spans in view that are drawn one by one

const seriesOf = (span: Span): string => (span.kind === "kernel" ? "s1" : span.lane === "HtoD" ? "s2" : span.lane === "DtoH" ? "s3" : span.kind === "wait" ? "s6" : span.kind === "copy" ? "s4" : "s5");
const laneName = (span: Span): string => (span.lane === "compute" ? `kernels, stream ${span.stream}` : span.lane === "HtoD" ? "copies to device" : span.lane === "DtoH" ? "copies to host" : span.lane === "host" ? "host waits" : span.lane);
const laneOrder = (name: string): number => (name.startsWith("host") ? 0 : name.startsWith("copies") ? 1 : 2);

export function timeLine(spans: Span[], open?: (launch: number) => void, leftOut = 0, stalled = 0): HTMLElement {
    const node = h("div", { class: "part part-time-line" });
    const shown = spans.filter((span) => span.microseconds > 0);
    if (shown.length === 0) {
        node.append(h("p", { class: "nothing" }, "No time line is known for this run."));
        return node;
    }
    const lanes = [...new Set(shown.map(laneName))].sort((a, b) => laneOrder(a) - laneOrder(b) || a.localeCompare(b, "en", { numeric: true }));
    const begin = Math.min(...shown.map((span) => span.begin)), end = Math.max(...shown.map((span) => span.begin + span.microseconds));
    const height = top + lanes.length * rowHeight + bottom;
    const svg = s("svg", { class: "lanes", role: "group", "aria-label": `time line of ${duration(end - begin)}, ${shown.length} spans`, tabindex: 0, height });
    const names = h("div", { class: "lane-names", style: `padding-top: ${top}px` }, lanes.map((lane) => h("div", { style: `height: ${rowHeight}px` }, lane)));
    const place = h("div", { class: "lane-place" }, svg);
    let width = 700, transform = zoomIdentity;

    function draw(): void {
        const x = transform.rescaleX(scaleLinear().domain([begin, end]).range([0, width]));
        const [from = begin, to = end] = x.domain();
        const visible = shown.filter((span) => span.begin + span.microseconds >= from && span.begin <= to);
        const drawn = visible.length > mostDrawn ? [...visible].sort((a, b) => b.microseconds - a.microseconds).slice(0, mostDrawn) : visible;
        const ticks = x.ticks(Math.max(2, Math.floor(width / 130)));
        const focused = document.activeElement instanceof SVGElement && svg.contains(document.activeElement) ? document.activeElement.dataset.span : undefined;
        svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
        svg.replaceChildren(...lanes.map((_, at) => s("rect", { x: 0, y: top + at * rowHeight, width, height: rowHeight, class: at % 2 ? "lane odd" : "lane" })),
            ...ticks.flatMap((tick) => [s("line", { x1: x(tick), x2: x(tick), y1: top, y2: height - bottom + 4, class: "grid" }), s("text", { x: Math.min(width - 2, Math.max(2, x(tick))), y: height - 8, class: `quiet ${x(tick) > width - 40 ? "end" : x(tick) < 30 ? "" : "middle"}` }, duration(tick))]),
            ...drawn.map((span) => {
                const at = lanes.indexOf(laneName(span)), left = Math.max(-2, x(span.begin)), right = Math.min(width + 2, x(span.begin + span.microseconds)), wide = Math.max(1.5, right - left);
                const label = span.kind === "kernel" ? kernelName(span.name) : span.name.replace(/^copy /, "");
                const box = tip(s("rect", { x: left, y: top + at * rowHeight + 3, width: wide, height: rowHeight - 6, rx: 2, class: `span ${seriesOf(span)} ${span.kind}`, tabindex: -1, role: "note", "data-span": shown.indexOf(span), "data-launch": span.launch ?? null, "aria-label": `${label}, ${duration(span.microseconds)}` }),
                    () => tipRows(label, [["begins", duration(span.begin)], ["takes", duration(span.microseconds)], ...(span.bytes ? [["moves", bytes(span.bytes)] as [string, string]] : []), ["stream", String(span.stream)], ...(span.file ? [["at", `${fileName(span.file)}:${span.line}`] as [string, string]] : [])]));
                const launch = span.launch;
                if (launch !== undefined && open) {
                    box.classList.add("opens");
                    box.addEventListener("click", () => open(launch));
                }
                const room = wide - 10;
                return s("g", {}, box, room > 26 ? s("text", { x: left + 5, y: top + at * rowHeight + rowHeight / 2 + 4, class: "on name" }, label.length * 6.4 > room ? `${label.slice(0, Math.max(1, Math.floor(room / 6.4) - 1))}…` : label) : "");
            }));
        if (focused) (boxOf(Number(focused)) ?? svg).focus({ preventScroll: true });
        note.textContent = visible.length > drawn.length ? `${visible.length - drawn.length} short spans are not drawn at this zoom. ` : "";
    }
    const boxOf = (span: number) => svg.querySelector<SVGElement>(`[data-span="${span}"]`);
    // The picture is one tab stop. From there arrows go to the first span, from span to span of a lane, and to the nearest
    // of the lane above or below; what is out of sight comes into it.
    const order = shown.map((_, at) => at).sort((a, b) => (shown[a]?.begin ?? 0) - (shown[b]?.begin ?? 0));
    const ofLane = lanes.map((lane) => order.filter((at) => shown[at] && laneName(shown[at]) === lane));
    const middleOf = (at: number) => (shown[at]?.begin ?? 0) + (shown[at]?.microseconds ?? 0) / 2;
    function look(at: number): boolean {
        const x = transform.rescaleX(scaleLinear().domain([begin, end]).range([0, width])), [from = begin, to = end] = x.domain(), middle = middleOf(at);
        if (middle < from || middle > to) chosen.call(behaviour.translateTo, ((middle - begin) / (end - begin)) * width, 0);
        const box = boxOf(at);
        box?.focus({ preventScroll: true });
        return box !== null;
    }
    function goOn(key: string): void {
        const now = document.activeElement instanceof SVGElement ? document.activeElement.dataset.span : undefined;
        if (now === undefined) {
            for (const at of ofLane.flat()) if (look(at)) return;
            return;
        }
        const at = Number(now), lane = ofLane.findIndex((spans) => spans.includes(at)), step = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
        if (key === "ArrowUp" || key === "ArrowDown") {
            const away = (span: number) => Math.abs(middleOf(span) - middleOf(at));
            for (const span of [...(ofLane[lane + step] ?? [])].sort((a, b) => away(a) - away(b))) if (look(span)) return;
            return;
        }
        // Spans that are too short to be drawn at this zoom are passed over.
        const spans = ofLane[lane] ?? [];
        for (let next = spans.indexOf(at) + step; next >= 0 && next < spans.length; next += step) if (look(spans[next] ?? at)) return;
    }
    const note = h("span", {});
    const behaviour = zoom<SVGSVGElement, unknown>().scaleExtent([1, Math.max(50, (end - begin) * 4)]).on("zoom", (event: D3ZoomEvent<SVGSVGElement, unknown>) => {
        transform = event.transform;
        draw();
    }).filter((event: Event) => event.type !== "wheel" || (event as WheelEvent).ctrlKey || (event as WheelEvent).shiftKey || transform.k > 1);
    const chosen = select<SVGSVGElement, unknown>(svg);
    const limit = () => behaviour.extent([[0, 0], [width, height]]).translateExtent([[0, 0], [width, height]]);
    const by = (factor: number) => chosen.call(behaviour.scaleBy, factor);
    const move = (share: number) => chosen.call(behaviour.translateBy, (share * width) / transform.k, 0);
    svg.addEventListener("keydown", (event) => {
        const act: Record<string, () => void> = { "+": () => by(2), "=": () => by(2), "-": () => by(0.5), "0": () => chosen.call(behaviour.transform, zoomIdentity), ArrowLeft: () => move(0.25), ArrowRight: () => move(-0.25),
            Enter: () => document.activeElement?.dispatchEvent(new MouseEvent("click", { bubbles: true })), " ": () => document.activeElement?.dispatchEvent(new MouseEvent("click", { bubbles: true })) };
        if (event.ctrlKey || event.altKey || event.metaKey) return;
        const found = event.key.startsWith("Arrow") && !event.shiftKey ? () => goOn(event.key) : act[event.key];
        if (!found) return;
        event.preventDefault();
        found();
    });
    limit();
    chosen.call(behaviour);
    new ResizeObserver(([entry]) => {
        const now = Math.round(entry?.contentRect.width ?? width);
        if (now <= 0 || now === width) return;
        width = now;
        limit();
        draw();
    }).observe(place);
    const button = (text: string, label: string, act: () => void) => h("button", { type: "button", "aria-label": label, title: label, click: act }, text);
    node.append(h("div", { class: "controls" }, button("+", "zoom in", () => by(2)), button("−", "zoom out", () => by(0.5)), button("◂", "earlier", () => move(0.25)), button("▸", "later", () => move(-0.25)), button("whole", "the whole time line", () => chosen.call(behaviour.transform, zoomIdentity)),
        h("span", { class: "quiet small" }, "drag to move, Ctrl and wheel or two fingers to zoom; or + − 0 and Shift ← →; arrows go from span to span", mark("modelled"))), h("div", { class: "lane-box" }, names, place),
        h("ul", { class: "key" }, [["s1", "kernel"], ["s2", "copy to device"], ["s3", "copy to host"], ["s6", "host waits"], ["s5", "memset, prefetch"]].filter(([series]) => shown.some((span) => seriesOf(span) === series)).map(([series, text]) => h("li", { class: series ?? "" }, h("span", { class: "swatch" }), text))),
        h("p", { class: "quiet small" }, note, leftOut > 0 ? `${leftOut} more spans are not in the profile. ` : "", stalled > 0 ? `Bars of kernels include the ${duration(stalled)} for which kernels stand still until pages of managed memory are there.` : ""));
    draw();
    return node;
}
