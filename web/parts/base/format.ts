// Numbers as people read them, the same way everywhere.

const groups = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
export const thousands = (value: number): string => groups.format(Math.round(value));

// With so many digits, as the report's words have it: what lies just between two goes to the even one.
export function fixed(value: number, digits: number): string {
    const up = value.toFixed(digits), isBetween = Number.isInteger(value * 2 ** (digits + 1)) && !Number.isInteger(value * 2 ** digits);
    if (!isBetween || Number(up.slice(-1)) % 2 === 0) return up;
    return (Number(up) - Math.sign(value) * 10 ** -digits).toFixed(digits);
}

// Three figures or so: 0.034, 1.25, 12.5, 125, 1,250.
export function short(value: number): string {
    if (!Number.isFinite(value)) return "–";
    const size = Math.abs(value);
    if (size === 0) return "0";
    if (size >= 100) return thousands(value);
    if (size >= 10) return fixed(value, 1);
    if (size >= 1) return fixed(value, 2);
    return Number(value.toPrecision(2)).toString();
}

const steps: [number, string][] = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];
// With a prefix: 1,048,576 as 1.05 M.
export function scaled(value: number): string {
    for (const [size, prefix] of steps) if (Math.abs(value) >= size * 0.9995) return `${short(value / size)} ${prefix}`;
    return Number.isInteger(value) ? String(value) : short(value);
}

export const bytes = (value: number): string => {
    const text = scaled(value);
    return /[a-zA-Z]$/.test(text) ? `${text}B` : `${text} B`;
};

export function duration(microseconds: number): string {
    if (!Number.isFinite(microseconds)) return "–";
    if (microseconds >= 1e6) return `${short(microseconds / 1e6)} s`;
    if (microseconds >= 1e4) return `${short(microseconds / 1e3)} ms`;
    return `${microseconds >= 1000 ? thousands(microseconds) : fixed(microseconds, 1)} µs`;
}

// A share as the report has it: 0.7 %, 12 %, 99.4 %.
export function percent(share: number): string {
    if (!Number.isFinite(share)) return "–";
    const value = share * 100;
    if (value === 0 || value === 100) return `${value} %`;
    if (value < 0.05) return "< 0.1 %";
    return `${fixed(value, value < 1 || (value > 99 && value < 100) ? 1 : 0)} %`;
}

// A figure of a launch by its unit: what has none is a share.
export function figureText(value: number, unit: string | undefined): string {
    if (unit === "") return percent(value);
    if (unit === "us") return duration(value);
    return Number.isInteger(value) ? thousands(value) : short(value);
}
export const unitText = (unit: string | undefined): string => (unit === "us" ? "" : (unit ?? ""));

export const plural = (count: number, one: string, many = `${one}s`): string => `${thousands(count)} ${count === 1 ? one : many}`;

// The last part of a path; the whole stays for a tool tip.
export const fileName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

// A kernel's name without what it takes: product<16>(float*) as product<16>.
export function kernelName(name: string): string {
    let depth = 0;
    for (let at = 0; at < name.length; ++at) {
        const letter = name[at];
        if (letter === "<") ++depth;
        else if (letter === ">") depth = Math.max(0, depth - 1);
        else if (letter === "(" && depth === 0 && at > 0 && !name.startsWith("(anonymous", at)) return name.slice(0, at).replace(/^void /, "");
    }
    return name;
}
