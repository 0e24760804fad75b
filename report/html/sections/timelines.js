// Timelines that can be zoomed: predicted beside measured on one axis of time.

const kShape = "overcastTimeline";
const kLeastSpan = 100;  // nanoseconds in view
const kMostTableRows = 100;
const kHelpWords = "Drag to pan; Ctrl and the wheel, or two fingers, to zoom. With the keyboard: " +
    "arrow keys left and right pan, + and − zoom, 0 shows everything, " +
    "N and P select the next and the previous operation, up and down change the track, Z zooms to it.";

echarts.graphic.registerShape(kShape, echarts.graphic.extendShape({
    type: kShape,
    shape: { timeline: 0, frame: 0 },
    buildPath(path, shape) {
        this.context = path.getContext ? path.getContext() : path;
        this.view = ZoomableTimeline.all[shape.timeline];
    },
    afterBrush() {
        this.view?.canvas.draw(this.context);
    },
}));

class ZoomableTimeline {
    static all = [];

    constructor(host, view, report) {
        this.number = ZoomableTimeline.all.push(this) - 1;
        this.report = report;  // {onView, onSelect}
        this.panels = view.panels.map(({ title, timeline }) =>
            ({ title, tracks: new Tracks(timeline) }));
        this.wall = Math.max(1, ...this.panels.map(({ tracks }) => tracks.wall));
        this.canvas = new TimelineCanvas(this.panels);
        this.host = host;
        host.style.height = `${this.canvas.height}px`;
        this.chart = makeChart(host, () => this.restyle());
        this.frame = 0;
        this.restyle();
        this.listen();
    }

    restyle() {
        this.canvas.takeColours();
        const text = { color: theme.colour("faint"), fontSize: 11 };
        const left = this.host.clientWidth < 500 ? 56 : 74;
        this.chart.setOption({
            animation: false,
            grid: { left, right: kMargin.right, top: kMargin.top, bottom: kMargin.bottom },
            xAxis: {
                type: "value", min: 0, max: this.wall, position: "top",
                splitNumber: this.host.clientWidth < 500 ? 3 : 8,
                axisLabel: {
                    ...text, hideOverlap: true, showMinLabel: false, showMaxLabel: false,
                    formatter: (value) => formatTick(value, this.canvas.to - this.canvas.from),
                },
                axisLine: { show: false }, axisTick: { show: false },
                splitLine: { lineStyle: { color: theme.colour("line") } },
            },
            yAxis: { type: "value", min: 0, max: 1, show: false },
            dataZoom: [
                {
                    type: "inside", filterMode: "none", zoomOnMouseWheel: "ctrl",
                    moveOnMouseWheel: "shift", preventDefaultMouseMove: false,
                    minValueSpan: Math.min(this.wall, kLeastSpan), throttle: 0,
                },
                {
                    type: "slider", filterMode: "none", height: 22, bottom: 8, throttle: 0,
                    showDataShadow: false, showDetail: false, brushSelect: false,
                    borderColor: theme.colour("line"), fillerColor: `${theme.colour("accent")}33`,
                    minValueSpan: Math.min(this.wall, kLeastSpan),
                },
            ],
            series: [{
                type: "custom", data: [[0, 0]], clip: false, silent: true, animation: false,
                renderItem: (params, api) => this.render(params, api),
            }],
        });
    }

    render({ coordSys }, api) {
        const zero = api.coord([0, 0])[0];
        const scale = (api.coord([this.wall, 0])[0] - zero) / this.wall;
        const from = (coordSys.x - zero) / scale;
        this.canvas.see({ left: coordSys.x, width: coordSys.width }, from,
            from + coordSys.width / scale);
        this.frame += 1;
        this.host.dataset.view = [this.canvas.from, this.canvas.to].map(Math.round).join(" ");
        this.report.onView(this);
        return { type: kShape, shape: { timeline: this.number, frame: this.frame } };
    }

    /** Draws again what the pointer or the keys have changed. */
    repaint() {
        this.chart.setOption({ series: [{ data: [[0, 0]] }] }, { lazyUpdate: false, silent: true });
    }

    show(from, to) {
        const span = Math.min(this.wall, Math.max(kLeastSpan, to - from));
        const start = Math.max(0, Math.min(this.wall - span, (from + to) / 2 - span / 2));
        this.chart.dispatchAction({
            type: "dataZoom", dataZoomIndex: 0, startValue: start, endValue: start + span,
        });
    }

    zoom(factor) {
        const { from, to } = this.canvas;
        const middle = (from + to) / 2;
        this.show(middle - (middle - from) * factor, middle + (to - middle) * factor);
    }

