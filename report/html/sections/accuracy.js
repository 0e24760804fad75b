// What `validate` says: predicted and measured time against streams for each sweep, errors by family.

const formatError = (percent) =>
    `${percent > 0 ? "+" : percent < 0 ? "−" : ""}${Math.abs(percent).toFixed(2)}`;
const formatFigure = (percent) => (percent === null ? "–" : percent.toFixed(2));

/** Runs that one chart shows: they differ in streams and order alone. */
function sweepsOf(runs) {
    const sweeps = new Map();
    for (const run of runs) {
        const parts = [run.transform, run.parts > 1 && `${run.parts} parts`, run.memory,
                       run.max_connections !== null && `${run.max_connections} connections`];
        const title = `${run.case}: ${parts.filter(Boolean).join(", ")}`;
        sweeps.set(title, [...(sweeps.get(title) ?? []), run]);
    }
    return [...sweeps].map(([title, own]) => ({ title, runs: own }));
}

/** Whether the runs are of many programs in one recording: no line joins them. */
const hasMembers = (runs) => runs.some((run) => run.range !== null);
const memberOf = (run) => run.range?.replace("nvtx:", "") ?? "";

function sweepLines(runs) {
    const orders = [...new Set(runs.map((run) => run.order))];
    const ofOrder = (order) => runs.filter((run) => run.order === order)
        .sort((a, b) => a.streams - b.streams);
    return {
        lines: orders.map((order) => ({
            name: `predicted, ${kOrderWords[order]}`,
            points: ofOrder(order).map((run) => ({
                streams: run.streams, wall_us: run.predicted_us, low_us: run.interval_us?.low,
                high_us: run.interval_us?.high,
            })),
        })),
        measured: orders.map((order, line) => ({
            name: `measured, ${kOrderWords[order]}`, line,
            points: ofOrder(order).map((run) => ({ streams: run.streams, wall_us: run.measured_us })),
        })),
    };
}

function runsTable(runs) {
    return table("Every run of the sweep", [
        ...(hasMembers(runs) ? [{ title: "Member", text: true }] : []),
        { title: "Streams" }, { title: "Order", text: true }, { title: "Measured" },
        { title: "Predicted" }, { title: "90 % within" }, { title: "Error %" },
        { title: "Noise %" },
    ], runs.map((run) => ({
        cells: [
            ...(hasMembers(runs) ? [memberOf(run)] : []),
            String(run.streams), kOrderWords[run.order], formatMicroseconds(run.measured_us),
            formatMicroseconds(run.predicted_us), intervalWords(run.interval_us),
            formatError(run.error_percent), run.noise_percent.toFixed(2),
        ],
    })));
}

function familiesTable(report) {
    const row = (name, figures, intervals) => ({
        cells: [
            name, formatCount(figures.count), formatFigure(figures.mape_percent),
            formatFigure(figures.median_percent), formatFigure(figures.p90_percent),
            formatFigure(figures.max_percent), formatError(figures.bias_percent),
            formatFigure(figures.regret_percent),
            intervals ? formatFigure(intervals.coverage_percent) : "–",
        ],
    });
    return table("Errors by family", [
        { title: "Error in %", text: true }, { title: "Runs" }, { title: "Mean" },
        { title: "Median" }, { title: "p90" }, { title: "Max" }, { title: "Bias" },
        { title: "Regret" }, { title: "Interval holds" },
    ], [
        ...Object.entries(report.families).map(([name, one]) => row(name, one, one.intervals)),
        ...Object.entries(report.swept_cases).map(([name, one]) => row(name, one, one.intervals)),
        row("all", report.summary, report.intervals),
        ...Object.entries(report.baselines).map(([name, one]) => row(name, one)),
    ]);
}

function showSweep(host, sweep) {
    if (hasMembers(sweep.runs)) {
        const figures = runsTable(sweep.runs);
        host.append(figures);
        return () => figures.remove();
    }
    const chart = element("div", { class: "chart times", "aria-label":
        `Predicted and measured wall time against streams, ${sweep.title}; the table below has ` +
        "the same figures" });
    const parts = element("div", {}, chart,
        element("details", { open: matchMedia("(min-width: 601px)").matches },
            element("summary", {}, "The figures as a table"), runsTable(sweep.runs)));
    host.append(parts);
    const { lines, measured } = sweepLines(sweep.runs);
    const drawn = drawTimesChart(chart, lines, measured);
    return () => {
        drawn.dispose();
        parts.remove();
    };
}

function drawAccuracy(host, { report }) {
    const sweeps = sweepsOf(report.cases);
    const shown = element("div");
    let remove = () => {};
    const show = (index) => {
        remove();
        remove = showSweep(shown, sweeps[index]);
    };
    if (sweeps.length > 1) {
        const choice = element("select", { onchange: () => show(choice.selectedIndex) },
            ...sweeps.map(({ title }) => element("option", {}, title)));
        host.append(element("div", { class: "tools" }, element("label", {}, "Case", choice)));
    } else if (sweeps.length === 1) {
        host.append(element("p", { class: "note" }, sweeps[0].title));
    }
    host.append(shown);
    if (sweeps.length > 0) {
        show(0);
    }
    host.append(element("h3", {}, "Errors by family"),
        element("p", { class: "note" }, "Runs on 2 or more streams; the last rows are the models " +
            "of others. Regret: how much longer the configuration called best really takes than " +
            "the best."),
        familiesTable(report));
}
