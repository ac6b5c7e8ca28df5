// Each part by itself, with data of its own: all of them, or after # the one of that name.
import "../parts/base/parts.css";
import "./stories.css";
import { h } from "../parts/base/dom";
import type { Story } from "../parts/base/story";

const modules = import.meta.glob<{ stories: Story[] }>("../parts/*/story.ts", { eager: true });
const stories = Object.values(modules).flatMap((each) => each.stories ?? []);

function show(): void {
    const wanted = decodeURIComponent(location.hash.slice(1));
    document.getElementById("stories")?.replaceChildren(...stories.filter((story) => wanted === "" || story.name === wanted).map((story) => h("section", { "data-story": story.name }, h("h2", {}, story.name), story.draw())));
}

window.addEventListener("hashchange", show);
show();
