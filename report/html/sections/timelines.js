// Predicted beside measured on one axis of time: the timeline, its tools, its legend and its table.

const kMostTableRows = 100;
const kHelpWords = "Drag to pan; Ctrl and the wheel, or two fingers, to zoom. With the keyboard: " +
    "arrow keys left and right pan, + and − zoom, 0 shows everything, " +
    "N and P select the next and the previous operation, up and down change the track, Z zooms to it.";

/** Colour -> what it stands for, in the order of the colours. */
function coloursOf(view) {
    const found = new Map();
    for (const { timeline } of view.panels) {
        const { kinds, operations, blocks } = timeline;
        const drawn = operations ? new Set([...operations.kind, ...operations.call_kind]) :
            new Set(blocks.kind);
        drawn.forEach((kind) => found.set(kind, kinds[kind]));
    }
    for (const [name, colour] of kernelColours(view.panels)) {
        const known = found.get(colour);
        const own = shortName(name);
        found.set(colour, known === undefined || known === "kernel" || known === own ?
            own : `${known.replace(/, …$/, "")}, …`);
    }
    const rank = (colour) => (kKernelColours.includes(colour) ? kKernelColours[0] : colour);
    return [...found].sort(([a], [b]) => rank(a) - rank(b) || a - b);
}

function legendOf(view) {
    const entry = (name, colour, thin) => {
        const swatch = element("span", { class: thin ? "swatch thin" : "swatch" });
        swatch.style.background = `var(--${colour})`;
        return element("li", {}, swatch, name);
    };
    return element("ul", { class: "legend" },
        ...coloursOf(view).map(([colour, name]) =>
            entry(name.length > 40 ? `${name.slice(0, 39)}…` : name, `kind-${colour}`)),
        entry("an operation waits, and for what (arrow)", "wait", true));
}

function operationsTable(timeline) {
    const { from, to } = timeline.canvas;
    const rows = [];
    let more = 0;
    for (const { title, tracks } of timeline.panels) {
        const { operations: columns, names } = tracks.timeline;
        for (let i = 0; columns && i < columns.name.length; ++i) {
            const start = columns.start_ns[i];
            if (start === null || start > to || columns.end_ns[i] < from) {
                continue;
            }
            if (rows.length >= kMostTableRows) {
                more += 1;
                continue;
            }
            rows.push({ cells: [
                title.split(":")[0], names[columns.name[i]], String(columns.stream[i]),
                formatDuration(start), formatDuration(columns.end_ns[i] - start),
                columns.bytes[i] === null ? "–" : formatBytes(columns.bytes[i]),
                tracks.waitInWords(i),
            ] });
        }
    }
    const made = table("Operations in view", [
        { title: "Panel", text: true }, { title: "Operation", text: true, name: true },
        { title: "Stream" }, { title: "Start" }, { title: "Duration" }, { title: "Bytes" },
        { title: "Waited", text: true, name: true },
    ], rows);
    return [made, more > 0 ? element("p", { class: "note" },
        `${formatCount(more)} more are in view: zoom in to see them here.`) : ""];
}

function blocksNote(view) {
    const joined = view.panels.filter(({ timeline }) => timeline.blocks);
    return joined.map(({ title, timeline }) => element("p", { class: "note" },
        `${title}: ${formatCount(timeline.operation_count)} operations are more than this page ` +
        `shows one by one. Each block sums up operations of one track and kind that lie within ` +
        `${formatDuration(timeline.block_width_ns)}; waits and dependencies are left out. ` +
        "overcast predict --timeline FILE writes each one."));
}

/** One view with its tools; `remove` before the next is shown. */
function showTimeline(host, view) {
    const status = element("p", { class: "status", "aria-live": "polite" });
    const selected = element("div", { class: "selected", "aria-live": "polite", hidden: true });
    const chart = element("div", {
        class: "chart timeline", tabindex: "0", role: "application",
        "aria-label": `Timeline: ${view.title}. ${kHelpWords}`,
    });
    const inTable = element("div");
    const details = element("details", { ontoggle: () => fillTable() },
        element("summary", {}, "Operations in view as a table"), inTable);
    let timeline = null;
    let waiting = 0;
    const fillTable = () => details.open && timeline &&
        inTable.replaceChildren(...operationsTable(timeline));
    const onView = () => {
        clearTimeout(waiting);
        waiting = setTimeout(() => {
            const { from, to, tooManyArrows } = timeline.canvas;
            status.textContent = `In view: ${formatDuration(Math.max(0, from))} to ` +
                `${formatDuration(to)} of ${formatDuration(timeline.wall)}.` +
                (tooManyArrows ? " Zoom in to see dependencies." : "");
            fillTable();
        }, 120);
    };
    const onSelect = (from, mark) => {
        selected.hidden = !mark;
        if (mark) {
            const { title, rows } = from.describe(mark);
            selected.replaceChildren(element("p", {}, title), facts(rows));
        }
    };
    const button = (label, text, act) =>
        element("button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
    const dependencies = element("input", {
        type: "checkbox", checked: true,
        onchange: () => {
            timeline.canvas.dependencies = dependencies.checked;
            timeline.repaint();
        },
    });
    const parts = element("div", {},
        element("div", { class: "tools" },
            button("Zoom in", "+", () => timeline.zoom(0.5)),
            button("Zoom out", "−", () => timeline.zoom(2)),
            button("Earlier", "←", () => timeline.pan(-0.3)),
            button("Later", "→", () => timeline.pan(0.3)),
            button("Show everything", "All", () => timeline.show(0, timeline.wall)),
            element("label", {}, dependencies, "dependencies")),
        ...blocksNote(view), legendOf(view), chart, status, selected, details,
        element("p", { class: "note" }, kHelpWords));
    host.append(parts);
    timeline = new ZoomableTimeline(chart, view, { onView, onSelect });
    return () => {
        clearTimeout(waiting);
        timeline.dispose();
        parts.remove();
    };
}

function drawTimelines(host, { note, views }) {
    if (note) {
        host.append(element("p", { class: "note" }, note));
    }
    if (views.length === 0) {
        return;
    }
    let remove = () => {};
    const show = (index) => {
        remove();
        remove = showTimeline(host, views[index]);
    };
    if (views.length > 1) {
        const choice = element("select", { onchange: () => show(choice.selectedIndex) },
            ...views.map((view) => element("option", {}, view.title)));
        host.append(element("div", { class: "tools" }, element("label", {}, "Run", choice)));
    } else {
        host.append(element("p", { class: "note" }, views[0].title));
    }
    show(0);
}
