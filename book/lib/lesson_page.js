// A lesson's page.md with everything in place: pictures, code, claims, what runs print, answers.
import MarkdownIt from "markdown-it";
import { answerHtml, claimsHtml, rememberHtml, timesHtml } from "./claims.js";
import { commandsHtml, linesIn, outputHtml, programHtml } from "./code.js";
import { inlinePicture } from "./pictures.js";
import { linkTerms, termIndex } from "./terms.js";
import { escapeHtml, inScript, slug, unbroken } from "./text.js";

const longOutput = 40; // lines; what is longer is folded

// Where a link of page.md leads in the book. What is not part of it is named as a file of the checkout.
function destination(href, env) {
    const lesson = /^\.\.\/(\d\d_[a-z0-9_]+)\/page\.md$/.exec(href);
    if (lesson) return env.print ? `#${lesson[1]}` : `${lesson[1]}.html`;
    if (/^(https?:|#)/.test(href)) return href;
    return undefined;
}

function only(token, type) {
    const children = token?.children?.filter((child) => child.type !== "text" || child.content.trim());
    return token?.type === "inline" && children[0]?.type === type ? children : undefined;
}

const markdown = new MarkdownIt({ html: false, linkify: false });

// A paragraph that is a picture or a link to what a run printed is replaced by that.
markdown.core.ruler.push("book_blocks", (state) => {
    const tokens = [];
    for (let i = 0; i < state.tokens.length; ++i) {
        const inline = state.tokens[i].type === "paragraph_open" ? state.tokens[i + 1] : undefined;
        const image = only(inline, "image"), link = only(inline, "link_open");
        const href = link?.[0].attrGet("href") ?? "";
        if (image?.length === 1) tokens.push(block(state, "book_picture", { src: image[0].attrGet("src"), words: image[0].content }));
        else if (link?.length === 3 && href.startsWith("outputs/"))
            tokens.push(block(state, "book_output", { name: href.replace(/^outputs\/|\.txt$/g, ""), words: link[1].content }));
        else {
            tokens.push(state.tokens[i]);
            continue;
        }
        i += 2;
    }
    state.tokens = tokens;
});

function block(state, type, meta) {
    const token = new state.Token(type, "", 0);
    token.meta = meta;
    token.block = true;
    return token;
}

// Words of the glossary become links at their first use; not in headings, links and code.
markdown.core.ruler.push("book_terms", (state) => {
    if (!state.env.terms) return;
    state.tokens.forEach((token, i) => {
        if (token.type !== "inline" || state.tokens[i - 1].type === "heading_open") return;
        let links = 0;
        token.children.forEach((child, k) => {
            if (child.type === "link_open") ++links;
            if (child.type === "link_close") --links;
            if (child.type !== "text" || links > 0) return;
            const emphasised = token.children[k - 1]?.type === "em_open";
            const html = linkTerms(unbroken(child.content), state.env.terms, state.env.seen, { emphasised });
            child.type = "html_inline";
            child.content = html;
        });
    });
});

// Answers stand below the exercises, the lines to remember before them, the whole program behind the lines that matter.
markdown.core.ruler.push("book_sections", (state) => {
    if (!state.env.lesson) return;
    const { tokens } = state, out = [];
    let section = "", exercise = 0;
    const leave = () => {
        if (section === "The program") out.push(block(state, "book_program"));
    };
    tokens.forEach((token, i) => {
        if (token.type === "heading_open" && token.tag === "h2") {
            leave();
            section = tokens[i + 1].content;
            if (section === "Try next") out.push(block(state, "book_times"), block(state, "book_remember"));
        }
        if (token.type === "list_item_close" && section === "Try next") {
            const answer = block(state, "book_answer", { number: exercise++ });
            out.push(answer);
        }
        out.push(token);
    });
    if (exercise !== state.env.lesson.exercises.length)
        throw new Error(`${state.env.lesson.name}: ${exercise} exercises on the page, ${state.env.lesson.exercises.length} answers`);
    out.push(block(state, "book_commands"));
    state.tokens = out;
});

const rules = markdown.renderer.rules;

rules.heading_open = (tokens, i, options, env, self) => {
    const id = env.anchor(slug(tokens[i + 1].content));
    tokens[i].attrSet("id", id);
    return self.renderToken(tokens, i, options);
};
rules.heading_close = (tokens, i, options, env, self) => {
    const id = tokens[i - 2].attrGet("id");
    return ` <a class="anchor" href="#${id}" aria-label="link to this section">#</a>` + self.renderToken(tokens, i, options);
};

rules.link_open = (tokens, i, options, env, self) => {
    const href = tokens[i].attrGet("href"), to = destination(href, env);
    if (to !== undefined) {
        tokens[i].attrSet("href", to);
        return self.renderToken(tokens, i, options);
    }
    const close = tokens.findIndex((token, k) => k > i && token.type === "link_close");
    tokens[close].meta = { file: href.replace(/^(\.\.\/)+/, "") };
    return "";
};
rules.link_close = (tokens, i, options, env, self) =>
    tokens[i].meta ? ` (<code>${escapeHtml(tokens[i].meta.file)}</code>)` : self.renderToken(tokens, i, options);

// A line may end between the words of a command, not within an option.
rules.code_inline = (tokens, i) => {
    const words = tokens[i].content.split(" ").map((word) => {
        const text = escapeHtml(word);
        return /-/.test(word) && word.length < 30 ? `<span class="whole">${text}</span>` : text;
    });
    return `<code>${words.join(" ")}</code>`;
};

// Wide tables scroll inside a box of their own.
rules.table_open = () => '<div class="scroll" tabindex="0"><table>\n';
rules.table_close = () => "</table></div>\n";

rules.fence = (tokens, i, options, env) => {
    const { info, content } = tokens[i];
    if (info === "sh") return commandsHtml(content);
    if (info !== "cuda") return outputHtml(content);
    const lines = env.lesson && linesIn(content, env.lesson.source);
    if (!lines) throw new Error(`${env.lesson?.name}: these lines are not in the program: ${content}`);
    const where = lines[0] === lines[1] ? `line ${lines[0]}` : `lines ${lines[0]} to ${lines[1]}`;
    return `<figure class="listing">${programHtml(content)}<figcaption><a href="#${env.anchor(`line-${lines[0]}`)}">${env.lesson.program}, ${where}</a></figcaption></figure>`;
};

rules.book_picture = (tokens, i, options, env) => {
    const { src, words } = tokens[i].meta;
    const name = src.replace(/^pictures\/|\.svg$/g, ""), svg = env.lesson.pictures[name];
    if (!svg) throw new Error(`${env.lesson.name}: there is no picture ${name}`);
    const file = `files/${env.lesson.name}/pictures/${name}.svg`, data = env.lesson.parts[name];
    const part = data ? `<script type="application/json" class="part-data">${inScript(data)}</script>` : "";
    return (
        `<figure class="picture" id="${env.anchor("picture-" + slug(name))}"><div class="scroll" tabindex="0">${inlinePicture(svg, env.anchor("p-" + slug(name)))}</div>${part}` +
        `<figcaption>${escapeHtml(words)} <a class="file" href="${file}">open alone</a></figcaption></figure>`
    );
};

rules.book_output = (tokens, i, options, env) => {
    const { name, words } = tokens[i].meta, text = env.lesson.outputs[name];
    if (text === undefined) throw new Error(`${env.lesson.name}: there is no output ${name}`);
    if (name === "claims") return claimsHtml(env.lesson, env) + fold("As tilescope prints it", outputHtml(text), env);
    if (text.split("\n").length > longOutput) return fold(words, outputHtml(text), env);
    return `<figure class="listing">${outputHtml(text)}<figcaption>${escapeHtml(words)}</figcaption></figure>`;
};

function fold(words, html, env, name = "") {
    const id = name ? ` id="${env.anchor(name)}"` : "";
    return `<details class="fold"${id}${env.print ? " open" : ""}><summary>${escapeHtml(words)}</summary>${html}</details>`;
}

rules.book_program = (tokens, i, options, env) => {
    const { program, source } = env.lesson;
    const count = source.replace(/\n$/, "").split("\n").length;
    const html = programHtml(source, { first: 1, anchor: (line) => env.anchor(`line-${line}`) });
    return fold(`The whole program, ${program}, ${count} lines`, html, env, "program");
};
rules.book_times = (tokens, i, options, env) => timesHtml(env.lesson, env);
rules.book_remember = (tokens, i, options, env) => rememberHtml(env.lesson, env);
rules.book_answer = (tokens, i, options, env) => answerHtml(env.lesson, tokens[i].meta.number, env);
rules.book_commands = (tokens, i, options, env) => {
    const lines = env.lesson.commands.map((command) => command.line).join("\n");
    const words = `Check all of this yourself: tilescope lesson ${env.lesson.name.replace(/^\d+_/, "")}`;
    const html = `<p>It runs these commands, holds each claim against what they say, and ends with status 1 if one does not hold.</p>`;
    return fold(words, html + commandsHtml(lines), env, "commands");
};

// The body of a lesson's page; with `print` as a part of the page that has them all.
export function renderLesson(book, lesson, { print = false }) {
    const env = {
        lesson,
        print,
        anchor: (name) => (print ? `${lesson.name}-${name}` : name),
        terms: (book.termIndex ??= termIndex(book.terms)),
        seen: new Set(),
        ideas: (book.ideas ??= new Map(book.concepts.map((concept) => [concept.id, concept.says]))),
    };
    return markdown.render(lesson.page.replace(/^\s*# .*\n/, ""), env);
}
