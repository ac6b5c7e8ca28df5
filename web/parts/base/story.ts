// A story: a part with data of its own, which the page of stories shows and the tests open.
export interface Story {
    name: string;
    draw: () => Node;
}
