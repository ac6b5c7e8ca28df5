// Small things about texts.

export function escapeHtml(text) {
    return String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

// Keeps together what is read as one figure: 16 × 16, 48 KB, 2 %.
export function unbroken(text) {
    return text.replace(/(?<=[\dTN]) × (?=[\dTN])/g, "\u00a0×\u00a0").replace(/(?<=\d) (?=(%|µs|B|KB|MB|GB|KiB|MiB|GiB|bytes|FLOP|[GT]FLOP|[GT]B)(?![\w]))/g, "\u00a0");
}

// What an anchor is called: "What came out" is what-came-out.
export function slug(text) {
    return text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, "-")
        .replace(/^-+|-+$/g, "");
}

// A sentence of lesson.json: `code` between backticks, all else as it stands.
export function sentenceHtml(text) {
    return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

// Numbers of a table that stand below each other: three digits that matter.
export function microseconds(value) {
    if (value === undefined || value === null) return "–";
    const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
    return value.toFixed(digits).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

// "4,800": a figure in units, with its digits in groups of three.
export function grouped(value, unit = 1) {
    if (typeof value !== "number") return value ?? "–";
    const [whole, part] = String(Math.round((value / unit) * 1000) / 1000).split(".");
    return whole.replace(/\B(?=(\d{3})+$)/g, ",") + (part ? "." + part : "");
}

// Text of HTML that this generator made itself: what a search should find.
export function plainText(html) {
    return html
        .replace(/<(style|title|desc)\b.*?<\/\1>/gs, " ")
        .replace(/<[^>]*>/g, (tag) => (/^<\/?(a|em|strong|code|span|mark|b|i)\b/.test(tag) ? "" : " "))
        .replace(/&lt;/g, "<")
        .replace(/&gt;/g, ">")
        .replace(/&quot;/g, '"')
        .replace(/&amp;/g, "&")
        .replace(/\s+/g, " ")
        .trim();
}

// JSON as the text of a script element, which it must not end.
export const inScript = (json) => json.trim().replace(/</g, "\\u003c");
