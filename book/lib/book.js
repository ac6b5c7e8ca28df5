// Reads what the book is made of: the lessons of the checkout, and what `tilescope` said of them and of its own tables.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

const json = (file) => JSON.parse(fs.readFileSync(file, "utf8"));

// `data` is the folder that scripts/book fills: lessons.json, explain.json, devices.json and pages/LESSON/.
export function readBook(data) {
    if (!data) throw new Error("TILESCOPE_BOOK_DATA names no folder; scripts/book sets it");
    const lessons = json(path.join(data, "lessons.json")).lessons.map((outcome) => readLesson(data, outcome));
    for (const [i, lesson] of lessons.entries()) {
        lesson.previous = place(lessons[i - 1]);
        lesson.next = place(lessons[i + 1]);
    }
    const entries = json(path.join(data, "explain.json")).entries;
    const terms = entries.filter((entry) => entry.group === "words" || entry.group === "hazards");
    return {
        data,
        lessons,
        entries,
        terms: terms.sort((a, b) => a.name.localeCompare(b.name, "en")),
        concepts: concepts(lessons),
        first: { source: fs.readFileSync(path.join(root, "book/first.cu"), "utf8"), output: fs.readFileSync(path.join(data, "first.txt"), "utf8") },
        devices: json(path.join(data, "devices.json")),
    };
}

function place(lesson) {
    return lesson && { name: lesson.name, title: lesson.title, number: lesson.number };
}

function readLesson(data, outcome) {
    const name = outcome.lesson;
    const folder = path.join(root, "lessons", name);
    const [number, ...words] = name.split("_");
    const program = words.join("_") + ".cu";
    const pages = path.join(data, "pages", name);
    const readAll = (kind, end) => {
        const from = path.join(pages, kind);
        const files = fs.existsSync(from) ? fs.readdirSync(from).filter((file) => file.endsWith(end)) : [];
        return Object.fromEntries(
            files.sort().map((file) => [file.slice(0, -end.length), fs.readFileSync(path.join(from, file), "utf8")]),
        );
    };
    return {
        ...outcome,
        name,
        number: Number(number),
        program,
        source: fs.readFileSync(path.join(folder, program), "utf8"),
        page: fs.readFileSync(path.join(folder, "page.md"), "utf8").replace(/^---\n.*?\n---\n/s, ""),
        pictures: readAll("pictures", ".svg"),
        parts: readAll("pictures", ".json"), // what a picture was drawn from, where a page can draw it better
        outputs: readAll("outputs", ".txt"),
        times: outcome.times ?? [],
    };
}

// Each idea with the lessons whose claims prove it; those without any are not in the book yet.
function concepts(lessons) {
    const all = json(path.join(root, "lessons/concepts.json")).concepts;
    return all
        .map((concept) => ({ ...concept, lessons: lessons.filter((lesson) => lesson.rows.includes(concept.id)) }))
        .filter((concept) => concept.lessons.length > 0);
}
