// How the site is made: Eleventy lays out what lib/ renders from the lessons, their outcomes and the program's tables.
import { readBook } from "./lib/book.js";
import { outputHtml, programHtml } from "./lib/code.js";
import { renderLesson } from "./lib/lesson_page.js";
import { pictureStyle } from "./lib/pictures.js";
import { searchIndex } from "./lib/search_index.js";
import { meantBy, termAnchor } from "./lib/terms.js";
import { grouped, slug } from "./lib/text.js";

export default function (config) {
    const book = readBook(process.env.TILESCOPE_BOOK_DATA);

    config.addGlobalData("book", book);
    config.addPassthroughCopy({ "site/assets": "assets" });
    for (const end of ["js", "css"]) config.addPassthroughCopy({ [`../web/dist/parts.${end}`]: `assets/parts.${end}` });
    config.addPassthroughCopy({ "node_modules/minisearch/dist/umd/index.js": "assets/minisearch.js" });
    config.addPassthroughCopy({ [book.data + "/pages"]: "files" }, { filter: ["**/*.svg"] });

    config.addFilter("lesson", (lesson) => renderLesson(book, lesson, {}));
    config.addFilter("printed", (lesson) => renderLesson(book, lesson, { print: true }));
    config.addFilter("program", (source) => programHtml(source, {}));
    config.addFilter("printout", outputHtml);
    config.addFilter("about", (name) => {
        const lesson = book.lessons.find((each) => each.name.replace(/^\d+_/, "") === name);
        if (!lesson) throw new Error(`there is no lesson "${name}"`);
        return `<a href="${lesson.name}.html">${lesson.number}</a>`;
    });
    config.addFilter("inGroup", (entries, group) => entries.filter((entry) => entry.group === group));
    config.addFilter("slugged", slug);
    config.addFilter("termAnchor", termAnchor);
    config.addFilter("meant", (word) => meantBy(book.terms, word));
    config.addFilter("figure", (device, name, unit = 1) => grouped(device.figures[name]?.value, unit));
    config.addFilter("amount", (figure) => `${[figure.value].flat().map((value) => grouped(value)).join(", ")} ${figure.unit}`);
    config.addShortcode("pictureStyle", () => pictureStyle(book));
    config.addShortcode("searchIndex", () => searchIndex(book));

    return { dir: { input: "site", output: "_site" }, templateFormats: ["njk"], htmlTemplateEngine: "njk" };
}
