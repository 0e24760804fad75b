// Time against streams: lines with their 90 % intervals, and points that were measured.

const kLineColours = ["kind-0", "kind-1", "kind-4", "kind-3", "kind-2", "kind-9"];

/**
 * lines: [{name, points: [{streams, wall_us, low_us, high_us}], dashed}], low and high may be absent.
 * measured: [{name, line: index of the line it belongs to, points: [{streams, wall_us}]}].
 */
function drawTimesChart(host, lines, measured) {
    const streams = [...new Set([...lines, ...measured].flatMap(
        (line) => line.points.map((point) => point.streams)))].sort((a, b) => a - b);
    const top = Math.max(...[...lines, ...measured].flatMap(
        (line) => line.points.map((point) => Math.max(point.wall_us, point.high_us ?? 0))));
    const place = new Map(streams.map((count, i) => [count, i]));

    const band = (line, colour) => {
        const known = line.points.filter((point) => point.low_us !== undefined);
        return {
            type: "custom", name: line.name, silent: true, z: 1,
            data: known.length > 1 ? [[0, 0]] : [],
            renderItem: (_, api) => ({
                type: "polygon",
                shape: {
                    points: [
                        ...known.map((p) => api.coord([place.get(p.streams), p.high_us])),
                        ...known.map((p) => api.coord([place.get(p.streams), p.low_us])).reverse(),
                    ],
                },
                style: { fill: colour, opacity: 0.18 },
            }),
        };
    };
    const series = () => [
        ...lines.map((line, i) => ({
            type: "line", name: line.name, z: 2, symbol: line.dashed ? "none" : "circle",
            symbolSize: 7, color: theme.colour(kLineColours[i % 6]), cursor: "default",
            lineStyle: { width: line.dashed ? 1.5 : 2, type: line.dashed ? "dashed" : "solid" },
            data: line.points.map((point) => [place.get(point.streams), point.wall_us]),
        })),
        ...lines.map((line, i) => band(line, theme.colour(kLineColours[i % 6]))),
        ...measured.map((line) => ({
            type: "scatter", name: line.name, z: 3, symbol: "diamond", symbolSize: 13,
            itemStyle: {
                color: theme.colour("card"), borderWidth: 2.5,
                borderColor: theme.colour(kLineColours[line.line % 6]),
            },
            data: line.points.map((point) => [place.get(point.streams), point.wall_us]),
        })),
    ];
    const redraw = () => {
        const text = { color: theme.colour("faint"), fontSize: 12 };
        const rule = { lineStyle: { color: theme.colour("line") } };
        chart.setOption({
            animation: false,
            textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
            grid: { left: 8, right: 14, top: 34, bottom: 28, containLabel: true },
            xAxis: {
                type: "category", data: streams.map(String), name: "streams", nameGap: 26,
                nameLocation: "middle", nameTextStyle: text, axisLabel: text, axisLine: rule,
                axisTick: { alignWithLabel: true, ...rule },
            },
            yAxis: {
                type: "value", min: 0, max: top * 1.05, name: "wall time", nameTextStyle:
                    { ...text, align: "left" },
                splitLine: rule,
                axisLabel: {
                    ...text, showMaxLabel: false,
                    formatter: (value) => formatTick(value * 1e3, top * 1e3),
                },
            },
            series: series(),
        }, { notMerge: true });
    };
    host.before(timesLegend(lines, measured));
    const chart = makeChart(host, redraw);
    redraw();
    host.setAttribute("role", "img");
    chart.getZr().on("mousemove", (event) => {
        const inside = chart.containPixel({ gridIndex: 0 }, [event.offsetX, event.offsetY]);
        const at = inside &&
            chart.convertFromPixel({ gridIndex: 0 }, [event.offsetX, event.offsetY])[0];
        if (!inside || streams[at] === undefined) {
            tooltip.hide();
            return;
        }
        tooltip.show(event.event.clientX, event.event.clientY,
            element("p", {}, counted(streams[at], "stream")),
            facts(timesAt(streams[at], lines, measured)));
    });
    chart.getZr().on("globalout", () => tooltip.hide());
    return chart;
}

function timesLegend(lines, measured) {
    const entry = (name, kind, line) => {
        const swatch = element("span", { class: `swatch ${kind}` });
        swatch.style.setProperty(kind === "" || kind === "range" ? "background" : "border-color",
            `var(--${kLineColours[line % 6]})`);
        return element("li", {}, swatch, name);
    };
    const ranges = lines.some(({ points }) => points.some(({ low_us }) => low_us !== undefined));
    return element("ul", { class: "legend" },
        ...lines.map((line, i) => entry(line.name, line.dashed ? "dashed" : "", i)),
        ...(ranges ? [entry("90 % of runs lie within the shade", "range", 0)] : []),
        ...measured.map((line) => entry(line.name, "measured", line.line)));
}

function timesAt(streams, lines, measured) {
    return [...lines, ...measured].flatMap((line) => {
        const point = line.points.find((one) => one.streams === streams);
        if (!point) {
            return [];
        }
        const range = point.low_us === undefined ? "" :
            ` (${formatMicroseconds(point.low_us)} – ${formatMicroseconds(point.high_us)})`;
        return [[line.name, formatMicroseconds(point.wall_us) + range]];
    });
}
