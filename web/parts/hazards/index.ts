// What is wrong, with both ends in the source and where the barrier is missing.
import "./hazards.css";
import { h, type Child } from "../base/dom";
import { fileName, plural, thousands } from "../base/format";
import type { GoTo } from "../rows";
import type { Hazard, Source } from "../base/types";

const page = 20; // hazards shown at a time
const around = 2; // lines before and behind an end

const lineOf = (source: Source | undefined, line: number): string | undefined => {
    for (const part of source?.parts ?? []) {
        const text = part.text[line - part.first];
        if (text !== undefined) return text;
    }
    return undefined;
};

interface End {
    file: string;
    line: number;
    label: string;
    shape: string;
}

// Lines of one file around one or both ends; the place of a missing barrier as a line of its own.
function snippet(source: Source | undefined, ends: End[], missing: number | undefined, go?: GoTo): HTMLElement {
    const file = ends[0]?.file ?? "", wanted = new Set<number>();
    for (const end of ends) for (let line = end.line - around; line <= end.line + around; ++line) wanted.add(line);
    const lines = [...wanted].filter((line) => line > 0 && lineOf(source, line) !== undefined).sort((a, b) => a - b);
    let last = 0;
    const rows: Child[] = [];
    if (lines.length === 0) rows.push(ends.map((end) => h("div", { class: "end-line" }, h("span", { class: "no" }, String(end.line)), h("code", {}, "the source is not here"), h("span", { class: "end" }, `${end.shape} ${end.label}`))));
    for (const line of lines) {
        if (last > 0 && line > last + 1) rows.push(h("div", { class: "gap quiet" }, "⋮"));
        const here = ends.filter((end) => end.line === line);
        rows.push(h("div", { class: here.length > 0 ? "end-line" : "" }, h("span", { class: "no" }, String(line)), h("code", {}, lineOf(source, line) || " "), here.map((end) => h("span", { class: "end" }, `${end.shape} ${end.label}`))));
        if (missing === line) rows.push(h("div", { class: "missing" }, h("span", { class: "no" }, "+"), h("code", {}, "a barrier is missing here")));
        last = line;
    }
    const first = ends[0];
    return h("figure", { class: "snippet" }, h("figcaption", { class: "quiet" }, first && go && go.knows?.(file) !== false ? h("a", { href: "#source", title: file, click: (event: Event) => {
        event.preventDefault();
        go(first.file, first.line);
    } }, `${fileName(file)}:${ends.map((end) => end.line).join(", ")}`) : `${fileName(file)}:${ends.map((end) => end.line).join(", ")}`), h("div", { class: "snippet-code" }, rows));
}

// The line behind which the hint puts a barrier; the program's own words say it for people.
function barrierLine(hazard: Hazard): number | undefined {
    const found = /add __sync\w+\(\)[^;.]*?\bafter line (\d+)/.exec(hazard.hint ?? "") ?? /add __sync\w+\(\)[^;.]*?\bbetween lines (\d+)/.exec(hazard.hint ?? "");
    return found ? Number(found[1]) : undefined;
}

export function hazardCard(hazard: Hazard, sources: Record<string, Source>, go?: GoTo): HTMLElement {
    const ends: End[] = [];
    if (hazard.file && hazard.line) ends.push({ file: hazard.file, line: hazard.line, label: hazard.facts?.act?.deed ? `${hazard.facts.act.deed}s` : "here", shape: "①" });
    if (hazard.other_file && hazard.other_line) ends.push({ file: hazard.other_file, line: hazard.other_line, label: hazard.facts?.other?.deed ? `${hazard.facts.other.deed}s` : "and here", shape: "②" });
    const missing = barrierLine(hazard);
    const files = [...new Set(ends.map((end) => end.file))];
    const isError = (hazard.severity ?? "error") === "error";
    return h("article", { class: `hazard ${isError ? "" : "warning"}` },
        h("header", {}, h("span", { class: "hazard-kind" }, `${isError ? "✖" : "⚠"} ${hazard.kind}`), !isError && h("span", { class: "quiet" }, hazard.severity), hazard.order && h("span", { class: "quiet" }, hazard.order), hazard.space && h("span", { class: "quiet" }, `${hazard.space} memory`), hazard.count !== undefined && hazard.count > 1 && h("span", { class: "quiet" }, `${thousands(hazard.count)} times`)),
        h("p", {}, hazard.message), hazard.hint && h("p", { class: "hint" }, h("b", {}, "Mend it: "), hazard.hint),
        ends.length > 0 && h("div", { class: "ends" }, files.map((file) => snippet(sources[file], ends.filter((end) => end.file === file), missing, go))));
}

export function hazards(found: Hazard[], sources: Record<string, Source>, go?: GoTo, checked?: string[], beyond = 0): HTMLElement {
    const node = h("div", { class: "part part-hazards" });
    const isWarning = (hazard: Hazard) => Number((hazard.severity ?? "error") !== "error");
    const all = [...found].sort((a, b) => isWarning(a) - isWarning(b));
    if (all.length === 0) {
        node.append(h("p", { class: "nothing" }, checked && checked.length > 0 ? `None was found; looked for: ${checked.join(", ")}.` : "None was looked for; run with --check all to look."));
        return node;
    }
    const list = h("div", {}), more = h("button", { type: "button" });
    let shown = 0;
    const next = () => {
        for (const hazard of all.slice(shown, shown + page)) list.append(hazardCard(hazard, sources, go));
        shown = Math.min(all.length, shown + page);
        more.textContent = `show ${Math.min(page, all.length - shown)} more of ${thousands(all.length - shown)}`;
        more.hidden = shown >= all.length;
    };
    more.addEventListener("click", next);
    next();
    const one = new Set(all.map((hazard) => hazard.kind)).size === 1; // else a sum would be of unlike things
    const times = all.reduce((sum, hazard) => sum + (hazard.count ?? 1), 0);
    node.append(h("p", {}, h("b", {}, plural(all.length + beyond, "place")), beyond > 0 ? `; this page has ${thousands(all.length)} of them. The profile has the others.`  : one && times > all.length ? `, ${thousands(times)} times in all.` : "."), list, more);
    return node;
}
