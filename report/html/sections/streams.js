// What `predict` says: the best choice, time against streams, and every figure as a table.

const kBoundWords = { h2d: "H2D copy engine", d2h: "D2H copy engine", sm: "SMs", host: "host",
                      chain: "chain of waits" };
const kOrderWords = { depth: "depth-first", breadth: "breadth-first", recorded: "as recorded" };

function intervalWords(interval) {
    return interval ?
        `${formatMicroseconds(interval.low)} – ${formatMicroseconds(interval.high)}` : "–";
}

function bestTiles(sweep) {
    const best = sweep.predictions.find((prediction) =>
        prediction.streams === sweep.best.streams && prediction.order === sweep.best.order);
    const tile = (label, value, small) => element("div", {},
        element("dt", {}, label), element("dd", {}, value, element("small", {}, small)));
    return element("dl", { class: "tiles" },
        tile("Best", counted(best.streams, "stream"), kOrderWords[best.order]),
        tile("Wall time", formatMicroseconds(best.wall_us),
            best.interval_us ? `90 %: ${intervalWords(best.interval_us)}` : "no interval"),
        tile("Speed-up", formatFactor(best.speedup), "against one stream"),
        tile("Bound by", kBoundWords[best.bound_by],
            `H2D ${formatPercent(best.utilisation.h2d)}, D2H ${formatPercent(best.utilisation.d2h)}, ` +
            `SM ${formatPercent(best.utilisation.sm)}, host ${formatPercent(best.utilisation.host)}`));
}

/** One line per order, one dashed line per other model and order. */
function predictedLines(predictions) {
    const orders = [...new Set(predictions.map((prediction) => prediction.order))];
    const lines = orders.map((order) => ({
        name: kOrderWords[order],
        points: predictions.filter((prediction) => prediction.order === order).map((p) => ({
            streams: p.streams, wall_us: p.wall_us, low_us: p.interval_us?.low,
            high_us: p.interval_us?.high,
        })),
    }));
    const others = Object.keys(predictions[0]?.baselines ?? {});
    for (const name of others) {
        const ofOrders = orders.map((order) => ({
            name: `${name}, ${kOrderWords[order]}`, dashed: true,
            points: predictions.filter((p) => p.order === order && p.baselines[name] !== null)
                .map((p) => ({ streams: p.streams, wall_us: p.baselines[name] })),
        })).filter(({ points }) => points.length > 0);
        // Most other models do not see the order: one line says it.
        const same = new Set(ofOrders.map(({ points }) => JSON.stringify(points))).size === 1;
        lines.push(...(same ? [{ ...ofOrders[0], name }] : ofOrders));
    }
    for (const line of lines) {
        line.points.sort((a, b) => a.streams - b.streams);
    }
    return lines;
}

function predictionsTable(sweep) {
    const others = Object.keys(sweep.predictions[0]?.baselines ?? {});
    const columns = [
        { title: "Streams" }, { title: "Order", text: true }, { title: "Wall time" },
        { title: "90 % within" }, { title: "Speed-up" }, { title: "Bound by", text: true },
        { title: "H2D" }, { title: "D2H" }, { title: "SM" }, { title: "Host" },
        ...others.map((name) => ({ title: name })),
    ];
    return table("Every configuration", columns, sweep.predictions.map((p) => ({
        class: p.streams === sweep.best?.streams && p.order === sweep.best?.order && "best",
        cells: [
            String(p.streams), kOrderWords[p.order], formatMicroseconds(p.wall_us),
            intervalWords(p.interval_us), formatFactor(p.speedup), kBoundWords[p.bound_by],
            formatPercent(p.utilisation.h2d), formatPercent(p.utilisation.d2h),
            formatPercent(p.utilisation.sm), formatPercent(p.utilisation.host),
            ...others.map((name) =>
                p.baselines[name] === null ? "–" : formatMicroseconds(p.baselines[name])),
        ],
    })));
}

function drawStreams(host, { sweep, recorded, scheme }) {
    if (sweep.best) {
        host.before(bestTiles(sweep));
    }
    host.append(element("p", { class: "note" }, `Recorded: ${recorded}. Predicted: ${scheme}.`));
    const chart = element("div", { class: "chart times" });
    host.append(chart);
    const lines = predictedLines(sweep.predictions);
    chart.setAttribute("aria-label", "Predicted wall time against streams; the table below has " +
        "the same figures");
    drawTimesChart(chart, lines, []);
    host.append(element("details", { open: matchMedia("(min-width: 601px)").matches },
        element("summary", {}, "The figures as a table"), predictionsTable(sweep)));
}
