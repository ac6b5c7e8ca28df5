// What of a picture can be looked at or opened is one tab stop together: Tab comes to the piece that was last looked at,
// arrows go on from there, Home and End to the first and the last, Enter and Space click.

type Piece = HTMLElement | SVGElement;

const isPiece = (node: Element): node is Piece => node instanceof HTMLElement || node instanceof SVGElement;
const piecesOf = (whole: Element): Piece[] => [...whole.querySelectorAll("[tabindex]")].filter(isPiece);

function middle(piece: Piece): [number, number] {
    const box = piece.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
}

// Left and right come to each piece, in the order in which they are drawn; up and down, but in a list, to the nearest one
// there, and where there is none as left and right do.
function beside(pieces: Piece[], from: Piece, key: string, isList: boolean): Piece | undefined {
    const at = pieces.indexOf(from), forward = key === "ArrowRight" || key === "ArrowDown";
    if (!isList && (key === "ArrowUp" || key === "ArrowDown")) {
        const [x, y] = middle(from), sign = forward ? 1 : -1;
        let nearest: Piece | undefined, least = Infinity;
        for (const piece of pieces) {
            const [across, down] = middle(piece), away = (down - y) * sign;
            const distance = away + 4 * Math.abs(across - x);
            if (away > 2 && distance < least) [nearest, least] = [piece, distance];
        }
        if (nearest) return nearest;
    }
    return pieces[at + (forward ? 1 : -1)];
}

export function choose(whole: Element, chosen: Piece): void {
    for (const piece of piecesOf(whole)) piece.setAttribute("tabindex", piece === chosen ? "0" : "-1");
}

// Its pieces are all that have a tabindex. Keyboards come first to the one that `first` names.
export function oneStop<N extends Piece>(whole: N, first = "[tabindex]", isList = false): N {
    if (whole.getAttribute("role") === "img") whole.setAttribute("role", "group"); // what is within is told, too
    const start = whole.querySelector(first) ?? whole.querySelector("[tabindex]");
    if (start && isPiece(start)) choose(whole, start);
    whole.addEventListener("focusin", (event) => {
        if (event.target instanceof Element && isPiece(event.target) && event.target !== whole) choose(whole, event.target);
    });
    whole.addEventListener("keydown", (event) => {
        const from = event.target;
        if (!(event instanceof KeyboardEvent) || event.ctrlKey || event.altKey || event.metaKey || !(from instanceof Element) || !isPiece(from) || !from.hasAttribute("tabindex")) return;
        const pieces = piecesOf(whole);
        if (!pieces.includes(from)) return;
        let to: Piece | undefined;
        if (event.key.startsWith("Arrow")) to = beside(pieces, from, event.key, isList);
        else if (event.key === "Home") to = pieces[0];
        else if (event.key === "End") to = pieces[pieces.length - 1];
        else if (event.key === "Enter" || event.key === " ") from.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
        else return;
        event.preventDefault();
        to?.focus();
    });
    return whole;
}
