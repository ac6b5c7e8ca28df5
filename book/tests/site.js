// Where the site under test is, and its pages.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

export const folder = path.resolve(process.env.TILESCOPE_BOOK ?? "../build/book");
if (!fs.existsSync(path.join(folder, "index.html"))) throw new Error(`no book in ${folder}: scripts/book makes it`);

export const pages = fs.readdirSync(folder).filter((name) => name.endsWith(".html")).sort();
export const url = (page) => pathToFileURL(path.join(folder, page)).href;

// The lessons as the checkout has them: the book must not lack one.
const lessonsFolder = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "../../lessons");
export const lessons = fs
    .readdirSync(lessonsFolder)
    .filter((name) => /^\d\d_/.test(name))
    .sort()
    .map((name) => ({
        name,
        ...JSON.parse(fs.readFileSync(path.join(lessonsFolder, name, "lesson.json"), "utf8")),
        page: fs.readFileSync(path.join(lessonsFolder, name, "page.md"), "utf8"),
        source: fs.readFileSync(path.join(lessonsFolder, name, name.slice(3) + ".cu"), "utf8"),
    }));
