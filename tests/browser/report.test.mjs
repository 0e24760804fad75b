// The HTML report in a real browser: it loads without an error and without a network, its figures are
// those of --format json, and pointer and keys work. Run by ctest where OVERCAST_BROWSER_TESTS is on.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { kDesktop, kPhone, openReport, startBrowser } from "./browser.mjs";
import { renameKernels, writeManyOperations } from "./made_traces.mjs";
import { inFolder, overcast } from "./overcast.mjs";

const kRecordings = ["balanced", "pipeline", "mixed_kinds"];

let browser;
before(async () => {
    browser = await startBrowser();
});
after(() => browser?.close());

/** Makes a report with `words`, opens it, and checks that nothing went wrong on it. */
async function withReport(words, options, check) {
    await inFolder(async (folder) => {
        const file = join(folder, "report.html");
        const output = overcast(...words, "--html", file);
        const report = await openReport(browser, file, options);
        await check(report.page, output, file);
        assert.deepEqual(report.problems, []);
        assert.deepEqual(report.requests, []);
        await report.close();
    });
}

/** "3.734 ms" -> [3734, 1], in microseconds: the value and one unit of its last digit. */
function parseTime(text) {
    const [, digits, unit] = text.match(/^([\d.]+) (ns|µs|ms|s)$/) ?? assert.fail(`no time: ${text}`);
    const factor = { ns: 1e-3, µs: 1, ms: 1e3, s: 1e6 }[unit];
    const decimals = digits.split(".")[1]?.length ?? 0;
    return [Number(digits) * factor, 10 ** -decimals * factor];
}

function assertTime(text, microseconds, what) {
    const [shown, unit] = parseTime(text);
    assert.ok(Math.abs(shown - microseconds) <= unit / 2 + 1e-9,
        `${what}: ${text} is shown for ${microseconds} us`);
}

