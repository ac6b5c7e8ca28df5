// The source with a column that is the warmer the more a line has of a counter. A click on a line opens what its warps
// access. Lines come in blocks that a browser lays out only when they are seen.
import "./source.css";
import { h, type Child } from "../base/dom";
import { figureText, fileName, percent, plural, scaled, short } from "../base/format";
import { mark } from "../base/marks";
import { choose, oneStop } from "../base/one_stop";
import type { Access, Figure, KernelCode, Line, Source } from "../base/types";
import { accesses } from "../access";

export interface SourceData {
    files: Record<string, Source>;
    lines: Line[];
    shares: { file: string; line: number; share: number; figures: Record<string, number> }[];
    figures: Record<string, Figure>;
    pictures: Access[];
    code?: KernelCode; // of the kernel
    notes?: { file?: string; line?: number; text: string; kind: string }[]; // advice and hazards of lines
}

const share = "share";
const block = 100; // lines of a block
const startCount = (data: SourceData): string[] => {
    const names = new Set<string>();
    for (const line of data.shares) for (const [name, value] of Object.entries(line.figures)) if (value) names.add(name);
    for (const line of data.lines) for (const [name, value] of Object.entries(line.counters)) if (value) names.add(name);
    return [share, ...names];
};

export interface SourceView {
    node: HTMLElement;
    open: (file: string, line: number) => boolean;
}

