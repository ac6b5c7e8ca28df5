// The words of the glossary, linked from where a page uses them first.
import { escapeHtml, slug } from "./text.js";

export const termAnchor = (name) => "term-" + slug(name);

// Words that are said in their everyday meaning, too: only where a page emphasises one it is meant as a term.
const everyday = new Set([
    "advice", "assert", "asked for", "at most", "capacity", "card", "cold", "constant", "dynamic", "event", "fault",
    "global", "hidden", "hit", "index", "issuing", "launching", "leak", "limit", "limited by", "line", "local", "miss",
    "missed", "modelled", "needs", "other part", "overlap", "pad", "page", "pass", "passes", "potential", "reduction",
    "requested", "roof", "runtime", "sample", "sampled", "shared", "speedup", "tail", "time", "trap", "under way",
    "version", "waiting", "warm", "wave", "word",
]);

// Every spelling of every term, the longest first, so that "bank conflict" comes before "bank".
export function termIndex(terms) {
    const spellings = new Map();
    for (const term of terms) {
        if (term.group === "hazards" && term.name !== "race" && term.name !== "deadlock") continue;
        for (const name of [term.name, ...(term.also ?? [])]) {
            for (const spelling of [name, name + "s", name.replace(/ /g, "-")]) {
                const key = spelling.toLowerCase();
                if (!spellings.has(key)) spellings.set(key, term);
            }
        }
    }
    const words = [...spellings.keys()].sort((a, b) => b.length - a.length);
    const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
    return { spellings, pattern: `(?<![\\w-])(?:${pattern})(?![\\w-])` };
}

// Puts links into one text of a page. `seen` has the terms that were linked before.
export function linkTerms(text, index, seen, { emphasised = false } = {}) {
    let html = "", last = 0;
    for (const match of text.matchAll(new RegExp(index.pattern, "giu"))) {
        const spelling = match[0].toLowerCase(), term = index.spellings.get(spelling);
        if (!term || seen.has(term.name)) continue;
        if (!emphasised && (everyday.has(spelling) || everyday.has(spelling.replace(/s$/, "")))) continue;
        seen.add(term.name);
        html += escapeHtml(text.slice(last, match.index));
        html += `<a class="term" href="glossary.html#${termAnchor(term.name)}" title="${escapeHtml(term.meaning)}">${escapeHtml(match[0])}</a>`;
        last = match.index + match[0].length;
    }
    return html + escapeHtml(text.slice(last));
}

// The name of the term that a word means, by any of its spellings.
export function meantBy(terms, word) {
    const same = (name) => name.toLowerCase() === word.toLowerCase();
    const term = terms.find((each) => same(each.name)) ?? terms.find((each) => each.also?.some(same));
    if (!term) throw new Error(`the glossary refers to "${word}", which it has not`);
    return term.name;
}