    pan(share) {
        const { from, to } = this.canvas;
        this.show(from + (to - from) * share, to + (to - from) * share);
    }

    listen() {
        const surface = this.chart.getZr();
        surface.on("mousemove", (event) => this.hover(event));
        surface.on("globalout", () => this.leave());
        surface.on("click", (event) => {
            this.host.focus({ preventScroll: true });
            this.select(this.canvas.find(event.offsetX, event.offsetY));
        });
        this.host.addEventListener("keydown", (event) => this.onKey(event));
    }

    hover(event) {
        const found = this.canvas.find(event.offsetX, event.offsetY);
        const before = this.canvas.hovered;
        this.canvas.hovered = found;
        if (found?.row !== before?.row || found?.at !== before?.at || found?.lane !== before?.lane) {
            this.repaint();
        }
        if (!found) {
            tooltip.hide();
            return;
        }
        const { title, rows } = this.describe(found);
        tooltip.show(event.event.clientX, event.event.clientY, element("p", {}, title), facts(rows));
    }

    leave() {
        tooltip.hide();
        if (this.canvas.hovered) {
            this.canvas.hovered = null;
            this.repaint();
        }
    }

    describe(mark) {
        return this.panels[mark.row.panel].tracks.describe(mark.row.track,
            mark.row.track.lanes[mark.lane].item[mark.at]);
    }

    select(mark) {
        this.canvas.selected = mark;
        this.repaint();
        this.report.onSelect(this, mark);
    }

    onKey(event) {
        const actions = {
            "ArrowLeft": () => this.pan(-0.15), "ArrowRight": () => this.pan(0.15),
            "ArrowUp": () => this.selectTrack(-1), "ArrowDown": () => this.selectTrack(1),
            "+": () => this.zoom(0.5), "=": () => this.zoom(0.5), "-": () => this.zoom(2),
            "0": () => this.show(0, this.wall), "Home": () => this.show(0, this.wall),
            "n": () => this.selectNext(1), "p": () => this.selectNext(-1),
            "z": () => this.zoomToSelected(),
            "Escape": () => this.select(null),
        };
        const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
        if (action && !event.ctrlKey && !event.metaKey && !event.altKey) {
            event.preventDefault();
            action();
        }
    }

    selectNext(step) {
        const { selected } = this.canvas;
        if (!selected) {
            this.selectTrack(1);
            return;
        }
        const at = selected.at + step;
        if (at >= 0 && at < selected.row.track.lanes[selected.lane].start.length) {
            this.select({ ...selected, at });
            this.keepInView();
        }
    }

    /** The operation of the track above or below that is on at the time of the selected one. */
    selectTrack(step) {
        const rows = this.canvas.rows.filter((row) => row.track);
        const { selected } = this.canvas;
        const time = selected ? selected.row.track.lanes[selected.lane].start[selected.at] :
            this.canvas.from;
        const row = rows[selected ? rows.indexOf(selected.row) + step : 0];
        if (row) {
            const at = Math.max(0, upperBound(row.track.lanes[0].start, time) - 1);
            this.select({ row, lane: 0, at });
            this.keepInView();
        }
    }

    spanOfSelected() {
        const { row, lane, at } = this.canvas.selected;
        return [row.track.lanes[lane].start[at], row.track.lanes[lane].end[at]];
    }

    keepInView() {
        const [start, end] = this.spanOfSelected();
        const { from, to } = this.canvas;
        if (end < from || start > to) {
            this.show(start - (to - from) / 2, start + (to - from) / 2);
        }
    }

    zoomToSelected() {
        if (this.canvas.selected) {
            const [start, end] = this.spanOfSelected();
            this.show(start - (end - start) * 2, end + (end - start) * 2);
        }
    }

    dispose() {
        tooltip.hide();
        this.chart.dispose();
        ZoomableTimeline.all[this.number] = null;
    }
}

/** Colour -> what it stands for, in the order of the colours. */
function coloursOf(view) {
    const found = new Map();
    for (const { timeline } of view.panels) {
        const { kinds, names, operations, blocks } = timeline;
        const drawn = operations ? new Set([...operations.kind, ...operations.call_kind]) :
            new Set(blocks.kind);
        drawn.forEach((kind) => found.set(kind, kinds[kind]));
        if (operations) {
            for (const [name, colour] of kernelColours(timeline)) {
                const known = found.get(colour);
                const own = shortName(names[name]);
                found.set(colour, known === undefined || known === "kernel" || known === own ?
                    own : `${known.replace(/, …$/, "")}, …`);
            }
        }
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
