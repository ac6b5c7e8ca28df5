// What is built: the report page as one file (dist/report.html), with --mode parts the parts for other pages
// (dist/parts.js, dist/parts.css), and with --mode stories a page of each part by itself, for the tests (../build/web/stories.html).
// Names carry no hashes and nothing hangs on the machine, so that the same sources give the same bytes.
import fs from "node:fs";
import path from "node:path";
import { defineConfig } from "vite";

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const at = (...names) => path.join(here, ...names);

// The place in the page that the program replaces by the data.
const place = "<!--tilescope-data-->";

// Scripts and styles stand in the page itself: it has no other file and asks no network.
function oneFile(input, output, needsPlace) {
    return {
        name: "one-file",
        enforce: "post",
        generateBundle(_options, bundle) {
            const page = bundle[input];
            const all = Object.values(bundle);
            const code = all.filter((part) => part.type === "chunk").map((part) => part.code).join("\n").trim();
            const style = all.filter((part) => part.fileName.endsWith(".css")).map((part) => String(part.source)).join("\n").trim();
            // Inside a script these would end it or begin a comment.
            if (/<\/script|<!--/i.test(code) || /<\/style/i.test(style)) throw new Error("the code ends its own element");
            let html = String(page.source);
            html = html.replace(/\s*<script type="module"[^>]*><\/script>/, "").replace(/\s*<link rel="stylesheet"[^>]*>/, "");
            html = html.replace("</head>", () => `<style>${style}</style>\n</head>`);
            html = html.replace("</body>", () => `<script type="module">${code}</script>\n</body>`);
            if (needsPlace && html.split(place).length !== 2) throw new Error(`the page must have ${place} exactly once`);
            fs.mkdirSync(path.dirname(at(output)), { recursive: true });
            fs.writeFileSync(at(output), html);
            for (const name of Object.keys(bundle)) delete bundle[name];
        },
    };
}

const shared = { target: "es2021", modulePreload: { polyfill: false }, reportCompressedSize: false, emptyOutDir: false };

export default defineConfig(({ mode }) => {
    const common = { root: here, base: "./", logLevel: "warn", publicDir: false };
    if (mode === "parts") {
        return {
            ...common,
            build: {
                ...shared,
                outDir: "dist",
                cssCodeSplit: false,
                rollupOptions: {
                    input: at("parts/index.ts"),
                    preserveEntrySignatures: "strict", // its exports are what others take
                    // A script with one name, not a module: a browser loads no modules from a disk.
                    output: { format: "iife", name: "tilescopeParts", entryFileNames: "parts.js", assetFileNames: "parts.[ext]" },
                },
            },
        };
    }
    if (mode === "stories") {
        return { ...common, base: "./", plugins: [oneFile("stories/stories.html", "../build/web/stories.html", false)], build: { ...shared, minify: false, outDir: "../build/web", rollupOptions: { input: at("stories/stories.html") } } };
    }
    return { ...common, plugins: [oneFile("page/report.html", "dist/report.html", true)], build: { ...shared, outDir: "dist", rollupOptions: { input: at("page/report.html") } } };
});
