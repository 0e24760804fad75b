// A timeline with its axis, zoomed and panned by pointer, fingers and keys. ECharts has the axis and the
// zoom; one shape of its custom series is the whole canvas.

const kShape = "overcastTimeline";
const kLeastSpan = 100;  // nanoseconds in view

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
        const colours = kernelColours(view.panels);
        this.panels = view.panels.map(({ title, timeline }) =>
            ({ title, tracks: new Tracks(timeline, colours) }));
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
