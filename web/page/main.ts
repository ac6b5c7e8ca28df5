// The report page: reads the data that the program put into it, and lays out the parts.
import "../parts/base/parts.css";
import "./page.css";
import { h, type Child } from "../parts/base/dom";
import { duration, kernelName, plural, thousands } from "../parts/base/format";
import { glossaryOf } from "../parts/glossary";
import { programHeadline } from "../parts/headline";
import { launches } from "../parts/launches";
import type { PageData } from "../parts/base/types";
import { entriesOf, namesOf, type Context, type Entry } from "./context";
import { forget, later, now } from "./lazy";
import { explained, sections } from "./sections";
import { applyStored, themeButton } from "./theme";

const host = document.getElementById("page") as HTMLElement;

function read(): PageData | string {
    const text = document.getElementById("tilescope-data")?.textContent;
    if (!text) return "This page has no data: it is what tilescope run --html FILE fills.";
    try {
        const data = JSON.parse(text) as PageData;
        if (data.schema !== 1) return `This page's data is of schema ${data.schema}, which it does not know.`;
        return data;
    } catch (error) {
        return `This page's data cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    }
}

function notices(data: PageData): Child {
    const { profile, launches } = data.run, found: Child[] = [];
    const notice = (kind: string, title: string, ...text: Child[]) => found.push(h("div", { class: `notice ${kind}` }, h("b", {}, title), " ", text));
    const ends: Record<string, string> = { fault: "A kernel did what a GPU would not go on from (a fault): see its hazard.", unsupported: "A kernel needed something that is not supported here.", limit: "A limit that was set ended a kernel.", "not-run": "The program did not run." };
    const exit = /^exit (\d+)$/.exec(profile.ended ?? "")?.[1];
    if (profile.outcome !== "ok") notice("bad", ends[profile.outcome] ?? `The run ended with: ${profile.outcome}.`, exit !== undefined ? `The program itself ran on to its end, exit ${exit}.` : profile.ended ? `The program ended by ${profile.ended}.` : "");
    else if (profile.ended && !/^exit /.test(profile.ended) && !(profile.diagnostics ?? []).some((each) => each.severity === "error")) notice("bad", `The program ended by ${profile.ended}.`, "What had finished by then is below.");
    else if (/^exit /.test(profile.ended ?? "") && profile.ended !== "exit 0") notice("warn", `The program ended with ${profile.ended}.`);
    if (profile.unfinished) notice("bad", "A launch did not finish:", ` ${profile.unfinished.kernel}, launch ${profile.unfinished.index}.`);
    for (const each of (profile.diagnostics ?? []).slice(0, 10)) notice(each.severity === "error" ? "bad" : each.severity === "note" ? "note" : "warn", `${each.message}`, each.hint ? `(${each.hint})` : "", each.file && each.line ? ` ${each.file}:${each.line}` : "", each.code ? h("span", { class: "quiet small" }, ` [${each.code}]`) : "");
    if ((profile.diagnostics ?? []).length > 10) notice("warn", `${(profile.diagnostics ?? []).length - 10} more messages are in the profile.`);
    if (launches.total === 0) notice("warn", "No kernel was launched.", "There is nothing to count; what the program did besides is below.");
    if (profile.launches.some((launch) => launch.sampled)) notice("warn", "A sample:", "some counters are scaled from a part of the blocks.");
    return found;
}

// Drawn when it is opened first: there may be thousands.
function allLaunches(data: PageData, open: (launch: number) => void): Child {
    if (data.run.launches.rows.length < 2) return null;
    const fold = h("details", { class: "fold all-launches" }, h("summary", {}, `All ${plural(data.run.launches.total, "launch", "launches")}`));
    fold.addEventListener("toggle", () => fold.append(launches(data.run.launches, data.time_parts, open)), { once: true });
    return fold;
}

function start(data: PageData): void {
    const context: Context = { data, glossary: glossaryOf(data.glossary), entries: entriesOf(data.run), earlier: data.baseline ? entriesOf(data.baseline) : [], names: namesOf(data), device: data.devices[0]?.name, open: openLaunch, go: goTo };
    const { profile } = data.run;
    const single = new Map<string, { node: HTMLElement; heading: HTMLElement; body: HTMLElement }>();
    const main = h("main", { id: "content", tabindex: -1 }), nav = h("ol", { class: "section-list" });

    // ---- the list of kernels
    const search = h("input", { type: "search", placeholder: "Search kernels", "aria-label": "search kernels", autocomplete: "off", spellcheck: "false", id: "kernel-search" });
    const list = h("ul", { class: "kernel-list" }), none = h("p", { class: "quiet small none", hidden: true }, "No kernel is called so.");
    const longest = Math.max(0, ...context.entries.map(({ launch }) => launch.time?.microseconds ?? 0));
    const buttons = new Map<Entry, HTMLButtonElement>();
    const standing = new Map<number, number>(); // launches that an entry stands for
    for (const row of data.run.launches.rows) if (row.entry !== undefined) standing.set(row.entry, (standing.get(row.entry) ?? 0) + 1);
    for (const entry of context.entries) {
        const alike = Math.max(entry.launch.folded ?? 1, standing.get(profile.launches.indexOf(entry.launch)) ?? 1);
        const { launch } = entry, micros = launch.time?.microseconds, hazardous = (launch.hazards ?? []).length;
        const button = h("button", { type: "button", "data-launch": launch.index, title: launch.kernel, click: () => {
            document.body.classList.remove("menu-open");
            openLaunch(launch.index);
        } }, h("span", { class: "kernel-name" }, kernelName(launch.kernel)), h("span", { class: "kernel-time" }, micros === undefined ? "" : duration(micros)),
            h("span", { class: "kernel-note" }, alike > 1 ? `${thousands(alike)} launches${launch.folded ? ", summed" : " alike"}` : `launch ${launch.index}`, hazardous > 0 && h("span", { class: "bad-note" }, ` ✖ ${data.run.more_hazards ? `${hazardous} hazards or more` : plural(hazardous, "hazard")}`)),
            h("span", { class: "kernel-bar", style: `width: ${longest > 0 && micros ? ((micros / longest) * 100).toFixed(1) : 0}%` }));
        buttons.set(entry, button);
        list.append(h("li", {}, button));
    }
    // Kernels of which the page has no more than their place among the launches.
    const shown = new Set(context.entries.map(({ launch }) => launch.kernel)), others = data.run.launches.kernels.filter((name) => !shown.has(name)).length;
    const more = others > 0 ? h("p", { class: "quiet small more-kernels" }, `${plural(others, "more kernel")} take less time: "All launches" names ${others === 1 ? "it" : "them"}, the profile has the rest.`) : null;
    const filter = () => {
        const wanted = search.value.trim().toLowerCase();
        let found = 0;
        for (const [entry, button] of buttons) {
            const show = wanted === "" || entry.launch.kernel.toLowerCase().includes(wanted) || String(entry.launch.index) === wanted;
            (button.parentElement as HTMLElement).hidden = !show;
            if (show) ++found;
        }
        none.hidden = found > 0;
    };
    search.addEventListener("input", filter);
    search.addEventListener("keydown", (event) => {
        if (event.key === "Enter") [...buttons.values()].find((button) => !button.parentElement?.hidden)?.click();
        if (event.key === "Escape") {
            search.value = "";
            filter();
        }
        if (event.key === "ArrowDown") {
            event.preventDefault();
            [...buttons.values()].find((button) => !button.parentElement?.hidden)?.focus();
        }
    });
    list.addEventListener("keydown", (event) => {
        if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
        const shown = [...buttons.values()].filter((button) => !button.parentElement?.hidden), at = shown.indexOf(document.activeElement as HTMLButtonElement);
        event.preventDefault();
        if (event.key === "ArrowUp" && at <= 0) search.focus();
        else shown[at + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
    });

    // ---- sections
    for (const kind of sections) {
        const body = h("div", { class: "section-body" }), heading = h("h2", { id: `${kind.id}-title` }, kind.title, h("span", { class: "of" }));
        const fold = kind.folded ? h("details", { class: "fold" }, h("summary", {}, "show"), body) : body;
        const node = h("section", { id: kind.id, "aria-labelledby": `${kind.id}-title`, hidden: true }, heading, explained(kind, context), fold);
        single.set(kind.id, { node, heading, body });
        main.append(node);
    }

    function fill(onlyKernel: boolean): void {
        if (!onlyKernel) forget();
        nav.replaceChildren();
        const several = context.entries.length > 1;
        for (const kind of sections) {
            const place = single.get(kind.id);
            if (!place) continue;
            const wanted = kind.wanted(context);
            place.node.hidden = !wanted;
            if (!wanted) continue;
            const of = place.heading.querySelector(".of");
            if (of) of.textContent = kind.kernel && several && context.entry ? kernelName(context.entry.launch.kernel) : "";
            nav.append(h("li", {}, h("a", { href: `#${kind.id}`, click: (event: Event) => {
                event.preventDefault();
                jump(kind.id);
            } }, kind.title)));
            if (onlyKernel && !kind.kernel) continue;
            later({ node: place.node, body: place.body, draw: () => kind.draw(context) });
        }
    }

    function jump(id: string): void {
        const place = single.get(id);
        if (!place || place.node.hidden) return;
        document.body.classList.remove("menu-open");
        now(place.node);
        const fold = place.node.querySelector<HTMLDetailsElement>(":scope > details");
        if (fold) fold.open = true;
        place.node.scrollIntoView({ block: "start" });
        // What is above may have been drawn meanwhile and moved it.
        requestAnimationFrame(() => requestAnimationFrame(() => place.node.scrollIntoView({ block: "start" })));
        history.replaceState(null, "", `#${id}`);
    }

    function look(entry: Entry | undefined, again: boolean): void {
        context.entry = entry;
        context.source = undefined;
        for (const [each, button] of buttons) button.setAttribute("aria-current", String(each === entry));
        fill(again);
    }

    // A launch by its index, or the entry that stands for it.
    function openLaunch(launch: number): void {
        const row = data.run.launches.rows.find((each) => each.index === launch);
        const standsFor = row?.entry !== undefined ? profile.launches[row.entry]?.index : undefined;
        const entry = context.entries.find((each) => each.launch.index === launch) ?? context.entries.find((each) => each.launch.index === standsFor);
        if (!entry) return;
        look(entry, true);
        buttons.get(entry)?.scrollIntoView({ block: "nearest" });
        jump("headline");
    }

    function goTo(file: string, line: number): void {
        if (!context.go.knows?.(file)) return;
        const has = (entry: Entry | undefined) => (entry?.launch.lines ?? []).some((each) => each.file === file && each.line === line);
        const other = has(context.entry) ? undefined : context.entries.find(has);
        if (other) look(other, true);
        const place = single.get("source");
        if (!place || place.node.hidden) return;
        now(place.node);
        jump("source");
        context.source?.open(file, line);
    }

    context.go.knows = (file) => data.run.sources[file] !== undefined || profile.launches.some((launch) => (launch.lines ?? []).some((each) => each.file === file));

    // ---- the frame
    const device = data.devices[0];
    const facts = (data.run.document.sections.find((section) => section.kind === "head")?.facts ?? []).map((fact) => fact.text);
    document.title = `${data.title} · tilescope`;
    const toggle = h("button", { type: "button", class: "menu", "aria-label": "kernels and sections", "aria-expanded": "false", click: () => document.body.classList.toggle("menu-open") }, "☰");
    // Whoever opens or closes it.
    new MutationObserver(() => toggle.setAttribute("aria-expanded", String(document.body.classList.contains("menu-open")))).observe(document.body, { attributes: true, attributeFilter: ["class"] });
    host.replaceChildren(h("a", { class: "skip", href: "#content" }, "To the report"),
        h("header", { class: "bar" }, toggle, h("span", { class: "product" }, "tilescope"), h("span", { class: "bar-title" }, data.title), themeButton()),
        h("nav", { class: "side", "aria-label": "kernels and sections" }, context.entries.length > 0 && [h("h2", {}, context.entries.length > 1 ? "Kernels" : "Kernel", h("span", { class: "quiet" }, data.run.launches.total > 1 ? ` ${plural(data.run.launches.total, "launch", "launches")}` : "")), context.entries.length > 3 && search, list, none, more], h("h2", {}, "On this page"), nav), main);
    main.prepend(h("header", { class: "top" }, h("h1", {}, data.title), h("p", { class: "quiet" }, [...facts, ...(facts.length === 0 && device ? [`modeled GPU: ${device.name}`] : [])].join(" · ")), notices(data), data.baseline && data.comparison ? h("p", { class: "quiet" }, "What follows is of ", h("b", {}, data.comparison.after), `, the later of the two; what changed since ${data.comparison.before} comes first below, and pictures have both.`) : null, programHeadline(data.run, context.go), allLaunches(data, openLaunch)));
    main.append(h("footer", { class: "quiet small" }, `${data.tool.name} ${data.tool.version} · ${profile.program}`));
    document.addEventListener("keydown", (event) => {
        if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === "/" && context.entries.length > 3) {
            event.preventDefault();
            document.body.classList.add("menu-open");
            search.focus();
        }
        if (event.key === "Escape" && document.body.classList.contains("menu-open")) {
            document.body.classList.remove("menu-open");
            toggle.focus();
        }
    });
    main.addEventListener("click", () => document.body.classList.remove("menu-open"));
    // Of two kernels of one profile the second is what the first is compared with.
    const second = data.baseline ? undefined : (data.comparison?.data as { device_after?: string; launches?: { before: number; after: number }[] } | undefined);
    const paired = second?.device_after !== undefined ? second.launches?.find((pair) => pair.before !== pair.after)?.after : undefined;
    look(context.entries.find((entry) => entry.launch.index === paired) ?? context.entries[0], false);
    const wanted = decodeURIComponent(location.hash.slice(1));
    if (wanted && single.has(wanted)) jump(wanted);
}

applyStored();
const data = read();
if (typeof data === "string") host.replaceChildren(h("main", { id: "content" }, h("h1", {}, "tilescope"), h("p", {}, data)));
else start(data);
