// What a reader has to know first: how long it takes, what binds it, how busy the units are, what to do first.
import "./headline.css";
import { h, type Child } from "../base/dom";
import { duration, kernelName, percent, thousands } from "../base/format";
import { mark } from "../base/marks";
import { oneStop } from "../base/one_stop";
import { tip, tipRows } from "../base/tip";
import { isPlace, placeLink, rowText, type GoTo } from "../rows";
import type { Row, Run, Section } from "../base/types";

const valueOf = (row: Row | undefined, name: string) => row?.values?.find((value) => value.name === name);
export const rowOf = (section: Section | undefined, key: string): Row | undefined => section?.rows?.find((row) => row.key === key);

export function tile(label: Child, value: Child, note: Child, kind = ""): HTMLElement {
    return h("div", { class: `tile ${kind}` }, h("div", { class: "tile-label" }, label), h("div", { class: "tile-value" }, value), note && h("div", { class: "tile-note" }, note));
}

// The most rewarding advice, with what it saves and where it belongs.
export function doFirst(row: Row | undefined, go?: GoTo): HTMLElement | null {
    if (!row) return null;
    const saves = valueOf(row, "saves_microseconds"), rule = valueOf(row, "rule");
    const places = (row.places ?? []).filter(isPlace);
    return h("div", { class: "do-first" },
        h("div", { class: "do-first-head" }, h("b", {}, "Start with"), rule && h("span", { class: "rule" }, String(rule.text)),
            saves && h("span", { class: "saves" }, saves.text, mark(row.source))),
        h("p", {}, rowText(row), !rule && /hazards, below/.test(row.text ?? "") && [" ", h("a", { href: "#hazards" }, "to the hazards")]), places.length > 0 && h("p", { class: "quiet" }, "at ", places.map((place, at) => [at > 0 && ", ", placeLink(place, go)])));
}

const nameOfPart: Record<string, string> = { kernels: "kernels", copies: "copies", pages: "page faults", idle: "idle device" };
const seriesOfPart: Record<string, string> = { kernels: "s1", copies: "s2", pages: "s4", idle: "s6" };

// Where the wall time of the program goes.
export function programHeadline(run: Run, go?: GoTo): HTMLElement {
    const head = run.document.sections.find((section) => section.kind === "head");
    const said = rowOf(head, "program"), first = rowOf(head, "remedy");
    const program = run.program;
    const node = h("div", { class: "part part-headline" });
    if (said?.text) node.append(h("p", { class: "lead" }, said.text, mark(said.source), /^page faults/i.test(said.text) && [" ", h("a", { href: "#pages", class: "small" }, "to the pages of managed memory")]));
    if (program && program.microseconds > 0) {
        // What a cudaMemset takes is among the kernels, so that these are more than the list of kernels adds up to.
        const sets = (run.profile?.timeline ?? []).some((span) => span.kind === "set" && span.lane === "compute");
        const label = (part: string) => `${nameOfPart[part] ?? part}${part === "kernels" && sets ? " and cudaMemset" : ""}`;
        const parts = program.parts.filter((part) => part.microseconds > 0);
        node.append(
            oneStop(h("div", { class: "whole-bar", role: "img", "aria-label": parts.map((part) => `${label(part.name)} ${percent(part.microseconds / program.microseconds)}`).join(", ") },
                parts.map((part) => tip(h("span", { class: `piece ${seriesOfPart[part.name] ?? "s5"}`, style: `flex-grow: ${part.microseconds}`, tabindex: -1, role: "note", "aria-label": label(part.name), "data-part": part.name }),
                    () => tipRows(label(part.name), [["time", duration(part.microseconds)], ["share", percent(part.microseconds / program.microseconds)]]))))),
            h("ul", { class: "key" }, parts.map((part) => h("li", { class: seriesOfPart[part.name] ?? "s5" }, h("span", { class: "swatch" }), label(part.name), " ",
                h("b", {}, duration(part.microseconds)), h("span", { class: "quiet" }, ` ${percent(part.microseconds / program.microseconds)}`)))));
        if (program.hidden) node.append(h("p", { class: "quiet small" }, `${duration(program.hidden)} of the copies run beside kernels and are not counted twice.`));
    }
    const advice = doFirst(first, go);
    if (advice) node.append(advice);
    return node;
}

// Bars of how busy each unit is; the binding ones stand out.
function peaks(row: Row): HTMLElement {
    const bars = (row.values ?? []).filter((value) => typeof value.value === "number" && value.name !== "achieved_occupancy");
    return h("ul", { class: "peaks" }, bars.map((value) => {
        const share = Number(value.value), label = value.text.replace(/\s*[<≈]?\s*[\d.,]+\s*%.*$/, "");
        return h("li", { class: value.matters ? "matters" : "", "data-name": value.name }, h("span", { class: "peak-name" }, label), h("span", { class: "track" },
            h("span", { class: "peak-bar", style: `width: ${Math.min(100, Math.max(0, share * 100))}%` })), h("span", { class: "peak-value" }, percent(share)));
    }));
}

// `summed`: launches that the numbers are sums over.
export function kernelHeadline(section: Section, go?: GoTo, summed = 1): HTMLElement {
    const time = rowOf(section, "time"), peak = rowOf(section, "of_peak"), first = rowOf(section, "remedy");
    const micros = valueOf(time, "time"), achieved = valueOf(peak, "achieved_occupancy");
    const facts = (section.facts ?? []).map((fact) => h("li", {}, fact.text));
    const title = section.title ?? "";
    const node = h("div", { class: "part part-headline" },
        h("p", { class: "signature" }, h("b", {}, kernelName(title)), h("span", { class: "quiet" }, title.slice(kernelName(title).length))),
        facts.length > 0 && h("ul", { class: "facts" }, facts));
    if (time) {
        const rest = (time.text ?? "").replace(/^[^,]*,\s*/, "");
        const [binds, next] = rest.split(/;\s*next limit:\s*/);
        const saves = valueOf(first, "saves_microseconds"), fits = valueOf(rowOf(section, "occupancy"), "occupancy");
        node.append(h("div", { class: "tiles" },
            tile(["time", mark(time.source, "gpu__time_duration.sum")], micros ? duration(Number(micros.value)) : "–", [summed > 1 ? `of ${thousands(summed)} launches together` : "", /^on \d/.test(rest) ? (rest.split(",")[0] ?? "") : ""].filter(Boolean).join(", ") || null),
            tile(["limited by", mark(time.source)], (binds ?? "").replace(/^on [^,]*,\s*/, "").replace(/^limited by /, "").replace(/\s*\(.*\)/, ""), [/\(([^)]*)\)/.exec(binds ?? "")?.[1], next ? `; next limit: ${next}` : ""].join("").replace(/^; /, ""), "words"),
            achieved && tile(["occupancy", mark(peak?.source ?? "modelled", "sm__warps_active.avg.pct_of_peak_sustained_active")], percent(Number(achieved.value)), fits ? `achieved, ${percent(Number(fits.value))} theoretical` : "achieved"),
            saves && tile(["potential saving", mark(first?.source ?? "modelled")], saves.text.replace(/^saves /, "").replace(/ of .*/, ""), `of ${summed > 1 ? "their" : "the kernel's"} ${duration(Number(micros?.value))}`)));
    }
    if (peak) node.append(h("h4", {}, "How busy each unit is, of its peak", mark(peak.source)), peaks(peak));
    const advice = doFirst(first, go);
    if (advice) node.append(advice);
    if (!time) node.append(h("p", { class: "nothing" }, "No time is modeled for this launch; counts are below."));
    return node;
}
