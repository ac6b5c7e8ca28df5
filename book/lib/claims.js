// What `tilescope lesson` found, as tables: claims, times, answers.
import { escapeHtml, microseconds, sentenceHtml, slug } from "./text.js";

const signs = { holds: "✓", refuted: "✗" };

function conceptLinks(rows, env) {
    return rows.map((row) => `<a class="idea" href="index.html#idea-${row}" title="${escapeHtml(env.ideas.get(row) ?? "")}">${row}</a>`).join(" ");
}

// "50 FLOP ±0.5 %": a line ends before the ±, not before the unit.
const figure = (text) => escapeHtml(text).replace(/(?<=[\d.]) (?=[^±]*$|[^±\d]+ ±)/g, "\u00a0").replace(/ %/g, "\u00a0%").replace(/([≤≥]) /g, "$1\u00a0");

function commandOf(lesson, run) {
    return lesson.commands.find((command) => command.run === run)?.line;
}

// How the figure was come by: the command and what was asked of its answer.
function how(lesson, claim, { open = false } = {}) {
    const command = commandOf(lesson, claim.run);
    const parts = [];
    if (command) parts.push(`<dt>command</dt><dd><code>${escapeHtml(command)}</code></dd>`);
    parts.push(`<dt>value</dt><dd><code>${escapeHtml(claim.value)}</code></dd>`);
    if (claim.source) parts.push(`<dt>source</dt><dd>${escapeHtml(claim.source)}</dd>`);
    return `<details class="how"${open ? " open" : ""}><summary>how</summary><dl>${parts.join("")}</dl></details>`;
}

function origin(claim) {
    if (!claim.origin) return '<span class="origin">exact</span>';
    return `<span class="origin modelled" title="what a model says, not a count">${escapeHtml(claim.origin)}</span>`;
}

function row(lesson, claim, number, env) {
    const wrong = claim.truth !== undefined;
    const says = wrong
        ? `<span class="said">It is said:</span> <q>${sentenceHtml(claim.says)}</q><p class="truth">${sentenceHtml(claim.truth)}</p>`
        : sentenceHtml(claim.says);
    const expected = figure(claim.expected) + (claim.claimed ? `<br><small>said: ${figure(claim.claimed)}</small>` : "");
    return (
        `<tr class="${wrong ? "wrong" : ""}" id="${env.anchor(`claim-${number}`)}"><td class="says">${says} <span class="more">${conceptLinks(claim.rows, env)} ${env.print ? "" : how(lesson, claim)}</span></td>` +
        `<td class="figure" data-label="expected">${expected}</td><td class="figure" data-label="found">${figure(claim.found)}<br>${origin(claim)}</td>` +
        `<td class="verdict ${escapeHtml(claim.verdict)}" data-label="verdict"><span aria-hidden="true">${signs[claim.verdict]}</span> ${escapeHtml(claim.verdict)}</td></tr>`
    );
}

export function claimsHtml(lesson, env) {
    const rows = lesson.claims.map((claim, i) => row(lesson, claim, i + 1, env)).join("\n");
    const refuted = lesson.claims.filter((claim) => claim.verdict === "refuted").length;
    const note = refuted ? ` A sentence that texts say and that is wrong is <em>refuted</em>: what is true was expected, and found.` : "";
    return (
        `<table class="claims"><caption>Each claim of this lesson, what was expected and what the runs gave.${note}</caption>` +
        `<thead><tr><th>claim</th><th>expected</th><th>found</th><th>verdict</th></tr></thead><tbody>${rows}</tbody></table>`
    );
}

export function timesHtml(lesson, env) {
    if (lesson.times.length === 0) return "";
    const rows = lesson.times.map((time) => {
        const ratio = time.h200_microseconds && time.modelled_microseconds ? (time.modelled_microseconds / time.h200_microseconds).toFixed(2) : "–";
        return (
            `<tr><td>${escapeHtml(time.says)}</td><td class="number">${microseconds(time.h200_microseconds)}</td>` +
            `<td class="number">${microseconds(time.modelled_microseconds)}</td><td class="number">${ratio}</td><td>${escapeHtml(time.date ?? "–")}</td></tr>`
        );
    });
    const id = env.anchor(slug("On a GPU"));
    return (
        `<h2 id="${id}">On a GPU <a class="anchor" href="#${id}" aria-label="link to this section">#</a></h2>` +
        `<div class="scroll" tabindex="0"><table class="times"><thead><tr><th>what</th><th>measured on an H200, µs</th><th>modelled, µs</th><th>modelled / measured</th><th>measured on</th></tr></thead>` +
        `<tbody>${rows.join("\n")}</tbody></table></div>` +
        `<p class="note">Measured: one NVIDIA H200, code by nvcc, the average of launches one right after the other, so that caches hold what they can.` +
        ` Modelled: what tilescope says of a single launch with cold caches, for the code of the compiler that made this book.</p>`
    );
}

export function rememberHtml(lesson, env) {
    const id = env.anchor("remember");
    const lines = lesson.remember.map((line) => `<li>${sentenceHtml(line)}</li>`).join("\n");
    return `<h2 id="${id}">Remember <a class="anchor" href="#${id}" aria-label="link to this section">#</a></h2><ul class="remember">${lines}</ul>`;
}

export function answerHtml(lesson, number, env) {
    const answer = lesson.exercises[number];
    const mark = answer.origin ? ` ${origin(answer)}` : "";
    return (
        `<details class="answer"${env.print ? " open" : ""}><summary>Answer</summary><p><strong>${escapeHtml(answer.found)}</strong>${mark}</p>` +
        `${how(lesson, answer, { open: true })}</details>`
    );
}