export function source(data: SourceData): SourceView {
    const node = h("div", { class: "part part-source" });
    const files = [...new Set([...data.lines.map((line) => line.file), ...Object.keys(data.files)])];
    const counts = startCount(data);
    const shareOf = new Map(data.shares.map((line) => [`${line.file}:${line.line}`, line]));
    const countersOf = new Map(data.lines.map((line) => [`${line.file}:${line.line}`, line]));
    const valueAt = (file: string, line: number, name: string): number | undefined => {
        const key = `${file}:${line}`;
        if (name === share) return shareOf.get(key)?.share;
        return countersOf.get(key)?.counters[name] ?? shareOf.get(key)?.figures[name];
    };
    const hottest = [...data.shares].sort((a, b) => b.share - a.share)[0];
    if (files.length === 0) {
        node.append(h("p", { class: "nothing" }, "No line of the source is known: compile with -lineinfo (nvcc) or -gline-tables-only (clang)."));
        return { node, open: () => false };
    }
    const heading = (name: string): string => (name === share ? "share of traffic" : name.replaceAll("_", " "));
    const chooseCount = h("select", { "aria-label": "what the column shows", "data-control": "counter" }, counts.map((name) => h("option", { value: name }, heading(name))));
    const chooseFile = h("select", { "aria-label": "file", "data-control": "file" }, files.map((name) => h("option", { value: name, selected: name === hottest?.file }, fileName(name))));
    const about = h("p", { class: "quiet small about" }), panel = h("div", {}), view = oneStop(h("div", { class: "code", role: "region", "aria-label": "source" }), ".src.known", true);
    const codeOf = new Map((data.code?.lines ?? []).map((line) => [`${line.file}:${line.line}`, line.instructions]));
    let opened: HTMLElement | undefined;
    let wantsCode = false; // what a reader asked for at one line stays open at the next

    const say = (name: string, value: number | undefined): string => (value === undefined || value === 0 ? "" : name === share || data.figures[name]?.unit === "" ? percent(value) : Number.isInteger(value) ? scaled(value) : short(value));

    // What the compiler made of a line, for who asks.
    function ptx(file: string, line: number): Child {
        const found = codeOf.get(`${file}:${line}`);
        if (!data.code || !found) return null;
        if (found.length === 0) return h("p", { class: "quiet small" }, "The PTX of this line is not in the page: it was too long.");
        const fold = h("details", { class: "ptx", open: wantsCode }, h("summary", {}, `PTX of line ${line}: ${plural(found.length, "instruction")}`),
            h("pre", { class: "scroll", tabindex: 0, "aria-label": `PTX of line ${line}` }, h("code", {}, found.join("\n"))),
            data.code.one_of_several && h("p", { class: "quiet small" }, "The run has several kernels of this name with different code: this is the first one's."));
        fold.addEventListener("toggle", () => (wantsCode = fold.open));
        return fold;
    }

    function details(file: string, line: number): Child {
        const own = data.pictures.filter((access) => access.file === file && access.line === line);
        const notes = (data.notes ?? []).filter((note) => note.file === file && note.line === line);
        const found = countersOf.get(`${file}:${line}`);
        const figures = Object.entries({ ...shareOf.get(`${file}:${line}`)?.figures, ...found?.counters }).filter(([, value]) => value !== 0);
        return [notes.map((note) => h("p", { class: `line-note ${note.kind}` }, h("b", {}, note.kind), " ", note.text)),
            ptx(file, line),
            own.length > 0 ? accesses(own) : figures.length > 0 ? h("p", { class: "quiet small" }, "No request of this line was recorded to be drawn.") : null,
            figures.length > 0 ? h("details", { open: own.length === 0 }, h("summary", {}, `All ${figures.length} numbers of line ${line}`), h("dl", { class: "numbers" }, figures.map(([name, value]) => h("div", {}, h("dt", {}, name.replaceAll("_", " "), mark(data.figures[name]?.source ?? "counted", data.figures[name]?.profiler)), h("dd", {}, figureText(value, data.figures[name]?.unit)))))) : h("p", { class: "quiet small" }, "Nothing was counted at this line.")];
    }

    function close(): void {
        opened?.setAttribute("aria-expanded", "false");
        opened = undefined;
        panel.replaceChildren();
        view.classList.remove("with-details");
    }

    // What a line accesses stands below the code, which makes room for it and keeps the line in sight.
    function toggle(row: HTMLElement, file: string, line: number): void {
        const again = opened === row;
        close();
        if (again) return;
        opened = row;
        row.setAttribute("aria-expanded", "true");
        view.classList.add("with-details");
        panel.replaceChildren(h("div", { class: "line-details" }, h("p", { class: "line-title" }, h("b", {}, `${fileName(file)}:${line}`), " ", h("code", {}, row.querySelector("code")?.textContent?.trim() ?? ""), h("button", { type: "button", "aria-label": "close", click: close }, "×")), details(file, line)));
        reveal(line, false);
        view.scrollIntoView({ block: "nearest" });
    }

    function lineRow(file: string, number: number, text: string, name: string, most: number): HTMLElement {
        const value = valueAt(file, number, name), warm = value && most > 0 ? value / most : 0;
        const known = countersOf.has(`${file}:${number}`);
        const noted = (data.notes ?? []).find((note) => note.file === file && note.line === number);
        const row = h("div", { class: `src ${known ? "known" : ""}`, "data-line": number, ...(known ? { role: "button", tabindex: -1, "aria-expanded": "false" } : {}) },
            h("span", { class: "heat", style: warm > 0 ? `--warm: ${(0.08 + 0.5 * warm).toFixed(3)}` : null }, h("span", { class: "heat-bar", style: `width: ${(warm * 100).toFixed(1)}%` }), h("span", { class: "heat-value" }, say(name, value))),
            h("span", { class: "no" }, String(number), noted && h("span", { class: `flag ${noted.kind}`, title: noted.text }, noted.kind === "hazard" ? "✖" : "▸")), h("code", {}, text === "" ? " " : text));
        if (known) {
            // Who selects text with the pointer does not want the line to open; of a key there is no detail.
            row.addEventListener("click", (event) => {
                if (event.detail === 0 || !String(window.getSelection() ?? "")) toggle(row, file, number);
            });
        }
        return row;
    }

    function draw(): void {
        const file = chooseFile.value, name = chooseCount.value, found = data.files[file];
        close();
        const values = data.lines.filter((line) => line.file === file).map((line) => valueAt(file, line.line, name) ?? 0);
        const most = name === share ? 1 : Math.max(0, ...values);
        const figure = data.figures[name];
        about.replaceChildren(name === share ? "Bytes that a line moves, of all that the launch moves. Click a line that has numbers." : [figure?.text ?? heading(name)].join(""), name === share ? mark("counted") : mark(figure?.source ?? "counted", figure?.profiler));
        const lines: [number, string][] = found ? found.parts.flatMap((part) => part.text.map((text, at): [number, string] => [part.first + at, text])) : data.lines.filter((line) => line.file === file).map((line) => [line.line, line.text ?? ""]);
        const blocks: HTMLElement[] = [];
        let last = 0;
        for (let at = 0; at < lines.length; at += block) {
            const rows: HTMLElement[] = [];
            for (const [number, text] of lines.slice(at, at + block)) {
                if (found && last > 0 && number > last + 1) rows.push(h("div", { class: "gap quiet" }, `${number - last - 1} lines left out`));
                rows.push(lineRow(file, number, text, name, most));
                last = number;
            }
            blocks.push(h("div", { class: "block", style: `contain-intrinsic-height: auto ${rows.length * 1.45}em` }, rows));
        }
        view.replaceChildren(...blocks);
        // Lines that open are one tab stop; without any it is the code itself, so that keys can move it.
        const first = view.querySelector<HTMLElement>(".src.known");
        if (first) choose(view, first);
        view.toggleAttribute("tabindex", false);
        if (!first) view.tabIndex = 0;
        if (!found) view.prepend(h("p", { class: "quiet small gap" }, `${file} was not found; lines that were counted stand here without the others.`));
        if (!found && lines.length === 0) view.append(h("p", { class: "nothing" }, "Nothing was counted in this file."));
    }

    function reveal(line: number, unfold: boolean): boolean {
        const row = view.querySelector<HTMLElement>(`.src[data-line="${line}"]`);
        if (!row) return false;
        // Only the code moves, not the page.
        const top = row.getBoundingClientRect().top - view.getBoundingClientRect().top + view.scrollTop;
        view.scrollTop = Math.max(0, top - view.clientHeight / 3);
        view.querySelectorAll(".src.here").forEach((each) => each.classList.remove("here"));
        row.classList.add("here");
        if (row.classList.contains("known")) choose(view, row);
        if (unfold && row.classList.contains("known") && row.getAttribute("aria-expanded") !== "true") toggle(row, chooseFile.value, line);
        return true;
    }

    chooseCount.addEventListener("change", draw);
    chooseFile.addEventListener("change", draw);
    draw();
    node.append(h("div", { class: "controls" }, h("label", {}, "colour by ", chooseCount), files.length > 1 ? h("label", {}, "file ", chooseFile) : ""), about, view, panel);
    if (hottest) requestAnimationFrame(() => reveal(hottest.line, false));
    return {
        node,
        open: (file, line) => {
            if (!files.includes(file)) return false;
            if (chooseFile.value !== file) {
                chooseFile.value = file;
                draw();
            }
            return reveal(line, true);
        },
    };
}