/** WCAG's contrast ratio of two colours like #1b2430. */
function contrast(one, other) {
    const luminance = (colour) => {
        const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
            .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
}

const cellsOf = (page, kind) => page.$$eval(`section[data-kind=${kind}] tbody tr`,
    (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));

/** The times in view: [from, to] in nanoseconds. */
const viewOf = async (page) => {
    const text = await page.getAttribute(".timeline", "data-view");
    return text.split(" ").map(Number);
};

const panelsOf = (page) => page.$eval("#data", (data) =>
    JSON.parse(data.textContent).sections.find(({ kind }) => kind === "timelines").data.views[0].panels);

for (const name of kRecordings) {
    const words = ["predict", `traces/h200/${name}/trace.json.gz`, "--format", "json"];

    test(`${name}: the figures are those of --format json`, async () => {
        await withReport(words, {}, async (page, output) => {
            const json = JSON.parse(output);
            const rows = await cellsOf(page, "streams");
            assert.equal(rows.length, json.predictions.length);
            rows.forEach((cells, i) => {
                const prediction = json.predictions[i];
                const [streams, order, wall, interval, speedup, , ...shares] = cells;
                assert.equal(streams, String(prediction.streams));
                assert.equal(order, `${prediction.order}-first`);
                assertTime(wall, prediction.wall_us, "wall");
                const [low, high] = interval.split(" – ");
                assertTime(low, prediction.interval_us.low, "low");
                assertTime(high, prediction.interval_us.high, "high");
                assert.equal(speedup, `${prediction.speedup.toFixed(2)}×`);
                const { h2d, d2h, sm, host } = prediction.utilisation;
                assert.deepEqual(shares, [h2d, d2h, sm, host].map(
                    (share) => `${(share * 100).toFixed(0)} %`));
            });
            const best = await page.$$eval("tr.best td", (cells) => cells.map((c) => c.textContent));
            assert.equal(best[0], String(json.best.streams));
            assertTime(best[2], json.best.wall_us, "best");
            const tiles = await page.$$eval(".tiles dd",
                (all) => all.map((one) => one.firstChild.textContent));
            assertTime(tiles[1], json.best.wall_us, "tile");
            const headline = await page.textContent("h1");
            assertTime(headline.match(/: ([\d.]+ \S+),/)[1], json.best.wall_us, "headline");
        });
    });

    test(`${name}: fits a phone, in the dark`, async () => {
        await withReport(words, { viewport: kPhone, dark: true }, async (page) => {
            assert.ok(await page.evaluate("document.documentElement.scrollWidth") <= kPhone.width);
            assert.equal(await page.getAttribute("html", "data-theme"), "dark");
        });
    });
}

test("validate: the figures are those of --format json, measured beside predicted", async () => {
    const words = ["validate", "--replay", "traces/h200/balanced", "--format", "json"];
    await withReport(words, {}, async (page, output) => {
        const json = JSON.parse(output);
        const rows = await cellsOf(page, "accuracy");
        const families = Object.keys(json.families).length;
        assert.equal(rows.length, json.cases.length + families + 1 + 3);
        json.cases.forEach((run, i) => {
            const [streams, order, measured, predicted, interval, error] = rows[i];
            assert.equal(streams, String(run.streams));
            assert.equal(order, `${run.order}-first`);
            assertTime(measured, run.measured_us, "measured");
            assertTime(predicted, run.predicted_us, "predicted");
            assertTime(interval.split(" – ")[0], run.interval_us.low, "low");
            assert.equal(Number(error.replace("−", "-")), Number(run.error_percent.toFixed(2)));
        });
        const all = rows.find(([name]) => name === "all");
        assert.equal(all[2], json.summary.mape_percent.toFixed(2));
        assert.match(await page.textContent("h1"),
            new RegExp(`off by ${json.summary.mape_percent.toFixed(2)} %`));

        // One of the other recorded timelines: both panels change.
        const [predicted, actual] = await panelsOf(page);
        assert.deepEqual([predicted.title, actual.title], ["predicted", "measured"]);
        const choice = await page.$("section[data-kind=timelines] select");
        assert.equal((await choice.$$("option")).length,
            json.cases.filter((run) => run.timeline).length);
        const [, before] = await viewOf(page);
        await choice.selectOption({ index: 1 });
        await page.waitForFunction((old) =>
            Number(document.querySelector(".timeline").dataset.view?.split(" ")[1]) !== old, before);
    });
});

test("advise: the figures are those of --format json, and each change is text", async () => {
    const words = ["advise", "traces/h200/balanced/trace.json.gz", "--format", "json"];
    await withReport(words, {}, async (page, output) => {
        const json = JSON.parse(output);
        const saving = json.diagnoses.filter(({ verdict }) => verdict === "saves");
        assert.ok(saving.length > 0);
        const shown = await page.$$eval(".diagnosis", (all) => all.map((one) => ({
            id: one.dataset.id,
            change: one.querySelector("pre").textContent,
            link: one.querySelector("a")?.href, rel: one.querySelector("a")?.rel,
            facts: Object.fromEntries([...one.querySelectorAll("dt")].map((term) =>
                [term.textContent, term.nextSibling.textContent])),
        })));
        assert.deepEqual(shown.map(({ id }) => id), saving.map(({ id }) => id));
        saving.forEach((diagnosis, i) => {
            const { change, link, rel, facts } = shown[i];
            assert.equal(change, diagnosis.change);
            assert.equal(link, diagnosis.link);
            assert.equal(rel, "noopener noreferrer");
            assert.equal(facts.seen, diagnosis.evidence);
            for (const [label, saved] of [["saves alone", diagnosis.alone],
                                          ["with the others made", diagnosis.with_the_rest]]) {
                if (saved.saving_us === 0) {
                    assert.equal(facts[label], "nothing");
                    continue;
                }
                const [, time, low, high] =
                    facts[label].match(/^(\S+ \S+?)(?: \(90 %: (.+) – (.+)\))?$/);
                assertTime(time, saved.saving_us, label);
                assert.equal(low === undefined, saved.interval_us === null);
                if (saved.interval_us) {
                    assertTime(low, saved.interval_us.low, "low");
                    assertTime(high, saved.interval_us.high, "high");
                }
            }
        });
        assert.equal(await page.$$eval(".seen-too li", (all) => all.length),
            json.diagnoses.length - saving.length);

        const { best, cheapest, cut } = json.schedules;
        const schedules = [best, cheapest, cut].filter((schedule) => schedule);
        const { shares, links } = json.critical_path;
        const rows = await cellsOf(page, "advice");
        assert.equal(rows.length, schedules.length + shares.length + links.length);
        schedules.forEach((schedule, i) => assertTime(rows[i][3], schedule.wall_us, "schedule"));
        shares.forEach((share, i) => {
            const [what, time] = rows[schedules.length + i];
            assert.equal(what, share.what);
            assertTime(time, share.time_us, what);
        });
        const [now, then] = (await page.textContent("h1")).match(/[\d.]+ (?:ns|µs|ms|s)\b/g);
        assertTime(now, json.wall_us, "as recorded");
        assertTime(then, json.wall_without_causes_us, "with the changes");
    });
});

test("advise: fits a phone", async () => {
    await withReport(["advise", "traces/h200/balanced/trace.json.gz", "--no-interval"],
        { viewport: kPhone }, async (page) => {
            assert.ok(await page.evaluate("document.documentElement.scrollWidth") <= kPhone.width);
        });
});

test("compare: the figures are those of --format json, both timelines below each other", async () => {
    const words = ["compare", "traces/h200/balanced/trace.json.gz",
                   "traces/h200/mixed_kinds/trace.json.gz", "--format", "json"];
    await withReport(words, {}, async (page, output) => {
        const json = JSON.parse(output);
        const { left, right } = json;
        const rows = await page.$$eval("section[data-kind=comparison] .scroll", (all) =>
            Object.fromEntries(all.map((one) => [one.getAttribute("aria-label"),
                [...one.querySelectorAll("tbody tr")].map((row) =>
                    [...row.cells].map((cell) => cell.textContent))])));
        const assertChange = (text, from, to) => from === 0 ?
            assert.equal(text, "–") :  // there is nothing to relate to
            assert.equal(parseFloat(text.replace("−", "-")),
                Number(((to - from) / from * 100).toFixed(1)));
        const [makespan] = rows["The whole"];
        assertTime(makespan[1], left.makespan_us, "left makespan");
        assertTime(makespan[2], right.makespan_us, "right makespan");
        assertChange(makespan[3], left.makespan_us, right.makespan_us);
        const kinds = rows["Device time by kind"];
        assert.equal(kinds.length, json.kinds.length);
        json.kinds.forEach((kind, i) => {
            assert.equal(kinds[i][0], kind.kind);
            assertTime(kinds[i][2], kind.left_us, kind.kind);
            assertTime(kinds[i][3], kind.right_us, kind.kind);
            assertChange(kinds[i][4], kind.left_us, kind.right_us);
        });
        const moved = rows["Starts that moved most, counted from the start of the region"];
        assert.equal(moved.length, 8);
        const shift = ({ left: from, right: to }) =>
            (to.device_start_us ?? to.call_start_us) - (from.device_start_us ?? from.call_start_us);
        const shifts = json.matched.map(shift).sort((a, b) => Math.abs(b) - Math.abs(a));
        moved.forEach((cells, i) => assertTime(cells[4].slice(1), Math.abs(shifts[i]), cells[0]));

        for (const [label, alone] of [["Only before", json.only_left],
                                      ["Only after", json.only_right]]) {
            const count = rows[label].reduce((sum, cells) => sum + Number(cells[1]), 0);
            assert.equal(count, alone.length);
        }

        const [before, after, apart] =
            (await page.textContent("h1")).match(/[\d.]+ (?:ns|µs|ms|s)\b/g);
        assertTime(before, left.makespan_us, "before");
        assertTime(after, right.makespan_us, "after");
        assertTime(apart, Math.abs(right.makespan_us - left.makespan_us), "difference");
        assert.deepEqual((await panelsOf(page)).map(({ title }) => title), ["before", "after"]);
        // Kernels of either side have a colour each, though the sides' kernels are others.
        const legend = await page.textContent("section[data-kind=timelines] .legend");
        for (const kernel of ["iterate_quadratic_map", "iterate_mean", "add_inputs"]) {
            assert.ok(legend.includes(kernel), `${kernel} is not in ${legend}`);
        }
    });
});

test("compare: fits a phone", async () => {
    await withReport(["compare", "--replayed", "traces/h200/balanced/trace.json.gz"],
        { viewport: kPhone }, async (page) => {
            assert.ok(await page.evaluate("document.documentElement.scrollWidth") <= kPhone.width);
        });
});

test("validate: fits a phone", async () => {
    await withReport(["validate", "--replay", "traces/h200/balanced"], { viewport: kPhone },
        async (page) => {
            assert.ok(await page.evaluate("document.documentElement.scrollWidth") <= kPhone.width);
        });
});

/** Middle of operation `index` of the first panel on its stream, in pixels of the window: behind the
    labels, under the axis and the panel's title, a row for each stream (timeline_canvas.js). */
async function placeOf(page, index) {
    await page.$eval(".timeline", (chart) => chart.scrollIntoView({ block: "start" }));
    const [{ timeline }] = await panelsOf(page);
    const { start_ns, end_ns, stream } = timeline.operations;
    const used = [...new Set(stream.filter((_, i) => start_ns[i] !== null))].sort((a, b) => a - b);
    const [from, to] = await viewOf(page);
    const box = await (await page.$(".timeline")).boundingBox();
    const plot = { left: 74, right: 12, top: 26 + 26 };
    const share = ((start_ns[index] + end_ns[index]) / 2 - from) / (to - from);
    return {
        x: box.x + plot.left + share * (box.width - plot.left - plot.right),
        y: box.y + plot.top + used.indexOf(stream[index]) * 22 + 10,
        timeline,
    };
}

test("a pointer over an operation says what it is", async () => {
    await withReport(["predict", "traces/h200/balanced/trace.json.gz", "--no-interval"], {},
        async (page) => {
            const [{ timeline }] = await panelsOf(page);
            for (const kind of ["copy to device", "kernel", "copy to host"]) {
                const index = timeline.operations.kind.indexOf(timeline.kinds.indexOf(kind));
                const { x, y } = await placeOf(page, index);
                await page.mouse.move(x, y);
                await page.waitForSelector(".tooltip:not([hidden])");
                assert.equal(await page.textContent(".tooltip p"),
                    timeline.names[timeline.operations.name[index]]);
                const rows = await page.$$eval(".tooltip dt", (terms) => Object.fromEntries(
                    terms.map((term) => [term.textContent, term.nextSibling.textContent])));
                const { start_ns, end_ns, bytes } = timeline.operations;
                assertTime(rows.duration, (end_ns[index] - start_ns[index]) / 1e3, "duration");
                assert.equal("bytes" in rows, bytes[index] !== null);
                assert.match(rows.waited, /^(for nothing|[\d.]+ \S+ for: .+)$/);
            }
            await page.mouse.move(2, 2);
            await page.waitForSelector(".tooltip", { state: "hidden" });
        });
});

test("wheel, buttons and keys zoom and pan", async () => {
    await withReport(["predict", "traces/h200/balanced/trace.json.gz", "--no-interval"], {},
        async (page) => {
            const changed = async (act) => {
                const before = await viewOf(page);
                await act();
                await page.waitForFunction((old) =>
                    document.querySelector(".timeline").dataset.view !== old, before.join(" "));
                const now = await viewOf(page);
                return { now, before, ratio: (now[1] - now[0]) / (before[1] - before[0]) };
            };
            const { x, y } = await placeOf(page, 0);
            await page.mouse.move(x, y);
            await page.keyboard.down("Control");
            const wheel = await changed(() => page.mouse.wheel(0, -200));
            await page.keyboard.up("Control");
            assert.ok(wheel.ratio < 1, `the wheel made the span ${wheel.ratio} of what it was`);

            await page.focus(".timeline");
            assert.equal((await changed(() => page.keyboard.press("+"))).ratio.toFixed(2), "0.50");
            const right = await changed(() => page.keyboard.press("ArrowRight"));
            assert.ok(right.now[0] > right.before[0]);
            assert.equal(right.ratio.toFixed(2), "1.00");
            const all = await changed(() => page.keyboard.press("0"));
            assert.equal(all.now[0], 0);
            const button = await changed(() => page.click("button[aria-label='Zoom in']"));
            assert.equal(button.ratio.toFixed(2), "0.50");

            await page.focus(".timeline");
            await page.keyboard.press("n");
            await page.waitForSelector(".selected:not([hidden])");
            const first = await page.textContent(".selected");
            await page.keyboard.press("n");
            assert.notEqual(await page.textContent(".selected"), first);
        });
});

test("every control is reached with the Tab key, and the table has what is in view", async () => {
    await withReport(["predict", "traces/h200/balanced/trace.json.gz", "--no-interval"], {},
        async (page) => {
            const reached = [];
            for (let i = 0; i < 14; ++i) {
                await page.keyboard.press("Tab");
                reached.push(await page.evaluate(() => {
                    const focused = document.activeElement;
                    return focused.getAttribute("aria-label") ?? focused.textContent;
                }));
            }
            for (const expected of ["Skip to the answer", "Switch to the dark theme", "Zoom in",
                                    "Show everything", "Timeline:", "Operations in view"]) {
                assert.ok(reached.some((label) => label.startsWith(expected)),
                    `${expected} is not among ${reached}`);
            }
            await page.click("section[data-kind=timelines] summary");
            await page.waitForSelector("section[data-kind=timelines] tbody tr");
            const [{ timeline }] = await panelsOf(page);
            const rows = await cellsOf(page, "timelines");
            assert.equal(rows.length, 100);
            const { start_ns, end_ns, name } = timeline.operations;
            const first = start_ns.findIndex((start) => start !== null);
            assert.equal(rows[0][1], timeline.names[name[first]]);
            assertTime(rows[0][4], (end_ns[first] - start_ns[first]) / 1e3, "duration in the table");
        });
});

test("the theme follows the system, and then the button", async () => {
    await withReport(["predict", "traces/h200/tiny/trace.json.gz", "--streams", "1,2", "--no-interval"],
        { dark: true }, async (page) => {
            const background = () => page.$eval("body", (body) =>
                getComputedStyle(body).backgroundColor);
            const dark = await background();
            await page.click("#theme");
            assert.notEqual(await background(), dark);
            assert.equal(await page.getAttribute("html", "data-theme"), "light");
        });
});

for (const dark of [false, true]) {
    test(`what is written can be read, ${dark ? "dark" : "light"}`, async () => {
        await withReport(["predict", "traces/h200/tiny/trace.json.gz", "--streams", "1",
                          "--no-interval"], { dark }, async (page) => {
            const colours = await page.evaluate(() => Object.fromEntries(
                ["page", "card", "text", "faint", "accent", "good", "alarm", "alarm-card", "tooltip",
                 "on-tooltip", "stripe", "on-kind", ...[...Array(10).keys()].map((i) => `kind-${i}`)]
                    .map((name) => [name, getComputedStyle(document.documentElement)
                        .getPropertyValue(`--${name}`).trim()])));
            const pairs = [
                ["text", "page"], ["text", "card"], ["faint", "page"], ["faint", "card"],
                ["accent", "card"], ["good", "card"], ["alarm", "alarm-card"],
                ["text", "alarm-card"], ["on-tooltip", "tooltip"],
                ["text", "kind-6"],  // of calls that wait
                ...[0, 1, 2, 3, 4, 5, 7, 8, 9].map((kind) => ["on-kind", `kind-${kind}`]),
            ];
            for (const [letters, ground] of pairs) {
                const ratio = contrast(colours[letters], colours[ground]);
                assert.ok(ratio >= 4.5, `${letters} on ${ground}: ${ratio.toFixed(2)} : 1`);
            }
        });
    });
}

test("two fingers zoom on a phone, and one finger scrolls the page", async () => {
    await withReport(["predict", "traces/h200/balanced/trace.json.gz", "--no-interval"],
        { viewport: kPhone }, async (page) => {
            await page.$eval(".timeline", (chart) => chart.scrollIntoView({ block: "start" }));
            const box = await (await page.$(".timeline")).boundingBox();
            const device = await page.context().newCDPSession(page);
            const touch = (type, ...points) => device.send("Input.dispatchTouchEvent", {
                type, touchPoints: points.map(([x, y], id) => ({ x, y, id })),
            });
            const y = box.y + 100;
            const [from, to] = await viewOf(page);
            await touch("touchStart", [180, y], [220, y]);
            for (let step = 1; step <= 8; ++step) {
                await touch("touchMove", [180 - step * 8, y], [220 + step * 8, y]);
            }
            await touch("touchEnd");
            await page.waitForFunction((old) =>
                document.querySelector(".timeline").dataset.view !== old, `${from} ${to}`);
            const zoomed = await viewOf(page);
            assert.ok(zoomed[1] - zoomed[0] < (to - from) * 0.8, `in view: ${zoomed}`);

            const before = await page.evaluate(() => scrollY);
            await touch("touchStart", [200, y + 150]);
            for (let step = 1; step <= 10; ++step) {
                await touch("touchMove", [200, y + 150 - step * 12]);
            }
            await touch("touchEnd");
            await page.waitForFunction((old) => scrollY > old + 40, before);
        });
});

test("a kernel's name stays text", async () => {
    const name = "<script>alert(1)</script><img src=x onerror=alert(2)>\u2028\u2029\"'`${1}&amp;-->";
    await inFolder(async (folder) => {
        const trace = join(folder, "hostile <script>alert(3).json.gz");
        renameKernels("traces/h200/balanced/trace.json.gz", trace, name);
        await withReport(["predict", trace, "--no-interval"], {}, async (page, _, file) => {
            assert.equal(readFileSync(file, "utf8").match(/<script/g).length, 3);
            assert.equal(await page.$$eval("script", (all) => all.length), 3);
            assert.equal(await page.$$eval("img", (all) => all.length), 0);
            const [{ timeline }] = await panelsOf(page);
            const index = timeline.operations.kind.indexOf(timeline.kinds.indexOf("kernel"));
            const { x, y } = await placeOf(page, index);
            await page.mouse.move(x, y);
            await page.waitForSelector(".tooltip:not([hidden])");
            assert.equal(await page.textContent(".tooltip p"), name);
            await page.click("section[data-kind=timelines] summary");
            await page.waitForSelector("section[data-kind=timelines] tbody tr");
            const rows = await cellsOf(page, "timelines");
            assert.ok(rows.some((cells) => cells[1] === name));
        });
    });
});

test("more than 50,000 operations are summed up, and the page says so", async () => {
    await inFolder(async (folder) => {
        const trace = join(folder, "many.json");
        writeManyOperations(trace, 51_000);
        await withReport(["predict", trace, "--streams", "1", "--order", "depth", "--unit", "whole"],
            { viewport: kDesktop }, async (page) => {
                const note = await page.textContent("section[data-kind=timelines]");
                assert.match(note, /51,000 operations are more than this page shows one by one/);
                const [{ timeline }] = await panelsOf(page);
                assert.equal(timeline.operation_count, 51_000);
                assert.ok(timeline.blocks.start_ns.length <= 60_000);
            });
    });
});
