// Pictures stand in the page itself, so that they follow the page's light or dark and can be searched.
//
// tilescope gives every picture one and the same <style>, which asks the system for light or dark. Inside a page that
// has a switch of its own, the rules stand in the page's head once instead, in both forms.

const style = /<style>@media \(prefers-color-scheme: dark\) \{(.*?)\}<\/style>\n?/s;

function darkRules(svg) {
    const found = style.exec(svg);
    if (!found) throw new Error("a picture without the style that makes it dark");
    return found[1].match(/[^{}]+\{[^{}]*\}/g);
}

// What makes all pictures dark, once for the whole book.
export function pictureStyle(book) {
    const all = new Set();
    for (const lesson of book.lessons) for (const svg of Object.values(lesson.pictures)) darkRules(svg).forEach((rule) => all.add(rule));
    const rules = (scope) => [...all].map((rule) => `${scope} .picture ${rule}`).join("\n");
    return (
        `@media screen and (prefers-color-scheme: dark) {\n${rules(":root:not([data-theme=light])")}\n}\n` +
        `@media screen {\n${rules(":root[data-theme=dark]")}\n}`
    );
}

// The picture as a part of a page. Ids get the picture's own name in front, as a page has several pictures.
export function inlinePicture(svg, name) {
    const text = svg
        .replace(/^<\?xml.*?\?>\s*/s, "")
        .replace(style, "")
        .replace(/\bid="([^"]*)"/g, `id="${name}-$1"`)
        .replace(/url\(#([^)]*)\)/g, `url(#${name}-$1)`)
        .replace(/\bhref="#([^"]*)"/g, `href="#${name}-$1"`);
    const width = Number(/<svg [^>]*?\bwidth="([\d.]+)"/.exec(text)?.[1]);
    if (!width) throw new Error(`picture ${name} does not say how wide it is`);
    // A title is what a screen reader says; as a tool tip over the whole picture it would only be in the way.
    const title = /<title>(.*?)<\/title>/s.exec(text)?.[1] ?? "";
    return text.replace(/<title>.*?<\/title>\n?/s, "").replace("<svg ", `<svg aria-label="${title}" style="--natural: ${width}px" `);
}
