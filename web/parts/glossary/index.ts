// Words that a reader may not know: explained where they stand, and all of them as a list to search.
import "./glossary.css";
import { h, type Child } from "../base/dom";
import { tip } from "../base/tip";
import type { Term } from "../base/types";

// Words that are mostly meant as everybody means them.
const everyday = new Set(["advice", "assert", "at most", "capacity", "card", "cold", "constant", "dynamic", "event", "fault", "global", "hidden", "hit", "index", "leak", "limit", "limited by", "line", "local",
    "miss", "missed", "needs", "pad", "page", "pass", "passes", "potential", "roof", "runtime", "shared", "tail", "time", "trap", "under way", "version", "waiting", "warm", "wave", "word"]);

export interface Glossary {
    terms: Term[];
    find: (word: string) => Term | undefined;
    pattern: RegExp | undefined;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

export function glossaryOf(terms: Term[]): Glossary {
    const byName = new Map<string, Term>();
    for (const term of terms) for (const name of [term.name, ...(term.also ?? [])]) if (!byName.has(name.toLowerCase())) byName.set(name.toLowerCase(), term);
    const words = [...byName.keys()].filter((word) => word.length > 2 && !everyday.has(word)).sort((a, b) => b.length - a.length);
    return {
        terms,
        find: (word) => byName.get(word.toLowerCase()) ?? byName.get(word.toLowerCase().replace(/s$/, "")),
        pattern: words.length > 0 ? new RegExp(`(?<![\\w-])(?:${words.map(escaped).join("|")})s?(?![\\w-])`, "giu") : undefined,
    };
}

// A text with its terms explained on hover and focus, each once.
export function termed(text: string, glossary: Glossary, seen = new Set<string>()): Child {
    if (!glossary.pattern) return text;
    const parts: Child[] = [];
    let last = 0;
    for (const match of text.matchAll(glossary.pattern)) {
        const term = glossary.find(match[0]);
        if (!term || seen.has(term.name)) continue;
        seen.add(term.name);
        parts.push(text.slice(last, match.index), word(match[0], term));
        last = match.index + match[0].length;
    }
    parts.push(text.slice(last));
    return parts;
}

export function word(text: string, term: Term): HTMLElement {
    return tip(h("span", { class: "term", tabindex: 0 }, text), () => [h("b", {}, term.name), h("p", {}, term.text)]);
}

export function glossaryList(glossary: Glossary): HTMLElement {
    const input = h("input", { type: "search", placeholder: "a word", "aria-label": "search the glossary", autocomplete: "off", spellcheck: "false" });
    const list = h("dl", { class: "terms" });
    const show = () => {
        const wanted = input.value.trim().toLowerCase();
        const found = glossary.terms.filter((term) => wanted === "" || [term.name, ...(term.also ?? []), term.text].some((text) => text.toLowerCase().includes(wanted)));
        list.replaceChildren(...found.map((term) => h("div", {}, h("dt", {}, term.name, (term.also ?? []).length > 0 && h("span", { class: "quiet" }, ` ${(term.also ?? []).join(", ")}`)), h("dd", {}, term.text))));
        if (found.length === 0) list.append(h("p", { class: "nothing" }, "Nothing is called so here."));
    };
    input.addEventListener("input", show);
    show();
    return h("div", { class: "part part-glossary" }, h("div", { class: "controls" }, input), list);
}
