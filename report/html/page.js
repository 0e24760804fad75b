// Starts everything: reads the data, and gives each section to its script.

/** Kind of a section -> its title and who draws it. */
const sections = {
    streams: { title: "Time against streams", draw: drawStreams },
    accuracy: { title: "Predicted and measured", draw: drawAccuracy },
    advice: { title: "What to change", draw: drawAdvice },
    comparison: { title: "Side by side", draw: drawComparison },
    timelines: { title: "Timeline", draw: drawTimelines },
    warnings: { title: "Warnings", draw: drawWarnings },
    provenance: { title: "Where this comes from", draw: drawProvenance },
};

function start() {
    const page = JSON.parse(document.getElementById("data").textContent);
    theme.start();
    document.title = `${page.title} – Overcast`;
    document.getElementById("subject").textContent = page.title;
    document.getElementById("headline").textContent = page.headline;
    document.getElementById("detail").textContent = page.detail;
    const main = document.getElementById("main");
    for (const { kind, data } of page.sections) {
        const { title, draw } = sections[kind];
        const host = element("section", { "aria-label": title, "data-kind": kind },
            element("h2", {}, title));
        main.append(host);
        draw(host, data);
    }
    document.documentElement.dataset.ready = "true";
    // Behind ECharts' own request: the first frame with everything on it (tests/browser/measure.mjs).
    requestAnimationFrame(() => performance.mark("drawn"));
}

start();
