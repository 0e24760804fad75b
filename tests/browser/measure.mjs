// How quick the page of a recording with many operations is: until it is drawn, and while it zooms.
// usage: node tests/browser/measure.mjs [OPERATIONS]
import { statSync } from "node:fs";
import { join } from "node:path";

import { openReport, startBrowser } from "./browser.mjs";
import { writeManyOperations } from "./made_traces.mjs";
import { inFolder, overcast } from "./overcast.mjs";

const kRuns = 5;
const kFrames = 60;

/** Zooms in and out `frames` times, one step for each frame that the browser draws. */
function zoomFrames(frames) {
    const chart = document.querySelector(".timeline");
    const times = [];
    return new Promise((done) => {
        const step = (now) => {
            times.push(now);
            if (times.length > frames) {
                done(times);
                return;
            }
            const key = times.length % 20 < 10 ? "+" : "-";
            chart.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
            requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
    });
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

const operations = Number(process.argv[2] ?? 50_000);
const browser = await startBrowser();
try {
    await inFolder(async (folder) => {
        const trace = join(folder, "many.json");
        const file = join(folder, "report.html");
        writeManyOperations(trace, operations);
        overcast("predict", trace, "--html", file);
        const loads = [];
        const rates = [];
        const slowest = [];
        for (let run = 0; run < kRuns; ++run) {
            const report = await openReport(browser, file);
            // From the start of loading to the first frame with everything on it.
            const drawn = await report.page.waitForFunction(() =>
                performance.getEntriesByName("drawn")[0]?.startTime);
            loads.push(await drawn.jsonValue() / 1e3);
            await report.page.$eval(".timeline", (chart) => chart.scrollIntoView());
            const times = await report.page.evaluate(`(${zoomFrames})(${kFrames})`);
            const frames = times.slice(1).map((time, i) => time - times[i]);
            rates.push(1000 * frames.length / (times.at(-1) - times[0]));
            slowest.push(Math.max(...frames));
            await report.close();
        }
        console.log(`${operations} operations, page of ${(statSync(file).size / 1e6).toFixed(1)} MB, ` +
            `${browser.version()}, ${kRuns} runs`);
        console.log(`loaded and drawn: median ${median(loads).toFixed(2)} s, ` +
            `slowest ${Math.max(...loads).toFixed(2)} s`);
        console.log(`zooming: median ${median(rates).toFixed(1)} frames/s, ` +
            `slowest run ${Math.min(...rates).toFixed(1)} frames/s, ` +
            `slowest frame ${Math.max(...slowest).toFixed(0)} ms`);
    });
} finally {
    await browser.close();
}
