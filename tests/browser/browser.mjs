// Chromium for the tests, the measurements and the pictures of the HTML report.
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const kChromium = process.env.OVERCAST_CHROMIUM ?? "/usr/bin/chromium";

export const kDesktop = { width: 1280, height: 900 };
export const kPhone = { width: 390, height: 844 };

export async function startBrowser() {
    if (!existsSync(kChromium)) {
        throw new Error(`${kChromium} is missing: install it with ` +
            "tools/install-dependencies.sh --browser, or name another in OVERCAST_CHROMIUM");
    }
    return chromium.launch({
        executablePath: kChromium,
        args: ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"],
    });
}

/** Opens a report; what goes wrong on the page, and what it asks the network for, is kept. */
export async function openReport(browser, file, { viewport = kDesktop, dark = false } = {}) {
    const context = await browser.newContext({
        viewport, colorScheme: dark ? "dark" : "light", hasTouch: viewport === kPhone,
        isMobile: viewport === kPhone, deviceScaleFactor: 1,
    });
    const page = await context.newPage();
    const problems = [];
    const requests = [];
    const own = pathToFileURL(file).href;
    page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) {
            problems.push(`console: ${message.text()}`);
        }
    });
    page.on("pageerror", (error) => problems.push(`exception: ${error.stack}`));
    page.on("dialog", (dialog) => {
        problems.push(`dialog: ${dialog.message()}`);
        dialog.dismiss();
    });
    page.on("request", (request) => {
        if (request.url() !== own && !request.url().startsWith("data:")) {
            requests.push(request.url());
        }
    });
    await page.goto(own);
    await page.waitForSelector("html[data-ready=true]", { timeout: 20_000 });
    return { page, problems, requests, close: () => context.close() };
}
