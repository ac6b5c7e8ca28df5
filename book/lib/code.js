// Code, coloured when the book is made. Lines that carry a marker, // [inner], are what claims speak of.
import hljs from "highlight.js/lib/core";
import cpp from "highlight.js/lib/languages/cpp";
import { escapeHtml } from "./text.js";

hljs.registerLanguage("cpp", cpp);

const cudaWords =
    /\b(__global__|__device__|__host__|__shared__|__constant__|__managed__|__restrict__|__launch_bounds__|__syncthreads|__syncwarp|threadIdx|blockIdx|blockDim|gridDim|dim3|float4)\b/g;

export const marker = /(\/\/.*?)(\[[^\]]+\])(.*)$/;

// One string of HTML for each line; a colour that goes over several lines is opened anew on each.
function colouredLines(code) {
    const html = hljs.highlight(code, { language: "cpp" }).value;
    const open = [];
    return html.split("\n").map((line) => {
        const begin = open.join("");
        for (const tag of line.match(/<span[^>]*>|<\/span>/g) ?? []) {
            if (tag === "</span>") open.pop();
            else open.push(tag);
        }
        return begin + line + "</span>".repeat(open.length);
    });
}

function withCudaWords(html) {
    // Only where text is: not in the tags that colour it, and not in comments.
    return html.replace(/(<span class="hljs-comment">.*?<\/span>)|(<[^>]*>)|([^<]+)/g, (all, comment, tag, text) =>
        text ? text.replace(cudaWords, '<span class="cuda">$1</span>') : all,
    );
}

// `first` is the number of the first line, 0 for none; `anchor` makes each line's id.
export function programHtml(code, { first = 0, anchor } = {}) {
    const source = code.replace(/\n$/, "").split("\n");
    const lines = colouredLines(source.join("\n")).map((html, i) => {
        const number = first === 0 ? "" : `<span class="number" data-number="${first + i}"></span>`;
        const marked = marker.test(source[i]);
        const id = anchor ? ` id="${anchor(first + i)}"` : "";
        let text = withCudaWords(html);
        if (marked) text = text.replace(/(\[[^\]<]+\])(?=[^[\]]*$)/, '<b class="marker">$1</b>');
        return `<span class="line${marked ? " marked" : ""}"${id}>${number}${text}\n</span>`;
    });
    return `<pre class="code" tabindex="0"><code>${lines.join("")}</code></pre>`;
}

// What is typed, without the $ that would be copied along.
export function commandsHtml(code) {
    const lines = code.replace(/\n$/, "").split("\n");
    return `<pre class="commands" tabindex="0"><code>${lines.map((line) => `<span class="command">${escapeHtml(line)}\n</span>`).join("")}</code></pre>`;
}

export function outputHtml(text) {
    return `<pre class="output" tabindex="0"><code>${escapeHtml(text.replace(/\n+$/, ""))}</code></pre>`;
}

// Where a few lines stand in the program, whatever their indentation: [first, last] from 1, or nothing.
export function linesIn(part, program) {
    const squeeze = (text) =>
        text
            .split("\n")
            .map((line, i) => ({ text: line.trim(), number: i + 1 }))
            .filter((line) => line.text);
    const wanted = squeeze(part), whole = squeeze(program);
    for (let i = 0; i + wanted.length <= whole.length; ++i)
        if (wanted.every((line, k) => line.text === whole[i + k].text)) return [whole[i].number, whole[i + wanted.length - 1].number];
    return undefined;
}
