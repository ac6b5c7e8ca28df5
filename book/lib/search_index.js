// What the search looks through: each section of each page. The index is a script, as pages that are opened by a
// double click cannot fetch anything.
import MiniSearch from "minisearch";
import { renderLesson } from "./lesson_page.js";
import { termAnchor } from "./terms.js";
import { plainText, slug } from "./text.js";

const options = { fields: ["heading", "title", "text"], storeFields: ["heading", "title", "text", "url"] };

// [{heading, id, text}] of a page's body: what stands before the first heading has no id.
function sectionsOf(html) {
    const parts = html.split(/(?=<h2\b)/);
    return parts.map((part) => {
        const head = /^<h2\b[^>]*id="([^"]*)"[^>]*>(.*?)<\/h2>/s.exec(part);
        const heading = head ? plainText(head[2].replace(/<a class="anchor".*?<\/a>/s, "")) : "";
        return { heading, id: head?.[1] ?? "", text: plainText(head ? part.slice(head[0].length) : part) };
    });
}

function documents(book) {
    const all = [];
    const add = (url, title, heading, text) => all.push({ id: all.length, url, title, heading, text });
    for (const lesson of book.lessons) {
        const page = `${lesson.name}.html`, title = `${lesson.number}. ${lesson.title}`;
        add(page, title, lesson.title, lesson.question);
        for (const part of sectionsOf(renderLesson(book, lesson, {})))
            if (part.text) add(part.id ? `${page}#${part.id}` : page, title, part.heading, part.text);
    }
    for (const term of book.terms)
        add(`glossary.html#${termAnchor(term.name)}`, "Glossary", [term.name, ...(term.also ?? [])].join(", "), term.meaning);
    for (const entry of book.entries) {
        if (entry.group === "words" || entry.group === "hazards") continue;
        add(`reference.html#${slug(entry.group)}-${slug(entry.name)}`, `Reference, ${entry.group}`, entry.name, entry.meaning);
    }
    return all;
}

export function searchIndex(book) {
    const search = new MiniSearch(options);
    search.addAll(documents(book));
    return `window.bookIndex = ${JSON.stringify({ options, index: JSON.stringify(search) })};`;
}
