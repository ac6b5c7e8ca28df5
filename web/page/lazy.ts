// Sections are drawn when they come near the window, and all of them before the page is printed.

export interface Lazy {
    node: HTMLElement; // the section, with its heading
    body: HTMLElement; // what is filled
    draw: () => Node;
}

const near = "600px 0px";
const waiting = new Map<Element, Lazy>();
let observer: IntersectionObserver | undefined;

function fill(lazy: Lazy): void {
    if (!waiting.delete(lazy.node)) return;
    observer?.unobserve(lazy.node);
    try {
        lazy.body.replaceChildren(lazy.draw());
    } catch (error) {
        // One part that cannot draw its data does not take the others along, and says so.
        const note = document.createElement("p");
        note.className = "failed";
        note.textContent = `This part could not be drawn: ${error instanceof Error ? error.message : String(error)}`;
        lazy.body.replaceChildren(note);
        console.error(error);
    }
    lazy.body.classList.remove("waiting");
}

export function later(lazy: Lazy): void {
    observer ??= new IntersectionObserver((entries) => {
        for (const entry of entries) {
            const found = waiting.get(entry.target);
            if (entry.isIntersecting && found) fill(found);
        }
    }, { rootMargin: near });
    lazy.body.classList.add("waiting");
    waiting.set(lazy.node, lazy);
    observer.observe(lazy.node);
}

export function now(node: Element): void {
    const found = waiting.get(node);
    if (found) fill(found);
}

export function fillAll(): void {
    for (const lazy of [...waiting.values()]) fill(lazy);
}

export function forget(): void {
    for (const { node } of waiting.values()) observer?.unobserve(node);
    waiting.clear();
}

window.addEventListener("beforeprint", () => {
    fillAll();
    for (const fold of document.querySelectorAll<HTMLDetailsElement>("main > section > details")) fold.open = true;
});
