// The pictures of the HTML report in the documentation. usage: node tests/browser/pictures.mjs FOLDER
import { join } from "node:path";

import { kDesktop, kPhone, openReport, startBrowser } from "./browser.mjs";
import { inFolder, overcast } from "./overcast.mjs";

const kPredict = ["predict", "traces/h200/balanced/trace.json.gz"];
const kValidate = ["validate", "--replay", "traces/h200/balanced"];
const kPictures = [
    { name: "predict-desktop-light", words: kPredict, viewport: kDesktop, dark: false },
    { name: "predict-phone-dark", words: kPredict, viewport: kPhone, dark: true },
    { name: "validate-desktop-dark", words: kValidate, viewport: kDesktop, dark: true },
    { name: "validate-phone-light", words: kValidate, viewport: kPhone, dark: false },
];

/** The page as a reader has it after a look around: tables folded, one operation selected. */
async function arrange(page) {
    await page.$$eval("details", (all) => all.forEach((one) => { one.open = false; }));
    await page.focus(".timeline");
    for (const key of ["ArrowDown", "ArrowDown", "n", "n", "n", "n"]) {
        await page.keyboard.press(key);
    }
    await page.evaluate(() => document.activeElement.blur());
    await page.waitForTimeout(400);  // the line under the timeline follows a little later
}

const folder = process.argv[2] ?? "docs/pictures";
const browser = await startBrowser();
try {
    await inFolder(async (temporary) => {
        for (const { name, words, viewport, dark } of kPictures) {
            const file = join(temporary, "report.html");
            overcast(...words, "--html", file);
            const report = await openReport(browser, file, { viewport, dark });
            // Where it was made is of no interest here.
            await report.page.evaluate(() => document.querySelectorAll("code").forEach((code) => {
                code.textContent = code.textContent.replace(/\S+report\.html/, "report.html");
            }));
            await arrange(report.page);
            await report.page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
            await report.close();
        }
    });
} finally {
    await browser.close();
}
