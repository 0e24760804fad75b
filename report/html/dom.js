// Elements are made here and nowhere else: text is always a text node, so that a kernel's name
// cannot become markup.

function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (name === "onclick" || name === "onchange" || name === "ontoggle") {
            made.addEventListener(name.slice(2), value);
        } else if (value !== false && value !== undefined) {
            made.setAttribute(name, value === true ? "" : value);
        }
    }
    made.append(...children.filter((child) => child !== undefined && child !== null));
    return made;
}

/** Label and value pairs. */
function facts(rows) {
    return element("dl", { class: "facts" },
        ...rows.flatMap(([label, value]) => [element("dt", {}, label), element("dd", {}, value)]));
}

/** columns: [{title, text: true for words}], rows: [{cells: [text], class}]. */
function table(caption, columns, rows) {
    const kind = (column) => (column.text ? { class: column.name ? "text name" : "text" } : {});
    return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
        element("table", {},
            element("thead", {}, element("tr", {},
                ...columns.map((column) =>
                    element("th", { scope: "col", ...kind(column) }, column.title)))),
            element("tbody", {}, ...rows.map((row) =>
                element("tr", { class: row.class ?? false },
                    ...row.cells.map((cell, i) => element("td", kind(columns[i]), cell)))))));
}

/** One for the whole page, beside the pointer. */
const tooltip = {
    box: null,
    show(x, y, ...content) {
        if (!this.box) {
            this.box = element("div", { class: "tooltip", role: "tooltip" });
            document.body.append(this.box);
        }
        this.box.replaceChildren(...content);
        this.box.hidden = false;
        const { width, height } = this.box.getBoundingClientRect();
        const left = x + 14 + width > innerWidth - 8 ? x - 14 - width : x + 14;
        const top = y + 14 + height > innerHeight - 8 ? y - 14 - height : y + 14;
        this.box.style.left = `${Math.max(8, left)}px`;
        this.box.style.top = `${Math.max(8, top)}px`;
    },
    hide() {
        if (this.box) {
            this.box.hidden = true;
        }
    },
};
